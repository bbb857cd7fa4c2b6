// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Local memory whose size changes after nodes that use it were added to graphs.
//
// Invariants
// 1. A command asks for the memory by the object's id, with TN_LOCAL_DYNAMIC. A node's command has
//    the id with `bound_bit` in place of that: only nodes get past the checks of commands.
// 2. An object lists each node once that has, or had, its memory. It holds no graph: a graph that
//    is destroyed removes its nodes first. So nodes may keep objects alive that list them.
// 3. `mu` is held for the lists only.
#include "base/alloc.h"
#include "run/recorded/recorded_object.h"
#include "tenon/graph_dynamic.h"

#include <string.h>

struct tn_dynamic_local {
  tn_ref ref;
  uint64_t id;  // immutable, as what follows
  uint32_t dims;
  size_t element_size;
  uint32_t alignment;
  size_t extents[3];  // the using thread's, as what follows
  uint64_t size;
  tn_dynamic_local *next;  // guarded by mu, as what follows
  tn_node_list nodes;      // borrowed
};

static const uint64_t bound_bit = UINT64_C(1) << 61;
static tn_mutex mu = TN_MUTEX_INIT(TN_RANK_LEAF);
static tn_dynamic_local *all TN_GUARDED_BY(&mu);

static uint32_t extent_count(uint32_t dims) { return dims > 0 ? dims : 1; }

static uint64_t size_of(const tn_dynamic_local *local, const size_t *extents) {
  uint64_t size = local->element_size;
  for (uint32_t i = 0; i < extent_count(local->dims); i++) {
    size = __builtin_mul_overflow(size, extents[i], &size) ? UINT64_MAX : size;
  }
  return size;
}

tn_status tn_dynamic_local_create(uint32_t dims, const size_t *extents, size_t element_size,
                                  size_t alignment, tn_dynamic_local **out, tn_diag *diag) {
  static _Atomic uint64_t ids;
  *out = NULL;
  if (dims > 3 || alignment > UINT32_MAX) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "local memory has 0 to 3 dimensions, not %u, and no alignment of %zu bytes",
                   dims, alignment);
  }
  tn_dynamic_local *made = tn_alloc(sizeof(*made));
  if (made == NULL) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for a dynamic parameter");
  }
  tn_ref_init(&made->ref);
  made->id = atomic_fetch_add_explicit(&ids, 1, memory_order_relaxed) + 1;
  made->dims = dims;
  made->element_size = element_size;
  made->alignment = (uint32_t)alignment;
  if (dims > 0) {
    tn_local_accessor alike;
    tn_local_accessor_init(&alike, dims, extents, element_size, alignment);
    made->alignment = (uint32_t)alike.alignment;
  }
  memcpy(made->extents, extents, extent_count(dims) * sizeof(*extents));
  made->size = size_of(made, extents);
  tn_mutex_lock(&mu);
  made->next = all;
  all = made;
  tn_mutex_unlock(&mu);
  *out = made;
  return TN_OK;
}

void tn_dynamic_local_retain(tn_dynamic_local *local) { tn_ref_up(&local->ref); }

void tn_dynamic_local_release(tn_dynamic_local *local) {
  if (local == NULL || !tn_ref_down(&local->ref)) {
    return;
  }
  tn_mutex_lock(&mu);
  tn_dynamic_local **link = &all;
  while (*link != local) {
    link = &(*link)->next;
  }
  *link = local->next;
  tn_mutex_unlock(&mu);
  tn_node_list_free(&local->nodes);
  tn_free(local);
}

void tn_dynamic_local_copy(tn_dynamic_local **field, tn_dynamic_local *from) {
  *field = from;
  if (from == NULL) {
    return;
  }
  tn_ref_up(&from->ref);
  tn_capture *capture = tn_capture_get();
  if (capture != NULL && (const void *)field >= capture->begin &&
      (const void *)field < capture->end) {
    capture->note_local(capture, field, from->id | TN_LOCAL_DYNAMIC, from->size, from->alignment);
  }
}

void tn_dynamic_local_get_extents(const tn_dynamic_local *local, size_t *out) {
  memcpy(out, local->extents, extent_count(local->dims) * sizeof(*out));
}

// ---- Nodes

void tn_dynamic_bind(tn_local *local) {
  if (tn_local_is_dynamic(local)) {
    local->id ^= TN_LOCAL_DYNAMIC | bound_bit;
  }
}

static tn_dynamic_local *find(uint64_t id) TN_REQUIRES(&mu) {
  tn_dynamic_local *local = all;
  while (local != NULL && (local->id | bound_bit) != id) {
    local = local->next;
  }
  return local;
}

tn_status tn_dynamic_note(tn_graph_node *node, const tn_recorded *what, tn_diag *diag) {
  bool is_listed = true;
  for (size_t i = 0; i < what->command.local_count && is_listed; i++) {
    if (what->locals[i].arg_offset == TN_NO_ARG) {
      continue;
    }
    tn_mutex_lock(&mu);
    tn_dynamic_local *local = find(what->locals[i].id);
    if (local != NULL && !tn_node_list_has(&local->nodes, node)) {
      is_listed = tn_node_list_push(&local->nodes, node);
    }
    tn_mutex_unlock(&mu);
  }
  return is_listed ? TN_OK : TN_FAIL(diag, OUT_OF_MEMORY, "no memory for a dynamic parameter");
}

// Removes the node, or all nodes of the graph.
static void forget(const tn_graph_node *node, const tn_graph *graph) {
  tn_mutex_lock(&mu);
  for (tn_dynamic_local *local = all; local != NULL; local = local->next) {
    tn_node_list *list = &local->nodes;
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++) {
      if (list->nodes[i] != node && list->nodes[i]->graph != graph) {
        list->nodes[kept++] = list->nodes[i];
      }
    }
    list->count = kept;
  }
  tn_mutex_unlock(&mu);
}

void tn_dynamic_forget_node(const tn_graph_node *node) { forget(node, NULL); }

void tn_dynamic_forget_graph(const tn_graph *graph) { forget(NULL, graph); }

// ---- Updates

// The nodes, with references to their graphs.
static tn_status take_nodes(const tn_dynamic_local *local, tn_node_list *out, tn_diag *diag) {
  bool is_listed = true;
  tn_mutex_lock(&mu);
  for (size_t i = 0; i < local->nodes.count && is_listed; i++) {
    is_listed = tn_node_list_push(out, local->nodes.nodes[i]);
    if (is_listed && !tn_ref_try_up(&local->nodes.nodes[i]->graph->ref)) {
      out->count--;
    }
  }
  tn_mutex_unlock(&mu);
  return is_listed ? TN_OK : TN_FAIL(diag, OUT_OF_MEMORY, "no memory to update a graph");
}

static tn_status change(const tn_dynamic_local *local, tn_recorded *version, const size_t *extents,
                        tn_diag *diag) {
  const size_t tail = local->dims * sizeof(*extents);
  for (size_t i = 0; i < version->command.local_count; i++) {
    tn_local *piece = &version->locals[i];
    if (piece->arg_offset == TN_NO_ARG || piece->id != (local->id | bound_bit)) {
      continue;
    }
    piece->size = size_of(local, extents);
    const uint64_t begin = (uint64_t)piece->arg_offset + sizeof(tn_local_accessor);
    if (tail > 0 && begin + tail > version->command.arg_size) {
      return TN_FAIL(diag, INVALID_ARGUMENT,
                     "kernel %s: the local accessor at byte %u of its argument block lies outside "
                     "of the block, which has %u bytes",
                     version->kernel->display_name, piece->arg_offset, version->command.arg_size);
    }
    if (tail > 0) {
      memcpy((unsigned char *)version->args + begin, extents, tail);
    }
  }
  return TN_OK;
}

// *out is NULL when the node has the memory no longer.
static tn_status make_version(const tn_dynamic_local *local, tn_graph_node *node,
                              const size_t *extents, tn_recorded **out, tn_diag *diag) {
  tn_recorded *now = tn_graph_node_version(node);
  tn_kernel *kernel = NULL;
  bool is_user = false;
  *out = NULL;
  for (size_t i = 0; i < now->command.local_count; i++) {
    is_user = is_user || (now->locals[i].arg_offset != TN_NO_ARG &&
                          now->locals[i].id == (local->id | bound_bit));
  }
  tn_status status = is_user ? tn_recorded_copy(now, out, diag) : TN_OK;
  tn_recorded_release(now);
  if (*out != NULL) {
    status = change(local, *out, extents, diag);
    if (status == TN_OK) {
      status = tn_queue_check(node->graph->queue, &(*out)->command, &kernel, &(*out)->is_empty,
                              diag);
    }
  }
  return status;
}

tn_status tn_dynamic_local_update(tn_dynamic_local *local, const size_t *extents, tn_diag *diag) {
  tn_node_list nodes = {0};
  tn_recorded **versions = NULL;  // owned array
  tn_status status = take_nodes(local, &nodes, diag);
  if (status == TN_OK && nodes.count > 0 &&
      (versions = tn_alloc_array(nodes.count, sizeof(*versions))) == NULL) {
    status = TN_FAIL(diag, OUT_OF_MEMORY, "no memory to update a graph");
  }
  for (size_t i = 0; i < nodes.count && status == TN_OK; i++) {
    status = make_version(local, nodes.nodes[i], extents, &versions[i], diag);
  }
  for (size_t i = 0; i < nodes.count; i++) {
    if (versions != NULL && versions[i] != NULL && status == TN_OK) {
      tn_graph_node_set_version(nodes.nodes[i], versions[i]);
    } else if (versions != NULL) {
      tn_recorded_release(versions[i]);
    }
    tn_graph_unref(nodes.nodes[i]->graph);
  }
  if (status == TN_OK) {
    local->size = size_of(local, extents);
    memcpy(local->extents, extents, extent_count(local->dims) * sizeof(*extents));
  }
  tn_free((void *)versions);
  tn_node_list_free(&nodes);
  return status;
}
