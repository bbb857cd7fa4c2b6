// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barriers of out-of-order queues. A barrier waits for all commands of the epoch that it closes:
// they are counted, not listed, so completing one takes no lock.
#include "run/sched/epoch.h"

#include "base/alloc.h"

tn_epoch *tn_epoch_create(void) {
  tn_epoch *epoch = tn_alloc(sizeof(*epoch));
  if (epoch != NULL) {
    atomic_init(&epoch->count, 1);
    epoch->barrier = NULL;
  }
  return epoch;
}

void tn_epoch_enter(tn_queue *queue, tn_node *node) {
  tn_node_wait_for(node, queue->barrier, false);
  if (node->kind != TN_COMMAND_BARRIER) {
    node->epoch = queue->epoch;
    atomic_fetch_add_explicit(&node->epoch->count, 1, memory_order_relaxed);
    return;
  }
  if (node->epoch != NULL) {
    tn_epoch *closed = queue->epoch;
    queue->epoch = node->epoch;
    node->epoch = closed;
    closed->barrier = node;
    atomic_fetch_add_explicit(&node->pending, 1, memory_order_relaxed);
  }
  tn_event_retain(node->event);
  tn_event_release(queue->barrier);
  queue->barrier = node->event;
  atomic_fetch_add_explicit(&queue->barrier_count, 1, memory_order_relaxed);
}

void tn_epoch_leave(tn_epoch *epoch) {
  if (atomic_fetch_sub_explicit(&epoch->count, 1, memory_order_acq_rel) == 1) {
    tn_node *barrier = epoch->barrier;
    tn_free(epoch);
    if (barrier != NULL) {
      tn_node_unblock(barrier);
    }
  }
}
