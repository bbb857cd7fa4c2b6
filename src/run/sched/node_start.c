// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Starting a node: in a stream of the device, on a device without streams, or as a host task.
#include "run/sched/park.h"
#include "run/sched/stream_launch.h"

static void notify(void *user, tn_status status, const tn_diag *diag, uint64_t start_ns,
                   uint64_t end_ns) {
  tn_node_complete(user, status, diag, start_ns, end_ns);
}

// The stream, which from now on waits for all that the device is to wait for.
static tn_status find_stream(tn_node *node, tn_adapter_stream **out, tn_diag *diag) {
  tn_queue *queue = node->queue;
  const size_t count = atomic_load_explicit(&node->edge_count, memory_order_relaxed);
  *out = queue->stream;
  if (queue->stream == NULL || node->is_transfer) {
    TN_TRY(tn_stream_pool_choose(queue, node, out, diag));
  } else {
    tn_launch_mark_last(queue);
  }
  for (size_t i = 0; i < count; i++) {
    tn_event *source = node->edges[i].source;
    tn_adapter_mark *mark = NULL;
    if (!node->edges[i].is_on_device || tn_event_is_complete(source) ||
        atomic_load_explicit(&source->stream, memory_order_acquire) == *out) {
      continue;
    }
    TN_TRY(tn_event_get_mark(source, &mark, diag));
    if (mark != NULL) {
      TN_TRY(queue->api->stream_after(*out, mark, diag));
    }
  }
  return TN_OK;
}

// Sequentially consistent with tn_node_wait_for and tn_park_wait: a thread that is about to wait
// sees the event's stream, or is seen here.
static void note_stream(tn_event *event, tn_adapter_stream *stream) {
  atomic_store_explicit(&event->stream, stream, memory_order_seq_cst);
  if (tn_event_has_waiting_edges(event) || tn_park_has_sleepers()) {
    event->device->api->flush(event->device->adapter_device);
  }
}

// The device did not accept the command, or not all of it, but may still run its sources.
static void fail_in_stream(tn_node *node, tn_adapter_stream *stream, tn_status status,
                           const tn_diag *diag) {
  tn_event_fail(node->event, status, diag);
  node->failed_in = stream;
  atomic_store_explicit(&node->pending, 1, memory_order_relaxed);
  const size_t count = atomic_load_explicit(&node->edge_count, memory_order_relaxed);
  for (size_t i = 0; i < count; i++) {
    tn_edge *edge = &node->edges[i];
    if (edge->is_on_device) {
      tn_launch_track(edge->source);
      tn_edge_move_to_host(edge);
    }
  }
  tn_node_flush_sources(node);
  tn_node_unblock(node);
}

static void complete_now(tn_node *node, tn_status status, const tn_diag *diag) {
  const uint64_t now = tn_time_ns();
  tn_node_complete(node, status, diag, now, now);
}

// The device orders the command after its dependencies. Of a command that has failed only a marker
// is submitted, which completes after all that its stream was given before.
static void start_in_stream(tn_node *node) {
  tn_diag diag;
  tn_queue *queue = node->queue;
  tn_event *event = node->event;
  const tn_adapter_api *api = queue->api;
  const bool has_failed = event->status != TN_OK;
  const bool is_marker = has_failed || node->kind == TN_NODE_MARKER;
  tn_adapter_stream *stream = node->failed_in;
  if (has_failed && stream == NULL) {
    complete_now(node, event->status, NULL);
    return;
  }
  // The node, and with it the queue, may be destroyed as soon as the device has the command.
  tn_event_retain(event);
  tn_queue_retain(queue);
  tn_status status = has_failed ? TN_OK : find_stream(node, &stream, &diag);
  if (status == TN_OK) {
    status = api->stream_submit(stream, is_marker ? NULL : &node->command, notify, node, &diag);
  }
  if (status != TN_OK && has_failed) {
    TN_IGNORE(api->stream_wait(stream, NULL), "the first failure is the one to report");
    complete_now(node, status, &diag);
  } else if (status != TN_OK) {
    fail_in_stream(node, stream, status, &diag);
  } else {
    note_stream(event, stream);
    if (stream == queue->stream) {
      tn_launch_note_node(queue, event);
      tn_queue_note_given(queue, event);
    }
  }
  tn_queue_release(queue);
  tn_event_release(event);
}

static void start_on_device(tn_node *node) {
  const tn_adapter_api *api = node->device->api;
  tn_adapter_device *device = node->device->adapter_device;
  tn_diag diag;
  bool ran = false;
  uint64_t start_ns = 0;
  uint64_t end_ns = 0;
  uint64_t *start_out = node->event->has_profiling ? &start_ns : NULL;
  uint64_t *end_out = node->event->has_profiling ? &end_ns : NULL;
  tn_status status = api->try_run(device, &node->command, &ran, start_out, end_out, &diag);
  if (ran || status != TN_OK) {
    tn_node_complete(node, status, &diag, start_ns, end_ns);
    return;
  }
  status = api->submit(device, &node->command, notify, node, &diag);
  if (status != TN_OK) {
    complete_now(node, status, &diag);
  }
}

void tn_node_start(tn_node *node) {
  // First, because another thread may complete and recycle the node at once.
  atomic_store_explicit(&node->event->state, TN_EVENT_RUNNING, memory_order_relaxed);
  switch (node->kind) {
    case TN_COMMAND_NONE:
    case TN_COMMAND_BARRIER: {
      const uint64_t now = node->event->has_profiling ? tn_time_ns() : 0;
      tn_node_complete(node, TN_OK, NULL, now, now);
      break;
    }
    default:
      if (tn_node_is_task(node)) {
        tn_host_task_start(node);
      } else if (node->in_stream) {
        start_in_stream(node);
      } else {
        start_on_device(node);
      }
      break;
  }
}
