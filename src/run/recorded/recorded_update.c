// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Changing what an executable graph's nodes do, for launches from now on.
#include "base/alloc.h"
#include "run/recorded/recorded_exec.h"

static tn_status check_updatable(const tn_graph_exec *exec, tn_diag *diag) {
  return (exec->flags & TN_GRAPH_UPDATABLE) != 0
             ? TN_OK
             : TN_FAIL(diag, INVALID_ARGUMENT,
                       "the graph was finalized without property::graph::updatable, so its nodes "
                       "stay as they are");
}

// Takes the version over when it is used.
static tn_status set_version(tn_exec_node *node, const tn_graph_exec *exec, tn_recorded *version,
                             tn_diag *diag) {
  const uint32_t kind = version->command.kind;
  if (kind != node->what->command.kind) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "a graph is updated from nodes of the same kinds only");
  }
  tn_recorded *before = node->what;
  node->what = version;
  const tn_status status = kind == TN_COMMAND_KERNEL
                               ? tn_device_graph_update(exec, node, before, diag)
                               : TN_OK;
  if (status == TN_OK) {
    tn_recorded_retain(version);
    tn_recorded_release(before);
  } else {
    node->what = before;
  }
  return status;
}

tn_status tn_graph_exec_update_node(tn_graph_exec *exec, tn_graph_node *node, tn_diag *diag) {
  if (exec == NULL || node == NULL) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "an update needs a graph and a node");
  }
  TN_TRY(check_updatable(exec, diag));
  tn_recorded *version = tn_graph_node_version(node);
  const uint32_t kind = version->command.kind;
  bool is_found = false;
  tn_status status = TN_OK;
  if (kind != TN_COMMAND_KERNEL && kind != TN_COMMAND_HOST_TASK) {
    status = TN_FAIL(diag, INVALID_ARGUMENT, "only kernels and host tasks of a graph are updated");
  }
  tn_exec_enter(exec);
  for (size_t i = 0; i < exec->node_count && status == TN_OK; i++) {
    if (exec->nodes[i].id == node->id) {
      is_found = true;
      status = set_version(&exec->nodes[i], exec, version, diag);
    }
  }
  tn_exec_leave(exec);
  tn_recorded_release(version);
  return status != TN_OK || is_found
             ? status
             : TN_FAIL(diag, INVALID_ARGUMENT,
                       "the node was not in the graph when that was finalized");
}

static tn_status check_source(const tn_graph_exec *exec, tn_graph *from, tn_diag *diag) {
  if (from->device != exec->device || from->context != tn_queue_context(exec->queue)) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "a graph is updated from one of the same device and context only");
  }
  const size_t count = tn_graph_get_nodes(from, TN_GRAPH_ALL, NULL, 0);
  if (count != exec->node_count) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "a graph of %zu nodes is updated from one of %zu: both need the same nodes and "
                   "edges, and no graphs in them",
                   exec->node_count, count);
  }
  return TN_OK;
}

static tn_status check_pair(const tn_exec_node *node, const tn_recorded *version, tn_diag *diag) {
  const uint32_t kind = version->command.kind;
  const bool is_known = kind == TN_COMMAND_KERNEL || kind == TN_COMMAND_HOST_TASK ||
                        kind == TN_COMMAND_NONE || kind == TN_COMMAND_BARRIER ||
                        kind == TN_COMMAND_EVENT_BARRIER;
  if (!is_known || node->id == 0) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "a graph is updated from kernels, host tasks, barriers and empty nodes only");
  }
  if (kind == TN_COMMAND_KERNEL && version->kernel != node->what->kernel) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "kernel %s of the graph would become kernel %s: both graphs need the same "
                   "kernels",
                   node->what->kernel != NULL ? node->what->kernel->display_name : "(none)",
                   version->kernel->display_name);
  }
  return TN_OK;
}

tn_status tn_graph_exec_update(tn_graph_exec *exec, tn_graph *from, tn_diag *diag) {
  if (exec == NULL || from == NULL) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "an update needs two graphs");
  }
  TN_TRY(check_updatable(exec, diag));
  TN_TRY(check_source(exec, from, diag));
  const size_t count = exec->node_count;
  tn_graph_node **nodes = tn_alloc_array(count > 0 ? count : 1, sizeof(*nodes));
  if (nodes == NULL) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to update a graph");
  }
  tn_status status = TN_OK;
  (void)tn_graph_get_nodes(from, TN_GRAPH_ALL, nodes, count);
  tn_exec_enter(exec);
  for (size_t pass = 0; pass < 2 && status == TN_OK; pass++) {  // checked whole, then changed
    for (size_t i = 0; i < count && status == TN_OK; i++) {
      tn_exec_node *node = &exec->nodes[i];
      const size_t index = node->id != 0 ? node->index : count;
      tn_recorded *version = tn_graph_node_version(nodes[index < count ? index : 0]);
      if (index >= count) {
        status = TN_FAIL(diag, INVALID_ARGUMENT,
                         "a graph with other graphs in it is updated node by node");
      } else {
        status =
            pass == 0 ? check_pair(node, version, diag) : set_version(node, exec, version, diag);
      }
      tn_recorded_release(version);
    }
  }
  tn_exec_leave(exec);
  tn_free((void *)nodes);
  return status;
}
