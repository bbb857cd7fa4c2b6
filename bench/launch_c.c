// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What launching an empty kernel costs in the runtime itself, without the SYCL headers and without
// a compiler: the CPU adapter runs a C function. Prints nanoseconds a launch, and allocations a
// launch.
#include "unit/sched/sched_fixture.h"

#include <stdio.h>

enum { BATCH = 1000, ROUNDS = 200 };

static void empty_group(const void *args, const tn_cpu_group *group) {
  (void)args;
  (void)group;
}

static const c_kernel kernels[] = {{"empty" TN_CPU_KERNEL_SUFFIX, empty_group}, {NULL, NULL}};

typedef enum bench_mode { BATCHED, ONE_BY_ONE, WITH_EVENT, WITH_DEPENDENCY } bench_mode;

static void launch(tn_queue *queue, tn_command *command, bench_mode mode, tn_event **last) {
  tn_event *event = NULL;
  command->events = (const tn_event *const *)last;
  command->event_count = mode == WITH_DEPENDENCY ? 1 : 0;
  MUST(tn_queue_submit(queue, command, mode >= WITH_EVENT ? &event : NULL, diag));
  if (mode == ONE_BY_ONE) {
    MUST(tn_queue_wait(queue, diag));
  }
  tn_event_release(*last);
  *last = event;
}

static int compare(const void *a, const void *b) {
  const double x = *(const double *)a;
  const double y = *(const double *)b;
  return (x > y) - (x < y);
}

static void measure(fixture *f, const char *name, uint32_t flags, bench_mode mode) {
  tn_kernel kernel = fixture_kernel(f, "empty", 8);
  tn_queue *queue = fixture_queue(f, flags);
  const uint64_t args = 0;
  tn_command command = kernel_command(&kernel, &args, 1);
  tn_event *last = NULL;
  double times[ROUNDS];
  uint64_t allocations = 0;
  for (int round = -5; round < ROUNDS; round++) {
    const uint64_t count = tn_alloc_count();
    const uint64_t start = tn_time_ns();
    for (int i = 0; i < BATCH; i++) {
      launch(queue, &command, mode, &last);
    }
    MUST(tn_queue_wait(queue, diag));
    if (round >= 0) {
      times[round] = (double)(tn_time_ns() - start) / BATCH;
      allocations += tn_alloc_count() - count;
    }
  }
  qsort(times, ROUNDS, sizeof(times[0]), compare);
  printf("%-34s %8.1f ns (best %.1f)  %.3f allocations\n", name, times[ROUNDS / 2], times[0],
         (double)allocations / (BATCH * ROUNDS));
  tn_event_release(last);
  tn_queue_release(queue);
}

int main(void) {
  fixture f;
  fixture_open_cpu(&f, 0, kernels);
  measure(&f, "in-order batch", TN_QUEUE_IN_ORDER, BATCHED);
  measure(&f, "in-order submit+wait", TN_QUEUE_IN_ORDER, ONE_BY_ONE);
  measure(&f, "in-order batch with events", TN_QUEUE_IN_ORDER, WITH_EVENT);
  measure(&f, "in-order chain of events", TN_QUEUE_IN_ORDER, WITH_DEPENDENCY);
  measure(&f, "in-order batch, profiling, events", TN_QUEUE_IN_ORDER | TN_QUEUE_PROFILING,
          WITH_EVENT);
  measure(&f, "out-of-order batch", 0, BATCHED);
  measure(&f, "out-of-order submit+wait", 0, ONE_BY_ONE);
  fixture_close(&f);
  return 0;
}
