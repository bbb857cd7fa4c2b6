// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The objects of the dependency graph, private to run/sched.
//
// A node is a submitted command that is not complete; its event is what others see of it. Each edge
// belongs to the node that waits and hangs in a list of the event it waits for. Completion closes
// that list with one exchange, so adding an edge and completing need no lock:
//   node->pending = edges not arrived + 1 while it is being submitted (+ 1 while gated)
// The thread that takes `pending` to zero owns the node and starts it.
#ifndef TN_RUN_SCHED_GRAPH_H
#define TN_RUN_SCHED_GRAPH_H

#include "run/sched/sched.h"

typedef struct tn_node tn_node;
typedef struct tn_node_pool tn_node_pool;
typedef struct tn_era tn_era;
typedef struct tn_blame tn_blame;  // a set of queues with failures; counted, NULL: empty

typedef struct tn_edge tn_edge;
struct tn_edge {
  tn_edge *next;       // in the source's list
  tn_node *node;       // the one that waits
  tn_event *source;    // retained until the node is recycled
  bool is_order_only;  // its failure is none of the node's dependencies' (write after read)
  bool is_on_device;   // the device waits: it is in no list, and the source is in a stream
};

struct tn_event {
  tn_ref ref;
  _Atomic int32_t state;            // TN_EVENT_…; what is below is immutable once COMPLETE is seen
  _Atomic uintptr_t waiting_edges;  // list of tn_edge, or EDGES_CLOSED
  bool has_profiling;
  bool is_host_access;
  _Atomic bool is_launch;  // given to a stream, and not complete (launch_event.c)
  _Atomic bool is_tracked;        // such a one tells of its end
  uint64_t launch_number;         // such a one's, among its queue's launches; from 1
  // Of a node: the stream that it is in, or was. Its queue keeps it until the event is complete.
  tn_adapter_stream *_Atomic given;
  tn_adapter_mark *_Atomic mark;  // of one in a stream that others followed; owned
  tn_status status;  // of the command
  tn_diag *error;    // owned; NULL on success (and when there was no memory for it)
  tn_blame *blame;   // shared; the queues of failed commands that it waited for, near or far
  uint64_t submit_ns;
  uint64_t start_ns;
  uint64_t end_ns;
  tn_queue *queue;      // borrowed; NULL for events without a command
  tn_device *device;    // static lifetime; NULL as above
  tn_node_pool *pool;   // where it comes from; counts it. NULL: from the heap
  tn_node *node;        // guarded by the pool's lock; NULL once complete
  tn_event *next_free;  // guarded by the pool's lock
  tn_recorder *recorder;  // retained; of a recorded command, which never completes
  void *recorded_node;    // the recorder's
  tn_event *first;        // retained; of the last of several commands: the first of them
};

// Beside TN_COMMAND_…: the end of what was given to a queue's stream without a node.
enum { TN_NODE_MARK = 1000 };
enum { TN_NODE_INLINE_ARGS = 256, TN_NODE_INLINE_EDGES = 8, TN_NODE_INLINE_BUFFERS = 8 };

struct tn_node {
  _Alignas(64) unsigned char inline_args[TN_NODE_INLINE_ARGS];
  _Atomic uint32_t pending;
  tn_blame *blame;                  // shared; guarded in blame.c, becomes the event's
  uint32_t kind;                    // TN_COMMAND_…
  tn_queue *queue;                  // retained
  tn_device *device;                // where it runs: the queue's, or a transfer's
  bool in_stream;                   // of the queue: its own, or one of its lanes
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
  tn_era *era;  // counts the node; NULL: no barrier waits for it by count
  tn_adapter_command command;
  tn_edge inline_edges[TN_NODE_INLINE_EDGES];
  tn_buffer *inline_buffers[TN_NODE_INLINE_BUFFERS];
};

// Events and nodes of one queue, kept for reuse: launching allocates nothing in the steady state.
// Lives until the queue is gone and all events are back.
tn_node_pool *tn_node_pool_create(tn_queue *queue);
void tn_node_pool_close(tn_node_pool *pool);  // by the queue, when it goes
// Beside the queue and its events. The pool may be used as long, but not for taking from it.
void tn_node_pool_retain(tn_node_pool *pool);
void tn_node_pool_release(tn_node_pool *pool);
// The queue with a reference for the caller; NULL when it is gone or about to go.
tn_queue *tn_node_pool_retain_queue(tn_node_pool *pool);
// An event of one reference, SUBMITTED; NULL when there is no memory.
tn_event *tn_event_take(tn_node_pool *pool);
// An event with its node, pending = 1. False when there is no memory.
bool tn_node_take(tn_node_pool *pool, tn_node **out_node, tn_event **out_event);
// Drops what the node holds except its queue and event, and keeps it for reuse.
void tn_node_recycle(tn_node *node);
// The same for events; called by tn_event_release.
void tn_event_recycle(tn_event *event);
// An event from the heap, SUBMITTED, of one reference.
tn_event *tn_event_create_plain(void);

static inline bool tn_event_is_complete(const tn_event *event) {
  // Sequentially consistent for tn_park; see there.
  return atomic_load_explicit(&event->state, memory_order_seq_cst) == TN_EVENT_COMPLETE;
}

// Room for `count` more edges. False when there is no memory.
bool tn_node_reserve_edges(tn_node *node, size_t count);
// Makes the node wait for `source` unless that is complete or its own; room must be there. With
// `is_order_only` the node's event does not go back to failures of the source.
void tn_node_wait_for(tn_node *node, tn_event *source, bool is_order_only);
// Adds the queues that `source`, which is complete, goes back to, and its own if it failed.
void tn_blame_note(tn_blame **blame, const tn_event *source);
void tn_blame_release(tn_blame *blame);  // NULL-safe
// What the node waits for on the host is told of soon. Not under a lock; while the node is being
// submitted.
void tn_node_hurry(const tn_node *node);
// One reason less to wait. Starts the node when it was the last.
void tn_node_unblock(tn_node *node);
// The command is over: publishes the outcome, also to the queue's list of failures, starts what
// waited, gives the node back.
void tn_node_complete(tn_node *node, tn_status status, const tn_diag *diag, uint64_t start_ns,
                      uint64_t end_ns);
// The outcome of a command that is not complete, and not to be run any more.
void tn_event_fail(tn_event *event, tn_status status, const tn_diag *diag);
// Completes an event without a node (host access).
void tn_event_complete_plain(tn_event *event);
// The same for an event that nobody has seen yet.
void tn_event_init_complete(tn_event *event);
// Starts what became ready on this thread but was not started yet.
void tn_graph_drain(void);

// Whether it is called on the host: a host task, or what is one where the device has no queues of
// its own.
static inline bool tn_node_is_task(const tn_node *node) {
  return node->kind == TN_COMMAND_HOST_TASK || node->kind == TN_COMMAND_INTEROP_TASK ||
         (node->kind == TN_COMMAND_NATIVE && !TN_ADAPTER_HAS(node->device->api, native_get));
}
// Calls a node's function with the device's own queue (tn_adapter_command).
tn_status tn_native_command_run(void *node, void *stream, void *graph, tn_diag *diag);
// Calls a host task's.
tn_status tn_host_task_call(tn_node *node, tn_diag *diag);

// Hands a host task to a thread of the runtime's.
void tn_host_task_start(tn_node *node);

// Waiting: helps `device`, then spins briefly, then sleeps until `is_done(what)`, which is woken by
// tn_park_wake(what). `is_done` and the store it watches must be sequentially consistent.
void tn_park_wait(tn_device *device, const void *what, bool (*is_done)(const void *what));
void tn_park_wake(const void *what);
bool tn_park_has_sleepers(void);
// What a waiter does first: asks the device for what has ended, or runs a piece of its work.
bool tn_park_help(tn_device *device);

// Until the event is complete.
void tn_event_await(tn_event *event);
// The event's node, to compare only: it may be gone.
const void *tn_event_node(tn_event *event);

// ---- Events of what was launched in a stream (launch_event.c)

// The event is the queue's last launch from now on, and the queue's launch of this number (from 1).
void tn_launch_begin(tn_queue *queue, tn_event *event, uint64_t number);
// Something follows in the queue's stream, or the stream is going: what the program still holds of
// the last launch gets its place marked. By whoever may give commands to the stream.
void tn_launch_mark_last(tn_queue *queue);
// The event of a command with a node that the queue's stream was given last.
void tn_launch_note_given(tn_queue *queue, tn_event *event);
// The first `count` launches have ended: completes the event of the last one if that is among them.
void tn_launch_end_last(tn_queue *queue, uint64_t count, tn_status status, const tn_diag *diag);
void tn_launch_wait(tn_event *event);
bool tn_launch_is_done(tn_event *event);  // asks the device, and completes the event
// The event completes by itself from now on, as those of nodes do. Any event will do.
void tn_launch_track(tn_event *event);
// Whether commands of `pool`'s queue come behind the event by the order of its stream.
static inline bool tn_launch_is_before(const tn_event *event, const tn_node_pool *pool) {
  return event->pool == pool && atomic_load_explicit(&event->is_launch, memory_order_acquire);
}
// The place in its stream of an event that is in one, for others to wait for; it stays the event's.
// NULL when the event is complete, or about to be.
TN_MUST_USE tn_status tn_event_get_mark(tn_event *event, tn_adapter_mark **out, tn_diag *diag);

#endif
