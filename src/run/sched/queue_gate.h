// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The gate of an in-order queue (queue_state.h) for commands that run, or are launched, on the
// thread that submits them, without a node. Private to run/sched; inline, because it is on the fast
// path.
#ifndef TN_RUN_SCHED_QUEUE_GATE_H
#define TN_RUN_SCHED_QUEUE_GATE_H

#include "run/sched/queue_state.h"

// True when the gate is open, which it always is out of order. Others find it closed until
// tn_queue_leave_gate.
static inline bool tn_queue_enter_gate(tn_queue *queue) {
  if ((queue->flags & TN_QUEUE_IN_ORDER) == 0) {
    return true;
  }
  uint64_t before = 0;
  do {
    if (atomic_compare_exchange_strong_explicit(&queue->state, &before, before | TN_STATE_INLINE,
                                                memory_order_acquire, memory_order_relaxed)) {
      return true;
    }
  } while ((before & TN_STATE_CLOSED) == 0);
  return false;
}

// Another thread has submitted a node meanwhile, which waits for the gate.
void tn_queue_unblock_gated(tn_queue *queue);

static inline void tn_queue_leave_gate(tn_queue *queue) {
  if ((queue->flags & TN_QUEUE_IN_ORDER) == 0) {
    return;
  }
  const uint64_t before = atomic_fetch_and_explicit(
      &queue->state, ~(uint64_t)(TN_STATE_INLINE | TN_STATE_BLOCKED), memory_order_acq_rel);
  if (__builtin_expect((before & TN_STATE_BLOCKED) != 0, 0)) {
    tn_queue_unblock_gated(queue);
  }
}

#endif
