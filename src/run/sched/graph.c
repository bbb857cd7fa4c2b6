// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The dependency graph: edges, and completion.
//
// Invariants
// 1. A node is in at most one list through `next`.
// 2. A node is started by the thread that took `pending` to zero: once, and once more if the device
//    did not accept it, when its sources are complete.
// 3. No adapter, host task or user function is called with a lock held.
// 4. Completion never recurses: nodes that become ready are put in a list of the thread, which the
//    outermost call drains. A chain of any length needs no stack.
#include "run/sched/graph.h"

#include "base/alloc.h"
#include "base/log.h"
#include "run/sched/epoch.h"
#include "run/sched/park.h"

static _Thread_local tn_node *ready_first;
static _Thread_local tn_node *ready_last;
static _Thread_local bool is_draining;

bool tn_node_reserve_edges(tn_node *node, size_t count) {
  const size_t used = atomic_load_explicit(&node->edge_count, memory_order_relaxed);
  if (count <= node->edge_capacity - used) {
    return true;
  }
  // Only called before the first edge is added, so there is nothing to move.
  tn_edge *edges = TN_ALWAYS(used == 0) ? tn_alloc_array(count, sizeof(tn_edge)) : NULL;
  if (edges == NULL) {
    return false;
  }
  if (node->edges != node->inline_edges) {
    tn_free(node->edges);
  }
  node->edges = edges;
  node->edge_capacity = count;
  return true;
}

// Most nodes wait for a few events; looking for duplicates among many is not worth it.
static bool waits_already(const tn_node *node, const tn_event *source, size_t count) {
  for (size_t i = 0; i < count && i < TN_NODE_INLINE_EDGES; i++) {
    if (node->edges[i].source == source && !node->edges[i].is_order_only) {
      return true;
    }
  }
  return false;
}

static void note_source_failure(tn_node *node, const tn_event *source, bool is_order_only) {
  if (!is_order_only) {
    tn_failure_origins_add(&node->origins, source);
  }
}

// Both are in streams of the same driver.
static bool is_ordered_by_device(const tn_node *node, const tn_event *source) {
  const tn_adapter_api *api = node->queue->api;
  return node->in_stream && source->device != NULL && source->device->api == api &&
         TN_ADAPTER_HAS(api, stream_after) &&
         (atomic_load_explicit(&source->stream, memory_order_acquire) != NULL ||
          atomic_load_explicit(&source->is_launch, memory_order_acquire));
}

static bool is_in_own_stream(const tn_node *node, const tn_event *source) {
  return node->in_stream && !node->is_transfer && node->queue->stream != NULL &&
         atomic_load_explicit(&source->stream, memory_order_acquire) == node->queue->stream;
}

// False when the source is complete.
static bool add_to_source(tn_edge *edge) {
  tn_node *node = edge->node;
  tn_event *source = edge->source;
  atomic_fetch_add_explicit(&node->pending, 1, memory_order_relaxed);
  uintptr_t first = atomic_load_explicit(&source->waiting_edges, memory_order_acquire);
  do {
    if (first == TN_EDGES_CLOSED) {
      atomic_fetch_sub_explicit(&node->pending, 1, memory_order_relaxed);
      note_source_failure(node, source, edge->is_order_only);
      return false;
    }
    edge->next = (tn_edge *)first;  // NOLINT(performance-no-int-to-ptr)
  } while (!atomic_compare_exchange_weak_explicit(&source->waiting_edges, &first, (uintptr_t)edge,
                                                  memory_order_acq_rel, memory_order_acquire));
  return true;
}

void tn_edge_move_to_host(tn_edge *edge) {
  edge->is_on_device = false;
  (void)add_to_source(edge);
}

static void wait_on_device(tn_node *node, tn_event *source, tn_edge *edge, size_t count) {
  tn_event_retain(source);
  edge->is_on_device = true;
  atomic_store_explicit(&node->edge_count, count + 1, memory_order_release);
}

void tn_node_wait_for(tn_node *node, tn_event *source, bool is_order_only) {
  if (source == NULL || source == node->event || is_in_own_stream(node, source)) {
    return;
  }
  if (tn_event_is_complete(source)) {
    note_source_failure(node, source, is_order_only);
    return;
  }
  const size_t count = atomic_load_explicit(&node->edge_count, memory_order_relaxed);
  if (waits_already(node, source, count) || TN_NEVER(count >= node->edge_capacity)) {
    return;
  }
  tn_edge *edge = &node->edges[count];
  edge->node = node;
  edge->source = source;
  edge->is_order_only = is_order_only;
  edge->is_on_device = false;
  if (is_ordered_by_device(node, source)) {
    wait_on_device(node, source, edge, count);
    return;
  }
  tn_event_retain(source);
  if (add_to_source(edge)) {
    atomic_store_explicit(&node->edge_count, count + 1, memory_order_release);
  } else {
    tn_event_release(source);
  }
}

void tn_node_flush_sources(const tn_node *node) {
  const size_t count = atomic_load_explicit(&node->edge_count, memory_order_relaxed);
  const tn_device *flushed = NULL;
  for (size_t i = 0; i < count; i++) {
    const tn_device *device = node->edges[i].source->device;
    if (!node->edges[i].is_on_device && device != NULL && device != flushed) {
      device->api->flush(device->adapter_device);
      flushed = device;
    }
  }
}

static void add_ready(tn_node *node) {
  node->next = NULL;
  if (ready_last != NULL) {
    ready_last->next = node;
  } else {
    ready_first = node;
  }
  ready_last = node;
}

static void arrive(tn_node *node) {
  if (atomic_fetch_sub_explicit(&node->pending, 1, memory_order_acq_rel) == 1) {
    add_ready(node);
  }
}

static void close_edges(tn_event *event) {
  const uintptr_t first =
      atomic_exchange_explicit(&event->waiting_edges, TN_EDGES_CLOSED, memory_order_acq_rel);
  tn_edge *edge = (tn_edge *)first;  // NOLINT(performance-no-int-to-ptr)
  while (edge != NULL) {
    tn_edge *next = edge->next;  // the edge may be gone once its node was notified
    note_source_failure(edge->node, event, edge->is_order_only);
    arrive(edge->node);
    edge = next;
  }
}

static void publish(tn_event *event) {
  atomic_store_explicit(&event->state, TN_EVENT_COMPLETE, memory_order_seq_cst);
  close_edges(event);
  tn_park_wake(event);
}

void tn_event_complete_plain(tn_event *event) {
  publish(event);
  if (!is_draining) {
    tn_graph_drain();
  }
}

void tn_event_init_complete(tn_event *event) {
  atomic_store_explicit(&event->waiting_edges, TN_EDGES_CLOSED, memory_order_relaxed);
  atomic_store_explicit(&event->state, TN_EVENT_COMPLETE, memory_order_release);
}

void tn_event_fail(tn_event *event, tn_status status, const tn_diag *diag) {
  event->status = status;
  event->error = tn_alloc(sizeof(tn_diag));
  if (event->error != NULL && diag != NULL) {
    *event->error = *diag;
    event->error->code = (int32_t)status;
  } else if (event->error != NULL) {
    tn_diag_set(event->error, status, 0, __FILE__, __LINE__, "a command failed: %s",
                tn_status_text(status));
  }
}

// The device waited for these sources: they are complete when the node is, or have failed with it.
static void resolve_device_edges(tn_node *node) {
  const size_t count = atomic_load_explicit(&node->edge_count, memory_order_relaxed);
  for (size_t i = 0; i < count; i++) {
    const tn_edge *edge = &node->edges[i];
    if (edge->is_on_device && tn_event_is_complete(edge->source)) {
      note_source_failure(node, edge->source, edge->is_order_only);
    }
  }
}

void tn_node_complete(tn_node *node, tn_status status, const tn_diag *diag, uint64_t start_ns,
                      uint64_t end_ns) {
  tn_event *event = node->event;
  tn_queue *queue = node->queue;
  // A command that failed before it started has no times of its own.
  event->start_ns = start_ns > event->submit_ns ? start_ns : event->submit_ns;
  event->end_ns = end_ns > event->start_ns ? end_ns : event->start_ns;
  resolve_device_edges(node);
  event->origins = node->origins;
  node->origins = NULL;
  if (status != TN_OK && event->status == TN_OK) {
    tn_event_fail(event, status, diag);
  }
  if (event->status != TN_OK) {
    tn_queue_add_error(queue, event->status, event->error);
  }
  TN_LOG(sched, "event %p complete: %s", (void *)event, tn_status_name(event->status));
  void *user = node->user;
  void (*free_user)(void *) = node->free_user;
  tn_epoch *epoch = node->epoch;
  const bool is_barrier = node->kind == TN_COMMAND_BARRIER;
  // Recycled before others can see the completion: a thread that submits and waits by turns reuses
  // it.
  tn_node_recycle(node);
  atomic_fetch_add_explicit(&queue->completed_nodes, 1, memory_order_release);
  publish(event);
  atomic_fetch_add_explicit(&queue->published_nodes, 1, memory_order_release);
  if (is_barrier) {
    atomic_fetch_sub_explicit(&queue->barrier_count, 1, memory_order_release);
  }
  if (epoch != NULL) {
    tn_epoch_leave(epoch);
  }
  // After completion: the user's object may hold a buffer whose release waits for this very
  // command.
  if (free_user != NULL) {
    free_user(user);
  }
  const uint8_t passage =
      atomic_exchange_explicit(&event->passage, TN_PASSAGE_LEFT, memory_order_acq_rel);
  tn_event_release(event);
  tn_queue_leave(queue, passage);
  if (!is_draining) {
    tn_graph_drain();
  }
}

void tn_graph_drain(void) {
  const bool was_draining = is_draining;
  is_draining = true;
  while (ready_first != NULL) {
    tn_node *node = ready_first;
    ready_first = node->next;
    if (ready_first == NULL) {
      ready_last = NULL;
    }
    tn_node_start(node);
  }
  is_draining = was_draining;
}

void tn_node_unblock(tn_node *node) {
  arrive(node);
  if (!is_draining) {
    tn_graph_drain();
  }
}
