// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a queue has for the language binding: counted language objects, reporters, its pointer.
#include "unit/sched/cmocka_all.h"
#include "unit/sched/sched_fixture.h"

static int terminations;
static int frees;

static void terminate(void) {
  terminations++;
}

static void note_free(void *user) {
  (void)user;
  frees++;
}

static int exception;

static tn_status throw_once(void *user, tn_diag *diag) {
  return tn_queue_note_thrown(user, &exception, note_free, "the exception's text", diag);
}

static void submit_failing(tn_queue *queue) {
  const tn_command command = host_command(throw_once, queue);
  MUST(tn_queue_submit(queue, &command, NULL, diag));
  MUST(tn_queue_wait(queue, diag));
}

static void test_exception_of_host_task(void **state) {
  (void)state;
  fixture f;
  fixture_open_mock(&f, false);
  tn_queue *queue = fixture_queue(&f, 0);
  submit_failing(queue);
  submit_failing(queue);
  submit_failing(queue);
  assert_int_equal(tn_queue_error_count(queue), 3);
  frees = 0;
  tn_diag error = {0};
  for (int i = 1; i <= 2; i++) {
    assert_int_equal(tn_queue_take_error(queue, &error), 1);
    assert_int_equal(error.code, TN_HOST_TASK);
    assert_int_equal(error.native_code, i);
    assert_string_equal(error.text, "a host task threw: the exception's text");
    assert_ptr_equal(tn_queue_take_thrown(queue, &error), &exception);
    assert_null(tn_queue_take_thrown(queue, &error));
  }
  const tn_diag other = {.code = TN_DEVICE_FAILED, .native_code = 3};
  assert_null(tn_queue_take_thrown(queue, &other));
  // The places are used again.
  submit_failing(queue);
  assert_int_equal(tn_queue_error_count(queue), 2);
  tn_queue_release(queue);
  fixture_close(&f);
  assert_int_equal(frees, 2);
}

// The last language object reports and releases.
static void test_handles_are_counted(void **state) {
  (void)state;
  fixture f;
  fixture_open_mock(&f, false);
  tn_queue *queue = NULL;
  MUST(tn_queue_open(f.context, &f.device, TN_QUEUE_IN_ORDER, &queue, diag));
  tn_queue_add_handle(queue);
  tn_queue_add_handle(NULL);
  submit_failing(queue);
  terminations = 0;
  assert_null(tn_queue_drop_handle(queue, terminate));
  assert_int_equal(terminations, 0);
  tn_queue_retain(queue);
  assert_null(tn_queue_drop_handle(queue, terminate));
  assert_int_equal(terminations, 1);
  // A failure from now on has nobody to report to, and is printed.
  submit_failing(queue);
  tn_queue_release(queue);
  assert_int_equal(terminations, 1);
  assert_null(tn_queue_drop_handle(NULL, terminate));
  fixture_close(&f);
}

static void test_reporters(void **state) {
  (void)state;
  fixture f;
  int of_queue = 0;
  int of_context = 0;
  fixture_open_mock(&f, false);
  tn_queue *queue = NULL;
  MUST(tn_queue_open(f.context, &f.device, 0, &queue, diag));
  terminations = frees = 0;
  assert_null(tn_queue_report_errors(queue, terminate));
  tn_context_set_reporter(f.context, &of_context, note_free);
  submit_failing(queue);
  assert_ptr_equal(tn_queue_report_errors(queue, terminate), &of_context);
  tn_queue_set_reporter(queue, &of_queue, note_free);
  assert_ptr_equal(tn_queue_report_errors(queue, terminate), &of_queue);
  // The reference is still the caller's.
  assert_ptr_equal(tn_queue_drop_handle(queue, terminate), &of_queue);
  tn_diag error = {0};
  assert_int_equal(tn_queue_take_error(queue, &error), 1);
  assert_int_equal(frees, 0);
  tn_queue_release(queue);
  assert_int_equal(terminations, 0);
  fixture_close(&f);
  assert_int_equal(frees, 3);  // both reporters, and the exception
}

static void test_first_offer_is_kept(void **state) {
  (void)state;
  fixture f;
  int first = 0;
  int second = 0;
  fixture_open_mock(&f, false);
  tn_queue *queue = fixture_queue(&f, 0);
  frees = 0;
  assert_null(tn_queue_user(queue));
  assert_ptr_equal(tn_queue_offer_user(queue, &first, note_free), &first);
  assert_ptr_equal(tn_queue_offer_user(queue, &second, note_free), &first);
  assert_ptr_equal(tn_queue_user(queue), &first);
  tn_queue_release(queue);
  assert_int_equal(frees, 1);
  fixture_close(&f);
}

static void test_flags(void **state) {
  (void)state;
  fixture f;
  tn_diag diag = {0};
  fixture_open_mock(&f, false);
  tn_queue *queue = fixture_queue(&f, TN_QUEUE_PRIORITY_HIGH | TN_QUEUE_DISCARD_EVENTS);
  assert_int_equal(tn_queue_flags(queue), TN_QUEUE_PRIORITY_HIGH | TN_QUEUE_DISCARD_EVENTS);
  tn_queue_release(queue);
  const uint32_t wrong[] = {
      1u << 2,
      TN_QUEUE_PRIORITY_HIGH | TN_QUEUE_PRIORITY_LOW,
      TN_QUEUE_IMMEDIATE_COMMAND_LIST | TN_QUEUE_NO_IMMEDIATE_COMMAND_LIST,
      TN_QUEUE_DISCARD_EVENTS | TN_QUEUE_PROFILING,
  };
  for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
    assert_int_equal(tn_queue_open(f.context, &f.device, wrong[i], &queue, &diag),
                     TN_INVALID_ARGUMENT);
    assert_null(queue);
  }
  fixture_close(&f);
}

// The queue lives as long as the language objects of its events.
static void test_events_hold_queues(void **state) {
  (void)state;
  fixture f;
  fixture_open_mock(&f, false);
  tn_queue *queue = fixture_queue(&f, 0);
  const tn_command nothing = {.struct_size = sizeof(nothing), .kind = TN_COMMAND_NONE};
  tn_event *event = NULL;
  MUST(tn_queue_submit(queue, &nothing, &event, diag));
  MUST(tn_queue_wait(queue, diag));
  tn_queue_offer_user(queue, &event, note_free);
  frees = 0;
  tn_event_retain_with_queue(event);
  tn_event_release(event);
  tn_queue_release(queue);
  assert_int_equal(frees, 0);
  assert_ptr_equal(tn_event_queue(event), queue);
  tn_event_release_with_queue(event);
  tn_event_retain_with_queue(NULL);
  tn_event_release_with_queue(NULL);
  fixture_close(&f);
  assert_int_equal(frees, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_exception_of_host_task), cmocka_unit_test(test_handles_are_counted),
      cmocka_unit_test(test_reporters),              cmocka_unit_test(test_first_offer_is_kept),
      cmocka_unit_test(test_flags),                  cmocka_unit_test(test_events_hold_queues),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
