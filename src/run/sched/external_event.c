// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The event that an in-order queue's next command waits for, besides the command before.
#include "run/sched/queue_state.h"

tn_status tn_queue_set_external_event(tn_queue *queue, tn_event *event, tn_diag *diag) {
  if (queue == NULL || (queue->flags & TN_QUEUE_IN_ORDER) == 0) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "an external event is of an in-order queue: make the queue with "
                   "TN_QUEUE_IN_ORDER, or let commands depend on the event");
  }
  if (event != NULL) {
    tn_event_retain(event);
  }
  tn_mutex_lock(&queue->mu);
  tn_event *before = queue->external;
  queue->external = event;
  atomic_store_explicit(&queue->history, event != NULL ? TN_HISTORY_EXTERNAL : TN_HISTORY_COMMANDS,
                        memory_order_relaxed);
  tn_mutex_unlock(&queue->mu);
  tn_event_release(before);
  return TN_OK;
}

tn_status tn_queue_use_external(tn_queue *queue, tn_diag *diag) {
  if (atomic_load_explicit(&queue->history, memory_order_relaxed) != TN_HISTORY_EXTERNAL) {
    return TN_OK;
  }
  tn_mutex_lock(&queue->mu);
  tn_event *event = queue->external;
  queue->external = NULL;
  if (event != NULL) {
    atomic_store_explicit(&queue->history, TN_HISTORY_COMMANDS, memory_order_relaxed);
  }
  tn_mutex_unlock(&queue->mu);
  if (event == NULL) {
    return TN_OK;
  }
  const tn_command barrier = {.struct_size = sizeof(barrier),
                              .kind = TN_COMMAND_EVENT_BARRIER,
                              .events = (const tn_event *const *)&event,
                              .event_count = 1};
  const tn_status status = tn_queue_submit(queue, &barrier, NULL, diag);
  tn_event_release(event);
  return status;
}
