// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The objects of the dependency graph, private to run/sched.
//
// A node is a submitted command that is not complete; others see its event only. Each edge
// belongs to the dependent node and is linked into a list of the event it depends on. Completion
// closes that list with one exchange, so adding an edge and completing need no lock:
//   node->pending = unresolved edges + 1 while it is being submitted (+ 1 while gated)
// The thread that takes `pending` to zero owns the node and starts it.
#ifndef TN_RUN_SCHED_GRAPH_H
#define TN_RUN_SCHED_GRAPH_H

#include "run/sched/sched.h"

typedef struct tn_node tn_node;
typedef struct tn_node_pool tn_node_pool;
typedef struct tn_epoch tn_epoch;
typedef struct tn_failure_origins tn_failure_origins;  // failure_origin.c

#define TN_EDGES_CLOSED ((uintptr_t)1)
typedef struct tn_edge tn_edge;
struct tn_edge {
  tn_edge *next;       // in the source's list
  tn_node *node;       // the dependent one
  tn_event *source;    // retained until the node is recycled
  bool is_order_only;  // write after read: a failure of the source is not passed on
  bool is_on_device;   // the device waits: the edge is in no list, and the source is in a stream
};

struct tn_event {
  tn_ref ref;
  _Atomic int32_t state;            // TN_EVENT_…; what is below is immutable once COMPLETE is seen
  _Atomic uintptr_t waiting_edges;  // list of tn_edge, or TN_EDGES_CLOSED
  bool has_profiling;
  bool is_tag;              // tn_event_make_tag
  bool is_host_access;
  bool is_native;           // of an event of the driver's that the program made
  _Atomic bool is_launch;   // in a stream without a node (launch_event.c), and not complete
  _Atomic bool is_tracked;  // a launch that the device notifies of
  _Atomic uint8_t passage;  // of a node: TN_PASSAGE_…
  uint64_t launch_number;   // of a launch: its number in the launch order of its queue, from 1
  // Of a node: the stream that it was submitted to. Its queue keeps it until the event is complete.
  tn_adapter_stream *_Atomic stream;
  tn_adapter_mark *_Atomic mark;  // its position in its stream, once something has asked; owned
  tn_status status;               // of the command
  tn_diag *error;  // owned; NULL on success (and when there was no memory for it)
  tn_failure_origins *origins;  // shared; queues of failed commands among its dependencies
  uint64_t submit_ns;
  uint64_t start_ns;
  uint64_t end_ns;
  tn_queue *queue;        // borrowed; NULL for events without a command
  tn_device *device;      // static lifetime; NULL as above
  tn_node_pool *pool;     // whose memory it is; counts it. NULL: from the heap
  tn_node *node;          // guarded by the pool's lock; NULL once complete
  tn_event *next_free;    // guarded by the pool's lock
  tn_recorder *recorder;  // retained; of a recorded command, which never completes
  void *recorded_node;    // the recorder's
  tn_event *first;        // retained; of the last of several commands: the first of them
};

// Through the gate of its queue (queue_state.h), which counts it: pending, in the queue's stream,
// complete.
enum { TN_PASSAGE_PENDING = 0, TN_PASSAGE_GIVEN = 1, TN_PASSAGE_LEFT = 2 };

// Beside TN_COMMAND_…: a marker, which completes when all that its queue's stream was given before
// is complete.
enum { TN_NODE_MARKER = 1000 };
enum { TN_NODE_INLINE_ARGS = 256, TN_NODE_INLINE_EDGES = 8, TN_NODE_INLINE_BUFFERS = 8 };

struct tn_node {
  _Alignas(64) unsigned char inline_args[TN_NODE_INLINE_ARGS];
  _Atomic uint32_t pending;
  tn_failure_origins *origins;      // shared; guarded in failure_origin.c, becomes the event's
  uint32_t kind;                    // TN_COMMAND_…
  tn_queue *queue;                  // retained
  tn_device *device;                // where it runs: the queue's, or a transfer's
  bool in_stream;                   // goes to a stream: the queue's own, or one of its pool
  tn_adapter_stream *failed_in;     // the queue's; that of a command that failed there, or NULL
  bool is_transfer;                 // in the order of a buffer's uses, not in its queue's
  tn_event *event;                  // retained
  tn_node *next;                    // in the one list it is in: free, ready, host tasks
  tn_kernel *kernel;                // retained; NULL for other kinds
  void *heap_args;                  // owned; args that do not fit inline
  tn_buffer **buffers;              // inline_buffers or owned; each a command's reference
  size_t buffer_count;
  tn_edge *edges;  // inline_edges or owned
  size_t edge_capacity;
  _Atomic size_t edge_count;
  tn_status (*host_task)(void *user, tn_diag *diag);
  void *user;
  void (*free_user)(void *user);
  tn_epoch *epoch;  // counts the node; NULL: no barrier waits for it by count
  tn_adapter_command command;
  tn_edge inline_edges[TN_NODE_INLINE_EDGES];
  tn_buffer *inline_buffers[TN_NODE_INLINE_BUFFERS];
};

// ---- Memory for nodes and events (node_pool.c)

// Events and nodes of one queue, kept for reuse: launching allocates nothing in the steady state.
// Lives until the queue is destroyed and all events are recycled.
tn_node_pool *tn_node_pool_create(tn_queue *queue);
void tn_node_pool_close(tn_node_pool *pool);  // by the queue, when it is destroyed
// Beside the queue and its events. Such a user takes nothing from the pool.
void tn_node_pool_retain(tn_node_pool *pool);
void tn_node_pool_release(tn_node_pool *pool);
// The queue with a reference for the caller; NULL when it is destroyed or about to be.
tn_queue *tn_node_pool_retain_queue(tn_node_pool *pool);
// An event of one reference, SUBMITTED; NULL when there is no memory.
tn_event *tn_event_take(tn_node_pool *pool);
// An event with its node, pending = 1. False when there is no memory.
bool tn_node_take(tn_node_pool *pool, tn_node **out_node, tn_event **out_event);
// Drops all that the node holds except its queue and event, and keeps it for reuse.
void tn_node_recycle(tn_node *node);
// The same for events; called by tn_event_release.
void tn_event_recycle(tn_event *event);
// An event from the heap, SUBMITTED, of one reference.
tn_event *tn_event_create_plain(void);

// ---- Edges and completion (graph.c)

static inline bool tn_event_is_complete(const tn_event *event) {
  // Sequentially consistent for tn_park; see there.
  return atomic_load_explicit(&event->state, memory_order_seq_cst) == TN_EVENT_COMPLETE;
}

// Room for `count` more edges. False when there is no memory.
bool tn_node_reserve_edges(tn_node *node, size_t count);
// Makes the node depend on `source` unless that is complete or its own; room must be there. With
// `is_order_only` a failure of the source is not passed on to the node's event.
void tn_node_wait_for(tn_node *node, tn_event *source, bool is_order_only);
// From now on the host waits for the edge, which the device was to wait for.
void tn_edge_move_to_host(tn_edge *edge);
// Has devices notify soon of the completion of sources that the node waits for on the host. Not
// under a lock; while the node is being submitted.
void tn_node_flush_sources(const tn_node *node);
// One dependency less. Starts the node when it was the last.
void tn_node_unblock(tn_node *node);
// The command is complete: publishes the outcome, also to the queue's list of failures, starts
// nodes that became ready, recycles the node.
void tn_node_complete(tn_node *node, tn_status status, const tn_diag *diag, uint64_t start_ns,
                      uint64_t end_ns);
// The outcome of a command that is not complete, and not to be run any more.
void tn_event_fail(tn_event *event, tn_status status, const tn_diag *diag);
// Completes an event without a node (host access).
void tn_event_complete_plain(tn_event *event);
// The same for an event that nobody has seen yet.
void tn_event_init_complete(tn_event *event);
// Starts nodes that became ready on this thread but were not started yet.
void tn_graph_drain(void);
// Whether dependents of the event wait for it on the host.
static inline bool tn_event_has_waiting_edges(const tn_event *event) {
  const uintptr_t edges = atomic_load_explicit(&event->waiting_edges, memory_order_seq_cst);
  return edges != 0 && edges != TN_EDGES_CLOSED;
}

// Adds to the set the queues of failed commands that `source`, which is complete, has as its
// origins, and its own if it failed.
void tn_failure_origins_add(tn_failure_origins **origins, const tn_event *source);
void tn_failure_origins_release(tn_failure_origins *origins);  // NULL-safe

// ---- Starting (node_start.c, host_task.c, native_task.c)

// The sources of the node are complete, or in streams that the device orders.
void tn_node_start(tn_node *node);
// Whether it is called on the host: a host task, or a native command where the device has no queues
// of its own.
static inline bool tn_node_is_task(const tn_node *node) {
  return node->kind == TN_COMMAND_HOST_TASK || node->kind == TN_COMMAND_INTEROP_TASK ||
         (node->kind == TN_COMMAND_NATIVE && !TN_ADAPTER_HAS(node->device->api, native_get));
}
// Calls a node's function with the device's own queue (tn_adapter_command).
tn_status tn_native_command_run(void *node, void *stream, void *graph, tn_diag *diag);
// Where the native command of the queue that this thread calls gives its work to; NULL without one.
TN_MUST_USE tn_status tn_native_task_stream(const tn_queue *queue, void **out, tn_diag *diag);
// Calls a host task's.
tn_status tn_host_task_call(tn_node *node, tn_diag *diag);
// Hands a host task to a thread of the runtime's.
void tn_host_task_start(tn_node *node);

// ---- Waiting (event.c)

// Until the event is complete.
void tn_event_await(tn_event *event);
// The event's node, to compare only: it may be gone.
const void *tn_event_node(tn_event *event);

#endif
