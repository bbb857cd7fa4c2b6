// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recorders: a graph of run/recorded takes the commands of a queue in place of the scheduler, and
// launches of such graphs.
#include "run/sched/queue_state.h"
#include "tenon/graph.h"

bool tn_queue_set_recorder(tn_queue *queue, tn_recorder *recorder) {
  tn_mutex_lock(&queue->mu);
  const bool is_free = atomic_load_explicit(&queue->recorder, memory_order_relaxed) == NULL;
  if (is_free) {
    recorder->retain(recorder);
    atomic_store_explicit(&queue->recorder, recorder, memory_order_release);
  }
  tn_mutex_unlock(&queue->mu);
  return is_free;
}

bool tn_queue_end_recorder(tn_queue *queue, tn_recorder *recorder) {
  tn_mutex_lock(&queue->mu);
  const bool is_it = atomic_load_explicit(&queue->recorder, memory_order_relaxed) == recorder;
  if (is_it) {
    atomic_store_explicit(&queue->recorder, NULL, memory_order_release);
  }
  tn_mutex_unlock(&queue->mu);
  if (is_it) {
    recorder->release(recorder);
  }
  return is_it;
}

tn_recorder *tn_queue_recorder(tn_queue *queue) {
  tn_mutex_lock(&queue->mu);
  tn_recorder *recorder = atomic_load_explicit(&queue->recorder, memory_order_relaxed);
  if (recorder != NULL) {
    recorder->retain(recorder);
  }
  tn_mutex_unlock(&queue->mu);
  return recorder;
}

int tn_queue_is_recording(const tn_queue *queue) {
  return atomic_load_explicit(&queue->recorder, memory_order_acquire) != NULL ? 1 : 0;
}

tn_event *tn_event_create_recorded(tn_queue *queue, tn_recorder *recorder, void *node) {
  tn_event *event = tn_event_create_plain();
  if (event != NULL) {
    event->queue = queue;
    event->device = queue->device;
    recorder->retain(recorder);
    event->recorder = recorder;
    event->recorded_node = node;
  }
  return event;
}

void tn_event_set_first(tn_event *event, tn_event *first) {
  tn_event_retain(first);
  event->first = first;
}

tn_recorder *tn_event_recorder(const tn_event *event, void **out_node) {
  *out_node = event->recorded_node;
  return event->recorder;
}

tn_status tn_queue_record(tn_queue *queue, const tn_command *command, tn_event **out_event,
                          tn_diag *diag) {
  tn_recorder *recorder = tn_queue_recorder(queue);
  if (recorder == NULL) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "a command was submitted while another thread ended the queue's recording");
  }
  const tn_status status = recorder->record(recorder, queue, command, out_event, diag);
  recorder->release(recorder);
  return status;
}

tn_recorder *tn_command_recorder(const tn_command *command) {
  tn_recorder *recorder = NULL;
  for (size_t i = 0; i < command->event_count && recorder == NULL; i++) {
    recorder = command->events[i] != NULL ? command->events[i]->recorder : NULL;
  }
  return recorder;
}

tn_status tn_queue_join_recorder(tn_queue *queue, const tn_command *command, tn_event **out_event,
                                 tn_diag *diag) {
  tn_recorder *recorder = tn_command_recorder(command);
  TN_TRY(recorder->join(recorder, queue, diag));
  return recorder->record(recorder, queue, command, out_event, diag);
}

tn_status tn_queue_replay(tn_queue *queue, const tn_command *command, tn_event **out_event,
                          tn_diag *diag) {
  tn_replay *replay = command->graph;
  if (replay == NULL) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "there is no graph to launch: it is NULL");
  }
  return tn_command_recorder(command) != NULL
             ? tn_queue_join_recorder(queue, command, out_event, diag)
             : replay->submit(replay, queue, command, out_event, diag);
}
