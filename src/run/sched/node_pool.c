// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The free lists of a queue: events and nodes are reused instead of going to the heap and back.
#include "base/alloc.h"
#include "run/sched/graph.h"
#include "run/sched/queue_state.h"

#include <string.h>

enum { KEPT_MAXIMUM = 4096 };  // of each; more than that is freed

struct tn_node_pool {
  tn_mutex mu;
  tn_queue *queue TN_GUARDED_BY(&mu);   // NULL when it is destroyed
  tn_event *events TN_GUARDED_BY(&mu);  // free ones, owned
  tn_node *nodes TN_GUARDED_BY(&mu);
  size_t event_count TN_GUARDED_BY(&mu);  // free ones
  size_t node_count TN_GUARDED_BY(&mu);
  size_t users TN_GUARDED_BY(&mu);  // events in use, sets of failure origins, and 1 for the queue
};

tn_node_pool *tn_node_pool_create(tn_queue *queue) {
  tn_node_pool *pool = tn_alloc(sizeof(*pool));
  if (pool != NULL) {
    tn_mutex_init(&pool->mu, TN_RANK_LEAF);
    tn_mutex_lock(&pool->mu);
    pool->users = 1;
    pool->queue = queue;
    tn_mutex_unlock(&pool->mu);
  }
  return pool;
}

static void destroy_pool(tn_node_pool *pool) TN_NO_ANALYSIS {
  while (pool->events != NULL) {
    tn_event *event = pool->events;
    pool->events = event->next_free;
    tn_free(event);
  }
  while (pool->nodes != NULL) {
    tn_node *node = pool->nodes;
    pool->nodes = node->next;
    tn_free_aligned(node);
  }
  tn_mutex_deinit(&pool->mu);
  tn_free(pool);
}

void tn_node_pool_retain(tn_node_pool *pool) {
  tn_mutex_lock(&pool->mu);
  pool->users++;
  tn_mutex_unlock(&pool->mu);
}

void tn_node_pool_release(tn_node_pool *pool) {
  tn_mutex_lock(&pool->mu);
  const bool is_last = --pool->users == 0;
  tn_mutex_unlock(&pool->mu);
  if (is_last) {
    destroy_pool(pool);
  }
}

void tn_node_pool_close(tn_node_pool *pool) {
  tn_mutex_lock(&pool->mu);
  pool->queue = NULL;
  tn_mutex_unlock(&pool->mu);
  tn_node_pool_release(pool);
}

// The thread that drops the last reference closes the pool before it frees the queue, so the count
// can be read here.
tn_queue *tn_node_pool_retain_queue(tn_node_pool *pool) {
  tn_mutex_lock(&pool->mu);
  tn_queue *queue = pool->queue;
  if (queue != NULL && !tn_queue_try_retain(queue)) {
    queue = NULL;
  }
  tn_mutex_unlock(&pool->mu);
  return queue;
}

static void reset_event(tn_event *event, tn_node_pool *pool) {
  tn_ref_init(&event->ref);
  atomic_store_explicit(&event->state, TN_EVENT_SUBMITTED, memory_order_relaxed);
  atomic_store_explicit(&event->waiting_edges, 0, memory_order_relaxed);
  atomic_store_explicit(&event->stream, NULL, memory_order_relaxed);
  event->has_profiling = false;
  event->is_tag = false;
  event->is_host_access = false;
  event->status = TN_OK;
  event->error = NULL;
  event->origins = NULL;
  event->submit_ns = 0;
  event->start_ns = 0;
  event->end_ns = 0;
  event->queue = NULL;
  event->device = NULL;
  event->pool = pool;
  event->node = NULL;
  event->next_free = NULL;
  event->recorder = NULL;
  event->recorded_node = NULL;
  event->first = NULL;
}

static void reset_node(tn_node *node) {
  atomic_store_explicit(&node->pending, 1, memory_order_relaxed);
  atomic_store_explicit(&node->edge_count, 0, memory_order_relaxed);
  node->origins = NULL;
  node->kind = TN_COMMAND_NONE;
  node->device = NULL;
  node->in_stream = false;
  node->failed_in = NULL;
  node->is_transfer = false;
  node->queue = NULL;
  node->event = NULL;
  node->next = NULL;
  node->kernel = NULL;
  node->heap_args = NULL;
  node->buffers = node->inline_buffers;
  node->buffer_count = 0;
  node->edges = node->inline_edges;
  node->edge_capacity = TN_NODE_INLINE_EDGES;
  node->host_task = NULL;
  node->user = NULL;
  node->free_user = NULL;
  node->epoch = NULL;
}

static tn_event *pop_event(tn_node_pool *pool) TN_REQUIRES(&pool->mu) {
  tn_event *event = pool->events;
  if (event != NULL) {
    pool->events = event->next_free;
    pool->event_count--;
  } else {
    event = tn_alloc(sizeof(*event));
  }
  if (event != NULL) {
    pool->users++;
  }
  return event;
}

static tn_node *pop_node(tn_node_pool *pool) TN_REQUIRES(&pool->mu) {
  tn_node *node = pool->nodes;
  if (node != NULL) {
    pool->nodes = node->next;
    pool->node_count--;
    return node;
  }
  return tn_alloc_aligned(sizeof(*node), _Alignof(tn_node));
}

tn_event *tn_event_take(tn_node_pool *pool) {
  tn_mutex_lock(&pool->mu);
  tn_event *event = pop_event(pool);
  tn_mutex_unlock(&pool->mu);
  if (event != NULL) {
    reset_event(event, pool);
  }
  return event;
}

bool tn_node_take(tn_node_pool *pool, tn_node **out_node, tn_event **out_event) {
  tn_mutex_lock(&pool->mu);
  tn_node *node = pop_node(pool);
  tn_event *event = node != NULL ? pop_event(pool) : NULL;
  if (event == NULL && node != NULL) {
    node->next = pool->nodes;
    pool->nodes = node;
    pool->node_count++;
  }
  tn_mutex_unlock(&pool->mu);
  if (event == NULL) {
    return false;
  }
  reset_event(event, pool);
  reset_node(node);
  event->node = node;
  node->event = event;
  *out_node = node;
  *out_event = event;
  return true;
}

static void drop_contents(tn_node *node) {
  const size_t edge_count = atomic_load_explicit(&node->edge_count, memory_order_relaxed);
  for (size_t i = 0; i < edge_count; i++) {
    tn_event_release(node->edges[i].source);
  }
  tn_failure_origins_release(node->origins);
  if (node->edges != node->inline_edges) {
    tn_free(node->edges);
  }
  for (size_t i = 0; i < node->buffer_count; i++) {
    tn_buffer_unref(node->buffers[i]);
  }
  if (node->buffers != node->inline_buffers) {
    tn_free((void *)node->buffers);
  }
  tn_kernel_end_use(node->kernel);
  tn_free_aligned(node->heap_args);
}

void tn_node_recycle(tn_node *node) {
  tn_node_pool *pool = node->event->pool;
  // No thread can ask for the wait list from here on, so the edges can be dropped.
  tn_mutex_lock(&pool->mu);
  node->event->node = NULL;
  tn_mutex_unlock(&pool->mu);
  drop_contents(node);
  tn_mutex_lock(&pool->mu);
  const bool keep = pool->node_count < KEPT_MAXIMUM;
  if (keep) {
    node->next = pool->nodes;
    pool->nodes = node;
    pool->node_count++;
  }
  tn_mutex_unlock(&pool->mu);
  if (!keep) {
    tn_free_aligned(node);
  }
}

void tn_event_recycle(tn_event *event) {
  tn_node_pool *pool = event->pool;
  tn_free(event->error);
  event->error = NULL;
  // A launch that nothing waited for was never completed.
  atomic_store_explicit(&event->is_launch, false, memory_order_relaxed);
  atomic_store_explicit(&event->is_tracked, false, memory_order_relaxed);
  atomic_store_explicit(&event->passage, TN_PASSAGE_PENDING, memory_order_relaxed);
  tn_adapter_mark *mark = atomic_load_explicit(&event->mark, memory_order_relaxed);
  if (mark != NULL) {
    event->device->api->mark_destroy(mark);
    atomic_store_explicit(&event->mark, NULL, memory_order_relaxed);
  }
  tn_failure_origins_release(event->origins);
  event->origins = NULL;
  if (event->recorder != NULL) {
    event->recorder->release(event->recorder);
  }
  tn_event_release(event->first);
  if (pool == NULL) {
    tn_free(event);
    return;
  }
  tn_mutex_lock(&pool->mu);
  const bool keep = pool->event_count < KEPT_MAXIMUM;
  if (keep) {
    event->next_free = pool->events;
    pool->events = event;
    pool->event_count++;
  }
  const bool is_last = --pool->users == 0;
  tn_mutex_unlock(&pool->mu);
  if (!keep) {
    tn_free(event);
  }
  if (is_last) {
    destroy_pool(pool);
  }
}

const void *tn_event_node(tn_event *event) {
  if (event->pool == NULL) {
    return NULL;
  }
  tn_mutex_lock(&event->pool->mu);
  const void *node = event->node;
  tn_mutex_unlock(&event->pool->mu);
  return node;
}

tn_event *tn_event_create_plain(void) {
  tn_event *event = tn_alloc(sizeof(*event));
  if (event != NULL) {
    reset_event(event, NULL);
  }
  return event;
}

// The wait list is read here because the pool's lock guards the pointer from an event to its node.
tn_status tn_event_get_wait_list(tn_event *event, tn_event **out, size_t capacity,
                                 size_t *out_count, tn_diag *diag) {
  *out_count = 0;
  if (event == NULL || (out == NULL && capacity > 0)) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "the wait list of an event needs an event and a place to "
                   "write to, but one is NULL");
  }
  if (event->pool == NULL) {
    return TN_OK;
  }
  size_t count = 0;
  tn_mutex_lock(&event->pool->mu);
  const tn_node *node = event->node;
  const size_t edge_count =
      node != NULL ? atomic_load_explicit(&node->edge_count, memory_order_acquire) : 0;
  for (size_t i = 0; i < edge_count; i++) {
    tn_event *source = node->edges[i].source;
    if (source->is_host_access || tn_event_is_complete(source)) {
      continue;
    }
    if (count < capacity) {
      tn_event_retain(source);
      out[count] = source;
    }
    count++;
  }
  tn_mutex_unlock(&event->pool->mu);
  *out_count = count;
  return TN_OK;
}
