// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The objects of the component: commands as they were recorded, nodes, graphs that grow. Private.
#ifndef TN_RUN_RECORDED_RECORDED_OBJECT_H
#define TN_RUN_RECORDED_RECORDED_OBJECT_H

#include "base/thread.h"
#include "run/recorded/recorded.h"

// One command with all that it points to. Counted; immutable once others see it: a node that is
// changed gets another one.
typedef struct tn_recorded {
  tn_ref ref;
  bool is_empty;                  // nothing to run
  tn_command command;             // points to what is below; without events
  tn_kernel *kernel;              // retained
  void *args;                     // owned; aligned
  tn_access *accesses;            // owned; each with a reference to its buffer
  tn_local *locals;               // owned
  void *pattern;                  // owned
  tn_graph_exec *nested;          // retained; of TN_COMMAND_GRAPH
  struct tn_recorded_user *user;  // shared with its other versions
} tn_recorded;

// What the command's user gave, until the last version goes.
typedef struct tn_recorded_user {
  tn_ref ref;
  tn_status (*host_task)(void *user, tn_diag *diag);
  void *user;
  void (*free_user)(void *user);
} tn_recorded_user;

// Copies a command that was found to be without fault; its user is taken over on success.
TN_MUST_USE tn_status tn_recorded_create(const tn_command *command, tn_kernel *kernel,
                                         bool is_empty, tn_recorded **out, tn_diag *diag);
// Another version, which nobody else sees yet.
TN_MUST_USE tn_status tn_recorded_copy(const tn_recorded *from, tn_recorded **out, tn_diag *diag);
void tn_recorded_retain(tn_recorded *recorded);
void tn_recorded_release(tn_recorded *recorded);  // NULL-safe
// The command as it is submitted: what the user gave is called, and kept until it has ended.
void tn_recorded_prepare(tn_recorded *recorded, tn_command *out);
// The same, for as long as the recorded one is there.
void tn_recorded_borrow(const tn_recorded *recorded, tn_command *out);

// What is kept with a graph's nodes (tn_graph_keep), for the graph and all that was finalized of
// it.
typedef struct tn_kept tn_kept;
struct tn_kept {
  tn_kept *next;
  void *user;
  void (*free_user)(void *user);
};
typedef struct tn_keeper {
  tn_ref ref;
  tn_kept *_Atomic first;  // owned; only grows
} tn_keeper;
void tn_keeper_release(tn_keeper *keeper);  // NULL-safe

typedef struct tn_node_list {
  tn_graph_node **nodes;  // owned array
  size_t count;
  size_t capacity;
} tn_node_list;

// All but `graph`, `index` and `queue` is guarded by the graph's lock.
struct tn_graph_node {
  tn_graph *graph;     // borrowed: has the node
  size_t index;        // in the graph
  uint64_t id;         // another one for each node of the process
  tn_queue *queue;     // only compared: which queue it was recorded from
  tn_recorded *what;   // retained
  tn_recorded *noted;  // retained: its buffers know that a queue records it; NULL
  tn_node_list before;
  tn_node_list after;
  uint64_t visited;  // the last search that came here
};

// A queue that records, or did.
typedef struct tn_recording tn_recording;
struct tn_recording {
  tn_recording *next;
  tn_queue *queue;  // borrowed while `is_open`, then only compared
  bool is_open;
  tn_graph_node *last;     // in order
  tn_graph_node *barrier;  // out of order
};

// Invariants
// 1. Nodes are only added, and edges are only added: who has a node may look at it for ever.
// 2. `users` of the language's handles; with the last one all recording ends. Nodes, events and
//    recording queues have references of `ref`, which keep the nodes.
// 3. Executable graphs hold no graph: one may be a node of the graph that it was made of.
// 4. Nobody else is called under the lock.
struct tn_graph {
  tn_recorder recorder;  // first
  tn_ref ref;
  tn_ref users;
  uint64_t id;
  uint32_t flags;       // immutable, as what follows
  tn_context *context;  // retained
  tn_device *device;    // static lifetime
  tn_queue *queue;      // retained: checks commands, runs none
  tn_keeper *keeper;    // retained
  tn_mutex mu;
  tn_node_list nodes TN_GUARDED_BY(&mu);
  tn_recording *recordings TN_GUARDED_BY(&mu);
  uint64_t search TN_GUARDED_BY(&mu);  // the number of the last search
  // tn_graph_begin_adding: one thread at a time.
  tn_cond added;
  bool is_adding TN_GUARDED_BY(&mu);
  tn_node_list adding_after TN_GUARDED_BY(&mu);
  tn_graph_node *last_added TN_GUARDED_BY(&mu);
};

void tn_graph_ref(tn_graph *graph);
void tn_graph_unref(tn_graph *graph);

bool tn_node_list_push(tn_node_list *list, tn_graph_node *node);  // false without memory
void tn_node_list_free(tn_node_list *list);
bool tn_node_list_has(const tn_node_list *list, const tn_graph_node *node);

// The node's version, retained, and another one in its place, which is taken over.
tn_recorded *tn_graph_node_version(tn_graph_node *node);
void tn_graph_node_set_version(tn_graph_node *node, tn_recorded *take_version);
// recorded_edges.c
TN_MUST_USE tn_status tn_graph_connect(tn_graph *graph, tn_graph_node *from, tn_graph_node *to,
                                       tn_diag *diag) TN_REQUIRES(&graph->mu);
// Behind the nodes before it that use the same bytes.
TN_MUST_USE tn_status tn_graph_connect_buffers(tn_graph *graph, tn_graph_node *node, tn_diag *diag)
    TN_REQUIRES(&graph->mu);
// recorded_dynamic.c: local memory whose size can be changed.
// Gives such memory the id that recorded commands have for it; other memory keeps its id.
void tn_dynamic_bind(tn_local *local);
// Lists the node with the objects whose memory the command has. Without memory none lists it.
TN_MUST_USE tn_status tn_dynamic_note(tn_graph_node *node, const tn_recorded *what, tn_diag *diag);
void tn_dynamic_forget_node(const tn_graph_node *node);
void tn_dynamic_forget_graph(const tn_graph *graph);
// recorded_queue.c: what a graph asks of the buffers of its commands.
TN_MUST_USE tn_status tn_graph_check_buffers(const tn_graph *graph, const tn_command *command,
                                             tn_diag *diag);
// The recorder's functions.
tn_status tn_graph_record(tn_recorder *recorder, tn_queue *queue, const tn_command *command,
                          tn_event **out_event, tn_diag *diag);
tn_status tn_graph_join(tn_recorder *recorder, tn_queue *queue, tn_diag *diag);

#endif
