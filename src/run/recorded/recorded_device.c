// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs of the device's, for the parts of an executable graph.
//
// A launch that waits for events is given to the device later, and runs what the graph was when it
// was submitted: until then it keeps the device's graph, and an update makes another one.
#include "base/alloc.h"
#include "run/recorded/recorded_exec.h"

static tn_status fail_memory(tn_diag *diag) {
  return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for a graph of the device");
}

static tn_access *find_access(tn_exec_part *part, const tn_buffer *buffer) {
  for (size_t i = 0; i < part->access_count; i++) {
    if (part->accesses[i].buffer == buffer) {
      return &part->accesses[i];
    }
  }
  return NULL;
}

static tn_status join_accesses(const tn_graph_exec *exec, tn_exec_part *part, tn_diag *diag) {
  size_t count = 0;
  tn_free(part->accesses);
  part->accesses = NULL;
  part->access_count = 0;
  for (size_t i = 0; i < part->nodes.count; i++) {
    const tn_recorded *what = exec->nodes[part->nodes.items[i]].what;
    count += what != NULL ? what->command.access_count : 0;
  }
  if (count == 0) {
    return TN_OK;
  }
  part->accesses = tn_alloc_array(count, sizeof(*part->accesses));
  if (part->accesses == NULL) {
    return fail_memory(diag);
  }
  for (size_t i = 0; i < part->nodes.count; i++) {
    const tn_recorded *what = exec->nodes[part->nodes.items[i]].what;
    for (size_t k = 0; what != NULL && k < what->command.access_count; k++) {
      const tn_access *from = &what->accesses[k];
      tn_access *to = find_access(part, from->buffer);
      if (to == NULL) {
        to = &part->accesses[part->access_count++];
        *to = (tn_access){from->buffer, from->mode, TN_NO_ARG};
      } else {
        const uint32_t keeps = to->mode & from->mode & TN_ACCESS_NO_INIT;
        to->mode = ((to->mode | from->mode) & TN_ACCESS_READ_WRITE) | keeps;
      }
    }
  }
  return TN_OK;
}

typedef struct draft {
  tn_adapter_graph_node *nodes;  // owned arrays of `count`
  tn_resolved **resolved;        // owned each
  tn_index_list *after;
  size_t count;
} draft;

static void draft_free(draft *d) {
  for (size_t i = 0; i < d->count; i++) {
    if (d->resolved != NULL) {
      tn_resolved_free(d->resolved[i]);
    }
    if (d->after != NULL) {
      tn_free(d->after[i].items);
    }
  }
  tn_free(d->nodes);
  tn_free((void *)d->resolved);
  tn_free(d->after);
}

static tn_status draft_node(const tn_graph_exec *exec, const tn_exec_node *node, draft *d, size_t i,
                            tn_diag *diag) {
  for (size_t k = 0; k < node->before.count; k++) {
    const tn_exec_node *source = &exec->nodes[node->before.items[k]];
    if (source->part == node->part && !tn_index_list_add(&d->after[i], source->place)) {
      return fail_memory(diag);
    }
  }
  d->nodes[i].after = d->after[i].items;
  d->nodes[i].after_count = d->after[i].count;
  if (tn_exec_is_nothing(node)) {
    return TN_OK;
  }
  tn_command command;
  tn_recorded_borrow(node->what, &command);
  TN_TRY(tn_command_resolve(exec->queue, &command, &d->resolved[i], diag));
  d->nodes[i].command = tn_resolved_command(d->resolved[i]);
  return TN_OK;
}

static tn_status create(const tn_graph_exec *exec, const draft *d, tn_device_graph **out,
                        tn_diag *diag) {
  tn_device *device = exec->device;
  tn_device_graph *made = tn_alloc(sizeof(*made));
  if (made == NULL) {
    return fail_memory(diag);
  }
  tn_ref_init(&made->ref);
  made->api = device->api;
  const tn_status status =
      device->api->graph_create(device->adapter_device, d->nodes, d->count, &made->handle, diag);
  if (status == TN_OK) {
    *out = made;
  } else {
    tn_free(made);
  }
  return status;
}

static bool has_work(const tn_graph_exec *exec, const tn_exec_part *part) {
  for (size_t i = 0; i < part->nodes.count; i++) {
    if (!tn_exec_is_nothing(&exec->nodes[part->nodes.items[i]])) {
      return true;
    }
  }
  return false;
}

static tn_status make(const tn_graph_exec *exec, tn_exec_part *part, tn_device_graph **out,
                      tn_diag *diag) {
  draft d = {.count = part->nodes.count};
  *out = NULL;
  TN_TRY(join_accesses(exec, part, diag));
  if (!has_work(exec, part)) {
    return TN_OK;
  }
  d.nodes = tn_alloc_array(d.count, sizeof(*d.nodes));
  d.resolved = tn_alloc_array(d.count, sizeof(*d.resolved));
  d.after = tn_alloc_array(d.count, sizeof(*d.after));
  tn_status status =
      d.nodes != NULL && d.resolved != NULL && d.after != NULL ? TN_OK : fail_memory(diag);
  for (size_t i = 0; i < d.count && status == TN_OK; i++) {
    status = draft_node(exec, &exec->nodes[part->nodes.items[i]], &d, i, diag);
  }
  if (status == TN_OK) {
    status = create(exec, &d, out, diag);
  }
  draft_free(&d);
  return status;
}

tn_status tn_device_graph_make(const tn_graph_exec *exec, tn_exec_part *part, tn_diag *diag) {
  return make(exec, part, &part->native, diag);
}

void tn_device_graph_release(tn_device_graph *self) {
  if (self != NULL && tn_ref_down(&self->ref)) {
    self->api->graph_destroy(self->handle);
    tn_free(self);
  }
}

// ---- Updates

// What launches before an update may still use.
typedef struct outdated {
  tn_device_graph *native;  // a reference
  tn_recorded *version;     // retained
} outdated;

static void free_outdated(void *user) {
  outdated *self = user;
  tn_device_graph_release(self->native);
  tn_recorded_release(self->version);
  tn_free(self);
}

static tn_status replace(const tn_graph_exec *exec, tn_exec_part *part, tn_recorded *before,
                         tn_diag *diag) {
  outdated *old = tn_alloc(sizeof(*old));
  if (old == NULL) {
    return fail_memory(diag);
  }
  tn_device_graph *made = NULL;
  const tn_status status = make(exec, part, &made, diag);
  if (status != TN_OK) {
    tn_free(old);
    return status;
  }
  *old = (outdated){part->native, before};
  tn_recorded_retain(before);
  part->native = made;
  tn_exec_behind_launches(exec, old, free_outdated);
  return TN_OK;
}

static tn_status change(const tn_graph_exec *exec, tn_exec_part *part, const tn_exec_node *node,
                        const tn_recorded *before, tn_diag *diag) {
  tn_command command;
  tn_resolved *resolved = NULL;
  tn_recorded_borrow(node->what, &command);
  TN_TRY(tn_command_resolve(exec->queue, &command, &resolved, diag));
  tn_status status = exec->device->api->graph_update(part->native->handle, node->place,
                                                     tn_resolved_command(resolved), diag);
  tn_resolved_free(resolved);
  if (status == TN_OK && (command.access_count > 0 || before->command.access_count > 0)) {
    status = join_accesses(exec, part, diag);
  }
  return status;
}

tn_status tn_device_graph_update(const tn_graph_exec *exec, const tn_exec_node *node,
                                 tn_recorded *before, tn_diag *diag) {
  tn_exec_part *part = &exec->parts[node->part];
  if (!exec->has_graphs || part->is_task || (node->what->is_empty && before->is_empty)) {
    return TN_OK;
  }
  const bool can_change =
      part->native != NULL && node->what->is_empty == before->is_empty &&
      atomic_load_explicit(&part->native->ref.count, memory_order_acquire) == 1;
  return can_change ? change(exec, part, node, before, diag) : replace(exec, part, before, diag);
}
