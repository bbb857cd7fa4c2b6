// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every refusal of tn_queue_submit, by its code and the words that a user needs.
#include "image/image.h"
#include "unit/sched/cmocka_all.h"
#include "unit/sched/sched_fixture.h"

typedef struct rig {
  fixture f;
  tn_kernel kernel;
  tn_queue *queue;
  tn_buffer *buffer;
  uint64_t args;
  char host[64];
} rig;

static void rig_open(rig *r) {
  memset(r, 0, sizeof(*r));
  fixture_open_mock(&r->f, false);
  r->kernel = fixture_kernel(&r->f, "a", 8);
  r->queue = fixture_queue(&r->f, 0);
  const tn_buffer_params params = {.struct_size = sizeof(params), .size = 64};
  MUST(tn_buffer_create(&params, &r->buffer, diag));
}

static void rig_close(rig *r) {
  MUST(tn_queue_wait(r->queue, diag));
  assert_int_equal(tn_mock_log_count(r->f.device.adapter_device), 0);
  tn_buffer_release(r->buffer);
  tn_queue_release(r->queue);
  fixture_close(&r->f);
}

#define REFUSED(command, code, word) \
  ASSERT_FAILS(tn_queue_submit(r.queue, &(command), NULL, diag), code, word)

static void test_kernel_arguments(void **state) {
  (void)state;
  rig r;
  rig_open(&r);
  tn_command command = kernel_command(&r.kernel, &r.args, 1);
  command.arg_size = 12;
  REFUSED(command, KERNEL_ARGUMENT, "kernel a takes an argument block of 8 bytes, but 12");
  command = kernel_command(&r.kernel, NULL, 1);
  REFUSED(command, KERNEL_ARGUMENT, "args is NULL");
  command = kernel_command(&r.kernel, &r.args, 1);
  command.kernel = NULL;
  REFUSED(command, INVALID_ARGUMENT, "both are NULL");
  command.struct_size = 8;
  REFUSED(command, INVALID_ARGUMENT, "struct_size");
  fixture other;
  fixture_open_mock(&other, false);
  tn_kernel foreign = fixture_kernel(&other, "a", 8);
  command = kernel_command(&foreign, &r.args, 1);
  REFUSED(command, WRONG_CONTEXT, "queue");
  tn_queue *queue = NULL;
  ASSERT_FAILS(tn_queue_create(r.f.context, &other.device, 0, &queue, diag), WRONG_CONTEXT,
               "not in the context");
  assert_null(queue);
  ASSERT_FAILS(tn_queue_create(r.f.context, NULL, 0, &queue, diag), INVALID_ARGUMENT, "NULL");
  ASSERT_FAILS(tn_queue_create(r.f.context, &r.f.device, 0x40, &queue, diag), INVALID_ARGUMENT,
               "0x40");
  fixture_close(&other);
  rig_close(&r);
}

static void test_functions(void **state) {
  (void)state;
  rig r;
  rig_open(&r);
  tn_kernel_arg args[] = {{.size = 4, .kind = TN_ARG_VALUE},
                                {.offset = 4, .size = 4, .kind = TN_ARG_VALUE}};
  r.kernel.flags = TN_KERNEL_IS_FUNCTION;
  r.kernel.args = args;
  r.kernel.arg_count = 2;
  tn_command command = kernel_command(&r.kernel, &r.args, 1);
  command.arg_size = 4;
  REFUSED(command, KERNEL_ARGUMENT, "kernel a takes its 2 arguments in a block of 8 bytes, but 4");
  r.kernel.is_single_task = true;
  command = kernel_command(&r.kernel, &r.args, 2);
  REFUSED(command, INVALID_ARGUMENT, "kernel a is a single_task_kernel, but");
  command.global[0] = 1;
  MUST(tn_queue_submit(r.queue, &command, NULL, diag));
  r.kernel.is_single_task = false;
  r.kernel.dims = 2;
  REFUSED(command, INVALID_ARGUMENT, "kernel a is an nd_range_kernel<2>, but it was launched wi");
  command.has_local = 1;
  REFUSED(command, INVALID_ARGUMENT, "with an nd_range<1>");
  command.dims = 2;
  MUST(tn_queue_submit(r.queue, &command, NULL, diag));
  MUST(tn_queue_wait(r.queue, diag));
  const tn_local astray = {.id = 1, .size = 4, .alignment = 4};
  command.locals = &astray;
  command.local_count = 1;
  REFUSED(command, KERNEL_ARGUMENT, "at byte 0, but that is argument 0");
  tn_kernel_arg pointer = {.size = 8, .kind = TN_ARG_POINTER};
  r.kernel.args = &pointer;
  r.kernel.arg_count = 1;
  REFUSED(command, KERNEL_ARGUMENT, "at byte 0, but that is argument 0");
  pointer.kind = TN_ARG_VALUE;  // a struct that has it as a member
  MUST(tn_queue_submit(r.queue, &command, NULL, diag));
  MUST(tn_queue_wait(r.queue, diag));
  tn_kernel_arg local_args[] = {{.size = 8, .kind = TN_ARG_LOCAL}};
  r.kernel.args = local_args;
  r.kernel.arg_count = 1;
  command.local_count = 0;
  REFUSED(command, KERNEL_ARGUMENT, "argument 0 is local memory, but no piece of it has arg_offs");
  tn_mock_log_clear(r.f.device.adapter_device);
  rig_close(&r);
}

static void test_specialization_constants(void **state) {
  (void)state;
  rig r;
  rig_open(&r);
  const uint32_t number = 1;
  const tn_spec_value value = {"id", 1, &number, sizeof(number)};
  tn_command command = kernel_command(&r.kernel, &r.args, 1);
  command.specs = &value;
  command.spec_count = 1;
  REFUSED(command, INVALID_ARGUMENT, "launches no kernel by its slot");
  tn_kernel_slot slot = {.name = "a"};
  command.kernel = NULL;
  command.slot = &slot;
  REFUSED(command, KERNEL_NOT_FOUND, "tenon++ -fsycl");
  command.specs = NULL;
  REFUSED(command, INVALID_ARGUMENT, "it is NULL");
  command = (tn_command){.struct_size = sizeof(command), .specs = &value, .spec_count = 1};
  REFUSED(command, INVALID_ARGUMENT, "launches no kernel by its slot");
  // A caller built before there were any.
  command = kernel_command(&r.kernel, &r.args, 1);
  command.spec_count = 1;
  command.struct_size = offsetof(tn_command, specs);
  MUST(tn_queue_submit(r.queue, &command, NULL, diag));
  MUST(tn_queue_wait(r.queue, diag));
  tn_mock_log_clear(r.f.device.adapter_device);
  rig_close(&r);
}

static void test_ranges(void **state) {
  (void)state;
  rig r;
  rig_open(&r);
  tn_command command = kernel_command(&r.kernel, &r.args, 10);
  command.dims = 4;
  REFUSED(command, ND_RANGE, "not 4");
  command.dims = 1;
  command.has_local = 1;
  command.local[0] = 0;
  REFUSED(command, ND_RANGE, "dimension 0 is 0");
  command.local[0] = 3;
  REFUSED(command, ND_RANGE, "local size 3 does not divide the global size 10");
  command.global[0] = command.local[0] = 128;
  REFUSED(command, ND_RANGE,
          "local size 128 of dimension 0 is over the maximum of device mock, 64");
  command.dims = 2;
  command.global[0] = command.global[1] = 32;
  command.local[0] = 4;
  command.local[1] = 32;
  REFUSED(command, ND_RANGE, "work-group of 128 work-items is over the maximum of device mock, 64");
  command = kernel_command(&r.kernel, &r.args, UINT64_MAX / 2);
  command.dims = 2;
  command.global[1] = 4;
  REFUSED(command, ND_RANGE, "64 bits");
  command = kernel_command(&r.kernel, &r.args, 16);
  command.offset[0] = UINT64_MAX - 8;
  REFUSED(command, ND_RANGE, "64 bits");
  rig_close(&r);
}

static void test_copies_and_fills(void **state) {
  (void)state;
  rig r;
  rig_open(&r);
  const tn_command copy = {.struct_size = sizeof(copy),
                           .kind = TN_COMMAND_COPY,
                           .dst = r.host,
                           .src = r.host + 32,
                           .size = 16};
  tn_command command = copy;
  command.dst = NULL;
  REFUSED(command, INVALID_ARGUMENT, "destination of 16 bytes is NULL");
  command = copy;
  command.src = NULL;
  REFUSED(command, INVALID_ARGUMENT, "source of 16 bytes is NULL");
  command = copy;
  command.size = SIZE_MAX;
  REFUSED(command, INVALID_ARGUMENT, "address space");
  command.kind = TN_COMMAND_PREFETCH;
  REFUSED(command, INVALID_ARGUMENT, "address space");
  command.kind = TN_COMMAND_ADVISE;
  REFUSED(command, INVALID_ARGUMENT, "address space");
  command = copy;
  command.kind = TN_COMMAND_PREFETCH;
  command.advice = 2;
  REFUSED(command, INVALID_ARGUMENT, "unknown direction 2 of a prefetch");
  command = copy;
  command.kind = 77;
  REFUSED(command, INVALID_ARGUMENT, "77");
  const tn_command fill = {.struct_size = sizeof(fill),
                           .kind = TN_COMMAND_FILL,
                           .dst = r.host,
                           .size = 16,
                           .pattern = "abcdef",
                           .pattern_size = 4};
  command = fill;
  command.pattern_size = 0;
  REFUSED(command, INVALID_ARGUMENT, "not 0");
  command.pattern_size = 129;
  REFUSED(command, INVALID_ARGUMENT, "not 129");
  command.pattern_size = 3;
  REFUSED(command, INVALID_ARGUMENT, "not a multiple");
  command = fill;
  command.pattern = NULL;
  REFUSED(command, INVALID_ARGUMENT, "pattern is NULL");
  command = fill;
  command.dst = NULL;
  REFUSED(command, INVALID_ARGUMENT, "destination");
  // Nothing to copy needs no pointers.
  command = copy;
  command.dst = NULL;
  command.size = 0;
  MUST(tn_queue_submit(r.queue, &command, NULL, diag));
  rig_close(&r);
}

static void test_accesses(void **state) {
  (void)state;
  rig r;
  rig_open(&r);
  tn_access access = {NULL, TN_ACCESS_READ, 0};
  tn_command command = kernel_command(&r.kernel, &r.args, 1);
  command.accesses = &access;
  command.access_count = 1;
  REFUSED(command, INVALID_ARGUMENT, "access 0 of the command has no buffer");
  access = (tn_access){r.buffer, TN_ACCESS_NO_INIT, 0};
  REFUSED(command, INVALID_ARGUMENT, "neither reads nor writes");
  access = (tn_access){r.buffer, TN_ACCESS_READ, 1};
  REFUSED(command, KERNEL_ARGUMENT, "at byte 1, outside the argument block of 8 bytes");
  command.accesses = NULL;
  REFUSED(command, INVALID_ARGUMENT, "accesses is NULL");
  command.access_count = 0;
  command.event_count = 2;
  REFUSED(command, INVALID_ARGUMENT, "events is NULL");
  rig_close(&r);
}

static void test_rectangles(void **state) {
  (void)state;
  rig r;
  rig_open(&r);
  const tn_access access = {r.buffer, TN_ACCESS_READ, TN_NO_ARG};
  tn_command command = {.struct_size = sizeof(command),
                        .kind = TN_COMMAND_COPY_RECT,
                        .accesses = &access,
                        .access_count = 1,
                        .rect_extent = {8, 2, 1},
                        .rect_dst = {.memory = r.host, .row_pitch = 8},
                        .rect_src = {.buffer = r.buffer, .row_pitch = 64}};
  REFUSED(command, INVALID_ARGUMENT,
          "source of a rectangular copy ends at byte 72 of a buffer of 64");
  command.rect_src.row_pitch = UINT64_MAX;
  REFUSED(command, INVALID_ARGUMENT, "larger than any memory");
  command.rect_src = (tn_rect){.buffer = r.buffer, .row_pitch = 8};
  command.rect_dst = (tn_rect){.buffer = r.buffer, .row_pitch = 8};
  REFUSED(command, ACCESSOR, "does not access for writing");
  command.rect_dst = (tn_rect){.memory = NULL, .row_pitch = 8};
  REFUSED(command, INVALID_ARGUMENT, "NULL");
  rig_close(&r);
}

// USM memory is known, so what would leave it or belongs elsewhere is refused; the rest is the
// program's own memory.
static void test_usm_bounds(void **state) {
  (void)state;
  rig r;
  rig_open(&r);
  fixture other;
  fixture_open_mock(&other, false);
  char *memory = NULL;
  char *foreign = NULL;
  MUST(tn_usm_alloc(r.f.context, &r.f.device, TN_USM_SHARED, 64, 0, (void **)&memory, diag));
  MUST(tn_usm_alloc(other.context, &other.device, TN_USM_SHARED, 64, 0, (void **)&foreign, diag));
  tn_command copy = {.struct_size = sizeof(copy), .kind = TN_COMMAND_COPY, .size = 33};
  copy.dst = memory + 32;
  copy.src = r.host;
  REFUSED(copy, INVALID_ARGUMENT,
          "lies at byte 32 of a USM allocation of 64 bytes, so 33 bytes from there end beyond it");
  copy.dst = r.host;
  copy.src = memory + 63;
  REFUSED(copy, INVALID_ARGUMENT, "the source");
  copy.src = foreign;
  REFUSED(copy, WRONG_CONTEXT, "the source");
  copy.dst = foreign + 8;
  copy.src = r.host;
  REFUSED(copy, WRONG_CONTEXT, "of another context");
  tn_command fill = {.struct_size = sizeof(fill),
                     .kind = TN_COMMAND_FILL,
                     .dst = memory,
                     .size = 68,
                     .pattern = "abcd",
                     .pattern_size = 4};
  REFUSED(fill, INVALID_ARGUMENT, "byte 0 of a USM allocation of 64 bytes");
  fill.dst = foreign;
  REFUSED(fill, WRONG_CONTEXT, "the destination");
  tn_command rect = {.struct_size = sizeof(rect),
                     .kind = TN_COMMAND_COPY_RECT,
                     .rect_extent = {8, 2, 1},
                     .rect_dst = {.memory = r.host, .row_pitch = 8},
                     .rect_src = {.memory = memory + 8, .row_pitch = 49}};
  REFUSED(rect, INVALID_ARGUMENT, "57 bytes");
  rect.rect_src = (tn_rect){.memory = foreign, .row_pitch = 8};
  REFUSED(rect, WRONG_CONTEXT, "the source");
  rect.kind = TN_COMMAND_FILL_RECT;
  rect.pattern = "abcd";
  rect.pattern_size = 4;
  rect.rect_dst = (tn_rect){.memory = memory, .offset = 56, .row_pitch = 8};
  REFUSED(rect, INVALID_ARGUMENT, "72 bytes");
  MUST(tn_usm_free(r.f.context, memory, diag));
  MUST(tn_usm_free(other.context, foreign, diag));
  fixture_close(&other);
  rig_close(&r);
}

static void test_usm_to_the_last_byte(void **state) {
  (void)state;
  fixture f;
  fixture_open_mock(&f, false);
  tn_queue *queue = fixture_queue(&f, 0);
  char host[64];
  char *memory = NULL;
  MUST(tn_usm_alloc(f.context, &f.device, TN_USM_SHARED, 64, 0, (void **)&memory, diag));
  tn_command command = {.struct_size = sizeof(command),
                        .kind = TN_COMMAND_COPY,
                        .dst = memory,
                        .src = host,
                        .size = 64};
  MUST(tn_queue_submit(queue, &command, NULL, diag));
  command.dst = memory + 63;
  command.size = 1;
  MUST(tn_queue_submit(queue, &command, NULL, diag));
  command = (tn_command){.struct_size = sizeof(command),
                         .kind = TN_COMMAND_COPY_RECT,
                         .rect_extent = {8, 2, 1},
                         .rect_dst = {.memory = memory + 8, .row_pitch = 48},
                         .rect_src = {.memory = host, .row_pitch = 8}};
  MUST(tn_queue_submit(queue, &command, NULL, diag));
  MUST(tn_queue_wait(queue, diag));
  MUST(tn_usm_free(f.context, memory, diag));
  tn_queue_release(queue);
  fixture_close(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      LEAK_TEST(test_kernel_arguments),     LEAK_TEST(test_specialization_constants),
      LEAK_TEST(test_functions),
      LEAK_TEST(test_ranges),
      LEAK_TEST(test_copies_and_fills),     LEAK_TEST(test_accesses),
      LEAK_TEST(test_rectangles),           LEAK_TEST(test_usm_bounds),
      LEAK_TEST(test_usm_to_the_last_byte),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
