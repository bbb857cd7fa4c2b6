// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A queue from inside. Private to run/sched.
//
// The gate of an in-order queue is `state`: commands that are pending, and whether one runs on its
// submitter's thread without a node.
//   0 ── submit, fast ──> INLINE ── completion ──> 0
//   INLINE ── submit by another thread ──> INLINE | BLOCKED, count 1: that node is `gated`
//   INLINE | BLOCKED ── completion ──> count 1: the gated node is unblocked
//   count n ── submit ──> n + 1: waits for `last`;  count n ── completion ──> n - 1
// A node that was given to the queue's stream no longer closes the gate, as the stream keeps the
// order: it is counted in units of GIVEN from then on. An out-of-order queue only counts.
#ifndef TN_RUN_SCHED_QUEUE_STATE_H
#define TN_RUN_SCHED_QUEUE_STATE_H

#include "run/sched/graph.h"

// What was submitted at any time: nothing; commands; an external event, which no command has waited
// for yet.
enum { TN_HISTORY_NONE = 0, TN_HISTORY_COMMANDS = 1, TN_HISTORY_EXTERNAL = 2 };
enum { TN_STATE_INLINE = 1, TN_STATE_BLOCKED = 2, TN_STATE_COUNT = 4 };
#define TN_STATE_GIVEN (UINT64_C(1) << 32)
#define TN_STATE_CLOSED (TN_STATE_GIVEN - 1)  // any of these bits: the gate is closed

typedef struct tn_queue_error tn_queue_error;
struct tn_queue_error {
  tn_queue_error *next;
  tn_diag diag;
};

// An exception of a host task, until the failure it caused is taken.
typedef struct tn_thrown {
  void *object;  // the language binding's, owned; NULL: the slot is free
  void (*free_object)(void *object);
} tn_thrown;

// Of a stream (tenon/stream.h).
typedef struct tn_spare_memory {
  void *memory;  // USM of the queue's context
  size_t size;
} tn_spare_memory;

// One of a pool (stream_pool.c).
enum { TN_STREAM_POOL_SIZE = 4 };
typedef struct tn_pooled_stream {
  tn_adapter_stream *_Atomic stream;  // NULL until it is needed
  const tn_event *_Atomic last;       // of the last command in it; may be gone
  _Atomic bool is_used;               // since it was last waited for
} tn_pooled_stream;

struct tn_queue {
  tn_ref ref;
  uint32_t flags;             // TN_QUEUE_…, immutable as all up to `state`
  tn_context *context;        // retained
  tn_device *device;          // static lifetime
  tn_device *code_device;     // whose kernels it runs: the device's root
  const tn_adapter_api *api;  // the device's
  uint64_t max_group_size;
  uint64_t max_item_sizes[3];  // of one dimension, SPIR-V order
  uint64_t local_mem_size;
  bool shares_host_memory;
  tn_adapter_stream *stream;  // in order, on devices that have them; owned; NULL: the device
                              // notifies of each command
  tn_pooled_stream stream_pool[TN_STREAM_POOL_SIZE];
  _Atomic uint32_t next_pooled;
  tn_node_pool *pool;
  void *_Atomic user;             // the language binding's
  void (*free_user)(void *user);  // optional; written by the thread that sets `user`
  void *reporter;                 // the language binding's
  void (*free_reporter)(void *reporter);  // optional
  _Atomic size_t handle_count;            // language objects
  atomic_bool has_lost_handles;           // the last of them is gone
  _Atomic uint64_t state;
  // Of nodes, since the queue was made. A node leaves `state` only after its event is complete, so
  // that these, not `state`, show that no command is pending.
  _Atomic uint64_t submitted_nodes;
  _Atomic uint64_t completed_nodes;   // counted before the event is complete
  _Atomic uint64_t published_nodes;   // counted after that
  _Atomic uint64_t launch_count;      // launches in the stream, without a node
  _Atomic uint64_t completed_count;   // of these, so many are known to be complete
  tn_event *_Atomic last_launch;      // retained; not marked yet
  tn_event *_Atomic last_node_event;  // the same, of a node that was given to the stream
  tn_recorder *_Atomic recorder;  // retained; changes under `mu`
  tn_adapter_stream *_Atomic native_stream;  // owned; the program's, where `stream` is NULL
  atomic_bool is_shared;  // the program has the stream's native object and may launch in it
  _Atomic uint32_t history;  // TN_HISTORY_…; loaded by each submission
  tn_mutex mu;
  tn_event *external TN_GUARDED_BY(&mu);  // retained; NULL unless it is TN_HISTORY_EXTERNAL
  tn_event *last TN_GUARDED_BY(&mu);  // retained; in-order: the last command that got a node
  tn_node *gated TN_GUARDED_BY(&mu);
  tn_queue_error *oldest_error TN_GUARDED_BY(&mu);
  tn_queue_error *newest_error TN_GUARDED_BY(&mu);
  size_t lost_errors TN_GUARDED_BY(&mu);  // no memory to keep them
  tn_thrown *thrown TN_GUARDED_BY(&mu);   // owned array
  size_t thrown_count TN_GUARDED_BY(&mu);
  _Atomic uint32_t error_count;
  // Out of order only.
  _Atomic uint32_t barrier_count;        // barriers that are not complete
  tn_epoch *epoch TN_GUARDED_BY(&mu);    // of the commands since the last barrier; owned
  tn_event *barrier TN_GUARDED_BY(&mu);  // retained; the last one
  tn_spare_memory spares[8] TN_GUARDED_BY(&mu);  // owned
  size_t spare_count TN_GUARDED_BY(&mu);
  // Of queue_list.c, which guards them.
  tn_queue *next_listed;
  tn_queue **before_listed;
};

// As tn_queue_wait, also of a queue that records a graph: for what was submitted to it before.
TN_MUST_USE tn_status tn_queue_finish(tn_queue *queue, tn_diag *diag);
// Of all queues, from their creation to their end.
void tn_queue_list_add(tn_queue *queue);
void tn_queue_list_remove(tn_queue *queue);

// Keeps a failure for tn_queue_take_error.
void tn_queue_add_error(tn_queue *queue, tn_status status, const tn_diag *diag);
// When the queue is destroyed.
void tn_stream_drop_spares(tn_queue *queue);
// False when the last reference has been dropped.
bool tn_queue_try_retain(tn_queue *queue);
// When the queue is destroyed: prints failures of commands that outlived its language objects, and
// frees what the binding has.
void tn_queue_close_binding(tn_queue *queue);
// The node of the event is in the queue's stream.
void tn_queue_note_given(tn_queue *queue, tn_event *event);
// A node of the queue is complete, with the passage that its event had.
void tn_queue_leave(tn_queue *queue, uint8_t passage);

// Streams of the device for nodes that are not in the launch order of the queue's own
// (stream_pool.c).
bool tn_queue_has_stream_pool(const tn_queue *queue);
TN_MUST_USE tn_status tn_stream_pool_choose(tn_queue *queue, const tn_node *node,
                                            tn_adapter_stream **out, tn_diag *diag);
void tn_stream_pool_wait(tn_queue *queue);  // for all commands in them
void tn_stream_pool_close(tn_queue *queue);

// Results of checking a command, for its submission.
typedef struct tn_checked {
  tn_kernel *kernel;           // borrowed; KERNEL
  bool is_empty;               // nothing to run: no work-items, no bytes
  uint64_t local_memory_size;  // of each work-group
} tn_checked;
// Everything about a command that can be wrong, but memory running out.
TN_MUST_USE tn_status tn_command_check(tn_queue *queue, const tn_command *command, tn_checked *out,
                                       tn_diag *diag);
// Its kernel, borrowed; built, if it was not.
TN_MUST_USE tn_status tn_command_find_kernel(tn_queue *queue, const tn_command *command,
                                             tn_kernel **out, tn_diag *diag);
// The part that a launch on the fast path needs.
TN_MUST_USE tn_status tn_command_check_kernel(tn_queue *queue, const tn_command *command,
                                              tn_checked *out, tn_diag *diag);
// Fills in the contents of a node, of a command that was checked. Whatever was acquired before a
// failure is given back by tn_node_recycle.
TN_MUST_USE tn_status tn_node_fill(tn_node *node, const tn_command *command,
                                   const tn_checked *checked, tn_diag *diag);
// Submits a command that was checked as a node of the graph.
TN_MUST_USE tn_status tn_node_submit(tn_queue *queue, const tn_command *command,
                                     const tn_checked *checked, tn_event **out_event,
                                     tn_diag *diag);
// Gives a node its position in the launch order of its queue, after the command's events.
TN_MUST_USE tn_status tn_node_enter_queue(tn_queue *queue, tn_node *node,
                                          const tn_command *command, tn_diag *diag);
// Submits a command with values of specialization constants: of the kernel that has them, in place
// of the slot.
TN_MUST_USE tn_status tn_queue_submit_specialized(tn_queue *queue, const tn_command *command,
                                                  tn_event **out_event, tn_diag *diag);
// recorder.c: in place of submitting a command, to a queue that records, or of one that depends on
// a recorded one, which begins to; and a TN_COMMAND_GRAPH.
TN_MUST_USE tn_status tn_queue_record(tn_queue *queue, const tn_command *command,
                                      tn_event **out_event, tn_diag *diag);
tn_recorder *tn_command_recorder(const tn_command *command);  // of its events; borrowed; NULL
TN_MUST_USE tn_status tn_queue_join_recorder(tn_queue *queue, const tn_command *command,
                                             tn_event **out_event, tn_diag *diag);
TN_MUST_USE tn_status tn_queue_replay(tn_queue *queue, const tn_command *command,
                                      tn_event **out_event, tn_diag *diag);
// Lays out the command's local memory and writes the offsets into `args` (NULL: only measures).
// False when the size overflows.
bool tn_command_place_locals(const tn_command *command, unsigned char *args, uint64_t *out_size);

#endif
