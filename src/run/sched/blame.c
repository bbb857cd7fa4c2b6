// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which queues have failures that an event goes back to: event::wait_and_throw reports them, too.
//
// A set of queues is immutable and shared by all events that go back to the same ones, so a long
// chain behind a failure holds one set. A queue is meant by its pool, which outlives it: no event
// keeps a queue alive.
#include "base/alloc.h"
#include "run/sched/graph.h"

#include <string.h>

struct tn_blame {
  tn_ref ref;
  size_t count;
  tn_node_pool *pools[];  // each counts the set as a user
};

// Failures are rare: one lock for all the sets that grow. Only pools are locked under it.
static tn_mutex grow_mu = TN_MUTEX_INIT(TN_RANK_BLAME);

static bool has_pool(const tn_blame *blame, const tn_node_pool *pool) {
  for (size_t i = 0; blame != NULL && i < blame->count; i++) {
    if (blame->pools[i] == pool) {
      return true;
    }
  }
  return false;
}

static bool has_all(const tn_blame *blame, const tn_blame *other) {
  for (size_t i = 0; other != NULL && i < other->count; i++) {
    if (!has_pool(blame, other->pools[i])) {
      return false;
    }
  }
  return true;
}

static void add_pool(tn_blame *blame, tn_node_pool *pool) {
  if (!has_pool(blame, pool)) {
    tn_node_pool_retain(pool);
    blame->pools[blame->count++] = pool;
  }
}

static void add_all(tn_blame *blame, const tn_blame *other) {
  for (size_t i = 0; other != NULL && i < other->count; i++) {
    add_pool(blame, other->pools[i]);
  }
}

static tn_blame *unite(const tn_blame *a, const tn_blame *b, tn_node_pool *pool) {
  const size_t most = (a != NULL ? a->count : 0) + (b != NULL ? b->count : 0) + 1;
  tn_blame *blame = tn_alloc(sizeof(*blame) + most * sizeof(tn_node_pool *));
  if (blame != NULL) {
    tn_ref_init(&blame->ref);
    add_all(blame, a);
    add_all(blame, b);
    if (pool != NULL) {
      add_pool(blame, pool);
    }
  }
  return blame;
}

void tn_blame_note(tn_blame **blame, const tn_event *source) {
  tn_node_pool *own = source->status != TN_OK ? source->pool : NULL;
  if (source->blame == NULL && own == NULL) {
    return;
  }
  tn_blame *old = NULL;
  tn_mutex_lock(&grow_mu);
  const bool is_known = own == NULL || has_pool(*blame, own);
  if (!is_known || !has_all(*blame, source->blame)) {
    tn_blame *grown = NULL;
    if (*blame == NULL && (own == NULL || has_pool(source->blame, own))) {
      tn_ref_up(&source->blame->ref);
      grown = source->blame;
    } else {
      grown = unite(*blame, source->blame, own);
    }
    if (grown != NULL) {  // without memory the failure is still its own queue's to report
      old = *blame;
      *blame = grown;
    }
  }
  tn_mutex_unlock(&grow_mu);
  tn_blame_release(old);
}

void tn_blame_release(tn_blame *blame) {
  if (blame == NULL || !tn_ref_down(&blame->ref)) {
    return;
  }
  for (size_t i = 0; i < blame->count; i++) {
    tn_node_pool_release(blame->pools[i]);
  }
  tn_free(blame);
}

size_t tn_event_get_failed_queues(tn_event *event, tn_queue **out, size_t capacity) {
  size_t count = 0;
  if (event == NULL || !tn_event_is_complete(event) || event->blame == NULL) {
    return 0;
  }
  for (size_t i = 0; i < event->blame->count; i++) {
    tn_queue *queue = count < capacity ? tn_node_pool_retain_queue(event->blame->pools[i]) : NULL;
    if (queue != NULL) {
      out[count] = queue;
    }
    count += queue != NULL || count >= capacity ? 1 : 0;
  }
  return count;
}
