// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a device gets of an executable graph. Where it has graphs of its own, all that lies between
// two host tasks is one; elsewhere each node is a part.
//
// A node's phase is the number of changes between the device and the host on the way to it; nodes
// of the device in one phase are one part, and nothing that comes after a part can be before
// something of it.
#include "base/alloc.h"
#include "base/log.h"
#include "run/recorded/recorded_exec.h"

const tn_adapter_api *tn_exec_graph_api(const tn_graph_exec *exec) {
  const tn_adapter_api *api = exec->device->api;
  return TN_ADAPTER_HAS(api, graph_create) ? api : NULL;
}

static tn_status fail_memory(tn_diag *diag) {
  return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the parts of a graph");
}

static bool is_task(const tn_exec_node *node) {
  const uint32_t kind = node->what != NULL ? node->what->command.kind : TN_COMMAND_NONE;
  return kind == TN_COMMAND_HOST_TASK || kind == TN_COMMAND_INTEROP_TASK;
}

// Nothing that a device would have to do.
static bool is_nothing(const tn_exec_node *node) {
  const uint32_t kind = node->what != NULL ? node->what->command.kind : TN_COMMAND_NONE;
  return kind == TN_COMMAND_NONE || kind == TN_COMMAND_BARRIER ||
         kind == TN_COMMAND_EVENT_BARRIER || kind == TN_COMMAND_GRAPH ||
         (node->what->is_empty && !is_task(node));
}

static uint32_t find_phases(tn_graph_exec *exec) {
  uint32_t last = 0;
  for (size_t i = 0; i < exec->node_count; i++) {
    tn_exec_node *node = &exec->nodes[i];
    node->phase = 0;
    for (size_t k = 0; k < node->before.count; k++) {
      const tn_exec_node *source = &exec->nodes[node->before.items[k]];
      const uint32_t phase = source->phase + (is_task(source) || is_task(node) ? 1 : 0);
      node->phase = phase > node->phase ? phase : node->phase;
    }
    last = node->phase > last ? node->phase : last;
  }
  return last;
}

static bool add_to_part(tn_graph_exec *exec, size_t part, size_t index) {
  tn_exec_node *node = &exec->nodes[index];
  node->part = (uint32_t)part;
  node->place = (uint32_t)exec->parts[part].nodes.count;
  exec->parts[part].phase = node->phase;
  exec->parts[part].is_task = is_task(node);
  return tn_index_list_add(&exec->parts[part].nodes, (uint32_t)index);
}

static bool group_by_phase(tn_graph_exec *exec) {
  const uint32_t last = find_phases(exec);
  bool ok = true;
  for (uint32_t phase = 0; phase <= last && ok; phase++) {
    const size_t shared = exec->part_count;
    bool has_shared = false;
    for (size_t i = 0; i < exec->node_count && ok; i++) {
      if (exec->nodes[i].phase == phase && !is_task(&exec->nodes[i])) {
        ok = add_to_part(exec, shared, i);
        has_shared = true;
      }
    }
    exec->part_count += has_shared ? 1 : 0;
    for (size_t i = 0; i < exec->node_count && ok; i++) {
      if (exec->nodes[i].phase == phase && is_task(&exec->nodes[i])) {
        ok = add_to_part(exec, exec->part_count++, i);
      }
    }
  }
  return ok;
}

static bool one_by_one(tn_graph_exec *exec) {
  bool ok = true;
  for (size_t i = 0; i < exec->node_count && ok; i++) {
    ok = add_to_part(exec, exec->part_count++, i);
  }
  return ok;
}

static bool connect_parts(tn_graph_exec *exec) {
  bool ok = true;
  for (size_t i = 0; i < exec->part_count; i++) {
    exec->parts[i].is_leaf = true;
  }
  for (size_t i = 0; i < exec->node_count && ok; i++) {
    const tn_exec_node *node = &exec->nodes[i];
    for (size_t k = 0; k < node->before.count && ok; k++) {
      const uint32_t from = exec->nodes[node->before.items[k]].part;
      if (from != node->part) {
        exec->parts[from].is_leaf = false;
        ok = tn_index_list_add(&exec->parts[node->part].before, from);
      }
    }
  }
  return ok;
}

// ---- The device's graphs

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
  if (is_nothing(node)) {
    return TN_OK;
  }
  tn_command command;
  tn_recorded_borrow(node->what, &command);
  TN_TRY(tn_command_resolve(exec->queue, &command, &d->resolved[i], diag));
  d->nodes[i].command = tn_resolved_command(d->resolved[i]);
  return TN_OK;
}

static tn_status make_native(const tn_graph_exec *exec, tn_exec_part *part, tn_diag *diag) {
  draft d = {.count = part->nodes.count};
  tn_device *device = exec->device;
  TN_TRY(join_accesses(exec, part, diag));
  d.nodes = tn_alloc_array(d.count, sizeof(*d.nodes));
  d.resolved = tn_alloc_array(d.count, sizeof(*d.resolved));
  d.after = tn_alloc_array(d.count, sizeof(*d.after));
  tn_status status =
      d.nodes != NULL && d.resolved != NULL && d.after != NULL ? TN_OK : fail_memory(diag);
  for (size_t i = 0; i < d.count && status == TN_OK; i++) {
    status = draft_node(exec, &exec->nodes[part->nodes.items[i]], &d, i, diag);
  }
  if (status == TN_OK) {
    status =
        device->api->graph_create(device->adapter_device, d.nodes, d.count, &part->native, diag);
  }
  draft_free(&d);
  return status;
}

static bool has_work(const tn_graph_exec *exec, const tn_exec_part *part) {
  for (size_t i = 0; i < part->nodes.count; i++) {
    if (!is_nothing(&exec->nodes[part->nodes.items[i]])) {
      return true;
    }
  }
  return false;
}

static tn_status make_natives(tn_graph_exec *exec, tn_diag *diag) {
  for (size_t i = 0; i < exec->part_count; i++) {
    if (!exec->parts[i].is_task && has_work(exec, &exec->parts[i])) {
      TN_TRY(make_native(exec, &exec->parts[i], diag));
    }
  }
  return TN_OK;
}

void tn_exec_free_parts(tn_graph_exec *exec) {
  const tn_adapter_api *api = tn_exec_graph_api(exec);
  for (size_t i = 0; i < exec->part_count; i++) {
    tn_exec_part *part = &exec->parts[i];
    if (part->native != NULL) {
      api->graph_destroy(part->native);
    }
    tn_free(part->nodes.items);
    tn_free(part->before.items);
    tn_free(part->accesses);
  }
  tn_free(exec->parts);
  exec->parts = NULL;
  exec->part_count = 0;
}

static tn_status make_parts(tn_graph_exec *exec, bool has_graphs, tn_diag *diag) {
  exec->parts = tn_alloc_array(exec->node_count > 0 ? exec->node_count : 1, sizeof(*exec->parts));
  if (exec->parts == NULL) {
    return fail_memory(diag);
  }
  if (!(has_graphs ? group_by_phase(exec) : one_by_one(exec)) || !connect_parts(exec)) {
    return fail_memory(diag);
  }
  return has_graphs ? make_natives(exec, diag) : TN_OK;
}

tn_status tn_exec_make_parts(tn_graph_exec *exec, tn_diag *diag) {
  tn_diag reason = {0};
  tn_status status = TN_UNSUPPORTED;
  if (tn_exec_graph_api(exec) != NULL && exec->node_count > 0) {
    status = make_parts(exec, true, &reason);
    if (status == TN_UNSUPPORTED) {
      TN_LOG(sched, "a graph is given to %s node by node: %s", exec->device->name, reason.text);
      tn_exec_free_parts(exec);
    } else if (status != TN_OK && diag != NULL) {
      *diag = reason;
    }
  }
  return status == TN_UNSUPPORTED ? make_parts(exec, false, diag) : status;
}
