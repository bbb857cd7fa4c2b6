// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In-order queues on devices with streams: launches without nodes, the events of those, and what
// waits for them, over a driver of NVIDIA's without a device (test/fake_cuda).
#include "fake_cuda/fake_fail.h"
#include "fake_cuda/fake_kernel.h"
#include "run/sched/queue_state.h"
#include "adapter/cuda/cuda_driver.h"
#include "unit/sched/cmocka_all.h"
#include "unit/sched/sched_fixture.h"

static const char ptx[] = ".version 7.0\n.entry step(\n";

// A kernel waits for its gate, if it has one, and writes down its number.
typedef struct block {
  atomic_int *gate;
  uint64_t number;
} block;

enum { STEPS = 4096, WRITES = 1 << 20 };  // numbers from WRITES on: who launched, and which turn
static _Atomic size_t step_count;
static uint64_t steps[STEPS];
static _Atomic uint64_t written[2];

void fake_cuda_kernel(const char *name, const unsigned *grid, const unsigned *threads,
                      void *const *params) {
  (void)name;
  (void)grid;
  (void)threads;
  block args;
  memcpy(&args, params[0], sizeof(args));
  while (args.gate && atomic_load(args.gate) == 0) {
    usleep(100);
  }
  if (args.number >= WRITES) {
    atomic_store(&written[args.number % 2], (args.number - WRITES) / 2);
    return;
  }
  steps[atomic_fetch_add(&step_count, 1) % STEPS] = args.number;
}

typedef struct rig {
  fixture f;
  tn_kernel kernel;
  tn_queue *queue;
} rig;

// What happens once, when the driver's function is about to return.
static const char *moment;
static void (*at_moment)(rig *r);
static rig *rig_at_moment;

__attribute__((visibility("default"))) void fake_cuda_returns(const char *function);
void fake_cuda_returns(const char *function) {
  void (*const act)(rig *r) = at_moment;
  if (act != NULL && strcmp(function, moment) == 0) {
    at_moment = NULL;
    act(rig_at_moment);
  }
}

static void rig_open(rig *r) {
  fake_cuda_fail(NULL);
  atomic_store(&step_count, 0);
  fixture_open(&r->f, tn_cuda_adapter_query(TN_ADAPTER_VERSION), 0, ptx, sizeof(ptx));
  r->kernel = fixture_kernel(&r->f, "step", sizeof(block));
  r->kernel.arg_align = 8;
  r->queue = fixture_queue(&r->f, TN_QUEUE_IN_ORDER);
  assert_non_null(r->queue->stream);
}

static void rig_close(rig *r) {
  tn_queue_release(r->queue);
  fixture_close(&r->f);
}

static void submit(rig *r, tn_queue *queue, atomic_int *gate, uint64_t number, tn_event **out) {
  _Alignas(8) const block args = {gate, number};
  const tn_command command = kernel_command(&r->kernel, &args, 1);
  MUST(tn_queue_submit(queue, &command, out, diag));
}

static tn_status note_host(void *user, tn_diag *diag) {
  (void)diag;
  steps[atomic_fetch_add(&step_count, 1) % STEPS] = (uint64_t)(uintptr_t)user;
  return TN_OK;
}

static void test_launches_come_in_order(void **state) {
  (void)state;
  rig r;
  rig_open(&r);
  for (uint64_t i = 0; i < 1000; i++) {
    tn_event *event = NULL;
    submit(&r, r.queue, NULL, i, i % 3 == 0 ? &event : NULL);
    tn_event_release(event);
  }
  MUST(tn_queue_wait(r.queue, diag));
  assert_int_equal(step_count, 1000);
  for (uint64_t i = 0; i < 1000; i++) {
    assert_int_equal(steps[i], i);
  }
  assert_int_equal(tn_queue_is_idle(r.queue), 1);
  rig_close(&r);
}

// Waiting for an event does not wait for what was launched behind it.
static void test_an_event_is_its_own_place(void **state) {
  (void)state;
  rig r;
  rig_open(&r);
  atomic_int gate = 0;
  tn_event *first = NULL;
  tn_event *second = NULL;
  submit(&r, r.queue, NULL, 1, &first);
  submit(&r, r.queue, &gate, 2, &second);
  MUST(tn_event_wait(first, diag));
  assert_int_equal(tn_event_status(first), TN_EVENT_COMPLETE);
  assert_int_not_equal(tn_event_status(second), TN_EVENT_COMPLETE);
  assert_int_equal(tn_queue_is_idle(r.queue), 0);
  atomic_store(&gate, 1);
  MUST(tn_event_wait(second, diag));
  MUST(tn_event_wait(second, diag));
  tn_event_release(first);
  tn_event_release(second);
  rig_close(&r);
}

static void test_host_tasks_come_behind_launches(void **state) {
  (void)state;
  rig r;
  rig_open(&r);
  atomic_int gate = 0;
  submit(&r, r.queue, &gate, 1, NULL);
  const tn_command host = host_command(note_host, (void *)2);
  MUST(tn_queue_submit(r.queue, &host, NULL, diag));
  submit(&r, r.queue, NULL, 3, NULL);
  assert_int_equal(step_count, 0);
  atomic_store(&gate, 1);
  MUST(tn_queue_wait(r.queue, diag));
  assert_int_equal(step_count, 3);
  for (size_t i = 0; i < 3; i++) {
    assert_int_equal(steps[i], i + 1);
  }
  // What tells an idle queue from one whose last command is still being completed.
  assert_int_equal(r.queue->submitted_nodes, r.queue->completed_nodes);
  rig_close(&r);
}

// Other queues, in order and not, and host tasks of theirs, wait for a launch.
static void test_others_wait_for_launches(void **state) {
  (void)state;
  rig r;
  rig_open(&r);
  tn_queue *others[] = {fixture_queue(&r.f, TN_QUEUE_IN_ORDER), fixture_queue(&r.f, 0)};
  for (uint64_t turn = 0; turn < 40; turn++) {
    tn_queue *other = others[turn % 2];
    atomic_int gate = 0;
    tn_event *event = NULL;
    atomic_store(&step_count, 0);
    submit(&r, r.queue, &gate, 1, &event);
    if (turn % 4 >= 2) {
      submit(&r, r.queue, NULL, 9, NULL);  // so the event is no longer the last
    }
    _Alignas(8) const block args = {NULL, 2};
    tn_command command =
        turn % 8 < 4 ? kernel_command(&r.kernel, &args, 1) : host_command(note_host, (void *)2);
    const tn_event *events[] = {event};
    command.events = events;
    command.event_count = 1;
    tn_event *behind = NULL;
    MUST(tn_queue_submit(other, &command, &behind, diag));
    tn_event_release(event);
    assert_int_equal(step_count, 0);
    atomic_store(&gate, 1);
    MUST(tn_event_wait(behind, diag));
    assert_int_equal(steps[0], 1);
    tn_event_release(behind);
    MUST(tn_queue_wait(r.queue, diag));
    MUST(tn_queue_wait(other, diag));
  }
  tn_queue_release(others[0]);
  tn_queue_release(others[1]);
  rig_close(&r);
}

// A launch that depends on one of its own queue needs no more than the order.
static void test_dependencies_in_the_queue_itself(void **state) {
  (void)state;
  rig r;
  rig_open(&r);
  tn_event *event = NULL;
  submit(&r, r.queue, NULL, 0, &event);
  for (uint64_t i = 1; i < 50; i++) {
    _Alignas(8) const block args = {NULL, i};
    tn_command command = i % 5 == 0 ? host_command(note_host, (void *)(uintptr_t)i)
                                    : kernel_command(&r.kernel, &args, 1);
    const tn_event *events[] = {event};
    command.events = events;
    command.event_count = 1;
    tn_event *next = NULL;
    MUST(tn_queue_submit(r.queue, &command, &next, diag));
    tn_event_release(event);
    event = next;
  }
  MUST(tn_event_wait(event, diag));
  tn_event_release(event);
  MUST(tn_queue_wait(r.queue, diag));
  for (uint64_t i = 0; i < 50; i++) {
    assert_int_equal(steps[i], i);
  }
  rig_close(&r);
}

// The queue is gone before its work has ended; its events know when that is.
static void test_events_outlive_their_queue(void **state) {
  (void)state;
  rig r;
  rig_open(&r);
  atomic_int gate = 0;
  tn_event *event = NULL;
  tn_queue *queue = fixture_queue(&r.f, TN_QUEUE_IN_ORDER);
  submit(&r, queue, &gate, 1, &event);
  tn_queue_release(queue);
  assert_int_equal(step_count, 0);
  assert_int_not_equal(tn_event_status(event), TN_EVENT_COMPLETE);
  const tn_event *events[] = {event};
  tn_command host = host_command(note_host, (void *)2);
  host.events = events;
  host.event_count = 1;
  MUST(tn_queue_submit(r.queue, &host, NULL, diag));
  atomic_store(&gate, 1);
  MUST(tn_event_wait(event, diag));
  MUST(tn_queue_wait(r.queue, diag));
  assert_int_equal(steps[0], 1);
  assert_int_equal(steps[1], 2);
  tn_event_release(event);
  rig_close(&r);
}

static atomic_int later_gate;
static tn_event *later;

static void launch_two(rig *r) {
  submit(r, r->queue, &later_gate, 2, &later);
  submit(r, r->queue, NULL, 3, NULL);
}
static void launch_one(rig *r) { submit(r, r->queue, &later_gate, 2, &later); }

// The queue's stream was waited for, and another thread launches before the waiter goes on: its
// launch is not complete for that, nor are its event and what comes after lost.
static void test_a_launch_between_wait_and_completion(void **state) {
  (void)state;
  rig r;
  rig_open(&r);
  void (*const acts[])(rig *r) = {launch_one, launch_two};
  for (size_t turn = 0; turn < 8; turn++) {
    tn_event *first = NULL;
    atomic_store(&later_gate, 0);
    submit(&r, r.queue, NULL, 1, &first);
    moment = "cuStreamSynchronize";
    rig_at_moment = &r;
    at_moment = acts[turn / 2 % 2];
    if (turn % 2 == 0) {
      MUST(tn_queue_wait(r.queue, diag));
    } else {
      MUST(tn_event_wait(first, diag));
    }
    assert_null(at_moment);
    MUST(tn_event_wait(first, diag));
    assert_int_not_equal(tn_event_status(later), TN_EVENT_COMPLETE);
    assert_int_equal(tn_queue_is_idle(r.queue), 0);
    submit(&r, r.queue, NULL, 4, NULL);
    assert_int_not_equal(tn_event_status(later), TN_EVENT_COMPLETE);
    atomic_store(&later_gate, 1);
    MUST(tn_event_wait(later, diag));
    tn_event_release(first);
    tn_event_release(later);
    MUST(tn_queue_wait(r.queue, diag));
  }
  rig_close(&r);
}

// Two threads launch and wait in turns, each in its own way: who was told that its launch is
// complete finds its work done.
typedef struct launcher {
  rig *r;
  uint64_t number;
  _Atomic int *early_count;
} launcher;

enum { LAUNCHES = 400 };

static void *launch_and_wait(void *arg) {
  const launcher *l = arg;
  for (uint64_t i = 1; i <= LAUNCHES; i++) {
    tn_event *event = NULL;
    submit(l->r, l->r->queue, NULL, WRITES + 2 * i + l->number, &event);
    if (i % 3 == 0) {
      MUST(tn_queue_wait(l->r->queue, diag));
    }
    MUST(tn_event_wait(event, diag));
    if (atomic_load(&written[l->number]) != i) {
      atomic_fetch_add(l->early_count, 1);
    }
    tn_event_release(event);
  }
  return NULL;
}

static void test_two_threads_launch_and_wait(void **state) {
  (void)state;
  rig r;
  rig_open(&r);
  _Atomic int early_count = 0;
  tn_thread threads[2];
  launcher launchers[2] = {{&r, 0, &early_count}, {&r, 1, &early_count}};
  for (size_t i = 0; i < 2; i++) {
    MUST(tn_thread_create(&threads[i], "launcher", launch_and_wait, &launchers[i], diag));
  }
  for (size_t i = 0; i < 2; i++) {
    tn_thread_join(threads[i]);
  }
  assert_int_equal(early_count, 0);
  rig_close(&r);
}

typedef struct waiter {
  tn_event *event;
  _Atomic int *done_count;
} waiter;

static void *wait_for_event(void *arg) {
  const waiter *w = arg;
  MUST(tn_event_wait(w->event, diag));
  atomic_fetch_add(w->done_count, 1);
  return NULL;
}

static void test_many_wait_for_one(void **state) {
  (void)state;
  enum { THREADS = 6 };
  rig r;
  rig_open(&r);
  for (int turn = 0; turn < 20; turn++) {
    atomic_int gate = 0;
    _Atomic int done_count = 0;
    tn_event *event = NULL;
    submit(&r, r.queue, &gate, 1, &event);
    waiter w = {event, &done_count};
    tn_thread threads[THREADS];
    for (size_t i = 0; i < THREADS; i++) {
      MUST(tn_thread_create(&threads[i], "waiter", wait_for_event, &w, diag));
    }
    submit(&r, r.queue, NULL, 2, NULL);
    assert_int_equal(done_count, 0);
    atomic_store(&gate, 1);
    for (size_t i = 0; i < THREADS; i++) {
      tn_thread_join(threads[i]);
    }
    assert_int_equal(done_count, THREADS);
    tn_event_release(event);
    MUST(tn_queue_wait(r.queue, diag));
  }
  rig_close(&r);
}

static void test_profiling_measures(void **state) {
  (void)state;
  rig r;
  rig_open(&r);
  tn_queue *queue = fixture_queue(&r.f, TN_QUEUE_IN_ORDER | TN_QUEUE_PROFILING);
  tn_event *event = NULL;
  submit(&r, queue, NULL, 1, &event);
  uint64_t times[3] = {0};
  for (int32_t i = 0; i < 3; i++) {
    MUST(tn_event_get_profiling(event, TN_PROFILING_SUBMIT + i, &times[i], diag));
  }
  assert_true(times[0] > 0 && times[1] >= times[0] && times[2] >= times[1]);
  tn_event_release(event);
  tn_queue_release(queue);
  rig_close(&r);
}

static void test_a_launch_that_fails(void **state) {
  (void)state;
  rig r;
  rig_open(&r);
  tn_diag failure = {0};
  submit(&r, r.queue, NULL, 1, NULL);
  fake_cuda_fail("cuLaunchKernel:0:1");
  submit(&r, r.queue, NULL, 2, NULL);
  fake_cuda_fail(NULL);
  MUST(tn_queue_wait(r.queue, diag));
  assert_int_equal(tn_queue_take_error(r.queue, &failure), 1);
  assert_non_null(strstr(failure.text, "kernel step on device Fake GPU 0"));
  assert_int_equal(tn_queue_take_error(r.queue, &failure), 0);
  rig_close(&r);
}

static void move(rig *r, uint32_t kind, void *to, const void *from, size_t size, tn_event **out) {
  static const unsigned char seven = 7;
  const tn_command command = {.struct_size = sizeof(command),
                              .kind = kind,
                              .dst = to,
                              .src = from,
                              .size = size,
                              .pattern = kind == TN_COMMAND_FILL ? &seven : NULL,
                              .pattern_size = kind == TN_COMMAND_FILL ? 1 : 0};
  MUST(tn_queue_submit(r->queue, &command, out, diag));
}

// Copies and fills go into the stream as launches do, and make no nodes.
static void test_copies_come_in_order(void **state) {
  (void)state;
  rig r;
  rig_open(&r);
  enum { SIZE = 256 };
  atomic_int gate = 0;
  unsigned char *bytes[3];
  tn_event *event = NULL;
  for (int i = 0; i < 3; i++) {
    bytes[i] = calloc(SIZE, 1);
  }
  submit(&r, r.queue, &gate, 1, NULL);
  move(&r, TN_COMMAND_FILL, bytes[0], NULL, SIZE, NULL);
  move(&r, TN_COMMAND_COPY, bytes[1], bytes[0], SIZE, NULL);
  move(&r, TN_COMMAND_COPY, bytes[2], bytes[1], SIZE, &event);
  move(&r, TN_COMMAND_COPY, bytes[2], bytes[1], 0, NULL);
  assert_int_not_equal(tn_event_status(event), TN_EVENT_COMPLETE);
  atomic_store(&gate, 1);
  MUST(tn_event_wait(event, diag));
  assert_int_equal(bytes[2][0] + bytes[2][SIZE - 1], 14);
  tn_event_release(event);
  MUST(tn_queue_wait(r.queue, diag));
  move(&r, TN_COMMAND_FILL, bytes[0], NULL, SIZE, NULL);
  assert_int_equal(atomic_load(&r.queue->state), 0);  // no node was made
  MUST(tn_queue_wait(r.queue, diag));
  for (int i = 0; i < 3; i++) {
    free(bytes[i]);
  }
  rig_close(&r);
}

static void submit_after(rig *r, tn_queue *queue, atomic_int *gate, uint64_t number,
                         const tn_event *after) {
  _Alignas(8) const block args = {gate, number};
  tn_command command = kernel_command(&r->kernel, &args, 1);
  command.events = &after;
  command.event_count = 1;
  MUST(tn_queue_submit(queue, &command, NULL, diag));
}

// As halves of a problem exchange their edges: each queue's kernel waits for the other's copy, and
// not for the other's next kernel, whichever of the ways it took into the stream.
static void test_a_copy_is_its_own_place(void **state) {
  (void)state;
  rig r;
  rig_open(&r);
  unsigned char bytes[4][16] = {{0}};
  tn_queue *second = fixture_queue(&r.f, TN_QUEUE_IN_ORDER);
  for (int way = 0; way < 3; way++) {
    atomic_int gate = 0;
    atomic_int begin = way != 2;
    tn_event *copies[2] = {NULL, NULL};
    tn_queue *const first = r.queue;
    if (way == 2) {  // behind a kernel that waits for another's, the copies take the other way
      tn_event *before = NULL;
      submit(&r, second, &begin, 1, &before);
      submit_after(&r, first, NULL, 1, before);
      submit_after(&r, second, NULL, 1, before);
      tn_event_release(before);
    }
    move(&r, TN_COMMAND_COPY, bytes[0], bytes[1], 16, &copies[0]);
    r.queue = second;
    move(&r, TN_COMMAND_COPY, bytes[2], bytes[3], 16, &copies[1]);
    r.queue = first;
    if (way == 0) {
      submit(&r, first, &gate, 1, NULL);
    } else {
      submit_after(&r, first, &gate, 1, copies[1]);
    }
    submit_after(&r, second, NULL, 2, copies[0]);
    atomic_store(&begin, 1);
    MUST(tn_queue_wait(second, diag));
    assert_int_equal(atomic_load(&gate), 0);
    atomic_store(&gate, 1);
    MUST(tn_queue_wait(first, diag));
    tn_event_release(copies[0]);
    tn_event_release(copies[1]);
  }
  tn_queue_release(second);
  rig_close(&r);
}

static void test_a_copy_that_fails(void **state) {
  (void)state;
  rig r;
  rig_open(&r);
  unsigned char bytes[2][16] = {{0}};
  tn_diag failure = {0};
  fake_cuda_fail("cuMemcpyAsync:0:1");
  move(&r, TN_COMMAND_COPY, bytes[0], bytes[1], 16, NULL);
  fake_cuda_fail(NULL);
  MUST(tn_queue_wait(r.queue, diag));
  assert_int_equal(tn_queue_take_error(r.queue, &failure), 1);
  assert_non_null(strstr(failure.text, "a copy"));
  rig_close(&r);
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
      LEAK_TEST(test_launches_come_in_order),
      LEAK_TEST(test_an_event_is_its_own_place),
      LEAK_TEST(test_host_tasks_come_behind_launches),
      LEAK_TEST(test_others_wait_for_launches),
      LEAK_TEST(test_dependencies_in_the_queue_itself),
      LEAK_TEST(test_events_outlive_their_queue),
      LEAK_TEST(test_a_launch_between_wait_and_completion),
      LEAK_TEST(test_two_threads_launch_and_wait),
      LEAK_TEST(test_many_wait_for_one),
      LEAK_TEST(test_profiling_measures),
      LEAK_TEST(test_a_launch_that_fails),
      LEAK_TEST(test_copies_come_in_order),
      LEAK_TEST(test_a_copy_that_fails),
      LEAK_TEST(test_a_copy_is_its_own_place),
  };
  return cmocka_run_group_tests(tests, load_driver, NULL);
}
