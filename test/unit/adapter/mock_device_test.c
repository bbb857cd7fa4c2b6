// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The mock keeps its own promises: programs, the log, checked memory, failures on demand.
#include "unit/sched/cmocka_all.h"
#include "unit/sched/sched_fixture.h"

static void test_programs(void **state) {
  (void)state;
  fixture f;
  fixture_open_mock(&f, true);
  const tn_adapter_api *api = f.device.api;
  tn_adapter_device *device = f.device.adapter_device;
  tn_adapter_program *program = NULL;
  tn_adapter_kernel *kernel = NULL;
  static const char bad[] = "kernel a\nfunction b\n";
  ASSERT_FAILS(api->program_load(device, bad, strlen(bad), &program, diag), BUILD_FAILED, "line 2");
  ASSERT_FAILS(api->kernel_find(f.program, "zz", &kernel, diag), KERNEL_NOT_FOUND, "zz");
  MUST(api->kernel_find(f.program, "c", &kernel, diag));
  tn_mock_fail(device, TN_MOCK_FIND, 1);
  MUST(api->kernel_find(f.program, "c", &kernel, diag));
  ASSERT_FAILS(api->kernel_find(f.program, "c", &kernel, diag), KERNEL_NOT_FOUND, "told");
  tn_mock_fail(device, TN_MOCK_LOAD, 0);
  ASSERT_FAILS(api->program_load(device, bad, 8, &program, diag), BUILD_FAILED, "told");
  assert_int_equal(tn_mock_program_count(device), 1);
  MUST(api->program_load(device, bad, 8, &program, diag));
  assert_int_equal(tn_mock_program_count(device), 2);
  api->program_unload(program);
  assert_null(tn_mock_adapter_query(0));
  fixture_close(&f);
}

static void test_memory_is_checked(void **state) {
  (void)state;
  fixture f;
  fixture_open_mock(&f, true);
  const tn_adapter_api *api = f.device.api;
  tn_adapter_device *device = f.device.adapter_device;
  char *memory = NULL;
  for (int i = 0; i < 3; i++) {
    MUST(api->memory_alloc(device, TN_USM_DEVICE, 10, 64, (void **)&memory, diag));
    assert_int_equal(tn_mock_memory_count(device), 1);
    if (i > 0) {
      memory[i == 1 ? -1 : 10] = 0;
    }
    api->memory_free(device, TN_USM_DEVICE, memory);
    assert_int_equal(tn_mock_memory_errors(device), i);
  }
  api->memory_free(device, TN_USM_DEVICE, &f);
  assert_int_equal(tn_mock_memory_errors(device), 3);
  MUST(api->memory_alloc(device, TN_USM_HOST, 10, 64, (void **)&memory, diag));
  api->memory_free(device, TN_USM_SHARED, memory);
  assert_int_equal(tn_mock_memory_errors(device), 4);
  assert_int_equal(tn_mock_memory_count(device), 0);
  fixture_close(&f);
}

static void test_copies_are_done(void **state) {
  (void)state;
  fixture f;
  fixture_open_mock(&f, false);
  tn_queue *queue = fixture_queue(&f, TN_QUEUE_IN_ORDER);
  char from[16] = "0123456789abcde";
  char to[16] = "";
  const tn_command copy = {
      .struct_size = sizeof(copy), .kind = TN_COMMAND_COPY, .dst = to, .src = from, .size = 16};
  const tn_command fill = {.struct_size = sizeof(fill),
                           .kind = TN_COMMAND_FILL,
                           .dst = to,
                           .size = 4,
                           .pattern = "xy",
                           .pattern_size = 2};
  const tn_command rect = {.struct_size = sizeof(rect),
                           .kind = TN_COMMAND_COPY_RECT,
                           .rect_dst = {.memory = to, .offset = 8, .row_pitch = 4},
                           .rect_src = {.memory = from, .row_pitch = 8},
                           .rect_extent = {2, 2, 1}};
  MUST(tn_queue_submit(queue, &copy, NULL, diag));
  MUST(tn_queue_submit(queue, &fill, NULL, diag));
  MUST(tn_queue_submit(queue, &rect, NULL, diag));
  MUST(tn_queue_wait(queue, diag));
  assert_string_equal(to, "xyxy456701ab89e");
  tn_mock_record record;
  assert_true(tn_mock_log_at(f.device.adapter_device, 2, &record));
  assert_int_equal(record.kind, TN_ADAPTER_COPY_RECT);
  assert_false(tn_mock_log_at(f.device.adapter_device, 3, &record));
  assert_false(tn_mock_step(f.device.adapter_device, 0));
  tn_queue_release(queue);
  fixture_close(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      LEAK_TEST(test_programs),
      LEAK_TEST(test_memory_is_checked),
      LEAK_TEST(test_copies_are_done),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
