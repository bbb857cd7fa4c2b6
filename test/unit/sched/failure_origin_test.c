// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The failure origins of events, and that they keep no queue alive.
#include "unit/sched/cmocka_all.h"
#include "unit/sched/sched_fixture.h"

enum { QUEUES = 3 };
typedef struct rig {
  fixture f;
  tn_queue *queues[QUEUES];
} rig;

static void rig_open(rig *r) {
  static const c_kernel none[] = {{NULL, NULL}};
  fixture_open_cpu(&r->f, 2, none);
  for (int i = 0; i < QUEUES; i++) {
    r->queues[i] = fixture_queue(&r->f, 0);
  }
}

static void rig_close(rig *r) {
  for (int i = 0; i < QUEUES; i++) {
    tn_queue_release(r->queues[i]);
  }
  fixture_close(&r->f);
}

static tn_status refuse(void *user, tn_diag *diag) {
  (void)user;
  return TN_FAIL(diag, HOST_TASK, "told to");
}

static tn_event *submit(tn_queue *queue, tn_command command, tn_event *const *after, size_t count) {
  const tn_event *events[8];
  for (size_t i = 0; i < count; i++) {
    events[i] = after[i];
  }
  command.events = events;
  command.event_count = count;
  tn_event *event = NULL;
  MUST(tn_queue_submit(queue, &command, &event, diag));
  return event;
}

static tn_event *failing(tn_queue *queue) {
  return submit(queue, host_command(refuse, NULL), NULL, 0);
}

static tn_event *nothing(tn_queue *queue, tn_event *const *after, size_t count) {
  const tn_command command = {.struct_size = sizeof(command), .kind = TN_COMMAND_NONE};
  return submit(queue, command, after, count);
}

// The set of rig queues, a bit each.
static unsigned origins_of(const rig *r, tn_event *event) {
  tn_queue *out[8] = {NULL};
  MUST(tn_event_wait(event, diag));
  const size_t count = tn_event_get_failed_queues(event, out, 8);
  unsigned bits = 0;
  for (size_t i = 0; i < count; i++) {
    for (unsigned q = 0; q < QUEUES; q++) {
      bits |= out[i] == r->queues[q] ? 1u << q : 0;
    }
    tn_queue_release(out[i]);
  }
  return bits;
}

static void test_near_and_far(void **state) {
  (void)state;
  rig r;
  rig_open(&r);
  tn_event *a = failing(r.queues[0]);
  tn_event *b = failing(r.queues[1]);
  tn_event *after_a = nothing(r.queues[1], &a, 1);
  tn_event *far = nothing(r.queues[2], &after_a, 1);
  tn_event *both = nothing(r.queues[2], (tn_event *[]){far, b}, 2);
  tn_event *again = submit(r.queues[2], host_command(refuse, NULL), &a, 1);
  tn_event *after_again = nothing(r.queues[0], &again, 1);
  tn_event *well = nothing(r.queues[0], NULL, 0);
  assert_int_equal(origins_of(&r, a), 0);  // its own queue is known
  assert_int_equal(origins_of(&r, after_a), 1);
  assert_int_equal(origins_of(&r, far), 1);
  assert_int_equal(origins_of(&r, both), 3);
  assert_int_equal(origins_of(&r, again), 1);
  assert_int_equal(origins_of(&r, after_again), 5);
  assert_int_equal(origins_of(&r, well), 0);
  assert_int_equal(tn_event_get_failed_queues(both, NULL, 0), 2);
  assert_int_equal(tn_event_get_failed_queues(NULL, NULL, 0), 0);
  tn_event *all[] = {a, b, after_a, far, both, again, after_again, well};
  for (size_t i = 0; i < TN_COUNT(all); i++) {
    tn_event_release(all[i]);
  }
  rig_close(&r);
}

// A chain behind a failure is as long as one likes, and costs one set.
static void test_long_chain(void **state) {
  (void)state;
  rig r;
  rig_open(&r);
  tn_event *last = failing(r.queues[0]);
  MUST(tn_event_wait(last, diag));
  tn_event *events[1000];
  const int64_t before = tn_alloc_live();
  for (size_t i = 0; i < TN_COUNT(events); i++) {
    events[i] = nothing(r.queues[1], i == 0 ? &last : &events[i - 1], 1);
  }
  assert_int_equal(origins_of(&r, events[999]), 1);
  // Events, some nodes, and the set.
  assert_true(tn_alloc_live() - before < 1000 + 20);
  for (size_t i = 0; i < TN_COUNT(events); i++) {
    tn_event_release(events[i]);
  }
  tn_event_release(last);
  rig_close(&r);
}

static void test_queue_gone(void **state) {
  (void)state;
  rig r;
  rig_open(&r);
  tn_event *a = failing(r.queues[0]);
  tn_event *after = nothing(r.queues[1], &a, 1);
  MUST(tn_event_wait(after, diag));
  MUST(tn_queue_wait(r.queues[0], diag));
  tn_queue_release(r.queues[0]);
  r.queues[0] = NULL;
  tn_queue *out[2] = {NULL, NULL};
  for (int i = 0; i < 100000 && tn_event_get_failed_queues(after, out, 2) != 0; i++) {
    tn_queue_release(out[0]);  // the thread of the task was not done with it yet
    usleep(1000);
  }
  assert_int_equal(tn_event_get_failed_queues(after, out, 2), 0);
  tn_event_release(a);
  tn_event_release(after);
  rig_close(&r);
}

static struct {
  tn_queue *queue;
  tn_event *gated;
} during;

static void *submit_during(void *arg) {
  during.gated = nothing(during.queue, NULL, 0);
  return arg;
}

// A kernel that fails on the submitting thread while another thread submits to the same queue.
static tn_status fail_inline(tn_adapter_device *device, const tn_adapter_command *command,
                             bool *out_ran, uint64_t *out_start_ns, uint64_t *out_end_ns,
                             tn_diag *diag) {
  (void)device;
  (void)command;
  (void)out_start_ns;
  (void)out_end_ns;
  *out_ran = false;
  pthread_t thread;
  assert_int_equal(pthread_create(&thread, NULL, submit_during, NULL), 0);
  assert_int_equal(pthread_join(thread, NULL), 0);
  return TN_FAIL(diag, DEVICE_FAILED, "told to");
}

static void empty_group(const void *args, const tn_cpu_group *group) {
  (void)args;
  (void)group;
}

static void test_behind_inline_failure(void **state) {
  (void)state;
  static const c_kernel kernels[] = {{"a" TN_CPU_KERNEL_SUFFIX, empty_group}, {NULL, NULL}};
  fixture f;
  fixture_open_cpu(&f, 2, kernels);
  tn_adapter_api api = *f.device.api;
  api.try_run = fail_inline;
  f.device.api = &api;
  during.queue = fixture_queue(&f, TN_QUEUE_IN_ORDER);
  tn_queue *other = fixture_queue(&f, 0);
  tn_kernel kernel = fixture_kernel(&f, "a", 0);
  const tn_command command = kernel_command(&kernel, NULL, 1);
  MUST(tn_queue_submit(during.queue, &command, NULL, diag));
  tn_event *after = nothing(other, &during.gated, 1);
  MUST(tn_event_wait(after, diag));
  tn_queue *out[2] = {NULL, NULL};
  assert_int_equal(tn_event_get_failed_queues(after, out, 2), 1);
  assert_ptr_equal(out[0], during.queue);
  tn_queue_release(out[0]);
  tn_event_release(after);
  tn_event_release(during.gated);
  MUST(tn_queue_wait(during.queue, diag));
  tn_queue_release(during.queue);
  tn_queue_release(other);
  fixture_close(&f);
}

static void test_no_memory(void **state) {
  (void)state;
  rig r;
  rig_open(&r);
  tn_event *a = failing(r.queues[0]);
  MUST(tn_event_wait(a, diag));
  tn_event_release(nothing(r.queues[1], NULL, 0));  // the next one finds what it needs
  tn_fault_arm(0);
  tn_event *after = nothing(r.queues[1], &a, 1);
  tn_fault_arm(-1);
  assert_int_equal(origins_of(&r, after), 0);
  tn_event_release(a);
  tn_event_release(after);
  rig_close(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      LEAK_TEST(test_near_and_far),
      LEAK_TEST(test_long_chain),
      LEAK_TEST(test_queue_gone),
      LEAK_TEST(test_behind_inline_failure),
      LEAK_TEST(test_no_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
