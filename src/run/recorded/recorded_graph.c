// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs that grow: making them, adding nodes, and what can be asked of both.
#include "base/alloc.h"
#include "base/log.h"
#include "base/weak.h"
#include "run/recorded/recorded_object.h"
#include "tenon/weak.h"

void tn_keeper_release(tn_keeper *keeper) {
  if (keeper == NULL || !tn_ref_down(&keeper->ref)) {
    return;
  }
  tn_kept *kept = atomic_load_explicit(&keeper->first, memory_order_acquire);
  while (kept != NULL) {
    tn_kept *next = kept->next;
    kept->free_user(kept->user);
    tn_free(kept);
    kept = next;
  }
  tn_free(keeper);
}

static void retain_recorder(tn_recorder *recorder) { tn_graph_ref((tn_graph *)recorder); }
static void release_recorder(tn_recorder *recorder) { tn_graph_unref((tn_graph *)recorder); }

tn_status tn_graph_create(tn_context *context, tn_device *device, uint32_t flags, tn_graph **out,
                          tn_diag *diag) {
  static _Atomic uint64_t ids;
  *out = NULL;
  tn_queue *queue = NULL;
  const uint32_t known = TN_GRAPH_NO_CYCLE_CHECK | TN_GRAPH_BUFFERS_OUTLIVE;
  if ((flags & ~known) != 0) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "0x%x are not flags of a graph", flags);
  }
  TN_TRY(tn_queue_create(context, device, 0, &queue, diag));
  tn_graph *graph = tn_alloc(sizeof(*graph));
  tn_keeper *keeper = tn_alloc(sizeof(*keeper));
  if (graph == NULL || keeper == NULL) {
    tn_free(graph);
    tn_free(keeper);
    tn_queue_release(queue);
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for a graph");
  }
  graph->recorder = (tn_recorder){.record = tn_graph_record,
                                  .join = tn_graph_join,
                                  .retain = retain_recorder,
                                  .release = release_recorder};
  tn_ref_init(&graph->ref);
  tn_ref_init(&graph->users);
  graph->id = atomic_fetch_add_explicit(&ids, 1, memory_order_relaxed) + 1;
  graph->flags = flags;
  tn_context_retain(context);
  graph->context = context;
  graph->device = tn_queue_device(queue);
  graph->queue = queue;
  tn_ref_init(&keeper->ref);
  graph->keeper = keeper;
  tn_mutex_init(&graph->mu, TN_RANK_CONTEXT);
  tn_cond_init(&graph->added);
  *out = graph;
  return TN_OK;
}

static void free_graph(tn_graph *graph) TN_NO_ANALYSIS {
  tn_dynamic_forget_graph(graph);
  for (size_t i = 0; i < graph->nodes.count; i++) {
    tn_graph_node *node = graph->nodes.nodes[i];
    tn_recorded_release(node->noted);
    tn_recorded_release(node->what);
    tn_node_list_free(&node->before);
    tn_node_list_free(&node->after);
    tn_free(node);
  }
  tn_node_list_free(&graph->nodes);
  tn_node_list_free(&graph->adding_after);
  while (graph->recordings != NULL) {
    tn_recording *next = graph->recordings->next;
    tn_free(graph->recordings);
    graph->recordings = next;
  }
  tn_keeper_release(graph->keeper);
  tn_cond_deinit(&graph->added);
  tn_mutex_deinit(&graph->mu);
  tn_queue_release(graph->queue);
  tn_context_release(graph->context);
  tn_free(graph);
}

void tn_graph_ref(tn_graph *graph) { tn_ref_up(&graph->ref); }

void tn_graph_unref(tn_graph *graph) {
  if (tn_ref_down(&graph->ref)) {
    free_graph(graph);
  }
}

void tn_graph_retain(tn_graph *graph) { tn_ref_up(&graph->users); }

void tn_graph_release(tn_graph *graph) {
  if (graph != NULL && tn_ref_down(&graph->users)) {
    TN_IGNORE(tn_graph_end_recording(graph, NULL, NULL), "ending all cannot fail");
    tn_graph_unref(graph);
  }
}

static void release(void *object) { tn_graph_release(object); }

tn_weak *tn_graph_weak(tn_graph *graph) {
  static const tn_weak_type type = {.release = release};
  return graph != NULL ? tn_weak_of(&graph->users, graph, &type, NULL) : NULL;
}

tn_context *tn_graph_context(const tn_graph *graph) { return graph->context; }
tn_device *tn_graph_device(const tn_graph *graph) { return graph->device; }
uint32_t tn_graph_flags(const tn_graph *graph) { return graph->flags; }
uint64_t tn_graph_id(const tn_graph *graph) { return graph->id; }
tn_queue *tn_graph_queue(const tn_graph *graph) { return graph->queue; }

// ---- Adding

static tn_status check_after(tn_graph *graph, tn_graph_node *const *after, size_t count,
                             tn_diag *diag) {
  for (size_t i = 0; i < count; i++) {
    if (after[i] == NULL || after[i]->graph != graph) {
      return TN_FAIL(diag, INVALID_ARGUMENT,
                     "a node is added after one that is not of the graph (number %zu of the list)",
                     i);
    }
  }
  return TN_OK;
}

static tn_status take_turn(tn_graph *graph, tn_graph_node *const *after, size_t count,
                           tn_diag *diag) {
  tn_status status = TN_OK;
  tn_mutex_lock(&graph->mu);
  while (graph->is_adding) {
    tn_cond_wait(&graph->added, &graph->mu);
  }
  for (const tn_recording *each = graph->recordings; each != NULL; each = each->next) {
    if (each->is_open) {
      status = TN_FAIL(diag, INVALID_ARGUMENT,
                       "a queue records for the graph: end recording before adding nodes");
      break;
    }
  }
  graph->adding_after.count = 0;
  for (size_t i = 0; i < count && status == TN_OK; i++) {
    if (!tn_node_list_push(&graph->adding_after, after[i])) {
      status = TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the edges of a graph");
    }
  }
  graph->last_added = NULL;
  graph->is_adding = status == TN_OK;
  tn_mutex_unlock(&graph->mu);
  return status;
}

tn_status tn_graph_begin_adding(tn_graph *graph, tn_graph_node *const *after, size_t after_count,
                                tn_diag *diag) {
  TN_TRY(check_after(graph, after, after_count, diag));
  TN_TRY(take_turn(graph, after, after_count, diag));
  (void)tn_queue_set_recorder(graph->queue, &graph->recorder);  // nobody else has the queue
  return TN_OK;
}

tn_graph_node *tn_graph_end_adding(tn_graph *graph) {
  (void)tn_queue_end_recorder(graph->queue, &graph->recorder);
  tn_mutex_lock(&graph->mu);
  tn_graph_node *node = graph->last_added;
  graph->is_adding = false;
  tn_cond_signal(&graph->added);
  tn_mutex_unlock(&graph->mu);
  return node;
}

tn_status tn_graph_add(tn_graph *graph, const tn_command *command, tn_graph_node *const *after,
                       size_t after_count, tn_graph_node **out, tn_diag *diag) {
  *out = NULL;
  tn_status status = tn_graph_begin_adding(graph, after, after_count, diag);
  if (status != TN_OK) {
    if (command != NULL && command->free_user != NULL) {
      command->free_user(command->user);
    }
    return status;
  }
  status = tn_queue_submit(graph->queue, command, NULL, diag);
  tn_graph_node *node = tn_graph_end_adding(graph);
  *out = status == TN_OK ? node : NULL;
  return status;
}

tn_status tn_graph_keep(tn_graph_node *node, void *user, void (*free_user)(void *user),
                        tn_diag *diag) {
  return tn_graph_on_destroy(node->graph, user, free_user, diag);
}

tn_status tn_graph_on_destroy(tn_graph *graph, void *user, void (*function)(void *user),
                              tn_diag *diag) {
  if (graph == NULL || function == NULL) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "a function to call needs a graph and a function");
  }
  tn_kept *kept = tn_alloc(sizeof(*kept));
  if (kept == NULL) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for what is kept with a graph");
  }
  tn_keeper *keeper = graph->keeper;
  *kept = (tn_kept){.next = atomic_load_explicit(&keeper->first, memory_order_relaxed),
                    .user = user,
                    .free_user = function};
  while (!atomic_compare_exchange_weak_explicit(&keeper->first, &kept->next, kept,
                                                memory_order_release, memory_order_relaxed)) {
  }
  return TN_OK;
}

// ---- Asking

void tn_graph_node_retain(tn_graph_node *node) {
  if (node != NULL) {
    tn_graph_ref(node->graph);
  }
}

void tn_graph_node_release(tn_graph_node *node) {
  if (node != NULL) {
    tn_graph_unref(node->graph);
  }
}

tn_graph_node *tn_graph_node_of_event(const tn_event *event) {
  void *node = NULL;
  return event != NULL && tn_event_recorder(event, &node) != NULL ? node : NULL;
}

static int32_t type_of(const tn_command *command) {
  switch (command->kind) {
    case TN_COMMAND_KERNEL:
      return TN_GRAPH_NODE_KERNEL;
    case TN_COMMAND_COPY:
    case TN_COMMAND_COPY_RECT:
      return TN_GRAPH_NODE_MEMCPY;
    case TN_COMMAND_FILL:
    case TN_COMMAND_FILL_RECT:
      return command->pattern_size == 1 ? TN_GRAPH_NODE_MEMSET : TN_GRAPH_NODE_MEMFILL;
    case TN_COMMAND_BARRIER:
    case TN_COMMAND_EVENT_BARRIER:
      return TN_GRAPH_NODE_BARRIER;
    case TN_COMMAND_HOST_TASK:
    case TN_COMMAND_INTEROP_TASK:
      return TN_GRAPH_NODE_HOST_TASK;
    case TN_COMMAND_NATIVE:
      return TN_GRAPH_NODE_NATIVE;
    case TN_COMMAND_PREFETCH:
      return TN_GRAPH_NODE_PREFETCH;
    case TN_COMMAND_ADVISE:
      return TN_GRAPH_NODE_MEMADVISE;
    case TN_COMMAND_GRAPH:
      return TN_GRAPH_NODE_SUBGRAPH;
    default:
      return TN_GRAPH_NODE_EMPTY;
  }
}

int32_t tn_graph_node_type(const tn_graph_node *node) {
  tn_graph *graph = node->graph;
  tn_mutex_lock(&graph->mu);
  const int32_t type = type_of(&node->what->command);
  tn_mutex_unlock(&graph->mu);
  return type;
}

static size_t write_nodes(const tn_node_list *list, int32_t which, tn_graph_node **out,
                          size_t capacity) {
  size_t count = 0;
  for (size_t i = 0; i < list->count; i++) {
    tn_graph_node *node = list->nodes[i];
    const bool is_wanted = which == TN_GRAPH_ROOTS    ? node->before.count == 0
                           : which == TN_GRAPH_LEAVES ? node->after.count == 0
                                                      : true;
    if (is_wanted) {
      if (count < capacity) {
        out[count] = node;
      }
      count++;
    }
  }
  return count;
}

size_t tn_graph_get_nodes(tn_graph *graph, int32_t which, tn_graph_node **out, size_t capacity) {
  tn_mutex_lock(&graph->mu);
  const size_t count = write_nodes(&graph->nodes, which, out, capacity);
  tn_mutex_unlock(&graph->mu);
  return count;
}

size_t tn_graph_node_get_before(tn_graph_node *node, tn_graph_node **out, size_t capacity) {
  tn_graph *graph = node->graph;
  tn_mutex_lock(&graph->mu);
  const size_t count = write_nodes(&node->before, TN_GRAPH_ALL, out, capacity);
  tn_mutex_unlock(&graph->mu);
  return count;
}

size_t tn_graph_node_get_after(tn_graph_node *node, tn_graph_node **out, size_t capacity) {
  tn_graph *graph = node->graph;
  tn_mutex_lock(&graph->mu);
  const size_t count = write_nodes(&node->after, TN_GRAPH_ALL, out, capacity);
  tn_mutex_unlock(&graph->mu);
  return count;
}
