// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Epochs: the commands of an out-of-order queue between two barriers. Private to run/sched.
#ifndef TN_RUN_SCHED_EPOCH_H
#define TN_RUN_SCHED_EPOCH_H

#include "run/sched/queue_state.h"

// Freed by the thread that takes the count to zero.
struct tn_epoch {
  _Atomic size_t count;  // its commands that are not complete, and 1 until it is closed
  tn_node *barrier;      // closes it; set before that 1 is dropped. NULL: the queue is destroyed
};

tn_epoch *tn_epoch_create(void);  // NULL when there is no memory
// Gives a barrier that is to wait for all commands before it the epoch that follows it.
static inline tn_status tn_epoch_prepare(tn_node *node, const tn_command *command, tn_diag *diag) {
  if (node->kind != TN_COMMAND_BARRIER || command->kind == TN_COMMAND_EVENT_BARRIER) {
    return TN_OK;
  }
  node->epoch = tn_epoch_create();
  return node->epoch != NULL ? TN_OK : TN_FAIL(diag, OUT_OF_MEMORY, "no memory for a barrier");
}
// The node depends on the last barrier and joins the current epoch; a barrier closes it.
void tn_epoch_enter(tn_queue *queue, tn_node *node) TN_REQUIRES(&queue->mu);
// One command of the epoch less, or the 1 of an open one; its barrier starts with the last.
void tn_epoch_leave(tn_epoch *epoch);
// Of a barrier that has entered: closes its epoch. Not under the queue's lock: that may start the
// barrier.
static inline void tn_epoch_close(tn_node *node) {
  tn_epoch *closed = node->epoch;
  if (node->kind == TN_COMMAND_BARRIER && closed != NULL) {
    node->epoch = NULL;
    tn_epoch_leave(closed);
  }
}

#endif
