// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Queues, commands and events. See tenon.h for ownership and threading.
// Source: SYCL 2020 sections 4.6.5 (queue), 4.6.6 (event), 4.9 (command groups).
#ifndef TENON_QUEUE_H
#define TENON_QUEUE_H

#include "tenon/kernel.h"
#include "tenon/memory.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tn_queue tn_queue;  // counted; any thread may submit
typedef struct tn_event tn_event;  // counted
typedef struct tn_graph_exec tn_graph_exec;  // tenon/graph.h

// The values are those of the bits of the binding's properties.
enum {
  TN_QUEUE_IN_ORDER = 1u << 0,
  TN_QUEUE_PROFILING = 1u << 1,
  // Hints, which no device of this version takes; at most one of the priorities and one of the
  // command lists. No hint to discard events with PROFILING.
  TN_QUEUE_PRIORITY_LOW = 1u << 13,
  TN_QUEUE_PRIORITY_NORMAL = 1u << 14,
  TN_QUEUE_PRIORITY_HIGH = 1u << 15,
  TN_QUEUE_DISCARD_EVENTS = 1u << 16,
  TN_QUEUE_NO_IMMEDIATE_COMMAND_LIST = 1u << 17,
  TN_QUEUE_IMMEDIATE_COMMAND_LIST = 1u << 18,
  TN_QUEUE_COMPUTE_INDEX = 1u << 22,  // of index 0, which each queue has
  TN_QUEUE_FLAGS = TN_QUEUE_IN_ORDER | TN_QUEUE_PROFILING | TN_QUEUE_PRIORITY_LOW |
                   TN_QUEUE_PRIORITY_NORMAL | TN_QUEUE_PRIORITY_HIGH | TN_QUEUE_DISCARD_EVENTS |
                   TN_QUEUE_NO_IMMEDIATE_COMMAND_LIST | TN_QUEUE_IMMEDIATE_COMMAND_LIST |
                   TN_QUEUE_COMPUTE_INDEX
};

// The device must be of the context (WRONG_CONTEXT otherwise). The caller owns one reference.
TN_API TN_MUST_USE tn_status tn_queue_create(tn_context *context, tn_device *device, uint32_t flags,
                                             tn_queue **out, tn_diag *diag);
TN_API void tn_queue_retain(tn_queue *queue);
// Pending commands still run: releasing does not wait.
TN_API void tn_queue_release(tn_queue *queue);
TN_API tn_context *tn_queue_context(const tn_queue *queue);  // borrowed
TN_API tn_device *tn_queue_device(const tn_queue *queue);
TN_API uint32_t tn_queue_flags(const tn_queue *queue);

enum {
  TN_COMMAND_NONE = 0,  // waits for its dependencies (an empty command group, a barrier)
  TN_COMMAND_KERNEL = 1,
  TN_COMMAND_COPY = 2,       // USM or host memory to the same
  TN_COMMAND_FILL = 3,       // a pattern repeated
  TN_COMMAND_HOST_TASK = 4,  // a function on the host
  TN_COMMAND_COPY_RECT = 5,  // strided copy between buffers and host memory (accessor copies)
  TN_COMMAND_FILL_RECT = 6,
  // Complete when its events are and all that was submitted to the queue before; what is submitted
  // to the queue later begins after it.
  TN_COMMAND_BARRIER = 7,
  TN_COMMAND_EVENT_BARRIER = 8,  // the same, but in an out-of-order queue for its events only
  TN_COMMAND_GRAPH = 9,          // all commands of a graph (tenon/graph.h)
  // A function that gives work to the device's own queue and does not wait for it
  // (tn_native_current): the command begins and ends with that work. Where the device has no such
  // queue it is a host task.
  TN_COMMAND_NATIVE = 10,
  // A host task whose accesses are to the buffers' bytes on the device (tn_native_get_memory), but
  // for those with TN_ACCESS_ON_HOST.
  TN_COMMAND_INTEROP_TASK = 11,
  // Hints about the `size` bytes of USM at `dst`: wanted soon where `advice` says; used as it says.
  // What a device has no use for, and memory that is not shared USM, is passed over.
  TN_COMMAND_PREFETCH = 12,
  TN_COMMAND_ADVISE = 13,
};

// An accessor of the command group: what it uses, and where its data address goes in the argument
// block (design 3.1). `arg_offset` TN_NO_ARG: used, but not in the block.
#define TN_NO_ARG 0xffffffffu
typedef struct tn_access {
  tn_buffer *buffer;    // borrowed during the call
  uint32_t mode;        // TN_ACCESS_…
  uint32_t arg_offset;  // of a pointer-sized field that gets the buffer's device address
} tn_access;

// Of local memory whose size can be changed (tenon/graph_dynamic.h): INVALID_ARGUMENT in commands
// that do not become nodes by tn_graph_add or tn_graph_begin_adding.
#define TN_LOCAL_DYNAMIC (UINT64_C(1) << 62)

// Local memory that the kernel asks for: each work-group gets `size` bytes of its own. The offset
// in the group's local memory goes to the argument block as a number of 64 bits. Those of one
// command with the same `id` are the same memory, asked for several times with one size and
// alignment. One piece may have the arg_offset TN_NO_ARG: it is at the offset 0, which no field
// gets (get_work_group_scratch_memory).
typedef struct tn_local {
  uint64_t id;  // with TN_LOCAL_DYNAMIC as its highest bit: of a tn_dynamic_local
  uint64_t size;
  uint32_t alignment;   // a power of two, at most TN_LOCAL_MEM_ALIGNMENT
  uint32_t arg_offset;  // of the field that gets the offset
} tn_local;

// ROOT_SYNC: of a KERNEL with has_local, the work-groups may wait for each other. More of them than
// tn_kernel_root_groups says are ND_RANGE. Source: the SYCL extension sycl_ext_oneapi_root_group.
// IMAGE_…: of COPY_RECT, `memory` of that side is a tn_bindless_memory of the queue's device, or
// a level of one. The copy begins there in the row's byte `offset`, the row `row_pitch` and the
// slice (or layer) `slice_pitch`. Boxes outside of the image are INVALID_ARGUMENT.
enum { TN_COMMAND_ROOT_SYNC = 1, TN_COMMAND_IMAGE_DESTINATION = 2, TN_COMMAND_IMAGE_SOURCE = 4 };

// One side of a rectangular copy: `buffer` or `memory` is set. Strides in bytes; x is contiguous.
typedef struct tn_rect {
  tn_buffer *buffer;  // must be among the command's accesses
  void *memory;
  uint64_t offset;  // bytes from the start to the first element
  uint64_t row_pitch;
  uint64_t slice_pitch;
} tn_rect;

typedef struct tn_command {
  uint32_t struct_size;  // sizeof(tn_command)
  uint32_t kind;
  const tn_event *const *events;  // dependencies; NULL entries are ignored
  size_t event_count;
  const tn_access *accesses;
  size_t access_count;
  // KERNEL: slot or kernel.
  tn_kernel_slot *slot;
  tn_kernel *kernel;
  const void *args;  // argument block; copied
  uint32_t arg_size;
  uint32_t arg_align;
  uint32_t dims;       // 1..3; unused dimensions of the arrays below are 1 (offset 0)
  uint32_t has_local;  // 1: nd_range, `local` is the work-group size and divides `global`; 2: an
                       // nd_range whose work-group size is chosen when it is submitted
  uint64_t global[3];  // SYCL order: [dims-1] varies fastest
  uint64_t local[3];
  uint64_t offset[3];
  // COPY, FILL: `size` bytes. FILL repeats `pattern_size` (1..128) bytes at `pattern`; copied.
  void *dst;
  const void *src;
  size_t size;
  const void *pattern;
  size_t pattern_size;
  // COPY_RECT, FILL_RECT (rect_dst only): extent in bytes, rows, slices.
  tn_rect rect_dst;
  tn_rect rect_src;
  uint64_t rect_extent[3];
  // HOST_TASK, INTEROP_TASK, NATIVE: called once on a thread of the runtime's, then free_user.
  // Returns OK, or a failure with `diag` filled, which goes to the async handler. A dependency that
  // failed is complete: what follows it runs, and does not fail for it.
  tn_status (*host_task)(void *user, tn_diag *diag);
  void *user;
  void (*free_user)(void *user);  // optional; called exactly once, also when submitting fails
  // KERNEL with has_local: more than the device's local memory altogether is OUT_OF_MEMORY.
  const tn_local *locals;
  size_t local_count;
  // KERNEL with a slot: values of specialization constants for this launch, as tn_kernel_specialize
  // takes them; copied.
  const tn_spec_value *specs;
  size_t spec_count;
  void *graph;  // GRAPH: a tn_graph_exec (tenon/graph.h)
  int32_t advice;  // ADVISE: as the device's driver numbers it; PREFETCH: TN_PREFETCH_TO_…
  uint32_t flags;  // TN_COMMAND_ROOT_SYNC …
} tn_command;

// Puts a command into the queue; everything it needs is copied or retained before it returns.
// `out_event` may be NULL: then no event is made. Errors: KERNEL_NOT_FOUND, BUILD_FAILED, ND_RANGE,
// KERNEL_ARGUMENT, WRONG_CONTEXT, INVALID_ARGUMENT, OUT_OF_MEMORY; nothing is queued then. Copies
// and fills (also RECT) that begin inside a USM allocation have to end inside it, and it has to be
// of the queue's context; other pointers are host memory, which is not checked.
// A kernel on USM in an in-order queue allocates nothing once its program is built.
TN_API TN_MUST_USE tn_status tn_queue_submit(tn_queue *queue, const tn_command *command,
                                             tn_event **out_event, tn_diag *diag);
// Until all that was submitted before is complete. Failures of commands are not returned here but
// kept for tn_queue_take_error.
TN_API TN_MUST_USE tn_status tn_queue_wait(tn_queue *queue, tn_diag *diag);
// As tn_queue_wait for each queue on the device, whoever made it, also for what was submitted
// before a queue began to record a graph; a sub-device's queues are not its parent's. Source: the
// SYCL extension sycl_ext_oneapi_device_wait. Any thread.
TN_API TN_MUST_USE tn_status tn_device_wait(tn_device *device, tn_diag *diag);
// These queues, the oldest first: retained for the caller, up to `capacity`. Returns how many there
// are.
TN_API size_t tn_device_get_queues(tn_device *device, tn_queue **out, size_t capacity);
// Requests progress without waiting: from this call on, all that was submitted before is executed
// and its completion is noticed as if a thread were in tn_queue_wait. Returns at once. Nothing
// happens in a queue that records a graph.
TN_API void tn_queue_flush(tn_queue *queue);
// 1 when nothing submitted is pending.
TN_API int tn_queue_is_idle(tn_queue *queue);
// 1 from the first command or external event on that was submitted, or recorded in a graph.
TN_API int tn_queue_has_commands(const tn_queue *queue);
// The next command of an in-order queue, or its next wait, waits for the event as well. An event
// that no command has waited for yet is replaced; NULL: by none. Retains the event. Any thread.
// INVALID_ARGUMENT when the queue is not in order; what tn_queue_submit rejects in an event is an
// error of the next command. Source: the SYCL extension sycl_ext_oneapi_in_order_queue_events.
TN_API TN_MUST_USE tn_status tn_queue_set_external_event(tn_queue *queue, tn_event *event,
                                                         tn_diag *diag);
// The oldest failure not taken yet: 1 and *out filled, else 0.
TN_API int tn_queue_take_error(tn_queue *queue, tn_diag *out);
// How many there are; other threads may take and add some meanwhile.
TN_API size_t tn_queue_error_count(const tn_queue *queue);
// One pointer for the language binding above. `free_user` is called when the queue goes, and may
// still take failures from it. Set once, before the queue is shared.
TN_API void tn_queue_set_user(tn_queue *queue, void *user, void (*free_user)(void *user));
TN_API void *tn_queue_user(const tn_queue *queue);
// The same for a queue that may be shared, unless the pointer is set already: `user` stays the
// caller's then. Returns what is set. All callers give the same `free_user`.
TN_API void *tn_queue_offer_user(tn_queue *queue, void *user, void (*free_user)(void *user));

// The objects of the language that stand for a queue (sycl::queue), which are counted apart from
// the references that events and commands have: failures that nobody took are reported when the
// last of them goes.

// A queue with one reference, which its language objects have, the first of them counted. NULL for
// `device`: the device of tn_device_get_default; for `context`: the platform's default context.
// Errors: those of the functions that are called for it.
TN_API TN_MUST_USE tn_status tn_queue_open(tn_context *context, tn_device *device, uint32_t flags,
                                           tn_queue **out, tn_diag *diag);
// One language object more, or the first of a queue that was not opened. NULL is ignored.
TN_API void tn_queue_add_handle(tn_queue *queue);
// One less. When it was the last, tn_queue_report_errors is called. If that returns a reporter, so
// does this function: the caller lets it report, and releases the reference. Else the reference is
// released here. Failures of commands that end later are printed to the standard error stream when
// the queue goes. NULL is ignored.
TN_API void *tn_queue_drop_handle(tn_queue *queue, void (*terminate)(void));
// What gives the queue's failures to an async handler: an object of the binding's. `free_reporter`
// is called when the queue goes. Set once, before the queue is shared; may be NULL.
TN_API void tn_queue_set_reporter(tn_queue *queue, void *reporter,
                                  void (*free_reporter)(void *reporter));
// The reporter of the queue, or else of its context, borrowed: the caller lets it report. Without
// one the result is NULL, failures that nobody took are printed to the standard error stream, and
// `terminate` is called if there are any (SYCL 2020 section 4.13.1.2).
TN_API void *tn_queue_report_errors(tn_queue *queue, void (*terminate)(void));
// What a host task of the queue returns (tn_command::host_task) that ended with an exception, whose
// text is `what`: fills *diag, and returns its code. Takes over `thrown`, which stands for the
// exception, and keeps it for tn_queue_take_thrown; `free_thrown` is called when nobody takes it
// before the queue goes, or at once without memory.
TN_API tn_status tn_queue_note_thrown(tn_queue *queue, void *thrown,
                                      void (*free_thrown)(void *thrown), const char *what,
                                      tn_diag *diag);
// Of a failure that was taken from the queue: what was kept for it, which is the caller's now. NULL
// for other failures, and when it was taken before.
TN_API void *tn_queue_take_thrown(tn_queue *queue, const tn_diag *diag);

// RECORDED: of a command that a graph took (tenon/graph.h), which nothing can wait for.
enum {
  TN_EVENT_SUBMITTED = 0,
  TN_EVENT_RUNNING = 1,
  TN_EVENT_COMPLETE = 2,
  TN_EVENT_RECORDED = 3
};
TN_API void tn_event_retain(tn_event *event);
TN_API void tn_event_release(tn_event *event);
// Both for an event and the queue it came from, if any, which the caller of
// tn_event_retain_with_queue holds. NULL is ignored.
TN_API void tn_event_retain_with_queue(tn_event *event);
TN_API void tn_event_release_with_queue(tn_event *event);
// An event that is complete from the start (default-constructed sycl::event).
TN_API TN_MUST_USE tn_status tn_event_create_complete(tn_event **out, tn_diag *diag);
TN_API TN_MUST_USE tn_status tn_event_wait(tn_event *event, tn_diag *diag);
TN_API int32_t tn_event_status(const tn_event *event);  // TN_EVENT_…
// The command's own failure, if it failed: 1 and *out filled.
TN_API int tn_event_get_error(const tn_event *event, tn_diag *out);
enum { TN_PROFILING_SUBMIT = 0, TN_PROFILING_START = 1, TN_PROFILING_END = 2 };
// Nanoseconds of one clock. PROFILING when the queue has no profiling; waits for completion of
// START/END.
TN_API TN_MUST_USE tn_status tn_event_get_profiling(tn_event *event, int32_t what, uint64_t *out,
                                                    tn_diag *diag);
// Before the event is shared: its times of submission and start are that of its end. For
// sycl_ext_oneapi_profiling_tag.
TN_API void tn_event_make_tag(tn_event *event);
// The queue the event came from, borrowed for as long as the caller holds the queue; NULL when
// complete-from-start.
TN_API tn_queue *tn_event_queue(const tn_event *event);
// NULL for events of no device.
TN_API tn_device *tn_event_device(const tn_event *event);
// The queues of commands that failed and that this complete event waited for, directly or through
// others: retained for the caller, up to `capacity`. Returns how many there may be; those that are
// gone are left out.
TN_API size_t tn_event_get_failed_queues(tn_event *event, tn_queue **out, size_t capacity);
// The events this one directly waits for, retained for the caller: up to `capacity`; *out_count
// all.
TN_API TN_MUST_USE tn_status tn_event_get_wait_list(tn_event *event, tn_event **out,
                                                    size_t capacity, size_t *out_count,
                                                    tn_diag *diag);

#ifdef __cplusplus
}
#endif
#endif
