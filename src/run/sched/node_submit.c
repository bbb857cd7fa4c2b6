// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A command becomes a node of the graph: it takes its position in the launch order of its queue and
// among the uses of its buffers, with an edge to each command that it depends on.
#include "base/log.h"
#include "run/sched/epoch.h"
#include "run/sched/queue_gate.h"
#include "run/sched/stream_launch.h"
#include "run/sched/transfer.h"

static tn_status fail_edges(tn_diag *diag) {
  return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for a command's dependencies");
}

static tn_status reserve_edges(tn_node *node, const tn_command *command, tn_diag *diag)
    TN_REQUIRES(&tn_hazard_mu) {
  size_t count = command->event_count + 1;
  bool ok = true;
  for (size_t i = 0; i < command->access_count && ok; i++) {
    ok = tn_hazard_reserve(command->accesses, i, &count) &&
         tn_residence_reserve(tn_residence_at(node->queue, node->kind, &command->accesses[i]),
                              &command->accesses[i], command->access_count, &count);
  }
  return ok && tn_node_reserve_edges(node, count) ? TN_OK : fail_edges(diag);
}

static void wait_for_events(tn_node *node, const tn_command *command) {
  for (size_t i = 0; i < command->event_count; i++) {
    // Counting references does not change what the caller sees as constant.
    tn_event *source = (tn_event *)(uintptr_t)command->events[i];
    if (source == NULL || !tn_launch_is_before(source, node->queue->pool)) {
      tn_node_wait_for(node, source, false);
    }
  }
}

// In order: after the last command, and after one that runs inline on another thread.
static void wait_for_queue(tn_queue *queue, tn_node *node) TN_REQUIRES(&queue->mu) {
  tn_node_wait_for(node, queue->last, false);
  tn_event_retain(node->event);
  tn_event_release(queue->last);
  queue->last = node->event;
  uint64_t before = atomic_load_explicit(&queue->state, memory_order_relaxed);
  uint64_t after = 0;
  do {
    after = before + TN_STATE_COUNT;
    after |= (before & TN_STATE_INLINE) != 0 ? TN_STATE_BLOCKED : 0;
  } while (!atomic_compare_exchange_weak_explicit(&queue->state, &before, after,
                                                  memory_order_acq_rel, memory_order_relaxed));
  if ((before & TN_STATE_INLINE) != 0 && (before & TN_STATE_BLOCKED) == 0) {
    atomic_fetch_add_explicit(&node->pending, 1, memory_order_relaxed);
    queue->gated = node;
  }
}

void tn_queue_unblock_gated(tn_queue *queue) {
  tn_mutex_lock(&queue->mu);
  tn_node *node = queue->gated;
  queue->gated = NULL;
  tn_mutex_unlock(&queue->mu);
  tn_node_unblock(node);
}

static bool uses_bytes(const tn_node *node) {
  return node->kind != TN_COMMAND_NONE && node->kind != TN_COMMAND_BARRIER &&
         node->kind != TN_NODE_MARKER;
}

static void use_buffers(tn_node *node, const tn_command *command) TN_REQUIRES(&tn_hazard_mu) {
  for (size_t i = 0; i < command->access_count; i++) {
    tn_hazard_use(&command->accesses[i], node);
    if (uses_bytes(node)) {
      tn_residence_use(tn_residence_at(node->queue, node->kind, &command->accesses[i]),
                       &command->accesses[i], node);
    }
    tn_buffer_note_use(command->accesses[i].buffer, command->accesses[i].mode);
  }
}

static void wait_for_others(tn_queue *queue, tn_node *node, const tn_command *command)
    TN_REQUIRES(&queue->mu) {
  wait_for_events(node, command);
  if ((queue->flags & TN_QUEUE_IN_ORDER) != 0) {
    wait_for_queue(queue, node);
  } else {
    atomic_fetch_add_explicit(&queue->state, TN_STATE_COUNT, memory_order_acq_rel);
    tn_epoch_enter(queue, node);
  }
}

tn_status tn_node_enter_queue(tn_queue *queue, tn_node *node, const tn_command *command,
                              tn_diag *diag) {
  if (!tn_node_reserve_edges(node, command->event_count + 1)) {
    return fail_edges(diag);
  }
  tn_mutex_lock(&queue->mu);
  wait_for_others(queue, node, command);
  tn_mutex_unlock(&queue->mu);
  return TN_OK;
}

// False when the buffers' bytes are not valid where the node needs them.
static bool enter_if_ready(tn_queue *queue, tn_node *node, const tn_command *command,
                           tn_status *out_status, tn_diag *diag) {
  tn_mutex_lock(&queue->mu);
  tn_mutex_lock(&tn_hazard_mu);
  bool is_ready = true;
  for (size_t i = 0; i < command->access_count && uses_bytes(node) && is_ready; i++) {
    const tn_access *access = &command->accesses[i];
    is_ready = tn_residence_is_ready(tn_residence_at(queue, node->kind, access), access, 1);
  }
  *out_status = is_ready ? reserve_edges(node, command, diag) : TN_OK;
  if (is_ready && *out_status == TN_OK) {
    wait_for_others(queue, node, command);
    use_buffers(node, command);
  }
  tn_mutex_unlock(&tn_hazard_mu);
  tn_mutex_unlock(&queue->mu);
  return is_ready;
}

// The positions in the queue and among the uses of the buffers are taken at one moment, so that the
// two orders agree and no cycle arises. All memory is allocated before anything is registered.
static tn_status enter_graph_with_buffers(tn_queue *queue, tn_node *node, const tn_command *command,
                                          tn_diag *diag) {
  tn_status status = TN_OK;
  while (status == TN_OK && !enter_if_ready(queue, node, command, &status, diag)) {
    for (size_t i = 0; i < command->access_count && status == TN_OK; i++) {
      const tn_access *access = &command->accesses[i];
      tn_device *location = tn_residence_at(queue, node->kind, access);
      status = tn_transfer_to(queue, location, access, 1, diag);
    }
  }
  return status;
}

static bool goes_to_stream(const tn_queue *queue, const tn_node *node) {
  return node->kind == TN_NODE_MARKER ||
         ((queue->stream != NULL || tn_queue_has_stream_pool(queue)) && uses_bytes(node) &&
          !tn_node_is_task(node));
}

// Commands that the device may order behind others (tn_node_wait_for); those without work are
// markers in the stream of a queue that has one.
static bool is_of_device(const tn_queue *queue, const tn_command *command, bool is_empty) {
  return tn_queue_has_stream_pool(queue) && (!is_empty || queue->stream != NULL) &&
         command->kind != TN_COMMAND_HOST_TASK && command->kind != TN_COMMAND_INTEROP_TASK;
}

// The device notifies of the completion of launches that the command depends on, unless it orders
// the two itself.
static void track_launches(const tn_queue *queue, const tn_command *command, bool is_empty) {
  const bool is_on_device = is_of_device(queue, command, is_empty);
  for (size_t i = 0; i < command->event_count; i++) {
    tn_event *event = (tn_event *)(uintptr_t)command->events[i];
    if (event != NULL && !tn_launch_is_before(event, queue->pool) &&
        !(is_on_device && event->device != NULL && event->device->api == queue->api)) {
      tn_launch_track(event);
    }
  }
}

tn_status tn_node_submit(tn_queue *queue, const tn_command *command, const tn_checked *checked,
                         tn_event **out_event, tn_diag *diag) {
  track_launches(queue, command, checked->is_empty);
  tn_node *node = NULL;
  tn_event *event = NULL;
  if (!tn_node_take(queue->pool, &node, &event)) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for a command");
  }
  event->queue = queue;
  event->device = queue->device;
  event->has_profiling = (queue->flags & TN_QUEUE_PROFILING) != 0;
  event->submit_ns = event->has_profiling ? tn_time_ns() : 0;
  node->queue = queue;
  node->device = queue->device;
  tn_status status = tn_node_fill(node, command, checked, diag);
  if (status == TN_OK) {
    status = tn_epoch_prepare(node, command, diag);
  }
  node->in_stream = goes_to_stream(queue, node);
  node->command.wants_times = event->has_profiling ? 1 : 0;
  if (status == TN_OK && !node->in_stream && tn_queue_has_launches(queue)) {
    status = tn_launch_submit_marker(queue, TN_OK, NULL, NULL, diag);
  }
  if (status == TN_OK) {
    status = command->access_count > 0 ? enter_graph_with_buffers(queue, node, command, diag)
                                       : tn_node_enter_queue(queue, node, command, diag);
  }
  if (status != TN_OK) {
    tn_free(node->epoch);
    tn_node_recycle(node);
    tn_event_release(event);
    return status;
  }
  // From here on the node owns a reference to the queue, and the user's object.
  tn_queue_retain(queue);
  atomic_fetch_add_explicit(&queue->submitted_nodes, 1, memory_order_release);
  node->user = command->user;
  node->free_user = command->free_user;
  if (out_event != NULL) {
    tn_event_retain(event);
    *out_event = event;
  }
  TN_LOG(sched, "command of kind %u is event %p of queue %p", command->kind, (void *)event,
         (void *)queue);
  tn_epoch_close(node);
  tn_node_flush_sources(node);
  tn_node_unblock(node);
  return TN_OK;
}
