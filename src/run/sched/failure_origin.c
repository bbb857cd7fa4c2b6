// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Failure origins of an event: the queues of failed commands that it depends on, directly or
// indirectly. event::wait_and_throw reports their failures, too.
//
// A set of queues is immutable and shared by all events that have the same origins, so a long chain
// after a failure holds one set. A queue is identified by its pool, which outlives it: no event
// keeps a queue alive.
#include "base/alloc.h"
#include "run/sched/graph.h"

#include <string.h>

struct tn_failure_origins {
  tn_ref ref;
  size_t count;
  tn_node_pool *pools[];  // each retained
};

// Failures are rare: one lock for all sets that grow. Only pools are locked under it.
static tn_mutex grow_mu = TN_MUTEX_INIT(TN_RANK_FAILURE_ORIGINS);

static bool has_pool(const tn_failure_origins *origins, const tn_node_pool *pool) {
  for (size_t i = 0; origins != NULL && i < origins->count; i++) {
    if (origins->pools[i] == pool) {
      return true;
    }
  }
  return false;
}

static bool has_all(const tn_failure_origins *origins, const tn_failure_origins *other) {
  for (size_t i = 0; other != NULL && i < other->count; i++) {
    if (!has_pool(origins, other->pools[i])) {
      return false;
    }
  }
  return true;
}

static void add_pool(tn_failure_origins *origins, tn_node_pool *pool) {
  if (!has_pool(origins, pool)) {
    tn_node_pool_retain(pool);
    origins->pools[origins->count++] = pool;
  }
}

static void add_all(tn_failure_origins *origins, const tn_failure_origins *other) {
  for (size_t i = 0; other != NULL && i < other->count; i++) {
    add_pool(origins, other->pools[i]);
  }
}

static tn_failure_origins *unite(const tn_failure_origins *a, const tn_failure_origins *b,
                                 tn_node_pool *pool) {
  const size_t most = (a != NULL ? a->count : 0) + (b != NULL ? b->count : 0) + 1;
  tn_failure_origins *origins = tn_alloc(sizeof(*origins) + most * sizeof(tn_node_pool *));
  if (origins != NULL) {
    tn_ref_init(&origins->ref);
    add_all(origins, a);
    add_all(origins, b);
    if (pool != NULL) {
      add_pool(origins, pool);
    }
  }
  return origins;
}

void tn_failure_origins_add(tn_failure_origins **origins, const tn_event *source) {
  tn_node_pool *own = source->status != TN_OK ? source->pool : NULL;
  if (source->origins == NULL && own == NULL) {
    return;
  }
  tn_failure_origins *old = NULL;
  tn_mutex_lock(&grow_mu);
  const bool is_known = own == NULL || has_pool(*origins, own);
  if (!is_known || !has_all(*origins, source->origins)) {
    tn_failure_origins *grown = NULL;
    if (*origins == NULL && (own == NULL || has_pool(source->origins, own))) {
      tn_ref_up(&source->origins->ref);
      grown = source->origins;
    } else {
      grown = unite(*origins, source->origins, own);
    }
    if (grown != NULL) {  // without memory only the failure's own queue reports it
      old = *origins;
      *origins = grown;
    }
  }
  tn_mutex_unlock(&grow_mu);
  tn_failure_origins_release(old);
}

void tn_failure_origins_release(tn_failure_origins *origins) {
  if (origins == NULL || !tn_ref_down(&origins->ref)) {
    return;
  }
  for (size_t i = 0; i < origins->count; i++) {
    tn_node_pool_release(origins->pools[i]);
  }
  tn_free(origins);
}

size_t tn_event_get_failed_queues(tn_event *event, tn_queue **out, size_t capacity) {
  size_t count = 0;
  if (event == NULL || !tn_event_is_complete(event) || event->origins == NULL) {
    return 0;
  }
  for (size_t i = 0; i < event->origins->count; i++) {
    tn_queue *queue = count < capacity ? tn_node_pool_retain_queue(event->origins->pools[i]) : NULL;
    if (queue != NULL) {
      out[count] = queue;
    }
    count += queue != NULL || count >= capacity ? 1 : 0;
  }
  return count;
}
