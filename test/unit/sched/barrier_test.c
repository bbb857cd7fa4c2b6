// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barriers in out-of-order queues: they wait for what was before, hold what comes after, and never
// the submitter. On a mock device that is stepped by hand.
#include "unit/sched/cmocka_all.h"
#include "unit/sched/sched_fixture.h"

typedef struct rig {
  fixture f;
  tn_kernel kernel;
  tn_queue *queue;
} rig;

static void rig_open(rig *r, uint32_t flags) {
  fixture_open_mock(&r->f, true);
  r->kernel = fixture_kernel(&r->f, "a", 0);
  r->queue = fixture_queue(&r->f, flags);
}

static void rig_close(rig *r) {
  while (tn_mock_step(r->f.device.adapter_device, 0)) {
  }
  tn_queue_release(r->queue);
  fixture_close(&r->f);
}

static size_t pending(rig *r) { return tn_mock_pending_count(r->f.device.adapter_device); }

static void step(rig *r, size_t index) {
  assert_true(tn_mock_step(r->f.device.adapter_device, index));
}

static tn_event *launch(rig *r) {
  const tn_command command = kernel_command(&r->kernel, NULL, 1);
  tn_event *event = NULL;
  MUST(tn_queue_submit(r->queue, &command, &event, diag));
  return event;
}

static tn_event *barrier(rig *r, const tn_event *const *events, size_t count) {
  const tn_command command = {.struct_size = sizeof(command),
                              .kind = count > 0 ? TN_COMMAND_EVENT_BARRIER : TN_COMMAND_BARRIER,
                              .events = events,
                              .event_count = count};
  tn_event *event = NULL;
  MUST(tn_queue_submit(r->queue, &command, &event, diag));
  return event;
}

static bool is_over(const tn_event *event) { return tn_event_status(event) == TN_EVENT_COMPLETE; }

static void release_all(tn_event *const *events, size_t count) {
  for (size_t i = 0; i < count; i++) {
    tn_event_release(events[i]);
  }
}

static void test_all_before(void **state) {
  (void)state;
  rig r;
  rig_open(&r, 0);
  tn_event *a = launch(&r);
  tn_event *b = launch(&r);
  tn_event *first = barrier(&r, NULL, 0);
  tn_event *c = launch(&r);
  tn_event *second = barrier(&r, NULL, 0);
  tn_event *third = barrier(&r, NULL, 0);
  tn_event *d = launch(&r);
  assert_int_equal(pending(&r), 2);
  step(&r, 1);
  assert_true(is_over(b) && !is_over(first));
  assert_int_equal(pending(&r), 1);
  step(&r, 0);
  assert_true(is_over(a) && is_over(first) && !is_over(second));
  assert_int_equal(pending(&r), 1);  // c
  step(&r, 0);
  assert_true(is_over(c) && is_over(second) && is_over(third));
  assert_int_equal(pending(&r), 1);  // d
  step(&r, 0);
  assert_true(is_over(d));
  assert_true(tn_queue_is_idle(r.queue));
  // Nothing is pending: complete at once, and what follows is held by nothing.
  tn_event *none = barrier(&r, NULL, 0);
  assert_true(is_over(none));
  tn_event *e = launch(&r);
  assert_int_equal(pending(&r), 1);
  release_all((tn_event *[]){a, b, first, c, second, third, d, none, e}, 9);
  rig_close(&r);
}

static void test_named_events(void **state) {
  (void)state;
  rig r;
  rig_open(&r, 0);
  tn_event *a = launch(&r);
  tn_event *b = launch(&r);
  const tn_event *const list[] = {b, NULL};
  tn_event *of_b = barrier(&r, list, 2);
  tn_event *c = launch(&r);
  tn_event *of_all = barrier(&r, NULL, 0);
  assert_int_equal(pending(&r), 2);
  tn_event *waits[4];
  size_t count = 0;
  MUST(tn_event_get_wait_list(of_b, waits, 4, &count, diag));
  assert_int_equal(count, 1);
  assert_ptr_equal(waits[0], b);
  tn_event_release(waits[0]);
  step(&r, 1);
  assert_true(is_over(of_b) && !is_over(a) && !is_over(of_all));
  assert_int_equal(pending(&r), 2);  // a and c
  step(&r, 1);
  assert_true(is_over(c) && !is_over(of_all));
  step(&r, 0);
  assert_true(is_over(a) && is_over(of_all));
  release_all((tn_event *[]){a, b, of_b, c, of_all}, 5);
  rig_close(&r);
}

// One that waits for all before and for an event of another queue.
static void test_both(void **state) {
  (void)state;
  rig r;
  rig_open(&r, 0);
  tn_queue *other = fixture_queue(&r.f, 0);
  const tn_command command = kernel_command(&r.kernel, NULL, 1);
  tn_event *foreign = NULL;
  MUST(tn_queue_submit(other, &command, &foreign, diag));
  tn_event *a = launch(&r);
  const tn_event *const list[] = {foreign};
  const tn_command both = {
      .struct_size = sizeof(both), .kind = TN_COMMAND_BARRIER, .events = list, .event_count = 1};
  tn_event *b = NULL;
  MUST(tn_queue_submit(r.queue, &both, &b, diag));
  step(&r, 1);
  assert_true(is_over(a) && !is_over(b));
  step(&r, 0);
  assert_true(is_over(b));
  tn_queue_release(other);
  release_all((tn_event *[]){foreign, a, b}, 3);
  rig_close(&r);
}

// The queue goes while its barrier is pending.
static void test_queue_released(void **state) {
  (void)state;
  rig r;
  rig_open(&r, 0);
  tn_event *a = launch(&r);
  tn_event *b = barrier(&r, NULL, 0);
  tn_queue_release(r.queue);
  r.queue = NULL;
  assert_false(is_over(b));
  step(&r, 0);
  assert_true(is_over(a) && is_over(b));
  release_all((tn_event *[]){a, b}, 2);
  rig_close(&r);
}

static void test_in_order(void **state) {
  (void)state;
  rig r;
  rig_open(&r, TN_QUEUE_IN_ORDER | TN_QUEUE_PROFILING);
  tn_event *a = launch(&r);
  tn_event *b = barrier(&r, NULL, 0);
  tn_event *c = launch(&r);
  assert_false(is_over(b));
  assert_int_equal(pending(&r), 1);
  step(&r, 0);
  assert_true(is_over(b));
  assert_int_equal(pending(&r), 1);
  uint64_t times[3];
  for (int32_t i = TN_PROFILING_SUBMIT; i <= TN_PROFILING_END; i++) {
    MUST(tn_event_get_profiling(b, i, &times[i], diag));
  }
  assert_true(times[0] > 0 && times[0] <= times[1] && times[1] <= times[2]);
  release_all((tn_event *[]){a, b, c}, 3);
  rig_close(&r);
}

// A failing command before it does not fail a barrier; times are in order even then.
static void test_failures(void **state) {
  (void)state;
  rig r;
  rig_open(&r, TN_QUEUE_PROFILING);
  tn_mock_fail(r.f.device.adapter_device, TN_MOCK_SUBMIT, 0);
  tn_event *a = launch(&r);
  tn_event *b = barrier(&r, NULL, 0);
  while (tn_mock_step(r.f.device.adapter_device, 0)) {
  }
  tn_diag error;
  assert_true(tn_event_get_error(a, &error));
  assert_false(tn_event_get_error(b, &error));
  uint64_t times[3];
  for (int32_t i = TN_PROFILING_SUBMIT; i <= TN_PROFILING_END; i++) {
    MUST(tn_event_get_profiling(a, i, &times[i], diag));
  }
  assert_true(times[0] > 0 && times[0] <= times[1] && times[1] <= times[2]);
  release_all((tn_event *[]){a, b}, 2);
  rig_close(&r);
}

static void test_no_memory(void **state) {
  (void)state;
  rig r;
  rig_open(&r, 0);
  tn_event *a = launch(&r);
  const tn_command command = {.struct_size = sizeof(command), .kind = TN_COMMAND_BARRIER};
  int64_t nth = 0;
  for (tn_status status = TN_OUT_OF_MEMORY; status != TN_OK; nth++) {
    tn_fault_arm(nth);
    status = tn_queue_submit(r.queue, &command, NULL, NULL);
    tn_fault_arm(-1);
    assert_true(status == TN_OK || status == TN_OUT_OF_MEMORY);
  }
  assert_true(nth > 1);
  tn_event *b = launch(&r);
  assert_int_equal(pending(&r), 1);
  step(&r, 0);
  assert_int_equal(pending(&r), 1);
  step(&r, 0);
  assert_true(is_over(b));
  release_all((tn_event *[]){a, b}, 2);
  rig_close(&r);
}

static tn_status count_up(void *user, tn_diag *diag) {
  (void)diag;
  int *count = user;
  (*count)++;
  return TN_OK;
}

// With real threads: what is between two barriers never mixes with what is not.
static void test_many(void **state) {
  (void)state;
  static const c_kernel none[] = {{NULL, NULL}};
  fixture f;
  fixture_open_cpu(&f, 2, none);
  tn_queue *queue = fixture_queue(&f, 0);
  int total = 0;
  for (int i = 0; i < 300; i++) {
    tn_command task = host_command(count_up, &total);
    MUST(tn_queue_submit(queue, &task, NULL, diag));
    const tn_command command = {.struct_size = sizeof(command), .kind = TN_COMMAND_BARRIER};
    MUST(tn_queue_submit(queue, &command, NULL, diag));
  }
  MUST(tn_queue_wait(queue, diag));
  assert_int_equal(total, 300);
  tn_queue_release(queue);
  fixture_close(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      LEAK_TEST(test_all_before),     LEAK_TEST(test_named_events), LEAK_TEST(test_both),
      LEAK_TEST(test_queue_released), LEAK_TEST(test_in_order),     LEAK_TEST(test_failures),
      LEAK_TEST(test_no_memory),      LEAK_TEST(test_many),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
