// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread that waits for a queue computes as one of the device's threads. When it has had nothing
// to do for a while it sleeps, and what starts afterwards runs on as many threads all the same.
#include "unit/sched/cmocka_all.h"
#include "unit/sched/sched_fixture.h"

enum { TURNS = 20, SLEEP_US = 20000, PATIENCE_US = 20000000 };

typedef struct meeting {
  atomic_uint *arrived;
  atomic_uint *lonely;  // who met nobody
  uint32_t group_count;
} meeting;

// All that a thread that waits can do is done long before this ends.
static void sleep_group(const void *args, const tn_cpu_group *group) {
  (void)args;
  usleep(group->base[0] == 0 ? SLEEP_US : 0);
}

// Ends when all groups of the launch have begun.
static void meet_group(const void *args, const tn_cpu_group *group) {
  (void)group;
  const meeting *m = args;
  atomic_fetch_add(m->arrived, 1);
  for (int waited = 0; atomic_load(m->arrived) < m->group_count; waited += 100) {
    if (waited > PATIENCE_US) {
      atomic_fetch_add(m->lonely, 1);
      return;
    }
    usleep(100);
  }
}

static const c_kernel kernels[] = {{"sleep" TN_CPU_KERNEL_SUFFIX, sleep_group},
                                   {"meet" TN_CPU_KERNEL_SUFFIX, meet_group},
                                   {NULL, NULL}};

static void check_threads(uint32_t threads) {
  fixture f;
  fixture_open_cpu(&f, threads, kernels);
  tn_kernel sleep_kernel = fixture_kernel(&f, "sleep", 4);
  tn_kernel meet_kernel = fixture_kernel(&f, "meet", sizeof(meeting));
  tn_queue *queue = fixture_queue(&f, TN_QUEUE_IN_ORDER);
  atomic_uint lonely = 0;
  for (int i = 0; i < TURNS && atomic_load(&lonely) == 0; i++) {
    atomic_uint arrived = 0;
    const uint32_t no_args = 0;
    const meeting m = {&arrived, &lonely, threads};
    const tn_command first = kernel_command(&sleep_kernel, &no_args, threads);
    const tn_command second = kernel_command(&meet_kernel, &m, threads);
    MUST(tn_queue_submit(queue, &first, NULL, diag));
    MUST(tn_queue_submit(queue, &second, NULL, diag));
    MUST(tn_queue_wait(queue, diag));
    assert_int_equal(atomic_load(&arrived), threads);
  }
  assert_int_equal(atomic_load(&lonely), 0);
  tn_queue_release(queue);
  fixture_close(&f);
}

static void test_two_threads(void **state) {
  (void)state;
  check_threads(2);
}

static void test_four_threads(void **state) {
  (void)state;
  check_threads(4);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_two_threads),
      cmocka_unit_test(test_four_threads),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
