// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches in the stream of an in-order queue: launch order and launch numbers. Private to
// run/sched; tn_launch_in_stream is inline, because it is on the fast path.
#ifndef TN_RUN_SCHED_STREAM_LAUNCH_H
#define TN_RUN_SCHED_STREAM_LAUNCH_H

#include "run/sched/queue_state.h"

// ---- Events of launches (launch_event.c)

// The event is the queue's last launch from now on, and the launch of this number (from 1).
void tn_launch_begin(tn_queue *queue, tn_event *event, uint64_t number);
// Something follows in the queue's stream, or the stream is about to be destroyed: if the program
// still holds the event of the last launch, its position is marked. Called by the thread that may
// give commands to the stream.
void tn_launch_mark_last(tn_queue *queue);
// The event of the node that was given to the queue's stream last.
void tn_launch_note_node(tn_queue *queue, tn_event *event);
// The first `count` launches are complete: completes the event of the last launch if that is among
// them.
void tn_launch_complete_last(tn_queue *queue, uint64_t count, tn_status status,
                             const tn_diag *diag);
void tn_launch_wait(tn_event *event);
bool tn_launch_is_done(tn_event *event);  // polls the device, and completes the event
// From now on the device notifies of the event's completion, as it does for nodes. Any event.
void tn_launch_track(tn_event *event);
// Whether the launch order of the stream puts commands of `pool`'s queue after the event.
static inline bool tn_launch_is_before(const tn_event *event, const tn_node_pool *pool) {
  return event->pool == pool && atomic_load_explicit(&event->is_launch, memory_order_acquire);
}
// The position in its stream of an event that is in one, for others to wait for; it stays the
// event's. NULL when the event is complete, or about to be.
TN_MUST_USE tn_status tn_event_get_mark(tn_event *event, tn_adapter_mark **out, tn_diag *diag);

// ---- Launching (stream_launch.c)

// The stream has been given one more launch, and the event, if any, is its.
static inline void tn_launch_count(tn_queue *queue, tn_event *event) {
  const uint64_t before =
      atomic_fetch_add_explicit(&queue->launch_count, 1, memory_order_release);
  if (event != NULL) {
    tn_launch_begin(queue, event, before + 1);
  }
}

// Appends to the stream. The event is not notified of completion unless something asks for it.
static inline tn_status tn_launch_in_stream(tn_queue *queue, const tn_adapter_command *command,
                                            tn_event *event, tn_diag *diag) {
  tn_launch_mark_last(queue);
  TN_TRY(queue->api->stream_launch(queue->stream, command, diag));
  tn_launch_count(queue, event);
  return TN_OK;
}
// Whether tn_launch_submit takes the command: a graph of the driver's, a copy or a fill of USM, a
// barrier, when all that the queue has pending is in its stream.
static inline bool tn_launch_is_possible(const tn_queue *queue, const tn_command *command) {
  return (command->kind == TN_COMMAND_DEVICE_GRAPH || command->kind == TN_COMMAND_COPY ||
          command->kind == TN_COMMAND_FILL || command->kind == TN_COMMAND_BARRIER) &&
         command->event_count == 0 && command->access_count == 0 &&
         (command->free_user == NULL || command->kind == TN_COMMAND_DEVICE_GRAPH) &&
         queue->stream != NULL && (queue->flags & TN_QUEUE_PROFILING) == 0 &&
         atomic_load_explicit(&queue->error_count, memory_order_relaxed) == 0 &&
         (atomic_load_explicit(&queue->state, memory_order_acquire) & TN_STATE_CLOSED) == 0;
}
TN_MUST_USE tn_status tn_launch_submit(tn_queue *queue, const tn_command *command,
                                       tn_event **out_event, tn_diag *diag);
// Submits a marker: commands that follow launches in order without going to the stream depend on
// one. A launch that failed becomes one, with its outcome.
TN_MUST_USE tn_status tn_launch_submit_marker(tn_queue *queue, tn_status outcome,
                                              const tn_diag *failure, tn_event **out_event,
                                              tn_diag *diag);

// ---- Completion of launches, by their numbers (stream_launch.c)

static inline bool tn_queue_has_launches(const tn_queue *queue) {
  return queue->stream != NULL &&
         (atomic_load_explicit(&queue->completed_count, memory_order_acquire) !=
              atomic_load_explicit(&queue->launch_count, memory_order_acquire) ||
          atomic_load_explicit(&queue->is_shared, memory_order_relaxed));
}
// Launch `count` and all before it are complete.
void tn_launch_note_completed(tn_queue *queue, uint64_t count);
void tn_launch_wait_for_all(tn_queue *queue);

#endif
