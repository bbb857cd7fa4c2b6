// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that print, over a driver of NVIDIA's without a device (test/fake_cuda): the driver hands
// their text on when somebody waits for an event, so whoever only asks for it waits as well. Others
// are not waited for.
#include "adapter/cuda/cuda_driver.h"
#include "fake_cuda/fake_fail.h"
#include "fake_cuda/fake_kernel.h"
#include "run/sched/queue_state.h"
#include "unit/sched/cmocka_all.h"
#include "unit/sched/sched_fixture.h"

static const char printing[] = ".version 7.0\n.extern .func vprintf\n.entry step(\n";
static const char silent[] = ".version 7.0\n.entry step(\n";

// The kernel runs until this is set.
static atomic_int gate;

void fake_cuda_kernel(const char *name, const unsigned *grid, const unsigned *threads,
                      void *const *params) {
  (void)name;
  (void)grid;
  (void)threads;
  (void)params;
  while (atomic_load(&gate) == 0) {
    usleep(100);
  }
}

// Whether who asks for an event's end waits for the event: the driver is told to fail then.
static bool waits(const char *code, size_t size) {
  fixture f;
  tn_diag failure = {0};
  tn_event *event = NULL;
  fake_cuda_fail(NULL);
  atomic_store(&gate, 0);
  fixture_open(&f, tn_cuda_adapter_query(TN_ADAPTER_VERSION), 0, code, size);
  tn_kernel kernel = fixture_kernel(&f, "step", 8);
  tn_queue *queue = fixture_queue(&f, 0);
  const uint64_t args = 0;
  const tn_command command = kernel_command(&kernel, &args, 1);
  MUST(tn_queue_submit(queue, &command, &event, diag));
  fake_cuda_fail("cuEventSynchronize:0:1");
  atomic_store(&gate, 1);
  while (tn_event_status(event) != TN_EVENT_COMPLETE) {
    usleep(100);
  }
  fake_cuda_fail(NULL);
  MUST(tn_queue_wait(queue, diag));
  const bool has_waited = tn_queue_take_error(queue, &failure) != 0;
  tn_event_release(event);
  tn_queue_release(queue);
  fixture_close(&f);
  return has_waited;
}

static void test_waits(void **state) {
  (void)state;
  assert_true(waits(printing, sizeof(printing)));
  assert_false(waits(silent, sizeof(silent)));
}

// Once a process, and it stays.
static int load_driver(void **state) {
  (void)state;
  const tn_cuda_driver *driver = NULL;
  return tn_cuda_driver_load(&driver, NULL) == TN_OK ? 0 : 1;
}

int main(void) {
  const struct CMUnitTest tests[] = {LEAK_TEST(test_waits)};
  return cmocka_run_group_tests(tests, load_driver, NULL);
}
