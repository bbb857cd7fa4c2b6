// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches on the CPU: what costs no allocation, order between threads, and many threads at once.
#include "unit/sched/cmocka_all.h"
#include "adapter/cpu/cpu.h"
#include "unit/sched/sched_fixture.h"

typedef struct counter_args {
  uint64_t *counter;
  uint64_t spin;  // rounds of work for each work-item
} counter_args;

// Not atomic on purpose: in order, no two launches may overlap, and TSan would see it.
static void count_group(const void *args, const tn_cpu_group *group) {
  const counter_args *a = args;
  for (volatile uint64_t i = 0; i < a->spin; i++) {
  }
  *a->counter += group->local_size[0];
}

static void empty_group(const void *args, const tn_cpu_group *group) {
  (void)args;
  (void)group;
}

enum { LAUNCHES = 1000 };

static const c_kernel kernels[] = {{"count" TN_CPU_KERNEL_SUFFIX, count_group},
                                   {"empty" TN_CPU_KERNEL_SUFFIX, empty_group},
                                   {NULL, NULL}};

static tn_status wait_for_gate(void *user, tn_diag *diag) {
  (void)diag;
  while (atomic_load((atomic_int *)user) == 0) {
    usleep(100);
  }
  return TN_OK;
}

// Submits in every way of launching, all behind a gate: as many commands as were ever in flight at
// once are made, however slow the machine.
static void warm_up(tn_queue *queue, const tn_command *command) {
  atomic_int gate = 0;
  const tn_command gate_command = host_command(wait_for_gate, &gate);
  tn_event *last = NULL;
  MUST(tn_queue_submit(queue, &gate_command, &last, diag));
  for (int i = 0; i < 2 * LAUNCHES; i++) {
    tn_event *event = NULL;
    tn_command after = *command;
    after.events = (const tn_event *const *)&last;
    after.event_count = 1;
    MUST(tn_queue_submit(queue, &after, &event, diag));
    tn_event_release(last);
    last = event;
  }
  atomic_store(&gate, 1);
  MUST(tn_queue_wait(queue, diag));
  tn_event_release(last);
  MUST(tn_queue_submit(queue, command, NULL, diag));
  MUST(tn_queue_wait(queue, diag));
}

static void test_no_allocation(void **state) {
  (void)state;
  fixture f;
  fixture_open_cpu(&f, 2, kernels);
  tn_kernel kernel = fixture_kernel(&f, "empty", 4);
  const uint32_t flags[] = {TN_QUEUE_IN_ORDER, 0, TN_QUEUE_IN_ORDER | TN_QUEUE_PROFILING};
  const uint32_t args = 0;
  for (size_t k = 0; k < TN_COUNT(flags); k++) {
    tn_queue *queue = fixture_queue(&f, flags[k]);
    const tn_command command = kernel_command(&kernel, &args, 1);
    warm_up(queue, &command);
    const uint64_t count = tn_alloc_count();
    for (int i = 0; i < LAUNCHES; i++) {
      MUST(tn_queue_submit(queue, &command, NULL, diag));
    }
    tn_event *last = NULL;
    for (int i = 0; i < LAUNCHES; i++) {
      tn_event *event = NULL;
      tn_command after = command;
      after.events = (const tn_event *const *)&last;
      after.event_count = 1;
      MUST(tn_queue_submit(queue, &after, &event, diag));
      tn_event_release(last);
      last = event;
    }
    MUST(tn_queue_wait(queue, diag));
    assert_int_equal(tn_alloc_count() - count, 0);
    tn_event_release(last);
    tn_queue_release(queue);
  }
  fixture_close(&f);
}

// Large copies go through the pool of threads; its jobs come from a free list as well.
static void test_no_allocation_in_the_pool(void **state) {
  (void)state;
  enum { SIZE = 1 << 20 };
  fixture f;
  fixture_open_cpu(&f, 2, kernels);
  tn_queue *queue = fixture_queue(&f, TN_QUEUE_IN_ORDER);
  unsigned char *memory = tn_alloc(2 * SIZE);
  const tn_command copy = {.struct_size = sizeof(copy),
                           .kind = TN_COMMAND_COPY,
                           .dst = memory,
                           .src = memory + SIZE,
                           .size = SIZE};
  for (int i = 0; i < 20; i++) {
    MUST(tn_queue_submit(queue, &copy, NULL, diag));
    MUST(tn_queue_wait(queue, diag));
  }
  const uint64_t count = tn_alloc_count();
  for (int i = 0; i < 100; i++) {
    MUST(tn_queue_submit(queue, &copy, NULL, diag));
    MUST(tn_queue_wait(queue, diag));
  }
  assert_int_equal(tn_alloc_count() - count, 0);
  tn_free(memory);
  tn_queue_release(queue);
  fixture_close(&f);
}

typedef struct submitter {
  tn_thread thread;
  fixture *f;
  tn_kernel *kernel;
  tn_queue **queues;
  size_t queue_count;
  counter_args *args;  // one a queue
  tn_buffer *buffer;
  uint32_t seed;
  int rounds;
} submitter;

static tn_status add_one(void *user, tn_diag *diag) {
  (void)diag;
  *(uint64_t *)user += 1;
  return TN_OK;
}

// Random commands on random queues; every one adds 1 to its queue's counter, and those with the
// buffer also hold its bytes.
static void submit_random(submitter *s, uint32_t choice, tn_event **last) {
  const size_t q = choice % s->queue_count;
  tn_command command = kernel_command(s->kernel, &s->args[q], 1);
  const tn_access access = {s->buffer, (choice >> 4) % 3 + 1, TN_NO_ARG};
  if ((choice >> 8) % 4 == 0) {
    command = host_command(add_one, s->args[q].counter);
  }
  if ((choice >> 10) % 3 == 0) {
    command.accesses = &access;
    command.access_count = 1;
  }
  if ((choice >> 12) % 3 == 0) {
    command.events = (const tn_event *const *)last;
    command.event_count = 1;
  }
  tn_event *event = NULL;
  MUST(tn_queue_submit(s->queues[q], &command, (choice >> 14) % 2 ? &event : NULL, diag));
  if (event != NULL) {
    tn_event_release(*last);
    *last = event;
  }
}

static void *submit_many(void *arg) {
  submitter *s = arg;
  tn_event *last = NULL;
  for (int i = 0; i < s->rounds; i++) {
    s->seed = s->seed * 1664525u + 1013904223u;
    const uint32_t choice = s->seed >> 8;
    submit_random(s, choice, &last);
    if (choice % 16 == 3) {
      MUST(tn_queue_wait(s->queues[choice % s->queue_count], diag));
    } else if (choice % 16 == 5 && last != NULL) {
      MUST(tn_event_wait(last, diag));
    } else if (choice % 16 == 7) {
      void *data = NULL;
      MUST(tn_buffer_begin_host_access(s->buffer, TN_ACCESS_READ, &data, diag));
      tn_buffer_end_host_access(s->buffer, TN_ACCESS_READ);
    }
  }
  tn_event_release(last);
  return NULL;
}

static void test_many_threads(void **state) {
  (void)state;
  enum { THREADS = 4, QUEUES = 3, ROUNDS = 1500 };
  fixture f;
  fixture_open_cpu(&f, 3, kernels);
  tn_kernel kernel = fixture_kernel(&f, "count", sizeof(counter_args));
  uint64_t counters[QUEUES] = {0};
  counter_args args[QUEUES];
  tn_queue *queues[QUEUES];
  const tn_buffer_params params = {.struct_size = sizeof(params), .size = 64};
  tn_buffer *buffer = NULL;
  MUST(tn_buffer_create(&params, &buffer, diag));
  for (size_t i = 0; i < QUEUES; i++) {
    queues[i] = fixture_queue(&f, TN_QUEUE_IN_ORDER);
    args[i] = (counter_args){&counters[i], i * 20};
  }
  submitter submitters[THREADS];
  for (uint32_t i = 0; i < THREADS; i++) {
    submitters[i] = (submitter){.f = &f,
                                .kernel = &kernel,
                                .queues = queues,
                                .queue_count = QUEUES,
                                .args = args,
                                .buffer = buffer,
                                .seed = i + 1,
                                .rounds = ROUNDS};
    MUST(tn_thread_create(&submitters[i].thread, "submitter", submit_many, &submitters[i], diag));
  }
  for (size_t i = 0; i < THREADS; i++) {
    tn_thread_join(submitters[i].thread);
  }
  uint64_t total = 0;
  for (size_t i = 0; i < QUEUES; i++) {
    MUST(tn_queue_wait(queues[i], diag));
    total += counters[i];
    tn_queue_release(queues[i]);
  }
  tn_buffer_release(buffer);
  assert_int_equal(total, THREADS * ROUNDS);
  fixture_close(&f);
}

typedef struct racer {
  tn_thread thread;
  tn_queue *queue;
  tn_command command;
  int rounds;
} racer;

static void *race(void *arg) {
  racer *r = arg;
  for (int i = 0; i < r->rounds; i++) {
    MUST(tn_queue_submit(r->queue, &r->command, NULL, diag));
    if (i % 64 == 0) {
      MUST(tn_queue_wait(r->queue, diag));
    }
  }
  return NULL;
}

// The gate: launches of several threads on one in-order queue neither overlap nor get lost, whether
// they run on their submitters or through the graph.
static void test_one_queue_many_threads(void **state) {
  (void)state;
  enum { THREADS = 3, ROUNDS = 5000 };
  fixture f;
  fixture_open_cpu(&f, 2, kernels);
  tn_kernel kernel = fixture_kernel(&f, "count", sizeof(counter_args));
  tn_queue *queue = fixture_queue(&f, TN_QUEUE_IN_ORDER);
  uint64_t counter = 0;
  const counter_args args = {&counter, 3};
  racer racers[THREADS];
  for (size_t i = 0; i < THREADS; i++) {
    racers[i] =
        (racer){.queue = queue, .command = kernel_command(&kernel, &args, 1), .rounds = ROUNDS};
    MUST(tn_thread_create(&racers[i].thread, "racer", race, &racers[i], diag));
  }
  for (size_t i = 0; i < THREADS; i++) {
    tn_thread_join(racers[i].thread);
  }
  MUST(tn_queue_wait(queue, diag));
  assert_int_equal(counter, THREADS * ROUNDS);
  assert_true(tn_queue_is_idle(queue));
  tn_queue_release(queue);
  fixture_close(&f);
}

// A launch that stays inside until another thread has submitted to the same queue.
typedef struct meeting {
  tn_queue *queue;
  tn_kernel *kernel;
  _Atomic int is_inside;
  _Atomic int is_submitted;
  pthread_t inline_thread;
  uint64_t order[3];
  _Atomic uint64_t order_count;
} meeting;

typedef struct meet_args {
  meeting *meeting;
  uint64_t id;
} meet_args;

static void meet_group(const void *args, const tn_cpu_group *group) {
  const meet_args *a = args;
  meeting *m = a->meeting;
  (void)group;
  if (a->id == 1) {
    m->inline_thread = pthread_self();
    atomic_store(&m->is_inside, 1);
    while (atomic_load(&m->is_submitted) == 0) {
      tn_thread_pause();
    }
  }
  m->order[atomic_fetch_add(&m->order_count, 1)] = a->id;
}

static void submit_meeting(meeting *m, uint64_t id) {
  const meet_args args = {m, id};
  const tn_command command = kernel_command(m->kernel, &args, 1);
  MUST(tn_queue_submit(m->queue, &command, NULL, diag));
}

static void *join_meeting(void *arg) {
  meeting *m = arg;
  while (atomic_load(&m->is_inside) == 0) {
    tn_thread_pause();
  }
  submit_meeting(m, 2);
  submit_meeting(m, 3);
  atomic_store(&m->is_submitted, 1);
  return NULL;
}

static void test_submit_during_inline_run(void **state) {
  (void)state;
  const c_kernel list[] = {{"meet" TN_CPU_KERNEL_SUFFIX, meet_group}, {NULL, NULL}};
  fixture f;
  fixture_open_cpu(&f, 2, list);
  tn_kernel kernel = fixture_kernel(&f, "meet", sizeof(meet_args));
  meeting m = {.queue = fixture_queue(&f, TN_QUEUE_IN_ORDER), .kernel = &kernel};
  // As if it was measured to be tiny: it runs where it is submitted.
  atomic_store(&kernel.adapter_kernel->cost, 1);
  tn_thread thread;
  MUST(tn_thread_create(&thread, "meeting", join_meeting, &m, diag));
  submit_meeting(&m, 1);
  tn_thread_join(thread);
  MUST(tn_queue_wait(m.queue, diag));
  assert_true(pthread_equal(m.inline_thread, pthread_self()));
  assert_int_equal(atomic_load(&m.order_count), 3);
  for (uint64_t i = 0; i < 3; i++) {
    assert_int_equal(m.order[i], i + 1);
  }
  assert_true(tn_queue_is_idle(m.queue));
  tn_queue_release(m.queue);
  fixture_close(&f);
}

// A block that is too large or too strictly aligned for a node's own storage.
static void check_block_group(const void *args, const tn_cpu_group *group) {
  (void)group;
  const unsigned char *bytes = args;
  uint64_t *out = NULL;
  memcpy(&out, bytes, sizeof(out));
  *out = ((uintptr_t)args % 128 == 0 && bytes[999] == 42) ? 1 : 2;
}

static void test_large_block(void **state) {
  (void)state;
  const c_kernel list[] = {{"block" TN_CPU_KERNEL_SUFFIX, check_block_group}, {NULL, NULL}};
  fixture f;
  fixture_open_cpu(&f, 2, list);
  tn_kernel kernel = fixture_kernel(&f, "block", 1000);
  kernel.arg_align = 128;
  tn_queue *queue = fixture_queue(&f, 0);
  unsigned char space[1001] = {0};
  unsigned char *block = (uintptr_t)space % 2 == 0 ? space + 1 : space;  // never aligned
  uint64_t result = 0;
  uint64_t *out = &result;
  memcpy(block, &out, sizeof(out));
  block[999] = 42;
  const tn_command command = kernel_command(&kernel, block, 1);
  for (int i = 0; i < 5; i++) {
    result = 0;
    MUST(tn_queue_submit(queue, &command, NULL, diag));
    MUST(tn_queue_wait(queue, diag));
    assert_int_equal(result, 1);
  }
  tn_queue_release(queue);
  fixture_close(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      LEAK_TEST(test_no_allocation),
      LEAK_TEST(test_no_allocation_in_the_pool),
      LEAK_TEST(test_many_threads),
      LEAK_TEST(test_one_queue_many_threads),
      LEAK_TEST(test_submit_during_inline_run),
      LEAK_TEST(test_large_block),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
