// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes: streams of the device for the commands of a queue that have no order among themselves,
// those of an out-of-order queue and transfers. Made when they are first needed; they go with the
// queue.
//
// A command goes behind the one it depends on if that was the last in its lane: then the device
// has nothing to wait for. Else the lanes take turns.
#include "run/sched/queue_state.h"

bool tn_queue_has_lanes(const tn_queue *queue) {
  const tn_adapter_api *api = queue->api;
  return TN_ADAPTER_HAS(api, stream_create) && TN_ADAPTER_HAS(api, stream_after);
}

static tn_lane *find_behind(tn_queue *queue, const tn_node *node) {
  const size_t count = atomic_load_explicit(&node->edge_count, memory_order_relaxed);
  for (size_t i = 0; i < count; i++) {
    for (size_t l = 0; l < TN_QUEUE_LANES && node->edges[i].is_on_device; l++) {
      if (atomic_load_explicit(&queue->lanes[l].last, memory_order_relaxed) ==
          node->edges[i].source) {
        return &queue->lanes[l];
      }
    }
  }
  return NULL;
}

// Two threads may come here at a time: the second one's stream goes again.
static tn_status open_lane(tn_queue *queue, tn_lane *lane, tn_adapter_stream **out, tn_diag *diag) {
  tn_adapter_stream *made = NULL;
  tn_adapter_stream *expected = NULL;
  *out = atomic_load_explicit(&lane->stream, memory_order_acquire);
  if (*out != NULL) {
    return TN_OK;
  }
  TN_TRY(queue->api->stream_create(queue->device->adapter_device, &made, diag));
  if (!atomic_compare_exchange_strong_explicit(&lane->stream, &expected, made, memory_order_acq_rel,
                                               memory_order_acquire)) {
    queue->api->stream_destroy(made);
    made = expected;
  }
  *out = made;
  return TN_OK;
}

tn_status tn_lane_choose(tn_queue *queue, const tn_node *node, tn_adapter_stream **out,
                         tn_diag *diag) {
  tn_lane *lane = find_behind(queue, node);
  if (lane == NULL) {
    const uint32_t turn = atomic_fetch_add_explicit(&queue->next_lane, 1, memory_order_relaxed);
    lane = &queue->lanes[turn % TN_QUEUE_LANES];
  }
  TN_TRY(open_lane(queue, lane, out, diag));
  atomic_store_explicit(&lane->is_used, true, memory_order_release);
  // Only compared: an event that is used again costs a wait that is not needed, no more.
  atomic_store_explicit(&lane->last, node->event, memory_order_relaxed);
  return TN_OK;
}

void tn_lanes_wait(tn_queue *queue) {
  for (size_t i = 0; i < TN_QUEUE_LANES; i++) {
    tn_adapter_stream *stream = atomic_load_explicit(&queue->lanes[i].stream, memory_order_acquire);
    if (stream != NULL &&
        atomic_exchange_explicit(&queue->lanes[i].is_used, false, memory_order_acq_rel)) {
      TN_IGNORE(queue->api->stream_wait(stream, NULL), "commands tell of their failures");
    }
  }
}

void tn_lanes_close(tn_queue *queue) {
  for (size_t i = 0; i < TN_QUEUE_LANES; i++) {
    tn_adapter_stream *stream = atomic_load_explicit(&queue->lanes[i].stream, memory_order_acquire);
    if (stream != NULL) {
      queue->api->stream_destroy(stream);
    }
  }
}
