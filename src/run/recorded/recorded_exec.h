// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A graph as it was finalized: nodes in an order in which they can run, and the parts that a device
// gets. Private.
#ifndef TN_RUN_RECORDED_RECORDED_EXEC_H
#define TN_RUN_RECORDED_RECORDED_EXEC_H

#include "run/recorded/recorded_object.h"

typedef struct tn_index_list {
  uint32_t *items;  // owned
  size_t count;
  size_t capacity;
} tn_index_list;
bool tn_index_list_add(tn_index_list *list, uint32_t item);  // once; false without memory

typedef struct tn_exec_node {
  uint64_t id;           // of the graph's node; 0 for the ends of nested graphs
  size_t index;          // that one's in its graph
  tn_recorded *what;     // retained; NULL: nothing to run
  tn_index_list before;  // earlier nodes
  uint32_t phase;        // which of the parts that can be of one kind
  uint32_t part;
  uint32_t place;  // in the part
} tn_exec_node;

// A graph of the device's. Launches that the device has not been given yet have a reference.
typedef struct tn_device_graph {
  tn_ref ref;
  const tn_adapter_api *api;
  tn_adapter_graph *handle;  // owned
} tn_device_graph;

// What is submitted as one command: a graph of the device's, or a single node.
typedef struct tn_exec_part {
  uint32_t phase;
  bool is_task;  // a host task: not for the device
  tn_index_list nodes;
  tn_index_list before;  // earlier parts
  bool is_leaf;
  tn_device_graph *native;  // a reference; NULL: node by node, or nothing to do
  tn_access *accesses;      // owned: of all its nodes, each buffer once
  size_t access_count;
} tn_exec_part;

// Immutable after finalizing, but for what is guarded by the turn: `what` of nodes, what the device
// has of parts, and where it was launched last.
struct tn_graph_exec {
  tn_replay replay;  // first
  tn_ref ref;
  uint32_t flags;
  tn_queue *queue;      // retained: the graph's, with its device and context
  tn_device *device;    // static lifetime
  tn_keeper *keeper;    // retained
  tn_exec_node *nodes;  // owned
  size_t node_count;
  tn_exec_part *parts;  // owned
  size_t part_count;
  bool has_graphs;       // the device gets graphs of its own
  atomic_bool is_busy;   // the turn
  tn_queue *last_queue;  // retained; in order
  tn_event *last_event;  // retained; of other queues
};

// Between the two the calling thread is alone.
void tn_exec_enter(tn_graph_exec *exec);
void tn_exec_leave(tn_graph_exec *exec);
// Calls it when the launches so far are complete; at once when there were none.
void tn_exec_behind_launches(const tn_graph_exec *exec, void *user, void (*function)(void *user));

// recorded_parts.c: parts, and the device's graphs for them. Nodes are there.
TN_MUST_USE tn_status tn_exec_make_parts(tn_graph_exec *exec, tn_diag *diag);
void tn_exec_free_parts(tn_graph_exec *exec);
bool tn_exec_is_nothing(const tn_exec_node *node);  // for a device to do
// recorded_device.c: the graph that the device has of a part.
TN_MUST_USE tn_status tn_device_graph_make(const tn_graph_exec *exec, tn_exec_part *part,
                                           tn_diag *diag);
void tn_device_graph_release(tn_device_graph *self);  // may be NULL
// The node was `before`, and is another version for launches from now on.
TN_MUST_USE tn_status tn_device_graph_update(const tn_graph_exec *exec, const tn_exec_node *node,
                                             tn_recorded *before, tn_diag *diag);
// recorded_launch.c: tn_replay.
tn_status tn_exec_submit(tn_replay *replay, tn_queue *queue, const tn_command *command,
                         tn_event **out_event, tn_diag *diag);

#endif
