// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels run on threads whose stacks can hold their frames: callers' threads, waiters, the pool's;
// one that none can hold fails alone.
#include "adapter/cpu/cpu.h"
#include "unit/sched/cmocka_all.h"
#include "unit/sched/sched_fixture.h"

// The thread sanitizer gives threads 128 KiB at least.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SMALL_STACK (256 * KIB)
#endif
#endif
#ifndef SMALL_STACK
#define SMALL_STACK (64 * KIB)
#endif

enum { KIB = 1024 };

static pthread_t last_thread;  // that ran the kernel; read after a wait

static void note_thread(const void *args, const tn_cpu_group *group) {
  (void)args;
  (void)group;
  last_thread = pthread_self();
}

static const c_kernel kernels[] = {{"deep" TN_CPU_KERNEL_SUFFIX, note_thread}, {NULL, NULL}};

typedef struct launch {
  fixture *f;
  uint64_t stack_size;  // that the kernel needs
  bool ran_here;
  tn_status status;
  tn_diag diag;
} launch;

// Submits and waits. The kernel's cost is known to be small, so that it runs here if it may.
static void *run(void *arg) {
  launch *l = arg;
  tn_kernel kernel = fixture_kernel(l->f, "deep", 0);
  kernel.adapter_kernel->needs.stack_size = l->stack_size;
  atomic_store(&kernel.adapter_kernel->cost, 1);
  tn_queue *queue = fixture_queue(l->f, 0);
  const tn_command command = kernel_command(&kernel, NULL, 1);
  tn_event *event = NULL;
  memset(&last_thread, 0, sizeof(last_thread));
  MUST(tn_queue_submit(queue, &command, &event, diag));
  MUST(tn_queue_wait(queue, diag));
  l->ran_here = pthread_equal(last_thread, pthread_self()) != 0;
  l->status = tn_event_wait(event, &l->diag);
  tn_event_release(event);
  tn_queue_release(queue);
  return NULL;
}

static launch run_on(fixture *f, size_t caller_stack, uint64_t stack_size) {
  launch l = {.f = f, .stack_size = stack_size};
  tn_thread thread;
  MUST(tn_thread_create_deep(&thread, "caller", caller_stack, run, &l, diag));
  tn_thread_join(thread);
  return l;
}

static void test_callers(void **state) {
  (void)state;
  static const struct {
    size_t caller;
    uint64_t needed;
    bool runs_here;
  } rows[] = {
      {SMALL_STACK, 0, true},
      {SMALL_STACK, TN_CPU_STACK_ANYWHERE, true},
      {SMALL_STACK, 16 * KIB, true},
      {SMALL_STACK, SMALL_STACK - 4 * KIB, false},
      {SMALL_STACK, 1024 * KIB, false},
      {2048 * KIB, 1024 * KIB, true},
  };
  fixture f;
  fixture_open_cpu(&f, 2, kernels);
  for (size_t i = 0; i < TN_COUNT(rows); i++) {
    const launch l = run_on(&f, rows[i].caller, rows[i].needed);
    assert_int_equal(l.status, TN_OK);
    if (l.ran_here != rows[i].runs_here) {
      fail_msg("row %zu", i);
    }
  }
  fixture_close(&f);
}

static void test_too_large(void **state) {
  (void)state;
  fixture f;
  fixture_open_cpu(&f, 2, kernels);
  // The default: 8 MiB, of which something is left for others.
  const launch l = run_on(&f, SMALL_STACK, TN_CPU_STACK_DEFAULT - TN_CPU_STACK_RESERVE);
  assert_int_equal(l.status, TN_OK);
  const tn_adapter_api *api = f.device.api;
  tn_kernel kernel = fixture_kernel(&f, "deep", 0);
  tn_cpu_needs *needs = &kernel.adapter_kernel->needs;
  tn_adapter_kernel *found = NULL;
  tn_diag said = {0};
  needs->stack_size = 64 * KIB * KIB;
  assert_int_equal(api->kernel_find(f.program, "deep", &found, &said), TN_OUT_OF_MEMORY);
  assert_null(found);
  assert_non_null(strstr(said.text, "need 67108864 bytes of stack, and the CPU's threads have "
                                    "8372224: "));
  assert_non_null(strstr(said.text, "TENON_CPU_STACK_SIZE=65M"));
  needs->stack_size = UINT64_MAX;
  assert_int_equal(api->kernel_find(f.program, "deep", &found, &said), TN_OUT_OF_MEMORY);
  assert_null(strstr(said.text, "TENON_CPU_STACK_SIZE"));
  needs->stack_size = 0;
  MUST(api->kernel_find(f.program, "deep", &found, diag));
  assert_true(found == kernel.adapter_kernel);
  fixture_close(&f);
}

static void note_done(void *user, tn_status status, const tn_diag *diag, uint64_t start_ns,
                      uint64_t end_ns) {
  (void)diag;
  (void)start_ns;
  (void)end_ns;
  atomic_store((_Atomic tn_status *)user, status);
}

// No thread can be started: the caller's does what it can, and the rest fails.
static void test_no_threads(void **state) {
  (void)state;
  fixture f;
  fixture_open_cpu(&f, 2, kernels);
  tn_cpu_pool *pool = NULL;
  // A stack that no system has.
  MUST(tn_cpu_pool_create(2, UINT64_C(1) << 60, &f.device.adapter_device->workspaces, &pool, diag));
  tn_kernel kernel = fixture_kernel(&f, "deep", 0);
  const tn_adapter_command command = {.kind = TN_ADAPTER_KERNEL,
                                      .launch = {.kernel = kernel.adapter_kernel,
                                                 .dims = 1,
                                                 .global = {1, 1, 1},
                                                 .local = {1, 1, 1}}};
  _Atomic tn_status status = TN_INTERNAL;
  tn_diag said = {0};
  kernel.adapter_kernel->needs.stack_size = UINT64_C(1) << 40;
  assert_int_equal(tn_cpu_pool_submit(pool, &command, note_done, &status, &said),
                   TN_OUT_OF_MEMORY);
  assert_non_null(strstr(said.text, "tenon-cpu could not be started"));
  assert_int_equal(status, TN_INTERNAL);
  kernel.adapter_kernel->needs.stack_size = 16 * KIB;
  assert_int_equal(tn_cpu_pool_submit(pool, &command, note_done, &status, &said), TN_OK);
  assert_int_equal(status, TN_OK);
  assert_true(pthread_equal(last_thread, pthread_self()));
  tn_cpu_pool_destroy(pool);
  fixture_close(&f);
}

// A waiter leaves a command that its stack cannot hold to the pool, and takes the one behind it.
static void *help_once(void *arg) {
  tn_cpu_pool *pool = arg;
  while (!tn_cpu_pool_help(pool)) {
    tn_thread_yield();
  }
  return NULL;
}

enum { WORKERS = 2 };

static pthread_t threads_of[2];
static _Atomic bool is_released;
static _Atomic uint32_t held;

// Keeps the worker that ran the command, which is no longer one of the threads that compute.
static void hold(void *user, tn_status status, const tn_diag *diag, uint64_t start_ns,
                 uint64_t end_ns) {
  note_done(user, status, diag, start_ns, end_ns);
  atomic_fetch_add(&held, 1);
  while (!atomic_load(&is_released)) {
    tn_thread_yield();
  }
}

static void note_in(const void *args, const tn_cpu_group *group) {
  (void)group;
  threads_of[*(const uint32_t *)args] = pthread_self();
}

static const c_kernel two_kernels[] = {
    {"deep" TN_CPU_KERNEL_SUFFIX, note_in}, {"flat" TN_CPU_KERNEL_SUFFIX, note_in}, {NULL, NULL}};

typedef struct submitted {
  tn_adapter_command command;  // read until it is done
  _Atomic tn_status status;
} submitted;

static void submit_one(fixture *f, const char *name, const uint32_t *number,
                       tn_adapter_done_fn done, submitted *out) {
  const tn_kernel kernel = fixture_kernel(f, name, 4);
  kernel.adapter_kernel->needs.stack_size = *number == 0 ? 1024 * KIB : 0;
  out->command = (tn_adapter_command){.kind = TN_ADAPTER_KERNEL,
                                      .launch = {.kernel = kernel.adapter_kernel,
                                                 .args = number,
                                                 .dims = 1,
                                                 .global = {1, 1, 1},
                                                 .local = {1, 1, 1}}};
  atomic_store(&out->status, TN_INTERNAL);
  MUST(tn_cpu_pool_submit(f->device.adapter_device->pool, &out->command, done, &out->status, diag));
}

static void test_waiters(void **state) {
  (void)state;
  static const uint32_t deep = 0;
  static const uint32_t flat = 1;
  fixture f;
  fixture_open_cpu(&f, WORKERS, two_kernels);
  tn_cpu_pool *pool = f.device.adapter_device->pool;
  submitted holding[WORKERS];
  for (uint32_t i = 0; i < WORKERS; i++) {
    submit_one(&f, "flat", &flat, hold, &holding[i]);
    while (atomic_load(&held) != i + 1) {
      tn_thread_yield();
    }
  }
  submitted behind[2];
  submit_one(&f, "deep", &deep, note_done, &behind[deep]);
  submit_one(&f, "flat", &flat, note_done, &behind[flat]);
  tn_thread waiter;
  MUST(tn_thread_create_deep(&waiter, "waiter", SMALL_STACK, help_once, pool, diag));
  const pthread_t helper = waiter;
  tn_thread_join(waiter);
  assert_int_equal(behind[flat].status, TN_OK);
  assert_true(pthread_equal(threads_of[flat], helper));
  assert_int_equal(behind[deep].status, TN_INTERNAL);
  atomic_store(&is_released, true);
  while (atomic_load(&behind[deep].status) == TN_INTERNAL) {
    tn_thread_yield();
  }
  assert_int_equal(behind[deep].status, TN_OK);
  fixture_close(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      LEAK_TEST(test_callers),
      LEAK_TEST(test_too_large),
      LEAK_TEST(test_no_threads),
      LEAK_TEST(test_waiters),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
