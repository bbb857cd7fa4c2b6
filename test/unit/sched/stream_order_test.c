// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two in-order queues by chance: launches, barriers in one queue for the other, commands that
// depend on events, host tasks, native commands and waits. Each kernel looks whether all that it
// comes after has run. Over a driver of NVIDIA's without a device (test/fake_cuda).
#include "adapter/cuda/cuda.h"
#include "fake_cuda/fake_kernel.h"
#include "unit/sched/cmocka_all.h"
#include "unit/sched/sched_fixture.h"

static const char ptx[] = ".version 7.0\n.entry step(\n";

enum { COMMANDS = 4000, QUEUES = 2, OTHER_QUEUE_BIT = 56 };

// A kernel's number in its queue, from 1, and that of the other queue's that it comes after.
typedef struct block {
  uint64_t number;  // the queue's in the highest byte
  uint64_t after;
} block;

static _Atomic uint64_t last_run[QUEUES];
static _Atomic int wrong_count;

void fake_cuda_kernel(const char *name, const unsigned *grid, const unsigned *threads,
                      void *const *params) {
  (void)name;
  (void)grid;
  (void)threads;
  block args;
  memcpy(&args, params[0], sizeof(args));
  const size_t queue = args.number >> OTHER_QUEUE_BIT;
  const uint64_t number = args.number & ((UINT64_C(1) << OTHER_QUEUE_BIT) - 1);
  if (atomic_load(&last_run[queue]) + 1 != number ||
      atomic_load(&last_run[1 - queue]) < args.after) {
    atomic_fetch_add(&wrong_count, 1);
  }
  if (number % 7 == 0) {
    usleep(20);
  }
  atomic_store(&last_run[queue], number);
}

typedef struct side {
  tn_queue *queue;
  uint64_t given;  // kernels
  uint64_t after;  // what the next one comes after, of the other's
} side;

typedef struct rig {
  fixture f;
  tn_kernel kernel;
  side sides[QUEUES];
  uint64_t state;  // of chance
} rig;

static uint32_t chance(rig *r, uint32_t below) {
  r->state = r->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(r->state >> 33) % below;
}

static tn_status look(void *user, tn_diag *diag) {
  (void)diag;
  const block *wanted = user;
  if (atomic_load(&last_run[wanted->number]) < wanted->after) {
    atomic_fetch_add(&wrong_count, 1);
  }
  return TN_OK;
}

static tn_status do_nothing(void *user, tn_diag *diag) {
  (void)user;
  (void)diag;
  return TN_OK;
}

static void launch(rig *r, int at, const tn_event *after) {
  side *s = &r->sides[at];
  const block args = {(uint64_t)at << OTHER_QUEUE_BIT | ++s->given, s->after};
  tn_command command = kernel_command(&r->kernel, &args, 1);
  command.events = &after;
  command.event_count = after ? 1 : 0;
  MUST(tn_queue_submit(s->queue, &command, NULL, diag));
}

// What comes next in the queue comes after all that the other has been given.
static void follow_other(rig *r, int at, bool by_barrier) {
  side *s = &r->sides[at];
  tn_event *event = fixture_barrier(r->sides[1 - at].queue, NULL);
  s->after = r->sides[1 - at].given;
  if (by_barrier) {
    tn_event_release(fixture_barrier(s->queue, event));
  } else {
    launch(r, at, event);
  }
  tn_event_release(event);
}

static void wait_for_all(rig *r, int at, bool by_event) {
  side *s = &r->sides[at];
  if (by_event) {
    tn_event *event = fixture_barrier(s->queue, NULL);
    MUST(tn_event_wait(event, diag));
    tn_event_release(event);
  } else {
    MUST(tn_queue_wait(s->queue, diag));
  }
  assert_int_equal(last_run[at], s->given);
}

static void submit_task(rig *r, int at, block *wanted) {
  *wanted = (block){(uint64_t)at, r->sides[at].given};
  const tn_command task = host_command(look, wanted);
  MUST(tn_queue_submit(r->sides[at].queue, &task, NULL, diag));
}

static void submit_native(rig *r, int at) {
  tn_command native = host_command(do_nothing, NULL);
  native.kind = TN_COMMAND_NATIVE;
  MUST(tn_queue_submit(r->sides[at].queue, &native, NULL, diag));
}

static void test_order(void **state) {
  (void)state;
  static block wanted[COMMANDS];
  for (uint64_t seed = 1; seed <= 3; seed++) {
    rig r = {.state = seed};
    memset((void *)last_run, 0, sizeof(last_run));
    fixture_open(&r.f, tn_cuda_adapter_query(TN_ADAPTER_VERSION), 0, ptx, sizeof(ptx));
    r.kernel = fixture_kernel(&r.f, "step", sizeof(block));
    r.kernel.arg_align = 8;
    for (int i = 0; i < QUEUES; i++) {
      r.sides[i].queue = fixture_queue(&r.f, TN_QUEUE_IN_ORDER);
    }
    for (size_t i = 0; i < COMMANDS; i++) {
      const int at = (int)chance(&r, QUEUES);
      const uint32_t what = chance(&r, 100);
      if (what < 72) {
        launch(&r, at, NULL);
      } else if (what < 90) {
        follow_other(&r, at, what < 84);
      } else if (what < 94) {
        submit_task(&r, at, &wanted[i]);
      } else if (what < 98) {
        submit_native(&r, at);
      } else {
        wait_for_all(&r, at, what == 98);
      }
    }
    for (int i = 0; i < QUEUES; i++) {
      wait_for_all(&r, i, false);
      tn_queue_release(r.sides[i].queue);
    }
    fixture_close(&r.f);
  }
  assert_int_equal(wrong_count, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_order)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
