// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches in the stream of an in-order queue, without a node: the device keeps the launch order,
// and does not notify of their completion. Launches are numbered: a thread that waited for the
// stream knows that launches up to a number are complete.
#include "run/sched/stream_launch.h"

#include "run/sched/queue_gate.h"

static tn_adapter_command launch_command(const tn_command *command) {
  return (tn_adapter_command){
      .kind = command->kind == TN_COMMAND_DEVICE_GRAPH ? TN_ADAPTER_GRAPH
              : command->kind == TN_COMMAND_COPY       ? TN_ADAPTER_COPY
                                                       : TN_ADAPTER_FILL,
      .graph = command->graph,
      .dst = command->dst,
      .src = command->src,
      .size = command->size,
      .pattern = command->pattern,
      .pattern_size = command->pattern_size,
  };
}

// A barrier: nothing is given to the stream, whose order is what it asks for.
static void launch_nothing(tn_queue *queue, tn_event *event) {
  if (event != NULL) {
    tn_launch_mark_last(queue);
    tn_launch_count(queue, event);
  }
}

tn_status tn_launch_submit(tn_queue *queue, const tn_command *command, tn_event **out_event,
                           tn_diag *diag) {
  tn_checked checked = {0};
  const bool is_barrier = command->kind == TN_COMMAND_BARRIER;
  if (command->kind != TN_COMMAND_DEVICE_GRAPH) {
    TN_TRY(tn_command_check(queue, command, &checked, diag));
  }
  if ((checked.is_empty && !is_barrier) || !tn_queue_enter_gate(queue)) {
    return tn_node_submit(queue, command, &checked, out_event, diag);
  }
  tn_event *event = out_event != NULL ? tn_event_take(queue->pool) : NULL;
  tn_status status = out_event == NULL || event != NULL
                         ? TN_OK
                         : TN_FAIL(diag, OUT_OF_MEMORY, "no memory for an event");
  if (status != TN_OK) {
    tn_queue_leave_gate(queue);
    return status;
  }
  tn_diag failure;
  if (is_barrier) {
    launch_nothing(queue, event);
  } else {
    const tn_adapter_command device_command = launch_command(command);
    status = tn_launch_in_stream(queue, &device_command, event, &failure);
  }
  tn_queue_leave_gate(queue);
  if (status != TN_OK) {
    tn_event_release(event);
    status = tn_launch_submit_marker(queue, status, &failure, out_event, diag);
  } else if (out_event != NULL) {
    *out_event = event;
  } else {
    tn_event_release(event);
  }
  if (status == TN_OK && command->free_user != NULL) {
    command->free_user(command->user);
  }
  return status;
}

tn_status tn_launch_submit_marker(tn_queue *queue, tn_status outcome, const tn_diag *failure,
                                  tn_event **out_event, tn_diag *diag) {
  const tn_command nothing = {.struct_size = sizeof(nothing), .kind = TN_COMMAND_NONE};
  tn_node *node = NULL;
  tn_event *event = NULL;
  if (!tn_node_take(queue->pool, &node, &event)) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for a command");
  }
  event->queue = queue;
  event->device = queue->device;
  node->queue = queue;
  node->device = queue->device;
  node->kind = TN_NODE_MARKER;
  node->in_stream = true;
  if (outcome != TN_OK) {
    tn_event_fail(event, outcome, failure);
    node->failed_in = queue->stream;
  }
  const tn_status status = tn_node_enter_queue(queue, node, &nothing, diag);
  if (status != TN_OK) {
    tn_node_recycle(node);
    tn_event_release(event);
    return status;
  }
  tn_queue_retain(queue);
  atomic_fetch_add_explicit(&queue->submitted_nodes, 1, memory_order_release);
  if (out_event != NULL) {
    tn_event_retain(event);
    *out_event = event;
  }
  tn_node_unblock(node);
  return TN_OK;
}

void tn_launch_note_completed(tn_queue *queue, uint64_t count) {
  uint64_t before = atomic_load_explicit(&queue->completed_count, memory_order_relaxed);
  while (before < count && !atomic_compare_exchange_weak_explicit(&queue->completed_count, &before,
                                                                  count, memory_order_acq_rel,
                                                                  memory_order_relaxed)) {
  }
}

void tn_launch_wait_for_all(tn_queue *queue) {
  tn_diag failure = {0};
  const uint64_t count = atomic_load_explicit(&queue->launch_count, memory_order_acquire);
  const tn_status status = queue->api->stream_wait(queue->stream, &failure);
  if (status != TN_OK) {
    tn_queue_add_error(queue, status, &failure);
  }
  tn_launch_note_completed(queue, count);
  tn_launch_complete_last(queue, count, status, &failure);
}
