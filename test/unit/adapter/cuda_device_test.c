// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CUDA adapter over a driver without a device (test/fake_cuda).
#include "adapter/cuda/cuda.h"
#include "adapter/cuda/cuda_driver.h"
#include "fake_cuda/fake_fail.h"
#include "fake_cuda/fake_kernel.h"
#include "unit/sched/cmocka_all.h"
#include "unit/sched/sched_fixture.h"

#include <stdatomic.h>

static const char ptx[] = ".version 7.0\n.entry copy_word(\n.entry name$here(\n.entry no_args(\n";

typedef struct block {
  uint32_t *to;
  uint64_t value;
} block;

typedef struct seen {
  char name[64];
  unsigned grid[3];
  unsigned threads[3];
  uint64_t words[7];
} seen;
static seen last;

void fake_cuda_kernel(const char *name, const unsigned *grid, const unsigned *threads,
                      void *const *params) {
  snprintf(last.name, sizeof(last.name), "%s", name);
  memcpy(last.grid, grid, sizeof(last.grid));
  memcpy(last.threads, threads, sizeof(last.threads));
  const bool has_block = strcmp(name, "no_args") != 0;
  memcpy(last.words, params[has_block ? 1 : 0], has_block ? sizeof(last.words) : 16);
  if (has_block) {
    block args;
    memcpy(&args, params[0], sizeof(args));
    *args.to = (uint32_t)args.value;
  }
}

typedef struct outcome {
  _Atomic int count;
  tn_status status;
  tn_diag diag;
  uint64_t start_ns;
  uint64_t end_ns;
} outcome;

static void note(void *user, tn_status status, const tn_diag *diag, uint64_t start_ns,
                 uint64_t end_ns) {
  outcome *out = user;
  out->status = status;
  if (diag) {
    out->diag = *diag;
  }
  out->start_ns = start_ns;
  out->end_ns = end_ns;
  atomic_fetch_add(&out->count, 1);
}

typedef struct rig {
  fixture f;
  const tn_adapter_api *api;
  tn_adapter_device *device;
} rig;

static void rig_open(rig *r) {
  fake_cuda_fail(NULL);
  r->api = tn_cuda_adapter_query(TN_ADAPTER_VERSION);
  fixture_open(&r->f, r->api, 0, ptx, sizeof(ptx));
  r->device = r->f.device.adapter_device;
}

static void run(rig *r, const tn_adapter_command *wanted) {
  outcome out = {0};
  tn_adapter_command command = *wanted;
  command.wants_times = 1;
  MUST(r->api->submit(r->device, &command, note, &out, diag));
  while (atomic_load(&out.count) == 0) {
    (void)r->api->help(r->device);
  }
  assert_int_equal(out.status, TN_OK);
  assert_true(out.end_ns >= out.start_ns && out.start_ns > 0);
}

static void test_devices(void **state) {
  (void)state;
  rig r;
  rig_open(&r);
  assert_int_equal(r.api->device_count(r.f.adapter), 2);
  assert_null(r.api->device_at(r.f.adapter, 2));
  char text[64];
  MUST(r.api->device_get_info(r.device, TN_DEVICE_INFO_NAME, text, sizeof(text), NULL, diag));
  assert_string_equal(text, "Fake GPU 0");
  MUST(r.api->device_get_info(r.api->device_at(r.f.adapter, 1), TN_DEVICE_INFO_VERSION, text,
                              sizeof(text), NULL, diag));
  assert_string_equal(text, "9.0");
  for (int32_t what = TN_DEVICE_INFO_NAME; what <= TN_DEVICE_INFO_MAX_MEM_BANDWIDTH; what++) {
    unsigned char any[256];
    MUST(r.api->device_get_info(r.device, what, any, sizeof(any), NULL, diag));
  }
  uint64_t aspects = 0;
  MUST(r.api->device_get_info(r.device, TN_DEVICE_INFO_ASPECTS, &aspects, sizeof(aspects), NULL,
                              diag));
  assert_true((aspects >> TN_ASPECT_GPU & 1) != 0);
  assert_true((aspects >> TN_ASPECT_USM_SYSTEM_ALLOCATIONS & 1) == 0);
  assert_true((aspects >> TN_ASPECT_PCI_ADDRESS & 1) != 0);
  uint64_t number = 0;
  MUST(r.api->device_get_info(r.device, TN_DEVICE_INFO_FREE_MEMORY, &number, sizeof(number), NULL,
                              diag));
  assert_int_equal(number, 1 << 29);
  MUST(r.api->device_get_info(r.device, TN_DEVICE_INFO_MAX_MEM_BANDWIDTH, &number, sizeof(number),
                              NULL, diag));
  assert_int_equal(number, UINT64_C(2) * 3201000 * 1000 * 6016 / 8);
  MUST(
      r.api->device_get_info(r.device, TN_DEVICE_INFO_PCI_ADDRESS, text, sizeof(text), NULL, diag));
  assert_string_equal(text, "0000:01:00.0");
  uint32_t id = 0;
  MUST(r.api->device_get_info(r.device, TN_DEVICE_INFO_DEVICE_ID, &id, sizeof(id), NULL, diag));
  assert_int_equal(id, 0x2335);
  fixture_close(&r.f);
}

static void test_memory(void **state) {
  (void)state;
  rig r;
  rig_open(&r);
  for (int32_t kind = 0; kind < 3; kind++) {
    for (size_t alignment = 1; alignment <= 1 << 16; alignment *= 4) {
      void *memory = NULL;
      MUST(r.api->memory_alloc(r.device, kind, 100, alignment, &memory, diag));
      assert_int_equal((uintptr_t)memory % alignment, 0);
      memset(memory, 1, 100);
      r.api->memory_free(r.device, kind, memory);
    }
  }
  void *memory = NULL;
  tn_diag failure;
  assert_int_equal(r.api->memory_alloc(r.device, 1, (size_t)1 << 40, 1, &memory, &failure),
                   TN_OUT_OF_MEMORY);
  assert_non_null(strstr(failure.text, "Fake GPU 0: 1099511627776 bytes cannot be allocated"));
  assert_int_equal(r.api->memory_alloc(r.device, 1, SIZE_MAX, 1 << 20, &memory, &failure),
                   TN_OUT_OF_MEMORY);
  fixture_close(&r.f);
}

static void test_programs(void **state) {
  (void)state;
  rig r;
  rig_open(&r);
  tn_adapter_program *program = NULL;
  tn_adapter_kernel *kernel = NULL;
  tn_adapter_kernel *again = NULL;
  tn_diag failure;
  static const char bad[] = "bad code";
  assert_int_equal(r.api->program_load(r.device, bad, sizeof(bad), &program, &failure),
                   TN_BUILD_FAILED);
  assert_non_null(strstr(failure.text, "the driver says: ptxas application ptx input, line 3"));
  MUST(r.api->kernel_find(r.f.program, "name@here", &kernel, diag));
  MUST(r.api->kernel_find(r.f.program, "name@here", &again, diag));
  assert_ptr_equal(kernel, again);
  assert_int_equal(r.api->kernel_find(r.f.program, "none", &again, &failure), TN_KERNEL_NOT_FOUND);
  assert_non_null(strstr(failure.text, "has no kernel none"));
  fixture_close(&r.f);
}

// A message names the place of a kernel whose PTX has lines, and it stays when the program goes.
static void test_places_in_sources(void **state) {
  (void)state;
  static const char lined[] =
      ".version 7.0\n.visible .entry first(\n)\n{\n\tret;\n}\n.visible .entry here$1(\n)\n{\n"
      "\t.loc\t3 99 1\n\t.loc\t2 17 3\n\tmov;\n\t.loc\t1 4 5\n}\n.visible .entry "
      "no_file(\n\t.loc\t9 1 1\n"
      "\t.file\t1 \"/src/other.hpp\"\n\t.file\t2 \"/src/a.cpp\"\n"
      "\t.file\t3 \"/usr/include/sycl/detail/kernel_entry.hpp\"\n";
  static const struct {
    const char *name;
    const char *shown;
  } all[] = {{"first", "kernel walk on"},
             {"here.1", "kernel walk (/src/a.cpp:17) on"},
             {"no_file", "kernel walk on"}};
  rig r;
  rig_open(&r);
  for (size_t i = 0; i < TN_COUNT(all); i++) {
    tn_adapter_program *program = NULL;
    tn_adapter_command command = {.kind = TN_ADAPTER_KERNEL, .launch.dims = 1};
    MUST(r.api->program_load(r.device, lined, sizeof(lined) - 1, &program, diag));
    MUST(r.api->kernel_find(program, all[i].name, &command.launch.kernel, diag));
    r.api->kernel_show_as(command.launch.kernel, "walk");
    uint32_t word = 0;
    const block args = {&word, 1};
    command.launch.args = &args;
    command.launch.arg_size = sizeof(args);
    for (int d = 0; d < 3; d++) {
      command.launch.global[d] = command.launch.local[d] = 1;
    }
    tn_adapter_stream *stream = NULL;
    tn_diag failure = {0};
    MUST(r.api->stream_create(r.device, &stream, diag));
    MUST(r.api->stream_launch(stream, &command, diag));
    MUST(r.api->stream_wait(stream, diag));
    r.api->program_unload(program);
    char told[64];
    snprintf(told, sizeof(told), "cuStreamSynchronize:0:%zu", 301 + i);
    fake_cuda_fail(told);
    assert_int_equal(r.api->stream_wait(stream, &failure), TN_DEVICE_FAILED);
    fake_cuda_fail(NULL);
    assert_non_null(strstr(failure.text, all[i].shown));
    r.api->stream_destroy(stream);
  }
  fixture_close(&r.f);
}

static tn_adapter_command launch(rig *r, const char *name, const void *args, size_t size) {
  tn_adapter_command command = {.kind = TN_ADAPTER_KERNEL};
  MUST(r->api->kernel_find(r->f.program, name, &command.launch.kernel, diag));
  command.launch.args = args;
  command.launch.arg_size = size;
  command.launch.dims = 1;
  for (int i = 0; i < 3; i++) {
    command.launch.global[i] = command.launch.local[i] = 1;
  }
  return command;
}

static void test_launches(void **state) {
  (void)state;
  rig r;
  rig_open(&r);
  uint32_t word = 0;
  const block args = {&word, 77};
  tn_adapter_command command = launch(&r, "copy_word", &args, sizeof(args));
  command.launch.global[0] = 1000;
  command.launch.offset[0] = 3;
  run(&r, &command);
  assert_int_equal(word, 77);
  assert_string_equal(last.name, "copy_word");
  assert_int_equal((size_t)last.grid[0] * last.threads[0], 1024);
  assert_int_equal(last.words[0], 1000);
  assert_int_equal(last.words[3], 3);
  assert_int_equal(last.words[6], 0);
  // Many rows: more than the grid has groups of one.
  command.launch.dims = 3;
  command.launch.global[1] = 1 << 20;
  command.launch.global[2] = 100000;
  command.launch.global[0] = 1;
  run(&r, &command);
  assert_true((uint64_t)last.grid[1] * last.threads[1] >= 1 << 20 && last.grid[1] <= 0xffff);
  assert_true((uint64_t)last.grid[2] * last.threads[2] >= 100000 && last.grid[2] <= 0xffff);
  // Rows that lie next to each other.
  command.launch.global[0] = command.launch.global[1] = 512;
  command.launch.global[2] = 1;
  run(&r, &command);
  assert_int_equal(last.threads[0], 64);
  assert_int_equal(last.threads[1], 4);
  // Where there are rows, device code counts in 32 bits.
  tn_diag beyond;
  outcome refused = {0};
  command.launch.dims = 2;
  command.launch.global[0] = 0x7fffffff;
  command.launch.offset[0] = 1;
  assert_int_equal(r.api->submit(r.device, &command, note, &refused, &beyond), TN_ND_RANGE);
  assert_non_null(strstr(beyond.text, "ids in dimension 1 go up to 2147483647"));
  command = launch(&r, "no_args", NULL, 0);
  command.launch.has_local = 1;
  command.launch.global[0] = 64;
  command.launch.local[0] = 32;
  command.launch.local_memory_size = 100 << 10;
  run(&r, &command);
  assert_int_equal(last.grid[0], 2);
  tn_diag failure;
  outcome out = {0};
  command.launch.local_memory_size = 1 << 20;
  assert_int_equal(r.api->submit(r.device, &command, note, &out, &failure), TN_OUT_OF_MEMORY);
  assert_non_null(strstr(failure.text, "kernel no_args: 1048576 bytes of local memory"));
  command.launch.local_memory_size = 0;
  command.launch.global[1] = (uint64_t)1 << 20;
  assert_int_equal(r.api->submit(r.device, &command, note, &out, &failure), TN_ND_RANGE);
  assert_non_null(strstr(failure.text, "are over the maximum of device Fake GPU 0, 65535"));
  assert_int_equal(out.count, 0);
  fixture_close(&r.f);
}

// Groups that may wait for each other: the driver's cooperative launch, and as many as it says.
static void test_cooperative_launches(void **state) {
  (void)state;
  rig r;
  rig_open(&r);
  uint64_t groups = 0;
  uint32_t units = 0;
  tn_adapter_command command = launch(&r, "no_args", NULL, 0);
  command.launch.has_local = TN_ADAPTER_ROOT_SYNC;
  command.launch.global[0] = 64;
  command.launch.local[0] = 32;
  run(&r, &command);
  assert_int_equal(last.grid[0], 2);
  fake_cuda_fail("cuLaunchCooperativeKernel:0:82");
  tn_diag failure;
  outcome out = {0};
  assert_int_not_equal(r.api->submit(r.device, &command, note, &out, &failure), TN_OK);
  fake_cuda_fail(NULL);
  MUST(r.api->device_get_info(r.device, TN_DEVICE_INFO_MAX_COMPUTE_UNITS, &units, sizeof(units),
                              NULL, diag));
  MUST(r.api->kernel_root_groups(r.device, command.launch.kernel, 512, 0, &groups, diag));
  assert_int_equal(groups, 4 * units);
  assert_int_equal(r.api->kernel_root_groups(r.device, command.launch.kernel, 512, 1 << 20, &groups,
                                             &failure),
                   TN_OUT_OF_MEMORY);
  // In a graph of the driver's it is none; the runtime gives the commands one by one.
  tn_adapter_graph *graph = NULL;
  const tn_adapter_graph_node node = {&command, NULL, 0};
  assert_int_equal(r.api->graph_create(r.device, &node, 1, &graph, &failure), TN_UNSUPPORTED);
  fixture_close(&r.f);
}

static void test_specialization_constants(void **state) {
  (void)state;
  rig r;
  rig_open(&r);
  const uint64_t values[2] = {5, 6};
  uint32_t word = 0;
  const block args = {&word, 1};
  MUST(r.api->program_set_specs(r.f.program, values, sizeof(values), diag));
  const tn_adapter_command command = launch(&r, "copy_word", &args, sizeof(args));
  run(&r, &command);
  uint64_t read[2];
  memcpy(read, (const void *)(uintptr_t)last.words[6], sizeof(read));
  assert_memory_equal(read, values, sizeof(values));
  fixture_close(&r.f);
}

static void test_fills(void **state) {
  (void)state;
  enum { SIZE = 240 };
  rig r;
  rig_open(&r);
  for (size_t pattern_size = 1; pattern_size <= 24; pattern_size++) {
    unsigned char pattern[24];
    unsigned char memory[SIZE + 24] = {0};
    for (size_t i = 0; i < pattern_size; i++) {
      pattern[i] = (unsigned char)(pattern_size % 5 == 0 ? 9 : i + 1);
    }
    const size_t size = SIZE / pattern_size * pattern_size;
    const tn_adapter_command command = {.kind = TN_ADAPTER_FILL,
                                        .dst = memory + pattern_size % 4,
                                        .size = size,
                                        .pattern = pattern,
                                        .pattern_size = pattern_size};
    run(&r, &command);
    for (size_t i = 0; i < size; i++) {
      assert_int_equal(memory[pattern_size % 4 + i], pattern[i % pattern_size]);
    }
    assert_int_equal(memory[pattern_size % 4 + size], 0);
  }
  fixture_close(&r.f);
}

static void test_boxes(void **state) {
  (void)state;
  unsigned char from[4][6][10];
  unsigned char to[3][5][9] = {{{0}}};
  rig r;
  rig_open(&r);
  for (size_t i = 0; i < sizeof(from); i++) {
    ((unsigned char *)from)[i] = (unsigned char)i;
  }
  tn_adapter_command command = {.kind = TN_ADAPTER_COPY_RECT,
                                .rect_src = {from[1][2] + 3, sizeof(from[0][0]), sizeof(from[0])},
                                .rect_dst = {to[0][1] + 2, sizeof(to[0][0]), sizeof(to[0])},
                                .extent = {4, 3, 2}};
  run(&r, &command);
  for (size_t z = 0; z < 2; z++) {
    for (size_t y = 0; y < 3; y++) {
      assert_memory_equal(&to[z][1 + y][2], &from[1 + z][2 + y][3], 4);
    }
  }
  assert_int_equal(to[0][0][2], 0);
  assert_int_equal(to[0][1][6], 0);
  const unsigned char pattern[2] = {1, 2};
  command = (tn_adapter_command){.kind = TN_ADAPTER_FILL_RECT,
                                 .rect_dst = {to[1][0], sizeof(to[0][0]), sizeof(to[0])},
                                 .extent = {4, 2, 2},
                                 .pattern = pattern,
                                 .pattern_size = 2};
  run(&r, &command);
  assert_memory_equal(to[1][1], ((unsigned char[]){1, 2, 1, 2}), 4);
  assert_memory_equal(to[2][0], ((unsigned char[]){1, 2, 1, 2}), 4);
  fixture_close(&r.f);
}

// Hints are for managed memory only; others are passed over, and so is advice that means nothing.
static void test_hints(void **state) {
  (void)state;
  rig r;
  rig_open(&r);
  char memory[64];
  for (int is_managed = 0; is_managed < 2; is_managed++) {
    if (is_managed) {
      setenv("FAKE_CUDA_MANAGED", "1", 1);
    }
    for (int32_t advice = 0; advice < 8; advice++) {
      const tn_adapter_command command = {
          .kind = advice <= TN_PREFETCH_TO_HOST ? TN_ADAPTER_PREFETCH : TN_ADAPTER_ADVISE,
          .dst = memory,
          .size = sizeof(memory),
          .advice = advice};
      run(&r, &command);
    }
    assert_int_equal(r.api->memory_kind(r.device, memory),
                     is_managed ? TN_USM_SHARED : TN_USM_UNKNOWN);
    assert_int_equal(r.api->memory_kind(r.api->device_at(r.f.adapter, 1), memory), TN_USM_UNKNOWN);
    tn_usm_info info;
    MUST(tn_usm_query(r.f.context, memory, &info, diag));
    assert_int_equal(info.kind, is_managed ? TN_USM_SHARED : TN_USM_UNKNOWN);
    assert_ptr_equal(info.device, is_managed ? &r.f.device : NULL);
  }
  fake_cuda_fail("cuMemPrefetchAsync:0:2");
  tn_diag failure = {0};
  outcome out = {0};
  const tn_adapter_command command = {.kind = TN_ADAPTER_PREFETCH, .dst = memory, .size = 8};
  assert_int_equal(r.api->submit(r.device, &command, note, &out, &failure), TN_OUT_OF_MEMORY);
  assert_non_null(strstr(failure.text, "a hint about 8 bytes on device Fake GPU 0"));
  fake_cuda_fail(NULL);
  unsetenv("FAKE_CUDA_MANAGED");
  fixture_close(&r.f);
}

// Large copies of pageable memory go in pieces, by several threads.
static void test_large_copies(void **state) {
  (void)state;
  enum { SIZE = (20 << 20) + 77, ROOM = SIZE + 64 };
  unsigned char *device_side = malloc(ROOM);
  unsigned char *host_side = malloc(ROOM);
  char told[64];
  snprintf(told, sizeof(told), "%lx:%x", (unsigned long)(uintptr_t)device_side, (unsigned)ROOM);
  setenv("FAKE_CUDA_DEVICE_MEMORY", told, 1);
  rig r;
  rig_open(&r);
  for (int turn = 0; turn < 6; turn++) {
    const bool is_down = turn % 2 != 0;
    unsigned char *from = is_down ? device_side : host_side;
    unsigned char *to = is_down ? host_side : device_side;
    for (size_t i = 0; i < ROOM; i++) {
      from[i] = (unsigned char)(i * 7 + (i >> 12) + (size_t)turn);
      to[i] = 0;
    }
    const tn_adapter_command command = {
        .kind = TN_ADAPTER_COPY, .dst = to + 3, .src = from + 1, .size = SIZE};
    run(&r, &command);
    assert_memory_equal(to + 3, from + 1, SIZE);
    assert_int_equal(to[2], 0);
    assert_int_equal(to[3 + SIZE], 0);
  }
  tn_diag failure = {0};
  outcome out = {0};
  const tn_adapter_command command = {
      .kind = TN_ADAPTER_COPY, .dst = device_side, .src = host_side, .size = SIZE};
  fake_cuda_fail("cuMemcpyAsync:9:304");
  assert_int_equal(r.api->submit(r.device, &command, note, &out, &failure), TN_DEVICE_FAILED);
  assert_non_null(strstr(failure.text, "a copy of 20971597 bytes on device Fake GPU 0"));
  fake_cuda_fail(NULL);
  unsetenv("FAKE_CUDA_DEVICE_MEMORY");
  fixture_close(&r.f);
  free(device_side);
  free(host_side);
}

static void test_failures(void **state) {
  (void)state;
  static const char *const calls[] = {"cuLaunchKernel", "cuEventRecord"};
  rig r;
  rig_open(&r);
  uint32_t word = 0;
  const block args = {&word, 1};
  const tn_adapter_command command = launch(&r, "copy_word", &args, sizeof(args));
  for (size_t i = 0; i < TN_COUNT(calls); i++) {
    char told[64];
    tn_diag failure = {0};
    outcome out = {0};
    snprintf(told, sizeof(told), "%s:0:2", calls[i]);
    fake_cuda_fail(told);
    assert_int_equal(r.api->submit(r.device, &command, note, &out, &failure), TN_OUT_OF_MEMORY);
    assert_int_equal(out.count, 0);
    assert_non_null(strstr(failure.text, "out of memory (CUDA_ERROR_OUT_OF_MEMORY)"));
    fake_cuda_fail(NULL);
    run(&r, &command);
  }
  fixture_close(&r.f);
}

// Last: after a fault the driver is of no use to the process.
static void test_faults_of_kernels(void **state) {
  (void)state;
  rig r;
  rig_open(&r);
  uint32_t word = 0;
  const block args = {&word, 1};
  const tn_adapter_command command = launch(&r, "copy_word", &args, sizeof(args));
  tn_adapter_stream *stream = NULL;
  tn_diag failure = {0};
  MUST(r.api->stream_create(r.device, &stream, diag));
  MUST(r.api->stream_launch(stream, &command, diag));
  fake_cuda_fail("cuStreamSynchronize:0:700");
  assert_int_equal(r.api->stream_wait(stream, &failure), TN_DEVICE_FAILED);
  assert_int_equal(failure.native_code, TN_CU_ILLEGAL_ADDRESS);
  assert_non_null(
      strstr(failure.text, "kernel copy_word on device Fake GPU 0, or what ran before"));
  assert_non_null(strstr(failure.text, "memory that is not the device's"));
  assert_non_null(strstr(failure.text, "context is lost: it takes no more work from this process"));
  fake_cuda_fail(NULL);
  // The name stays when the program goes, and what comes later says what it was lost to.
  assert_int_equal(r.api->stream_launch(stream, &command, &failure), TN_DEVICE_FAILED);
  assert_non_null(strstr(failure.text, "was lost before (kernel copy_word on device Fake GPU 0"));
  void *memory = NULL;
  assert_int_equal(r.api->memory_alloc(r.device, TN_USM_DEVICE, 8, 1, &memory, &failure),
                   TN_DEVICE_FAILED);
  assert_non_null(strstr(failure.text, "was lost before"));
  r.api->stream_destroy(stream);
  fixture_close(&r.f);
}

// The driver stays for the process.
static int load_driver(void **state) {
  (void)state;
  const tn_cuda_driver *driver = NULL;
  MUST(tn_cuda_driver_load(&driver, diag));
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      LEAK_TEST(test_devices),
      LEAK_TEST(test_memory),
      LEAK_TEST(test_programs),
      LEAK_TEST(test_launches),
      LEAK_TEST(test_cooperative_launches),
      LEAK_TEST(test_specialization_constants),
      LEAK_TEST(test_fills),
      LEAK_TEST(test_boxes),
      LEAK_TEST(test_places_in_sources),
      LEAK_TEST(test_hints),
      LEAK_TEST(test_large_copies),
      LEAK_TEST(test_failures),
      LEAK_TEST(test_faults_of_kernels),
  };
  return cmocka_run_group_tests(tests, load_driver, NULL);
}
