// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs: commands that are recorded once and launched as one, as often as wanted. See tenon.h for
// ownership and threading. Source: the SYCL extension sycl_ext_oneapi_graph.
#ifndef TENON_GRAPH_H
#define TENON_GRAPH_H

#include "tenon/queue.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tn_graph tn_graph;            // counted; grows
typedef struct tn_graph_node tn_graph_node;  // lives as long as its graph, or anyone who retains it
// tn_graph_exec, counted, is what a graph was when it was finalized.

enum {
  TN_GRAPH_NO_CYCLE_CHECK = 1u << 0,
  TN_GRAPH_BUFFERS_OUTLIVE = 1u << 1,  // the caller keeps buffers open as long as the graph
};
// The device must be of the context. The caller owns one reference.
TN_API TN_MUST_USE tn_status tn_graph_create(tn_context *context, tn_device *device, uint32_t flags,
                                             tn_graph **out, tn_diag *diag);
TN_API void tn_graph_retain(tn_graph *graph);
// With the last reference all recording ends.
TN_API void tn_graph_release(tn_graph *graph);
TN_API tn_context *tn_graph_context(const tn_graph *graph);  // borrowed
TN_API tn_device *tn_graph_device(const tn_graph *graph);
TN_API uint32_t tn_graph_flags(const tn_graph *graph);
TN_API uint64_t tn_graph_id(const tn_graph *graph);  // another one for each graph of the process
// The queue that commands of tn_graph_add are checked against; it runs none. Borrowed.
TN_API tn_queue *tn_graph_queue(const tn_graph *graph);

// ---- Recording. What is submitted to a recording queue becomes a node, and does not run. Its
// event stands for the node: later commands that are recorded by the same graph may depend on it, a
// queue that gets such a command records from then on, and nothing can wait for it. Nodes also
// depend on the node before them in an in-order queue, and on nodes that use the same bytes of a
// buffer when one of them writes. INVALID_ARGUMENT when the queue records already, or is of another
// device or context.
TN_API TN_MUST_USE tn_status tn_graph_begin_recording(tn_graph *graph, tn_queue *queue,
                                                      tn_diag *diag);
// NULL: of all queues. INVALID_ARGUMENT when the queue records for another graph.
TN_API TN_MUST_USE tn_status tn_graph_end_recording(tn_graph *graph, tn_queue *queue,
                                                    tn_diag *diag);
TN_API int tn_queue_is_recording(const tn_queue *queue);
// The graph that the queue records for, with a reference for the caller; NULL when it does not.
TN_API tn_graph *tn_graph_of_queue(tn_queue *queue);

// ---- Nodes
// A node after others of the graph. INVALID_ARGUMENT while a queue records for the graph.
TN_API TN_MUST_USE tn_status tn_graph_add(tn_graph *graph, const tn_command *command,
                                          tn_graph_node *const *after, size_t after_count,
                                          tn_graph_node **out, tn_diag *diag);
// The same for commands that others submit: what tn_graph_queue gets between the two becomes nodes,
// `after` these. The second returns the last one, or NULL.
TN_API TN_MUST_USE tn_status tn_graph_begin_adding(tn_graph *graph, tn_graph_node *const *after,
                                                   size_t after_count, tn_diag *diag);
TN_API tn_graph_node *tn_graph_end_adding(tn_graph *graph);
// INVALID_ARGUMENT when they are the same node, of other graphs, or make a circle.
TN_API TN_MUST_USE tn_status tn_graph_make_edge(tn_graph *graph, tn_graph_node *from,
                                                tn_graph_node *to, tn_diag *diag);
TN_API void tn_graph_node_retain(tn_graph_node *node);
TN_API void tn_graph_node_release(tn_graph_node *node);
// The node of a recorded command's event; NULL for other events. Borrowed from the event.
TN_API tn_graph_node *tn_graph_node_of_event(const tn_event *event);
enum {
  TN_GRAPH_NODE_EMPTY = 0,
  TN_GRAPH_NODE_SUBGRAPH,
  TN_GRAPH_NODE_KERNEL,
  TN_GRAPH_NODE_MEMCPY,
  TN_GRAPH_NODE_MEMSET,  // a fill with one byte
  TN_GRAPH_NODE_MEMFILL,
  TN_GRAPH_NODE_PREFETCH,
  TN_GRAPH_NODE_MEMADVISE,
  TN_GRAPH_NODE_BARRIER,
  TN_GRAPH_NODE_HOST_TASK,
  TN_GRAPH_NODE_NATIVE
};
TN_API int32_t tn_graph_node_type(const tn_graph_node *node);
enum { TN_GRAPH_ALL = 0, TN_GRAPH_ROOTS = 1, TN_GRAPH_LEAVES = 2 };
// Up to `capacity` nodes, borrowed, in the order in which they were added; returns how many.
TN_API size_t tn_graph_get_nodes(tn_graph *graph, int32_t which, tn_graph_node **out,
                                 size_t capacity);
TN_API size_t tn_graph_node_get_before(tn_graph_node *node, tn_graph_node **out, size_t capacity);
TN_API size_t tn_graph_node_get_after(tn_graph_node *node, tn_graph_node **out, size_t capacity);
// What `user` is is kept as long as the nodes are, and then given to `free_user`.
TN_API TN_MUST_USE tn_status tn_graph_keep(tn_graph_node *node, void *user,
                                           void (*free_user)(void *user), tn_diag *diag);
// Calls `function` once when the graph, its nodes and the executable graphs that were finalized of
// it are destroyed: launches that run have completed. On the thread that released the last of them,
// maybe one of the runtime's, with no lock held. Of several functions the last one is called first.
TN_API TN_MUST_USE tn_status tn_graph_on_destroy(tn_graph *graph, void *user,
                                                 void (*function)(void *user), tn_diag *diag);
// Another range for a kernel, of the same dimensions. `local`, the size of work-groups, may be
// NULL, also for a kernel that has work-groups; one that has none ignores it. Executable graphs see
// the range with tn_graph_exec_update_node.
TN_API TN_MUST_USE tn_status tn_graph_node_set_range(tn_graph_node *node, uint32_t dims,
                                                     const uint64_t *global, const uint64_t *local,
                                                     tn_diag *diag);
// Other bytes in a kernel's argument block.
TN_API TN_MUST_USE tn_status tn_graph_node_set_args(tn_graph_node *node, uint32_t offset,
                                                    const void *bytes, uint32_t size,
                                                    tn_diag *diag);
// What another node does, of any graph of the same device and context: a kernel for a kernel, a
// host task for a host task. Edges stay.
TN_API TN_MUST_USE tn_status tn_graph_node_replace(tn_graph_node *node, const tn_graph_node *from,
                                                   tn_diag *diag);
// A description in the language of Graphviz. IO.
TN_API TN_MUST_USE tn_status tn_graph_print(tn_graph *graph, const char *path, int verbose,
                                            tn_diag *diag);

// ---- Executable graphs
enum { TN_GRAPH_UPDATABLE = 1u << 0, TN_GRAPH_PROFILING = 1u << 1 };
// The caller owns one reference. INVALID_ARGUMENT for a circle.
TN_API TN_MUST_USE tn_status tn_graph_finalize(tn_graph *graph, uint32_t flags, tn_graph_exec **out,
                                               tn_diag *diag);
TN_API void tn_graph_exec_retain(tn_graph_exec *exec);
// What was launched still runs to its end.
TN_API void tn_graph_exec_release(tn_graph_exec *exec);
TN_API tn_context *tn_graph_exec_context(const tn_graph_exec *exec);  // borrowed
TN_API tn_device *tn_graph_exec_device(const tn_graph_exec *exec);
// How many pieces the device gets: 1 when the graph is one for the driver as well.
TN_API size_t tn_graph_exec_part_count(const tn_graph_exec *exec);
// All of it, after the events and, for the queue, as one command: as tn_queue_submit. Two launches
// of one graph follow each other. WRONG_CONTEXT when the queue is of another device or context.
TN_API TN_MUST_USE tn_status tn_graph_launch(tn_graph_exec *exec, tn_queue *queue,
                                             const tn_event *const *events, size_t event_count,
                                             tn_event **out_event, tn_diag *diag);
// Takes over the nodes' ranges and arguments as they are now, for launches from now on.
// INVALID_ARGUMENT when the graph is not updatable, or the node was not in it.
TN_API TN_MUST_USE tn_status tn_graph_exec_update_node(tn_graph_exec *exec, tn_graph_node *node,
                                                       tn_diag *diag);
// From a graph with the same nodes and edges in the same order.
TN_API TN_MUST_USE tn_status tn_graph_exec_update(tn_graph_exec *exec, tn_graph *from,
                                                  tn_diag *diag);

#ifdef __cplusplus
}
#endif
#endif
