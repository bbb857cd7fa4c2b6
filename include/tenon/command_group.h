// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A command group: one command, its dependencies, and what its function object captures, collected
// until the command is submitted. For language bindings; the objects live on the stack of the one
// thread that uses them. Source: SYCL 2020 section 4.9.4; design 3.1.
//
// Functions without a status that find no memory note it: the submission returns OUT_OF_MEMORY.
#ifndef TENON_COMMAND_GROUP_H
#define TENON_COMMAND_GROUP_H

#include "tenon/capture.h"

#ifdef __cplusplus
extern "C" {
#endif

// Accessors and local memory that objects report while a function object is copied. Read-only for
// callers.
typedef struct tn_capture_record {
  tn_capture capture;
  tn_capture *outer;     // the thread's context before tn_capture_record_begin
  tn_access *accesses;   // offsets in the block
  tn_local *locals;
  uint32_t access_count;
  uint32_t access_capacity;
  uint32_t local_count;
  uint32_t local_capacity;
  uint32_t is_out_of_memory;
  uint32_t command_flags;  // TN_COMMAND_ROOT_SYNC: the command gets them
  tn_access few_accesses[8];
  tn_local few_locals[4];
} tn_capture_record;
TN_API void tn_capture_record_init(tn_capture_record *record);
TN_API void tn_capture_record_free(tn_capture_record *record);
// Objects built in the block of `size` bytes by this thread report to the record until
// tn_capture_record_end. Pairs nest.
TN_API void tn_capture_record_begin(tn_capture_record *record, const void *block, size_t size);
TN_API void tn_capture_record_end(tn_capture_record *record);
// Adds an access that is not in the block.
TN_API void tn_capture_record_add(tn_capture_record *record, tn_buffer *buffer, uint32_t mode);
// As tn_command_group_set_scratch.
TN_API void tn_capture_record_set_scratch(tn_capture_record *record, size_t size);

typedef struct tn_command_group {
  tn_queue *queue;     // borrowed
  tn_command command;  // the caller's, but for struct_size, events, accesses and locals
  uint32_t has_action;
  uint32_t reserved_word;
  void *block;  // owned; NULL or `small_block` or the heap's
  // Optional: called once with `block` by tn_command_group_free.
  void (*destroy_block)(void *block);
  tn_capture_record captured;
  tn_event **events;    // retained
  tn_access *required;  // the buffers are retained
  uint32_t event_count;
  uint32_t event_capacity;
  uint32_t required_count;
  uint32_t required_capacity;
  tn_event *few_events[8];
  tn_access few_required[8];
  uint64_t reserved[2];
  unsigned char small_block[512] __attribute__((aligned(64)));
} tn_command_group;

TN_API void tn_command_group_init(tn_command_group *group, tn_queue *queue);
// Also after a submission. Calls destroy_block and, when nothing was submitted, command.free_user.
TN_API void tn_command_group_free(tn_command_group *group);
// The command starts after the event's; NULL is ignored.
TN_API void tn_command_group_depends_on(tn_command_group *group, tn_event *event);
// The command uses the buffer. `mode`: TN_ACCESS_….
TN_API void tn_command_group_require(tn_command_group *group, tn_buffer *buffer, uint32_t mode);
// Sets the kind of the command. INVALID_ARGUMENT when it is set already.
TN_API TN_MUST_USE tn_status tn_command_group_begin(tn_command_group *group, uint32_t kind,
                                                    tn_diag *diag);
// Memory for the command's arguments or pattern, until tn_command_group_free; once a group.
// OUT_OF_MEMORY.
TN_API TN_MUST_USE tn_status tn_command_group_place(tn_command_group *group, size_t size,
                                                    size_t alignment, void **out, tn_diag *diag);
// Both, for a kernel of the slot with an argument block of `size` bytes.
TN_API TN_MUST_USE tn_status tn_command_group_set_kernel(tn_command_group *group,
                                                         tn_kernel_slot *slot, size_t size,
                                                         size_t alignment, void **out_block,
                                                         tn_diag *diag);
// The kernel gets `size` bytes at the beginning of its local memory; called again, the last size
// holds. Source: the SYCL extension sycl_ext_oneapi_work_group_scratch_memory.
TN_API void tn_command_group_set_scratch(tn_command_group *group, size_t size);
// tn_queue_submit, once a group. An access of the function object has the modes of all requirements
// of its buffer; KERNEL_ARGUMENT when there is none.
TN_API TN_MUST_USE tn_status tn_command_group_submit(tn_command_group *group, tn_event **out_event,
                                                     tn_diag *diag);

// The range of a kernel: `dims` numbers each, in SYCL order. `local` and `offset` may be NULL.
TN_API void tn_command_set_range(tn_command *command, uint32_t dims, const size_t *global,
                                 const size_t *local, const size_t *offset);

#ifdef __cplusplus
}
#endif
#endif
