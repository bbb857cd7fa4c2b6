// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Locks, their ranks, conditions, threads.
#include "base/thread.h"

#include "base/alloc.h"

// clang-format off: cmocka.h needs these before it
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
// clang-format on

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

enum { THREAD_COUNT = 4, ROUND_COUNT = 2000 };

typedef struct counter {
  tn_mutex mutex;
  tn_cond changed;
  uint64_t value TN_GUARDED_BY(&mutex);
} counter;

static void *count_up(void *arg) {
  counter *c = arg;
  for (int i = 0; i < ROUND_COUNT; i++) {
    tn_mutex_lock(&c->mutex);
    c->value++;
    tn_cond_broadcast(&c->changed);
    tn_mutex_unlock(&c->mutex);
  }
  return NULL;
}

static void test_threads_count_together(void **state) {
  (void)state;
  counter c = {.value = 0};
  tn_thread threads[THREAD_COUNT];
  tn_mutex_init(&c.mutex, TN_RANK_LEAF);
  tn_cond_init(&c.changed);
  for (size_t i = 0; i < THREAD_COUNT; i++) {
    assert_int_equal(tn_thread_create(&threads[i], "tenon-test", count_up, &c, NULL), TN_OK);
  }
  tn_mutex_lock(&c.mutex);
  while (c.value < THREAD_COUNT * ROUND_COUNT) {
    tn_cond_wait(&c.changed, &c.mutex);
  }
  tn_mutex_unlock(&c.mutex);
  for (size_t i = 0; i < THREAD_COUNT; i++) {
    tn_thread_join(threads[i]);
  }
  tn_cond_deinit(&c.changed);
  tn_mutex_deinit(&c.mutex);
}

static void test_waiting_ends_by_itself(void **state) {
  (void)state;
  static tn_mutex mutex = TN_MUTEX_INIT(TN_RANK_LEAF);
  static tn_cond never = TN_COND_INIT;
  const uint64_t start = tn_time_ns();
  tn_mutex_lock(&mutex);
  while (tn_cond_wait_for(&never, &mutex, 2000000)) {
  }
  tn_mutex_unlock(&mutex);
  assert_true(tn_time_ns() - start >= 2000000);
}

static void *report_signals(void *arg) {
  sigset_t blocked;
  (void)pthread_sigmask(SIG_SETMASK, NULL, &blocked);
  int *is_blocked = arg;
  is_blocked[0] = sigismember(&blocked, SIGINT);
  is_blocked[1] = sigismember(&blocked, SIGSEGV);
  return NULL;
}

static void test_signals_stay_with_the_program(void **state) {
  (void)state;
  int blocked[2] = {0, 1};
  tn_thread thread;
  assert_int_equal(
      tn_thread_create(&thread, "a name longer than fifteen", report_signals, blocked, NULL),
      TN_OK);
  tn_thread_join(thread);
  assert_int_equal(blocked[0], 1);
  assert_int_equal(blocked[1], 0);  // the program's handlers see a thread's faults
  sigset_t mine;
  (void)pthread_sigmask(SIG_SETMASK, NULL, &mine);
  assert_int_equal(sigismember(&mine, SIGINT), 0);
}

static void test_failing_start_says_so(void **state) {
  (void)state;
  tn_thread thread;
  tn_diag diag = {0};
  tn_fault_arm(0);
  assert_int_equal(tn_thread_create(&thread, "worker", report_signals, NULL, &diag),
                   TN_OUT_OF_MEMORY);
  tn_fault_arm(-1);
  assert_non_null(strstr(diag.text, "worker"));
}

// The thread sanitizer gives threads 128 KiB at least.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SMALL_STACK ((size_t)256 * 1024)
#endif
#endif
#ifndef SMALL_STACK
#define SMALL_STACK ((size_t)64 * 1024)
#endif

static void *read_left(void *arg) {
  *(size_t *)arg = tn_thread_stack_left();
  return NULL;
}

static void test_stack_left(void **state) {
  (void)state;
  tn_thread thread;
  size_t left = 0;
  assert_int_equal(tn_thread_create_deep(&thread, "small", SMALL_STACK, read_left, &left, NULL),
                   TN_OK);
  tn_thread_join(thread);
  assert_in_range(left, SMALL_STACK / 2, SMALL_STACK);
  assert_int_equal(tn_thread_create_deep(&thread, "large", 32 << 20, read_left, &left, NULL),
                   TN_OK);
  tn_thread_join(thread);
  assert_in_range(left, 31 << 20, 32 << 20);
  assert_true(tn_thread_stack_left() > 100 * 1024);  // of the program's first thread
}

// As fibers: the thread goes on, on other memory.
static ucontext_t fiber;
static ucontext_t before_fiber;
static size_t left_in_fiber = 1;
static void run_fiber(void) { left_in_fiber = tn_thread_stack_left(); }

static void test_stack_left_of_fibers(void **state) {
  (void)state;
  static char stack[256 * 1024];
  assert_int_equal(getcontext(&fiber), 0);
  fiber.uc_stack.ss_sp = stack;
  fiber.uc_stack.ss_size = sizeof(stack);
  fiber.uc_link = &before_fiber;
  makecontext(&fiber, run_fiber, 0);
  assert_int_equal(swapcontext(&before_fiber, &fiber), 0);
  assert_int_equal(left_in_fiber, 0);
}

static void test_counts(void **state) {
  (void)state;
  tn_ref ref;
  tn_ref_init(&ref);
  tn_ref_up(&ref);
  assert_false(tn_ref_down(&ref));
  assert_true(tn_ref_down(&ref));
  assert_true(tn_thread_core_count() >= 1);
}

static void *try_it(void *arg) TN_NO_ANALYSIS {
  tn_mutex *mutex = arg;
  const bool locked = tn_mutex_try_lock(mutex);
  if (locked) {
    tn_mutex_unlock(mutex);
  }
  return locked ? arg : NULL;
}

static void test_try_lock(void **state) {
  (void)state;
  static tn_mutex mutex = TN_MUTEX_INIT(TN_RANK_POOL);
  void *locked = &mutex;
  tn_thread thread;
  tn_mutex_lock(&mutex);
  assert_int_equal(tn_thread_create(&thread, "try", try_it, &mutex, NULL), TN_OK);
  (void)pthread_join(thread, &locked);
  tn_mutex_unlock(&mutex);
  assert_null(locked);
  assert_non_null(try_it(&mutex));
}

// Runs in a child, because a broken rank ends the program.
static int status_of_locking(tn_lock_rank first, tn_lock_rank second) TN_NO_ANALYSIS {
  const pid_t child = fork();
  if (child == 0) {
    const struct rlimit none = {0, 0};
    (void)setrlimit(RLIMIT_CORE, &none);
    (void)close(STDERR_FILENO);
    (void)signal(SIGABRT, SIG_DFL);
    tn_mutex a;
    tn_mutex b;
    tn_mutex_init(&a, first);
    tn_mutex_init(&b, second);
    tn_mutex_lock(&a);
    tn_mutex_lock(&b);
    tn_mutex_unlock(&a);
    tn_mutex_unlock(&b);
    _exit(0);
  }
  int status = -1;
  assert_int_equal(waitpid(child, &status, 0), child);
  return status;
}

static void test_ranks(void **state) {
  (void)state;
  assert_int_equal(status_of_locking(TN_RANK_QUEUE, TN_RANK_GRAPH), 0);
#ifndef NDEBUG
  assert_true(status_of_locking(TN_RANK_GRAPH, TN_RANK_QUEUE) != 0);
  assert_true(status_of_locking(TN_RANK_QUEUE, TN_RANK_QUEUE) != 0);
#endif
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_threads_count_together),
      cmocka_unit_test(test_waiting_ends_by_itself),
      cmocka_unit_test(test_signals_stay_with_the_program),
      cmocka_unit_test(test_failing_start_says_so),
      cmocka_unit_test(test_stack_left),
      cmocka_unit_test(test_stack_left_of_fibers),
      cmocka_unit_test(test_counts),
      cmocka_unit_test(test_try_lock),
      cmocka_unit_test(test_ranks),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
