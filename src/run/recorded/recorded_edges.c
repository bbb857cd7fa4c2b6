// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lists of nodes, and the edges between them.
#include "base/alloc.h"
#include "run/recorded/recorded_object.h"

#include <string.h>

bool tn_node_list_push(tn_node_list *list, tn_graph_node *node) {
  if (list->count == list->capacity) {
    const size_t capacity = list->capacity > 0 ? 2 * list->capacity : 4;
    tn_graph_node **more = tn_alloc_array(capacity, sizeof(*more));
    if (more == NULL) {
      return false;
    }
    if (list->count > 0) {
      memcpy((void *)more, (const void *)list->nodes, list->count * sizeof(*more));
    }
    tn_free((void *)list->nodes);
    list->nodes = more;
    list->capacity = capacity;
  }
  list->nodes[list->count++] = node;
  return true;
}

void tn_node_list_free(tn_node_list *list) {
  tn_free((void *)list->nodes);
  *list = (tn_node_list){0};
}

bool tn_node_list_has(const tn_node_list *list, const tn_graph_node *node) {
  for (size_t i = 0; i < list->count; i++) {
    if (list->nodes[i] == node) {
      return true;
    }
  }
  return false;
}

static tn_status fail_memory(tn_diag *diag) {
  return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the edges of a graph");
}

tn_status tn_graph_connect(tn_graph *graph, tn_graph_node *from, tn_graph_node *to, tn_diag *diag) {
  (void)graph;
  if (from == to || tn_node_list_has(&to->before, from)) {
    return TN_OK;
  }
  if (!tn_node_list_push(&to->before, from)) {
    return fail_memory(diag);
  }
  if (!tn_node_list_push(&from->after, to)) {
    to->before.count--;
    return fail_memory(diag);
  }
  return TN_OK;
}

// Marks all that the node comes after, with a list in place of recursion.
static bool mark_before(tn_graph_node *node, uint64_t search) {
  tn_node_list open = {0};
  bool ok = tn_node_list_push(&open, node);
  node->visited = search;
  while (ok && open.count > 0) {
    const tn_graph_node *next = open.nodes[--open.count];
    for (size_t i = 0; i < next->before.count && ok; i++) {
      tn_graph_node *each = next->before.nodes[i];
      if (each->visited != search) {
        each->visited = search;
        ok = tn_node_list_push(&open, each);
      }
    }
  }
  tn_node_list_free(&open);
  return ok;
}

tn_status tn_graph_make_edge(tn_graph *graph, tn_graph_node *from, tn_graph_node *to,
                             tn_diag *diag) {
  if (graph == NULL || from == NULL || to == NULL || from->graph != graph || to->graph != graph) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "an edge is between two nodes of the graph");
  }
  if (from == to) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "an edge from a node to itself: it would wait for ever");
  }
  tn_status status = TN_OK;
  tn_mutex_lock(&graph->mu);
  bool is_recording = false;
  for (const tn_recording *each = graph->recordings; each != NULL; each = each->next) {
    is_recording = is_recording || each->is_open;
  }
  if (is_recording) {
    status = TN_FAIL(diag, INVALID_ARGUMENT,
                     "a queue records for the graph: end recording before making edges");
  } else if ((graph->flags & TN_GRAPH_NO_CYCLE_CHECK) == 0) {
    graph->search++;
    if (!mark_before(from, graph->search)) {
      status = fail_memory(diag);
    } else if (to->visited == graph->search) {
      status = TN_FAIL(diag, INVALID_ARGUMENT,
                       "this edge makes a circle: the node that it begins at comes after the one "
                       "that it leads to");
    }
  }
  if (status == TN_OK) {
    status = tn_graph_connect(graph, from, to, diag);
  }
  tn_mutex_unlock(&graph->mu);
  return status;
}

typedef struct use {
  const tn_buffer *whole;
  size_t begin;
  size_t end;
  bool writes;
} use;

static use use_of(const tn_access *access) {
  tn_buffer *buffer = access->buffer;
  const size_t size = buffer->size > 0 ? buffer->size : 1;
  return (use){.whole = tn_buffer_whole(buffer),
               .begin = buffer->offset,
               .end = buffer->offset + size,
               .writes = (access->mode & TN_ACCESS_WRITE) != 0};
}

static bool conflict(const tn_recorded *a, const tn_recorded *b) {
  for (size_t i = 0; i < a->command.access_count; i++) {
    const use mine = use_of(&a->accesses[i]);
    for (size_t k = 0; k < b->command.access_count; k++) {
      const use other = use_of(&b->accesses[k]);
      if (mine.whole == other.whole && mine.begin < other.end && other.begin < mine.end &&
          (mine.writes || other.writes)) {
        return true;
      }
    }
  }
  return false;
}

// From the newest back: a node that an edge leads to already, over others, needs none.
tn_status tn_graph_connect_buffers(tn_graph *graph, tn_graph_node *node, tn_diag *diag) {
  if (node->what->command.access_count == 0) {
    return TN_OK;
  }
  graph->search++;
  const uint64_t search = graph->search;
  if (!mark_before(node, search)) {
    return fail_memory(diag);
  }
  for (size_t i = node->index; i-- > 0;) {
    tn_graph_node *each = graph->nodes.nodes[i];
    if (each->visited != search && conflict(each->what, node->what)) {
      TN_TRY(tn_graph_connect(graph, each, node, diag));
      if (!mark_before(each, search)) {
        return fail_memory(diag);
      }
    }
  }
  return TN_OK;
}
