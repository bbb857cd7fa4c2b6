// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// External events of in-order queues, on a mock device that is stepped by hand.
#include "unit/sched/cmocka_all.h"
#include "unit/sched/sched_fixture.h"

typedef struct rig {
  fixture f;
  tn_kernel kernel;
  tn_queue *queue;
  tn_queue *other;
} rig;

static void rig_open(rig *r) {
  fixture_open_mock(&r->f, true);
  r->kernel = fixture_kernel(&r->f, "a", 0);
  r->queue = fixture_queue(&r->f, TN_QUEUE_IN_ORDER);
  r->other = fixture_queue(&r->f, 0);
}

static void rig_close(rig *r) {
  while (tn_mock_step(r->f.device.adapter_device, 0)) {
  }
  tn_queue_release(r->queue);
  tn_queue_release(r->other);
  fixture_close(&r->f);
}

static size_t pending(rig *r) { return tn_mock_pending_count(r->f.device.adapter_device); }

static void step(rig *r, size_t index) {
  assert_true(tn_mock_step(r->f.device.adapter_device, index));
}

static tn_event *launch(rig *r, tn_queue *queue) {
  const tn_command command = kernel_command(&r->kernel, NULL, 1);
  tn_event *event = NULL;
  MUST(tn_queue_submit(queue, &command, &event, diag));
  return event;
}

// Of two events the second one counts; one command waits for it, and others follow that.
static void test_replaced(void **state) {
  (void)state;
  rig r;
  rig_open(&r);
  tn_event *first = launch(&r, r.other);
  tn_event *second = launch(&r, r.other);
  assert_int_equal(tn_queue_has_commands(r.queue), 0);
  MUST(tn_queue_set_external_event(r.queue, first, diag));
  assert_int_equal(tn_queue_has_commands(r.queue), 1);
  assert_int_equal(tn_queue_is_idle(r.queue), 0);
  MUST(tn_queue_set_external_event(r.queue, second, diag));
  tn_event *after = launch(&r, r.queue);
  assert_int_equal(pending(&r), 2);
  step(&r, 1);
  assert_int_equal(tn_event_status(second), TN_EVENT_COMPLETE);
  assert_int_equal(pending(&r), 2);  // the first one, and the queue's command
  step(&r, 1);
  assert_int_equal(tn_event_status(after), TN_EVENT_COMPLETE);
  assert_int_equal(tn_queue_is_idle(r.queue), 1);
  MUST(tn_queue_set_external_event(r.queue, first, diag));
  MUST(tn_queue_set_external_event(r.queue, NULL, diag));
  assert_int_equal(tn_queue_is_idle(r.queue), 1);
  MUST(tn_queue_wait(r.queue, diag));
  assert_int_not_equal(tn_event_status(first), TN_EVENT_COMPLETE);
  MUST(tn_queue_set_external_event(r.queue, first, diag));  // the queue is released with it
  tn_event_release(first);
  tn_event_release(second);
  tn_event_release(after);
  rig_close(&r);
}

static void test_rejected(void **state) {
  (void)state;
  rig r;
  tn_diag failure = {0};
  rig_open(&r);
  tn_event *event = launch(&r, r.other);
  assert_int_equal(tn_queue_set_external_event(r.other, event, &failure), TN_INVALID_ARGUMENT);
  assert_int_equal(tn_queue_set_external_event(NULL, event, &failure), TN_INVALID_ARGUMENT);
  // A command that fails with its event does not run.
  MUST(tn_queue_set_external_event(r.queue, event, diag));
  const tn_command command = kernel_command(&r.kernel, NULL, 1);
  tn_event *after = NULL;
  tn_fault_arm(0);
  assert_int_equal(tn_queue_submit(r.queue, &command, &after, &failure), TN_OUT_OF_MEMORY);
  tn_fault_arm(-1);
  assert_null(after);
  assert_int_equal(pending(&r), 1);
  tn_event_release(event);
  rig_close(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {LEAK_TEST(test_replaced), LEAK_TEST(test_rejected)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
