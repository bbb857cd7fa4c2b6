// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One kernel, launched in ranges of all kinds, by submit and in streams.
#include "conformance/conformance.h"

enum { COUNT = 1 << 14, LAUNCHES = 3000 };

tn_adapter_command conformance_launch(tn_adapter_kernel *kernel, const block *args, size_t count) {
  return (tn_adapter_command){.kind = TN_ADAPTER_KERNEL,
                              .launch = {.kernel = kernel,
                                         .args = args,
                                         .arg_size = sizeof(*args),
                                         .dims = 1,
                                         .global = {count, 1, 1},
                                         .local = {1, 1, 1}}};
}

static void check_values(const subject *s, const int32_t *memory, size_t begin, size_t end,
                         int32_t wanted) {
  static int32_t host[COUNT];
  bool is_right = true;
  const tn_adapter_command command = {
      .kind = TN_ADAPTER_COPY, .dst = host, .src = memory, .size = sizeof(host)};
  conformance_run(s, &command);
  for (size_t i = 0; i < COUNT; i++) {
    is_right = is_right && host[i] == (i >= begin && i < end ? wanted : 0);
  }
  CHECK(is_right);
}

static void clear(const subject *s, int32_t *memory) {
  const int32_t zero = 0;
  const tn_adapter_command command = {.kind = TN_ADAPTER_FILL,
                                      .dst = memory,
                                      .size = COUNT * sizeof(zero),
                                      .pattern = &zero,
                                      .pattern_size = sizeof(zero)};
  conformance_run(s, &command);
}

static void check_ranges(const subject *s, tn_adapter_kernel *kernel, int32_t *memory) {
  static const size_t counts[] = {1, 7, 256, 1000, COUNT};
  const block args = {memory, 3};
  for (size_t i = 0; i < TN_COUNT(counts); i++) {
    clear(s, memory);
    tn_adapter_command command = conformance_launch(kernel, &args, counts[i]);
    conformance_run(s, &command);
    check_values(s, memory, 0, counts[i], 3);
    if (counts[i] % 8 == 0) {
      command.launch.has_local = 1;
      command.launch.local[0] = 8;
      conformance_run(s, &command);
      check_values(s, memory, 0, counts[i], 6);
    }
  }
  clear(s, memory);
  tn_adapter_command command = conformance_launch(kernel, &args, 100);
  command.launch.offset[0] = 50;
  conformance_run(s, &command);
  check_values(s, memory, 50, 150, 3);
}

static void check_stream(const subject *s, tn_adapter_kernel *kernel, int32_t *memory) {
  tn_adapter_stream *stream = NULL;
  if (!s->has->stream_create) {
    return;
  }
  clear(s, memory);
  OK(s->api->stream_create(s->device, &stream, DIAG));
  for (int32_t i = 0; i < LAUNCHES; i++) {
    const block args = {memory, i % 2 + 1};  // only looked at during the call
    const tn_adapter_command command = conformance_launch(kernel, &args, COUNT);
    OK(s->api->stream_launch(stream, &command, DIAG));
  }
  // Small enough to be done at once, were it not behind the kernels.
  int32_t first[16] = {0};
  const tn_adapter_command command = {
      .kind = TN_ADAPTER_COPY, .dst = first, .src = memory, .size = sizeof(first)};
  OK(s->api->stream_launch(stream, &command, DIAG));
  OK(s->api->stream_wait(stream, DIAG));
  CHECK(first[0] == 3 * LAUNCHES / 2 && first[15] == 3 * LAUNCHES / 2);
  check_values(s, memory, 0, COUNT, 3 * LAUNCHES / 2);
  s->api->stream_destroy(stream);
}

void conformance_kernels(const subject *s) {
  tn_adapter_program *program = NULL;
  tn_adapter_kernel *kernel = NULL;
  tn_adapter_kernel *none = NULL;
  void *memory = NULL;
  if (!s->kernel) {
    return;
  }
  OK(s->api->program_load(s->device, s->code.data, s->code.size, &program, DIAG));
  if (!program) {
    return;
  }
  OK(s->api->kernel_find(program, s->kernel, &kernel, DIAG));
  FAILS(s->api->kernel_find(program, "no_such_kernel", &none, DIAG), KERNEL_NOT_FOUND);
  OK(s->api->memory_alloc(s->device, TN_USM_DEVICE, COUNT * sizeof(int32_t), 64, &memory, DIAG));
  if (kernel && memory) {
    check_ranges(s, kernel, memory);
    check_stream(s, kernel, memory);
    s->api->memory_free(s->device, TN_USM_DEVICE, memory);
  }
  s->api->program_unload(program);
}
