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

static tn_status fail_memory(tn_diag *diag) {
  return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the parts of a graph");
}

static bool is_task(const tn_exec_node *node) {
  const uint32_t kind = node->what != NULL ? node->what->command.kind : TN_COMMAND_NONE;
  return kind == TN_COMMAND_HOST_TASK || kind == TN_COMMAND_INTEROP_TASK;
}

bool tn_exec_is_nothing(const tn_exec_node *node) {
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

static tn_status make_natives(tn_graph_exec *exec, tn_diag *diag) {
  for (size_t i = 0; i < exec->part_count; i++) {
    if (!exec->parts[i].is_task) {
      TN_TRY(tn_device_graph_make(exec, &exec->parts[i], diag));
    }
  }
  return TN_OK;
}

void tn_exec_free_parts(tn_graph_exec *exec) {
  for (size_t i = 0; i < exec->part_count; i++) {
    tn_exec_part *part = &exec->parts[i];
    tn_device_graph_release(part->native);
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
  exec->has_graphs = has_graphs;
  return has_graphs ? make_natives(exec, diag) : TN_OK;
}

tn_status tn_exec_make_parts(tn_graph_exec *exec, tn_diag *diag) {
  tn_diag reason = {0};
  tn_status status = TN_UNSUPPORTED;
  if (TN_ADAPTER_HAS(exec->device->api, graph_create) && exec->node_count > 0) {
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
