// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The scheduler: events, the dependency graph and queues. It implements tenon/queue.h,
// tenon/command_group.h, tenon/accessor.h, tenon/capture.h, tenon/stream.h, tenon/native.h and the
// waiting half of tenon/memory.h.
#ifndef TN_RUN_SCHED_SCHED_H
#define TN_RUN_SCHED_SCHED_H

#include "run/memory/memory.h"
#include "run/program/program.h"
#include "tenon/accessor.h"
#include "tenon/capture.h"
#include "tenon/queue.h"

// Takes a queue's commands in place of the scheduler (run/recorded). On failure free_user is left
// to the caller. The reference that a queue or an event has is given back with `release`.
typedef struct tn_recorder tn_recorder;
struct tn_recorder {
  tn_status (*record)(tn_recorder *recorder, tn_queue *queue, const tn_command *command,
                      tn_event **out_event, tn_diag *diag);
  // The queue records for it from now on, as it got a command that depends on one of its events.
  tn_status (*join)(tn_recorder *recorder, tn_queue *queue, tn_diag *diag);
  void (*retain)(tn_recorder *recorder);
  void (*release)(tn_recorder *recorder);
};
// False when the queue has one already.
bool tn_queue_set_recorder(tn_queue *queue, tn_recorder *recorder);
// Takes away the recorder, if it is this one.
bool tn_queue_end_recorder(tn_queue *queue, tn_recorder *recorder);
tn_recorder *tn_queue_recorder(tn_queue *queue);  // retained; NULL
// Lets what follows in the queue wait for its external event, if that waits for a command. Its
// submission may fail, which tn_queue_submit tells.
TN_MUST_USE tn_status tn_queue_use_external(tn_queue *queue, tn_diag *diag);
// The event of a recorded command; NULL without memory. `node` lives as long as the recorder.
tn_event *tn_event_create_recorded(tn_queue *queue, tn_recorder *recorder, void *node);
// The event's recorder and node, borrowed; NULL for other events.
tn_recorder *tn_event_recorder(const tn_event *event, void **out_node);

// Whether the memory is a tn_dynamic_local's, which only nodes of graphs ask for.
bool tn_local_is_dynamic(const tn_local *local);
// What can be wrong with a requirement of a command of the queue: INVALID_ARGUMENT, as
// tn_accessor_require.
TN_MUST_USE tn_status tn_accessor_check(const tn_accessor *accessor, const tn_queue *queue,
                                        tn_diag *diag);

// For profiling, before the event is shared: `first` is that of the first of the commands whose
// last one the event is of.
void tn_event_set_first(tn_event *event, tn_event *first);

// TN_COMMAND_GRAPH: the first member of the object at `graph` of a command.
typedef struct tn_replay tn_replay;
struct tn_replay {
  tn_status (*submit)(tn_replay *replay, tn_queue *queue, const tn_command *command,
                      tn_event **out_event, tn_diag *diag);
};
// A kind of command beside TN_COMMAND_…: `graph` is a tn_adapter_graph of the queue's device, which
// uses the accesses. It has to exist until the command is complete; free_user is called when an
// update of it no longer reaches the command, if not before.
enum { TN_COMMAND_DEVICE_GRAPH = 1001 };

// As tn_queue_submit, but also of a queue that records, and on failure free_user is left to the
// caller.
TN_MUST_USE tn_status tn_queue_submit_now(tn_queue *queue, const tn_command *command,
                                          tn_event **out_event, tn_diag *diag);
// Everything that can be wrong with a command (tn_queue_submit), without submitting it. The kernel
// is borrowed; NULL for other kinds.
TN_MUST_USE tn_status tn_queue_check(tn_queue *queue, const tn_command *command,
                                     tn_kernel **out_kernel, bool *out_empty, tn_diag *diag);
// The command as the queue's adapter would get it now, with buffers and local memory resolved; they
// and the kernel are kept until it is freed. Runs nothing.
typedef struct tn_resolved tn_resolved;
TN_MUST_USE tn_status tn_command_resolve(tn_queue *queue, const tn_command *command,
                                         tn_resolved **out, tn_diag *diag);
const tn_adapter_command *tn_resolved_command(const tn_resolved *resolved);
void tn_resolved_free(tn_resolved *resolved);

#endif
