// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The stream pool of a queue: streams of the device for commands without a launch order among
// themselves, those of an out-of-order queue and transfers. Streams are created when they are first
// needed, and destroyed with the queue.
//
// A command follows its dependency if that was the last in a stream of the pool: then the device
// has nothing to wait for. Otherwise streams are chosen round-robin.
#include "run/sched/queue_state.h"

bool tn_queue_has_stream_pool(const tn_queue *queue) {
  const tn_adapter_api *api = queue->api;
  return TN_ADAPTER_HAS(api, stream_create) && TN_ADAPTER_HAS(api, stream_after);
}

static tn_pooled_stream *find_stream_of_source(tn_queue *queue, const tn_node *node) {
  const size_t count = atomic_load_explicit(&node->edge_count, memory_order_relaxed);
  for (size_t i = 0; i < count; i++) {
    for (size_t l = 0; l < TN_STREAM_POOL_SIZE && node->edges[i].is_on_device; l++) {
      if (atomic_load_explicit(&queue->stream_pool[l].last, memory_order_relaxed) ==
          node->edges[i].source) {
        return &queue->stream_pool[l];
      }
    }
  }
  return NULL;
}

// Two threads may create a stream at the same time: the loser destroys its own.
static tn_status open_stream(tn_queue *queue, tn_pooled_stream *pooled, tn_adapter_stream **out,
                             tn_diag *diag) {
  tn_adapter_stream *made = NULL;
  tn_adapter_stream *expected = NULL;
  *out = atomic_load_explicit(&pooled->stream, memory_order_acquire);
  if (*out != NULL) {
    return TN_OK;
  }
  TN_TRY(queue->api->stream_create(queue->device->adapter_device, &made, diag));
  if (!atomic_compare_exchange_strong_explicit(&pooled->stream, &expected, made,
                                               memory_order_acq_rel, memory_order_acquire)) {
    queue->api->stream_destroy(made);
    made = expected;
  }
  *out = made;
  return TN_OK;
}

tn_status tn_stream_pool_choose(tn_queue *queue, const tn_node *node, tn_adapter_stream **out,
                                tn_diag *diag) {
  tn_pooled_stream *pooled = find_stream_of_source(queue, node);
  if (pooled == NULL) {
    const uint32_t turn = atomic_fetch_add_explicit(&queue->next_pooled, 1, memory_order_relaxed);
    pooled = &queue->stream_pool[turn % TN_STREAM_POOL_SIZE];
  }
  TN_TRY(open_stream(queue, pooled, out, diag));
  atomic_store_explicit(&pooled->is_used, true, memory_order_release);
  // Only compared: an event that was recycled since costs an unnecessary wait, no more.
  atomic_store_explicit(&pooled->last, node->event, memory_order_relaxed);
  return TN_OK;
}

void tn_stream_pool_wait(tn_queue *queue) {
  for (size_t i = 0; i < TN_STREAM_POOL_SIZE; i++) {
    tn_adapter_stream *stream =
        atomic_load_explicit(&queue->stream_pool[i].stream, memory_order_acquire);
    if (stream != NULL &&
        atomic_exchange_explicit(&queue->stream_pool[i].is_used, false, memory_order_acq_rel)) {
      TN_IGNORE(queue->api->stream_wait(stream, NULL), "each command reports its failure");
    }
  }
}

void tn_stream_pool_close(tn_queue *queue) {
  for (size_t i = 0; i < TN_STREAM_POOL_SIZE; i++) {
    tn_adapter_stream *stream =
        atomic_load_explicit(&queue->stream_pool[i].stream, memory_order_acquire);
    if (stream != NULL) {
      queue->api->stream_destroy(stream);
    }
  }
}
