// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Command groups: a language binding collects a command in one before it submits. The lists begin
// inside the group's own memory, so that a usual command group allocates nothing.
#include "tenon/command_group.h"

#include "base/alloc.h"

#include <string.h>

// Memory for one item more; *items begins as `few`. False when there is none.
static bool grow(void **items, const void *few, uint32_t count, uint32_t *capacity, size_t size) {
  if (count < *capacity) {
    return true;
  }
  const bool is_few = *items == few;
  void *more = is_few ? tn_alloc_array((size_t)*capacity * 2, size)
                      : tn_realloc(*items, (size_t)*capacity * 2 * size);
  if (more == NULL) {
    return false;
  }
  if (is_few) {
    memcpy(more, few, count * size);
  }
  *items = more;
  *capacity *= 2;
  return true;
}

static void push_access(tn_capture_record *record, tn_access access) {
  void *items = record->accesses;
  if (!grow(&items, record->few_accesses, record->access_count, &record->access_capacity,
            sizeof(access))) {
    record->is_out_of_memory = 1;
    return;
  }
  record->accesses = items;
  record->accesses[record->access_count++] = access;
}

static uint32_t offset_of(const tn_capture *capture, const void *field) {
  return (uint32_t)((const char *)field - (const char *)capture->begin);
}

static void note_access(tn_capture *capture, const void *field, tn_buffer *buffer, uint32_t mode) {
  push_access((tn_capture_record *)capture,
              (tn_access){buffer, mode, offset_of(capture, field)});
}

static void push_local(tn_capture_record *record, tn_local local) {
  void *items = record->locals;
  if (!grow(&items, record->few_locals, record->local_count, &record->local_capacity,
            sizeof(tn_local))) {
    record->is_out_of_memory = 1;
    return;
  }
  record->locals = items;
  record->locals[record->local_count++] = local;
}

static void note_local(tn_capture *capture, const void *field, uint64_t id, uint64_t size,
                       uint32_t alignment) {
  push_local((tn_capture_record *)capture,
             (tn_local){id, size, alignment, offset_of(capture, field)});
}

void tn_capture_record_init(tn_capture_record *record) {
  record->capture = (tn_capture){NULL, NULL, note_access, note_local};
  record->outer = NULL;
  record->accesses = record->few_accesses;
  record->locals = record->few_locals;
  record->access_count = 0;
  record->access_capacity = sizeof(record->few_accesses) / sizeof(record->few_accesses[0]);
  record->local_count = 0;
  record->local_capacity = sizeof(record->few_locals) / sizeof(record->few_locals[0]);
  record->is_out_of_memory = 0;
  record->command_flags = 0;
}

void tn_capture_record_free(tn_capture_record *record) {
  if (record->accesses != record->few_accesses) {
    tn_free(record->accesses);
  }
  if (record->locals != record->few_locals) {
    tn_free(record->locals);
  }
}

void tn_capture_record_begin(tn_capture_record *record, const void *block, size_t size) {
  record->capture.begin = block;
  record->capture.end = (const char *)block + size;
  record->outer = tn_capture_set(&record->capture);
}

void tn_capture_record_end(tn_capture_record *record) { tn_capture_set(record->outer); }

void tn_capture_record_add(tn_capture_record *record, tn_buffer *buffer, uint32_t mode) {
  push_access(record, (tn_access){buffer, mode, TN_NO_ARG});
}

void tn_capture_record_set_scratch(tn_capture_record *record, size_t size) {
  for (size_t i = 0; i < record->local_count; i++) {
    if (record->locals[i].arg_offset == TN_NO_ARG) {
      record->locals[i].size = size;
      return;
    }
  }
  push_local(record, (tn_local){UINT64_MAX, size, TN_LOCAL_MEM_ALIGNMENT, TN_NO_ARG});
}

void tn_command_group_set_scratch(tn_command_group *group, size_t size) {
  tn_capture_record_set_scratch(&group->captured, size);
}

void tn_command_group_init(tn_command_group *group, tn_queue *queue) {
  memset(group, 0, offsetof(tn_command_group, captured));
  group->queue = queue;
  tn_capture_record_init(&group->captured);
  group->events = group->few_events;
  group->required = group->few_required;
  group->event_count = 0;
  group->event_capacity = sizeof(group->few_events) / sizeof(group->few_events[0]);
  group->required_count = 0;
  group->required_capacity = sizeof(group->few_required) / sizeof(group->few_required[0]);
}

void tn_command_group_free(tn_command_group *group) {
  for (uint32_t i = 0; i < group->event_count; i++) {
    tn_event_release(group->events[i]);
  }
  for (uint32_t i = 0; i < group->required_count; i++) {
    tn_buffer_release(group->required[i].buffer);
  }
  if (group->events != group->few_events) {
    tn_free(group->events);
  }
  if (group->required != group->few_required) {
    tn_free(group->required);
  }
  tn_capture_record_free(&group->captured);
  if (group->destroy_block != NULL) {
    group->destroy_block(group->block);
  }
  if (group->block != group->small_block) {
    tn_free_aligned(group->block);
  }
  if (group->command.free_user != NULL) {
    group->command.free_user(group->command.user);
  }
}

void tn_command_group_depends_on(tn_command_group *group, tn_event *event) {
  if (event == NULL) {
    return;
  }
  void *items = group->events;
  if (!grow(&items, group->few_events, group->event_count, &group->event_capacity,
            sizeof(event))) {
    group->captured.is_out_of_memory = 1;
    return;
  }
  group->events = items;
  group->events[group->event_count++] = event;
  tn_event_retain(event);
}

void tn_command_group_require(tn_command_group *group, tn_buffer *buffer, uint32_t mode) {
  void *items = group->required;
  if (!grow(&items, group->few_required, group->required_count, &group->required_capacity,
            sizeof(tn_access))) {
    group->captured.is_out_of_memory = 1;
    return;
  }
  group->required = items;
  group->required[group->required_count++] = (tn_access){buffer, mode, TN_NO_ARG};
  tn_buffer_retain(buffer);
}

tn_status tn_command_group_begin(tn_command_group *group, uint32_t kind, tn_diag *diag) {
  if (group->has_action != 0) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "a command group does one thing: this one calls two of parallel_for, "
                   "single_task, memcpy, copy, fill, host_task …");
  }
  group->has_action = 1;
  group->command.kind = kind;
  return TN_OK;
}

tn_status tn_command_group_place(tn_command_group *group, size_t size, size_t alignment,
                                 void **out, tn_diag *diag) {
  if (size <= sizeof(group->small_block) && alignment <= 64) {
    group->block = group->small_block;
  } else if ((group->block = tn_alloc_aligned(size, alignment)) == NULL) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the %zu bytes of a function object", size);
  }
  *out = group->block;
  return TN_OK;
}

tn_status tn_command_group_set_kernel(tn_command_group *group, tn_kernel_slot *slot, size_t size,
                                      size_t alignment, void **out_block, tn_diag *diag) {
  TN_TRY(tn_command_group_begin(group, TN_COMMAND_KERNEL, diag));
  TN_TRY(tn_command_group_place(group, size, alignment, out_block, diag));
  group->command.slot = slot;
  group->command.args = group->block;
  group->command.arg_size = (uint32_t)size;
  group->command.arg_align = (uint32_t)alignment;
  return TN_OK;
}

// Everything that any requirement of the command group may do with the buffer; 0 when there is
// none. Flags hold when all requirements have them.
static uint32_t merged_mode(const tn_command_group *group, const tn_buffer *buffer) {
  uint32_t mode = 0;
  uint32_t flags = TN_ACCESS_NO_INIT | (group->command.kind == TN_COMMAND_INTEROP_TASK
                                            ? (uint32_t)TN_ACCESS_ON_HOST
                                            : 0);
  for (uint32_t i = 0; i < group->required_count; i++) {
    if (group->required[i].buffer == buffer) {
      mode |= group->required[i].mode & TN_ACCESS_READ_WRITE;
      flags &= group->required[i].mode;
    }
  }
  return mode == 0 ? 0 : mode | flags;
}

// One mode for each buffer: the command's accesses are those of the function object, and the
// requirements.
static tn_status merge_accesses(tn_command_group *group, tn_diag *diag) {
  tn_capture_record *captured = &group->captured;
  for (uint32_t i = 0; i < group->required_count; i++) {
    push_access(captured, group->required[i]);
  }
  if (captured->is_out_of_memory != 0) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the accessors of a command group");
  }
  for (uint32_t i = 0; i < captured->access_count; i++) {
    tn_access *access = &captured->accesses[i];
    access->mode = merged_mode(group, access->buffer);
    if (access->mode == 0) {
      return TN_FAIL(diag, KERNEL_ARGUMENT,
                     "the kernel uses an accessor that is not a requirement of its command group: "
                     "make it with the handler, or call handler::require for a placeholder");
    }
  }
  return TN_OK;
}

tn_status tn_command_group_submit(tn_command_group *group, tn_event **out_event, tn_diag *diag) {
  TN_TRY(merge_accesses(group, diag));
  tn_command *command = &group->command;
  command->struct_size = sizeof(*command);
  command->events = (const tn_event *const *)group->events;
  command->event_count = group->event_count;
  command->accesses = group->captured.accesses;
  command->access_count = group->captured.access_count;
  command->locals = group->captured.locals;
  command->local_count = group->captured.local_count;
  command->flags |= group->captured.command_flags;
  const tn_status status = tn_queue_submit(group->queue, command, out_event, diag);
  command->free_user = NULL;  // called by the runtime, also when it rejected the command
  return status;
}

// Of an nd_range with auto_range (sycl/ext/oneapi/experimental/auto_local_range.hpp).
static bool is_left_open(uint32_t dims, const size_t *local) {
  bool is_open = true;
  for (uint32_t i = 0; i < dims && i < 3; i++) {
    is_open = is_open && local[i] == SIZE_MAX;
  }
  return is_open;
}

void tn_command_set_range(tn_command *command, uint32_t dims, const size_t *global,
                          const size_t *local, const size_t *offset) {
  command->dims = dims;
  command->has_local = local == NULL ? 0 : is_left_open(dims, local) ? 2 : 1;
  for (uint32_t i = 0; i < 3; i++) {
    const bool is_used = i < dims;
    command->global[i] = is_used ? global[i] : 1;
    command->local[i] = is_used && local != NULL ? local[i] : 1;
    command->offset[i] = is_used && offset != NULL ? offset[i] : 0;
  }
}
