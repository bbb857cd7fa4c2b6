// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finalizing: a graph's nodes in an order in which they can run, nested graphs opened up.
#include "run/recorded/recorded_exec.h"

#include "base/alloc.h"
#include "base/log.h"
#include "base/weak.h"
#include "tenon/weak.h"

#include <sched.h>
#include <string.h>

bool tn_index_list_add(tn_index_list *list, uint32_t item) {
  for (size_t i = 0; i < list->count; i++) {
    if (list->items[i] == item) {
      return true;
    }
  }
  if (list->count == list->capacity) {
    const size_t capacity = list->capacity > 0 ? 2 * list->capacity : 4;
    uint32_t *more = tn_alloc_array(capacity, sizeof(*more));
    if (more == NULL) {
      return false;
    }
    if (list->count > 0) {
      memcpy(more, list->items, list->count * sizeof(*more));
    }
    tn_free(list->items);
    list->items = more;
    list->capacity = capacity;
  }
  list->items[list->count++] = item;
  return true;
}

void tn_exec_enter(tn_graph_exec *exec) {
  while (atomic_exchange_explicit(&exec->is_busy, true, memory_order_acquire)) {
    tn_thread_pause();
    (void)sched_yield();
  }
}

void tn_exec_leave(tn_graph_exec *exec) {
  atomic_store_explicit(&exec->is_busy, false, memory_order_release);
}

static tn_status fail_memory(tn_diag *diag) {
  return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to finalize a graph");
}

// ---- A view of the graph that stays: nodes with versions and edges, as they are now

typedef struct snapshot {
  const tn_graph_node **nodes;  // owned arrays of `count`
  tn_recorded **what;           // retained
  tn_index_list *before;
  uint32_t *waiting;  // edges that lead there and are not passed yet
  uint32_t *ends;     // the exec node after which its successors may begin
  size_t count;
} snapshot;

static void snapshot_free(snapshot *s) {
  for (size_t i = 0; i < s->count; i++) {
    if (s->what != NULL) {
      tn_recorded_release(s->what[i]);
    }
    if (s->before != NULL) {
      tn_free(s->before[i].items);
    }
  }
  tn_free((void *)s->nodes);
  tn_free((void *)s->what);
  tn_free(s->before);
  tn_free(s->waiting);
  tn_free(s->ends);
}

static tn_status snapshot_take(tn_graph *graph, snapshot *s, tn_diag *diag)
    TN_REQUIRES(&graph->mu) {
  s->count = graph->nodes.count;
  if (s->count == 0) {
    return TN_OK;
  }
  s->nodes = tn_alloc_array(s->count, sizeof(*s->nodes));
  s->what = tn_alloc_array(s->count, sizeof(*s->what));
  s->before = tn_alloc_array(s->count, sizeof(*s->before));
  s->waiting = tn_alloc_array(s->count, sizeof(*s->waiting));
  s->ends = tn_alloc_array(s->count, sizeof(*s->ends));
  if (s->nodes == NULL || s->what == NULL || s->before == NULL || s->waiting == NULL ||
      s->ends == NULL) {
    return fail_memory(diag);
  }
  for (size_t i = 0; i < s->count; i++) {
    const tn_graph_node *node = graph->nodes.nodes[i];
    s->nodes[i] = node;
    s->what[i] = node->what;
    tn_recorded_retain(node->what);
    for (size_t k = 0; k < node->before.count; k++) {
      if (!tn_index_list_add(&s->before[i], (uint32_t)node->before.nodes[k]->index)) {
        return fail_memory(diag);
      }
    }
    s->waiting[i] = (uint32_t)s->before[i].count;
  }
  return TN_OK;
}

// ---- Nodes of the executable graph

static size_t count_nodes(const snapshot *s) {
  size_t count = 0;
  for (size_t i = 0; i < s->count; i++) {
    const tn_graph_exec *nested = s->what[i]->nested;
    count += nested != NULL ? nested->node_count + 2 : 1;
  }
  return count;
}

static tn_exec_node *push_node(tn_graph_exec *exec, uint64_t id, size_t index, tn_recorded *what) {
  tn_exec_node *node = &exec->nodes[exec->node_count++];
  node->id = id;
  node->index = index;
  node->what = what;
  if (what != NULL) {
    tn_recorded_retain(what);
  }
  return node;
}

static bool push_edges(tn_exec_node *node, const snapshot *s, size_t index) {
  bool ok = true;
  for (size_t i = 0; i < s->before[index].count && ok; i++) {
    ok = tn_index_list_add(&node->before, s->ends[s->before[index].items[i]]);
  }
  return ok;
}

static bool has_successor(const tn_graph_exec *exec, uint32_t index, uint32_t end) {
  for (uint32_t i = index + 1; i < end; i++) {
    const tn_index_list *before = &exec->nodes[i].before;
    for (size_t k = 0; k < before->count; k++) {
      if (before->items[k] == index) {
        return true;
      }
    }
  }
  return false;
}

// The nested graph's nodes between two that are empty.
static bool push_nested(tn_graph_exec *exec, const snapshot *s, size_t index) {
  const tn_graph_exec *nested = s->what[index]->nested;
  const uint32_t begin = (uint32_t)exec->node_count;
  bool ok = push_edges(push_node(exec, 0, 0, s->what[index]), s, index);  // it holds the nested one
  const uint32_t base = begin + 1;
  for (size_t i = 0; i < nested->node_count && ok; i++) {
    const tn_exec_node *from = &nested->nodes[i];
    tn_exec_node *node = push_node(exec, from->id, from->index, from->what);
    for (size_t k = 0; k < from->before.count && ok; k++) {
      ok = tn_index_list_add(&node->before, base + from->before.items[k]);
    }
    ok = ok && (from->before.count > 0 || tn_index_list_add(&node->before, begin));
  }
  const uint32_t end = (uint32_t)exec->node_count;
  tn_exec_node *last = push_node(exec, 0, 0, NULL);
  for (uint32_t i = begin; i < end && ok; i++) {
    ok = has_successor(exec, i, end) || tn_index_list_add(&last->before, i);
  }
  s->ends[index] = end;
  return ok;
}

static tn_status push_all(tn_graph_exec *exec, snapshot *s, tn_diag *diag) {
  size_t done = 0;
  bool is_stuck = s->count == 0;
  bool *is_done = tn_alloc_array(s->count > 0 ? s->count : 1, sizeof(*is_done));
  tn_status status = is_done != NULL ? TN_OK : fail_memory(diag);
  while (status == TN_OK && !is_stuck) {
    is_stuck = true;
    for (size_t i = 0; i < s->count && status == TN_OK; i++) {
      bool is_ready = !is_done[i];
      for (size_t k = 0; k < s->before[i].count && is_ready; k++) {
        is_ready = is_done[s->before[i].items[k]];
      }
      if (!is_ready) {
        continue;
      }
      bool ok = true;
      if (s->what[i]->nested != NULL) {
        tn_graph_exec *nested = s->what[i]->nested;
        tn_exec_enter(nested);
        ok = push_nested(exec, s, i);
        tn_exec_leave(nested);
      } else {
        s->ends[i] = (uint32_t)exec->node_count;
        ok = push_edges(push_node(exec, s->nodes[i]->id, i, s->what[i]), s, i);
      }
      status = ok ? TN_OK : fail_memory(diag);
      is_done[i] = true;
      is_stuck = false;
      done++;
    }
  }
  tn_free(is_done);
  return status != TN_OK || done == s->count
             ? status
             : TN_FAIL(diag, INVALID_ARGUMENT,
                       "the graph's edges make a circle, so it can never run");
}

static void free_exec(void *user) {
  tn_graph_exec *exec = user;
  tn_exec_free_parts(exec);
  for (size_t i = 0; i < exec->node_count; i++) {
    tn_recorded_release(exec->nodes[i].what);
    tn_free(exec->nodes[i].before.items);
  }
  tn_free(exec->nodes);
  tn_event_release(exec->last_event);
  tn_queue_release(exec->last_queue);
  tn_queue_release(exec->queue);
  tn_keeper_release(exec->keeper);
  tn_free(exec);
}

tn_status tn_graph_finalize(tn_graph *graph, uint32_t flags, tn_graph_exec **out, tn_diag *diag) {
  *out = NULL;
  snapshot s = {0};
  if (graph == NULL || (flags & ~(uint32_t)(TN_GRAPH_UPDATABLE | TN_GRAPH_PROFILING)) != 0) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "finalizing: there is no graph, or 0x%x are not flags",
                   flags);
  }
  tn_graph_exec *exec = tn_alloc(sizeof(*exec));
  if (exec == NULL) {
    return fail_memory(diag);
  }
  tn_ref_init(&exec->ref);
  exec->replay.submit = tn_exec_submit;
  exec->flags = flags;
  tn_queue_retain(graph->queue);
  exec->queue = graph->queue;
  exec->device = graph->device;
  tn_ref_up(&graph->keeper->ref);
  exec->keeper = graph->keeper;
  tn_mutex_lock(&graph->mu);
  tn_status status = snapshot_take(graph, &s, diag);
  tn_mutex_unlock(&graph->mu);
  if (status == TN_OK) {
    const size_t count = count_nodes(&s);
    exec->nodes = tn_alloc_array(count > 0 ? count : 1, sizeof(*exec->nodes));
    status = exec->nodes != NULL ? push_all(exec, &s, diag) : fail_memory(diag);
  }
  if (status == TN_OK) {
    status = tn_exec_make_parts(exec, diag);
  }
  snapshot_free(&s);
  if (status != TN_OK) {
    free_exec(exec);
    return status;
  }
  TN_LOG(sched, "graph %llu is executable: %zu nodes in %zu parts", (unsigned long long)graph->id,
         exec->node_count, exec->part_count);
  *out = exec;
  return TN_OK;
}

void tn_graph_exec_retain(tn_graph_exec *exec) { tn_ref_up(&exec->ref); }

void tn_exec_behind_launches(const tn_graph_exec *exec, void *user, void (*function)(void *user)) {
  tn_queue *queue = exec->last_queue != NULL ? exec->last_queue : exec->queue;
  const tn_event *after = exec->last_event;
  if (exec->last_queue == NULL && after == NULL) {
    function(user);
    return;
  }
  const tn_command end = {.struct_size = sizeof(end),
                          .kind = TN_COMMAND_NONE,
                          .events = &after,
                          .event_count = 1,  // may be NULL
                          .user = user,
                          .free_user = function};
  tn_queue_retain(queue);
  if (tn_queue_submit_now(queue, &end, NULL, NULL) != TN_OK) {
    function(user);
  }
  tn_queue_release(queue);
}

// The device's graphs, and what is kept with nodes, may not go before.
void tn_graph_exec_release(tn_graph_exec *exec) {
  if (exec != NULL && tn_ref_down(&exec->ref)) {
    tn_exec_behind_launches(exec, exec, free_exec);
  }
}

static void release(void *object) { tn_graph_exec_release(object); }

tn_weak *tn_graph_exec_weak(tn_graph_exec *exec) {
  static const tn_weak_type type = {.release = release};
  return exec != NULL ? tn_weak_of(&exec->ref, exec, &type, NULL) : NULL;
}

tn_context *tn_graph_exec_context(const tn_graph_exec *exec) {
  return tn_queue_context(exec->queue);
}
tn_device *tn_graph_exec_device(const tn_graph_exec *exec) { return exec->device; }
size_t tn_graph_exec_part_count(const tn_graph_exec *exec) { return exec->part_count; }
