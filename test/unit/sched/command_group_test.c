// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Command groups: their lists, the modes of their accesses, errors, and what they give back.
#include "tenon/command_group.h"

// clang-format off: cmocka.h needs its own headers first
#include "cmocka_all.h"
// clang-format on

#include "sched_fixture.h"

enum { MANY = 40 };  // more than a group holds without the heap

static int destroyed;
static int freed;
static void destroy(void *block) {
  assert_non_null(block);
  destroyed++;
}
static void count_free(void *user) {
  (void)user;
  freed++;
}

static tn_buffer *make_buffer(void) {
  tn_buffer *buffer = NULL;
  MUST(tn_buffer_create(&(tn_buffer_params){.struct_size = sizeof(tn_buffer_params), .size = 64},
                        &buffer, diag));
  return buffer;
}

// What the copy constructors of accessors and local accessors do.
static void report(void **block, tn_buffer *buffer, int which) {
  tn_capture *capture = tn_capture_get();
  assert_non_null(capture);
  assert_true((void *)block >= capture->begin && (const void *)block < capture->end);
  if (buffer != NULL) {
    capture->note(capture, &block[which], buffer, TN_ACCESS_READ);
  } else {
    capture->note_local(capture, &block[which], (uint64_t)which + 1, 16, 8);
  }
}

static void test_many_of_each(void **state) {
  (void)state;
  fixture f;
  fixture_open_mock(&f, false);
  tn_queue *queue = fixture_queue(&f, 0);
  tn_kernel kernel = fixture_kernel(&f, "a", MANY * 2 * sizeof(void *));
  tn_buffer *buffers[MANY];
  tn_command_group group;
  tn_command_group_init(&group, queue);
  MUST(tn_command_group_set_kernel(&group, NULL, MANY * 2 * sizeof(void *), 64, &(void *){NULL},
                                   diag));
  group.command.kernel = &kernel;
  const size_t size = 8;
  tn_command_set_range(&group.command, 1, &size, &size, NULL);
  group.destroy_block = destroy;
  destroyed = 0;
  tn_capture_record_begin(&group.captured, group.block, MANY * 2 * sizeof(void *));
  for (int i = 0; i < MANY; i++) {
    buffers[i] = make_buffer();
    tn_command_group_require(&group, buffers[i],
                             i % 2 == 0 ? TN_ACCESS_READ : TN_ACCESS_WRITE | TN_ACCESS_NO_INIT);
    tn_event *event = NULL;
    MUST(tn_event_create_complete(&event, diag));
    tn_command_group_depends_on(&group, event);
    tn_event_release(event);
    tn_command_group_depends_on(&group, NULL);
    report(group.block, buffers[i], i);
    report(group.block, NULL, MANY + i);
  }
  tn_capture_record_end(&group.captured);
  assert_null(tn_capture_get());
  tn_command_group_require(&group, buffers[1], TN_ACCESS_READ);  // so that its contents are needed
  tn_event *done = NULL;
  MUST(tn_command_group_submit(&group, &done, diag));
  assert_int_equal(group.command.event_count, MANY);
  assert_int_equal(group.command.access_count, 2 * MANY + 1);
  assert_int_equal(group.command.local_count, MANY);
  for (uint32_t i = 0; i < MANY; i++) {
    const tn_access *access = &group.command.accesses[i];
    assert_ptr_equal(access->buffer, buffers[i]);
    assert_int_equal(access->arg_offset, i * sizeof(void *));
    assert_int_equal(access->mode, i == 1       ? TN_ACCESS_READ_WRITE
                                   : i % 2 == 0 ? TN_ACCESS_READ
                                                : TN_ACCESS_WRITE | TN_ACCESS_NO_INIT);
    assert_int_equal(group.command.accesses[MANY + i].arg_offset, TN_NO_ARG);
    assert_int_equal(group.command.locals[i].arg_offset, (MANY + i) * sizeof(void *));
  }
  assert_int_equal(destroyed, 0);
  tn_command_group_free(&group);
  assert_int_equal(destroyed, 1);
  tn_event_release(done);
  for (int i = 0; i < MANY; i++) {
    tn_buffer_release(buffers[i]);
  }
  MUST(tn_queue_wait(queue, diag));
  tn_queue_release(queue);
  fixture_close(&f);
}

static void test_errors(void **state) {
  (void)state;
  fixture f;
  fixture_open_mock(&f, false);
  tn_queue *queue = fixture_queue(&f, 0);
  tn_buffer *buffer = make_buffer();
  tn_command_group group;
  tn_command_group_init(&group, queue);
  MUST(tn_command_group_begin(&group, TN_COMMAND_NONE, diag));
  ASSERT_FAILS(tn_command_group_begin(&group, TN_COMMAND_COPY, diag), INVALID_ARGUMENT,
               "one thing");
  void *block = NULL;
  ASSERT_FAILS(tn_command_group_set_kernel(&group, NULL, 8, 8, &block, diag), INVALID_ARGUMENT,
               "one thing");
  tn_capture_record_add(&group.captured, buffer, TN_ACCESS_READ);
  ASSERT_FAILS(tn_command_group_submit(&group, NULL, diag), KERNEL_ARGUMENT, "no");
  freed = 0;
  group.command.free_user = count_free;
  tn_command_group_free(&group);
  assert_int_equal(freed, 1);

  // Freed by the submission, also when that fails.
  tn_command_group_init(&group, queue);
  MUST(tn_command_group_begin(&group, 99, diag));
  group.command.free_user = count_free;
  ASSERT_FAILS(tn_command_group_submit(&group, NULL, diag), INVALID_ARGUMENT, "kind");
  assert_int_equal(freed, 2);
  tn_command_group_free(&group);
  assert_int_equal(freed, 2);
  tn_buffer_release(buffer);
  tn_queue_release(queue);
  fixture_close(&f);
}

// Every allocation fails once: the submission says so, and nothing is left.
static void test_without_memory(void **state) {
  (void)state;
  fixture f;
  fixture_open_mock(&f, false);
  tn_queue *queue = fixture_queue(&f, 0);
  tn_buffer *buffer = make_buffer();
  tn_event *event = NULL;
  MUST(tn_event_create_complete(&event, diag));
  bool fired = true;
  for (int64_t nth = 0; fired; nth++) {
    tn_command_group group;
    tn_command_group_init(&group, queue);
    tn_fault_arm(nth);
    void *block = NULL;
    tn_diag failure;
    tn_status status = tn_command_group_place(&group, 4096, 128, &block, &failure);
    for (int i = 0; i < MANY; i++) {
      tn_command_group_require(&group, buffer, TN_ACCESS_READ);
      tn_command_group_depends_on(&group, event);
      tn_capture_record_add(&group.captured, buffer, TN_ACCESS_READ);
    }
    if (status == TN_OK) {
      assert_true(((uintptr_t)block & 127) == 0);
      status = tn_command_group_submit(&group, NULL, &failure);
    }
    fired = tn_fault_fired();
    tn_fault_arm(-1);
    assert_int_equal(status, fired ? TN_OUT_OF_MEMORY : TN_OK);
    tn_command_group_free(&group);
    MUST(tn_queue_wait(queue, diag));
  }
  tn_event_release(event);
  tn_buffer_release(buffer);
  tn_queue_release(queue);
  fixture_close(&f);
}

static void test_many_events(void **state) {
  (void)state;
  fixture f;
  fixture_open_mock(&f, true);
  tn_queue *queue = fixture_queue(&f, 0);
  tn_kernel kernel = fixture_kernel(&f, "a", 0);
  tn_event *events[MANY] = {NULL};
  const tn_command command = kernel_command(&kernel, NULL, 1);
  MUST(tn_queue_submit(queue, &command, &events[MANY - 1], diag));
  tn_command after = {.struct_size = sizeof(after),
                      .kind = TN_COMMAND_NONE,
                      .events = (const tn_event *const *)events,
                      .event_count = MANY};
  tn_event *done = NULL;
  MUST(tn_queue_submit(queue, &after, &done, diag));
  assert_int_not_equal(tn_event_status(done), TN_EVENT_COMPLETE);
  assert_true(tn_mock_step(f.device.adapter_device, 0));
  MUST(tn_event_wait(done, diag));
  assert_int_equal(tn_event_status(events[MANY - 1]), TN_EVENT_COMPLETE);
  tn_event_release(done);
  tn_event_release(events[MANY - 1]);
  freed = 0;
  after.free_user = count_free;
  after.kind = 99;
  after.event_count = 0;
  ASSERT_FAILS(tn_queue_submit(queue, &after, NULL, diag), INVALID_ARGUMENT, "kind");
  assert_int_equal(freed, 1);
  tn_queue_release(queue);
  fixture_close(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      LEAK_TEST(test_many_of_each),
      LEAK_TEST(test_errors),
      LEAK_TEST(test_without_memory),
      LEAK_TEST(test_many_events),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
