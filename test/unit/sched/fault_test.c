// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Torture: the n-th allocation, adapter call or thread start fails, for every n that there is. The
// status is right, nothing is lost or leaks, and what was accepted is completed.
#include "unit/sched/cmocka_all.h"
#include "unit/sched/sched_fixture.h"

static _Atomic int frees;

static tn_status nothing_to_do(void *user, tn_diag *diag) {
  (void)user;
  (void)diag;
  return TN_OK;
}

static void count_free(void *user) {
  (void)user;
  atomic_fetch_add(&frees, 1);
}

static void empty_group(const void *args, const tn_cpu_group *group) {
  (void)args;
  (void)group;
}

static const c_kernel kernels[] = {{"a" TN_CPU_KERNEL_SUFFIX, empty_group}, {NULL, NULL}};

static bool is_expected(tn_status status) {
  // HOST_TASK: one that was not run because of another failure.
  const bool expected = status == TN_OK || status == TN_OUT_OF_MEMORY ||
                        status == TN_DEVICE_FAILED || status == TN_HOST_TASK;
  if (!expected) {
    fprintf(stderr, "unexpected: %s\n", tn_status_name(status));
  }
  return expected;
}

// Everything a queue does, each part going on when another failed.
static void use_queue(fixture *f, tn_kernel *kernel, uint32_t flags) {
  tn_diag diag;
  tn_queue *queue = NULL;
  tn_buffer *buffer = NULL;
  tn_buffer *part = NULL;
  tn_event *event = NULL;
  unsigned char block[512] = {0};
  char host[64] = {0};
  const tn_buffer_params params = {
      .struct_size = sizeof(params), .size = 64, .host_data = host, .flags = TN_BUFFER_HOST_CONST};
  assert_true(is_expected(tn_buffer_create(&params, &buffer, &diag)));
  assert_true(is_expected(tn_queue_create(f->context, &f->device, flags, &queue, &diag)));
  if (queue == NULL || buffer == NULL) {
    goto done;
  }
  assert_true(is_expected(tn_buffer_create_part(buffer, 16, 32, &part, &diag)));
  tn_access accesses[12];
  for (size_t i = 0; i < TN_COUNT(accesses); i++) {
    tn_buffer *used = part != NULL && i % 3 == 0 ? part : buffer;
    accesses[i] = (tn_access){used, i % 2 ? TN_ACCESS_READ : TN_ACCESS_WRITE, (uint32_t)(8 * i)};
  }
  const tn_access host_accesses[2] = {{buffer, TN_ACCESS_READ, TN_NO_ARG},
                                      {buffer, TN_ACCESS_WRITE, TN_NO_ARG}};
  for (int round = 0; round < 3; round++) {
    tn_command command = kernel_command(kernel, block, 1);
    tn_event *next = NULL;
    assert_true(is_expected(tn_queue_submit(queue, &command, &next, &diag)));
    tn_event_release(event);
    event = next;
    command.accesses = accesses;
    command.access_count = TN_COUNT(accesses);
    command.events = (const tn_event *const *)&event;
    command.event_count = 1;
    assert_true(is_expected(tn_queue_submit(queue, &command, NULL, &diag)));
    command = host_command(nothing_to_do, NULL);
    command.free_user = count_free;
    command.accesses = host_accesses;
    command.access_count = TN_COUNT(host_accesses);
    atomic_store(&frees, 0);
    assert_true(is_expected(tn_queue_submit(queue, &command, NULL, &diag)));
    void *data = NULL;
    if (tn_buffer_begin_host_access(buffer, TN_ACCESS_READ_WRITE, &data, &diag) == TN_OK) {
      tn_buffer_end_host_access(buffer, TN_ACCESS_READ_WRITE);
    }
    assert_int_equal(tn_queue_wait(queue, &diag), TN_OK);
    assert_int_equal(atomic_load(&frees), 1);
    while (tn_queue_take_error(queue, &diag) != 0) {
      assert_true(is_expected((tn_status)diag.code));
    }
  }
  assert_true(tn_queue_is_idle(queue));
done:
  tn_event_release(event);
  tn_buffer_release(part);
  tn_buffer_release(buffer);
  tn_queue_release(queue);
}

static void torture(fixture *f) {
  tn_kernel kernel = fixture_kernel(f, "a", 512);
  const uint32_t flags[] = {0, TN_QUEUE_IN_ORDER | TN_QUEUE_PROFILING};
  for (size_t i = 0; i < TN_COUNT(flags); i++) {
    // A few things are made once and kept, so the first round is not measured.
    use_queue(f, &kernel, flags[i]);
    for (int64_t nth = 0;; nth++) {
      const size_t before = (size_t)tn_alloc_live();
      tn_fault_arm(nth);
      use_queue(f, &kernel, flags[i]);
      const bool fired = tn_fault_fired();
      tn_fault_arm(-1);
      // The mock's log and the pool's free jobs grow; both are the adapter's.
      settle_live((int64_t)before + 2);
      assert_in_range((uint64_t)tn_alloc_live(), 0, before + 2);
      if (!fired) {
        break;
      }
    }
  }
}

static void test_mock(void **state) {
  (void)state;
  fixture f;
  fixture_open_mock(&f, false);
  torture(&f);
  fixture_close(&f);
}

static void test_cpu(void **state) {
  (void)state;
  fixture f;
  fixture_open_cpu(&f, 2, kernels);
  torture(&f);
  fixture_close(&f);
}

// No thread at all can be started: the submitter does the work.
static void test_cpu_without_threads(void **state) {
  (void)state;
  fixture f;
  fixture_open_cpu(&f, 2, kernels);
  tn_kernel kernel = fixture_kernel(&f, "a", 0);
  tn_queue *queue = fixture_queue(&f, 0);
  const tn_command command = kernel_command(&kernel, NULL, 1);
  tn_fault_arm(3);  // after node, event and job
  MUST(tn_queue_submit(queue, &command, NULL, diag));
  assert_true(tn_fault_fired());
  tn_fault_arm(-1);
  assert_true(tn_queue_is_idle(queue));
  tn_queue_release(queue);
  fixture_close(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      LEAK_TEST(test_mock),
      LEAK_TEST(test_cpu),
      LEAK_TEST(test_cpu_without_threads),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
