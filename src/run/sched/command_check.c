// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Everything that can be wrong with a command, each with its message. Commands are checked before
// they take effect.
#include "run/sched/queue_state.h"

#include <string.h>

tn_status tn_command_find_kernel(tn_queue *queue, const tn_command *command, tn_kernel **out,
                                 tn_diag *diag) {
  if (command->kernel != NULL) {
    if (tn_device_of_code(command->kernel->device) != queue->code_device) {
      return TN_FAIL(
          diag, WRONG_CONTEXT,
          "kernel %s was built for device %s, but the queue is on %s; get the kernel for "
          "the queue's device",
          command->kernel->display_name, command->kernel->device->name, queue->device->name);
    }
    *out = command->kernel;
    return TN_OK;
  }
  if (command->slot == NULL) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "a kernel command needs a slot or a kernel, but both are NULL");
  }
  *out = tn_kernel_slot_peek(command->slot, queue->code_device);
  if (__builtin_expect(*out != NULL && !(*out)->is_partial, 1)) {
    return TN_OK;
  }
  return tn_kernel_for_launch(command->slot, queue->code_device, command->dims,
                              command->has_local == 1 ? command->local : NULL, out, diag);
}

static tn_status check_group(const tn_queue *queue, const tn_command *command, const char *name,
                             tn_diag *diag) {
  uint64_t group_size = 1;
  bool is_empty = false;  // the index space: it has no work-groups
  for (uint32_t i = 0; i < command->dims; i++) {
    is_empty = is_empty || command->global[i] == 0;
  }
  for (uint32_t i = 0; i < command->dims; i++) {
    const uint64_t local = command->local[i];
    const uint64_t maximum = queue->max_item_sizes[command->dims - 1 - i];
    if (local == 0) {
      return TN_FAIL(diag, ND_RANGE,
                     "kernel %s: the local size of dimension %u is 0; it must be at "
                     "least 1",
                     name, i);
    }
    if (!is_empty && command->global[i] % local != 0) {
      return TN_FAIL(diag, ND_RANGE,
                     "kernel %s: the local size %llu does not divide the global size %llu of "
                     "dimension %u",
                     name, (unsigned long long)local, (unsigned long long)command->global[i], i);
    }
    if (local > maximum) {
      return TN_FAIL(diag, ND_RANGE,
                     "kernel %s: the local size %llu of dimension %u is over the maximum of device "
                     "%s, %llu",
                     name, (unsigned long long)local, i, queue->device->name,
                     (unsigned long long)maximum);
    }
    group_size = __builtin_mul_overflow(group_size, local, &group_size) ? UINT64_MAX : group_size;
  }
  if (group_size > queue->max_group_size) {
    return TN_FAIL(
        diag, ND_RANGE,
        "kernel %s: a work-group of %llu work-items is over the maximum of device %s, %llu", name,
        (unsigned long long)group_size, queue->device->name,
        (unsigned long long)queue->max_group_size);
  }
  return TN_OK;
}

static tn_status check_range(const tn_queue *queue, const tn_command *command, const char *name,
                             bool *out_empty, tn_diag *diag) {
  if (command->dims < 1 || command->dims > 3) {
    return TN_FAIL(diag, ND_RANGE, "kernel %s: a range has 1 to 3 dimensions, not %u", name,
                   command->dims);
  }
  uint64_t total = 1;
  bool overflow = false;
  bool is_empty = false;
  for (uint32_t i = 0; i < command->dims; i++) {
    uint64_t end = 0;
    is_empty = is_empty || command->global[i] == 0;
    overflow = overflow || __builtin_mul_overflow(total, command->global[i], &total) ||
               __builtin_add_overflow(command->global[i], command->offset[i], &end);
  }
  if (overflow && !is_empty) {
    return TN_FAIL(diag, ND_RANGE,
                   "kernel %s: the range has more work-items than 64 bits can count", name);
  }
  *out_empty = is_empty;
  return command->has_local != 0 ? check_group(queue, command, name, diag) : TN_OK;
}

// Without work-groups the device chooses a size, and may choose the required one.
static tn_status check_required_group(const tn_command *command, const tn_kernel *kernel,
                                      tn_diag *diag) {
  const uint32_t *size = kernel->group_size;
  bool is_same = true;
  for (uint32_t i = 0; i < 3; i++) {
    const uint64_t local = i + command->dims < 3 ? 1 : command->local[i + command->dims - 3];
    is_same = is_same && local == size[i];
  }
  if (command->has_local == 0 || is_same) {
    return TN_OK;
  }
  const uint32_t skipped = 3 - command->dims;
  const uint64_t *local = command->local;
  return TN_FAIL(diag, ND_RANGE,
                 "kernel %s: its reqd_work_group_size is %u x %u x %u, but it was launched with "
                 "work-groups of %llu x %llu x %llu",
                 kernel->display_name, size[0], size[1], size[2],
                 (unsigned long long)(skipped > 0 ? 1 : local[0]),
                 (unsigned long long)(skipped > 1 ? 1 : local[1 - skipped]),
                 (unsigned long long)local[2 - skipped]);
}

static tn_status check_required_sub_group(const tn_queue *queue, const tn_kernel *kernel,
                                          tn_diag *diag) {
  const uint32_t size = kernel->sub_group_size;
  if (tn_device_has_sub_group_size(queue->device, size)) {
    return TN_OK;
  }
  uint32_t sizes = 0;  // a device that does not answer has a failure of its own
  TN_TRY(queue->api->device_get_info(queue->device->adapter_device, TN_DEVICE_INFO_SUB_GROUP_SIZES,
                                     &sizes, sizeof(sizes), NULL, diag));
  tn_buf text;
  tn_buf_init(&text, 1u << 10);
  tn_device_add_sub_group_need(queue->device, size, &text);
  const tn_status status = TN_FAIL(diag, KERNEL_NOT_FOUND, "kernel %s: %s", kernel->display_name,
                                   tn_buf_text(&text));
  tn_buf_deinit(&text);
  return status;
}

// Requirements of the kernel to any device, before those of this launch.
static tn_status check_possible(const tn_queue *queue, const tn_kernel *kernel, tn_diag *diag) {
  uint64_t group_size = 1;
  bool is_possible = true;
  for (uint32_t i = 0; i < 3 && kernel->group_size[0] != 0; i++) {
    group_size = __builtin_mul_overflow(group_size, kernel->group_size[i], &group_size)
                     ? UINT64_MAX
                     : group_size;
    is_possible = is_possible && kernel->group_size[i] <= queue->max_item_sizes[2 - i];
  }
  if (!is_possible || group_size > queue->max_group_size) {
    return TN_FAIL(diag, KERNEL_NOT_FOUND,
                   "kernel %s: its reqd_work_group_size is %u x %u x %u, which is over the maximum "
                   "of device %s: %llu work-items",
                   kernel->display_name, kernel->group_size[0], kernel->group_size[1],
                   kernel->group_size[2], queue->device->name,
                   (unsigned long long)queue->max_group_size);
  }
  return kernel->sub_group_size != 0 ? check_required_sub_group(queue, kernel, diag) : TN_OK;
}

// The first of the command's locals that is the same memory: itself, if none before is.
static size_t first_of_local(const tn_command *command, size_t index) {
  size_t first = 0;
  while (command->locals[first].id != command->locals[index].id) {
    first++;
  }
  return first;
}

static uint64_t size_of_scratch(const tn_command *command) {
  uint64_t size = 0;
  for (size_t i = 0; i < command->local_count; i++) {
    size = command->locals[i].arg_offset == TN_NO_ARG ? command->locals[i].size : size;
  }
  return size;
}

bool tn_command_place_locals(const tn_command *command, unsigned char *args, uint64_t *out_size) {
  uint64_t end = size_of_scratch(command);
  for (size_t i = 0; i < command->local_count; i++) {
    const tn_local *local = &command->locals[i];
    if (local->arg_offset == TN_NO_ARG) {
      continue;
    }
    const size_t first = first_of_local(command, i);
    if (first < i) {
      if (args != NULL) {
        memcpy(args + local->arg_offset, args + command->locals[first].arg_offset,
               sizeof(uint64_t));
      }
      continue;
    }
    uint64_t begin = 0;
    if (__builtin_add_overflow(end, local->alignment - 1, &begin)) {
      return false;
    }
    begin &= ~(uint64_t)(local->alignment - 1);
    if (__builtin_add_overflow(begin, local->size, &end)) {
      return false;
    }
    if (args != NULL) {
      memcpy(args + local->arg_offset, &begin, sizeof(begin));
    }
  }
  *out_size = end;
  return true;
}

bool tn_local_is_dynamic(const tn_local *local) {
  return (local->id & (TN_LOCAL_DYNAMIC | TN_LOCAL_DYNAMIC << 1)) == TN_LOCAL_DYNAMIC;
}

static tn_status check_local(const tn_command *command, size_t index, const char *name,
                             tn_diag *diag) {
  const tn_local *local = &command->locals[index];
  if (tn_local_is_dynamic(local)) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "kernel %s uses a dynamic_work_group_memory or dynamic_local_accessor, which is "
                   "for nodes that command_graph::add makes; use a work_group_memory or a "
                   "local_accessor",
                   name);
  }
  const uint32_t alignment = local->alignment;
  if (alignment == 0 || (alignment & (alignment - 1)) != 0 || alignment > TN_LOCAL_MEM_ALIGNMENT) {
    return TN_FAIL(diag, KERNEL_ARGUMENT,
                   "kernel %s: local memory %zu asks for an alignment of %u bytes; it can be a "
                   "power of two up to %d",
                   name, index, alignment, TN_LOCAL_MEM_ALIGNMENT);
  }
  if (local->arg_offset != TN_NO_ARG &&
      (command->arg_size < sizeof(uint64_t) ||
       local->arg_offset > command->arg_size - sizeof(uint64_t))) {
    return TN_FAIL(diag, KERNEL_ARGUMENT,
                   "kernel %s: local memory %zu puts its offset at byte %u, outside the argument "
                   "block of %u bytes",
                   name, index, local->arg_offset, command->arg_size);
  }
  return TN_OK;
}

static bool has_local_at(const tn_command *command, uint32_t offset) {
  for (size_t i = 0; i < command->local_count; i++) {
    if (command->locals[i].arg_offset == offset) {
      return true;
    }
  }
  return false;
}

// Of local memory in the block of arguments; a value with it as a member is as large or larger.
static const uint32_t local_arg_size = 8;

// Of a function: each argument that is local memory gets an offset, and no other argument does; a
// value may be a struct with local memory as a member.
static tn_status check_local_args(const tn_command *command, const tn_kernel *kernel,
                                  tn_diag *diag) {
  for (size_t i = 0; i < kernel->arg_count && !kernel->is_native; i++) {
    const tn_kernel_arg *arg = &kernel->args[i];
    if (arg->kind == TN_ARG_LOCAL && !has_local_at(command, arg->offset)) {
      return TN_FAIL(diag, KERNEL_ARGUMENT,
                     "kernel %s: argument %zu is local memory, but no piece of it has arg_offset "
                     "%u; say how large it is in the command's locals",
                     kernel->display_name, i, arg->offset);
    }
    for (size_t k = 0; k < command->local_count && arg->kind != TN_ARG_LOCAL; k++) {
      const uint32_t at = command->locals[k].arg_offset;
      const bool is_inside = at >= arg->offset && at - arg->offset < arg->size;
      const bool is_small_value = arg->kind == TN_ARG_VALUE && arg->size < local_arg_size;
      if (is_inside && (is_small_value || arg->kind == TN_ARG_POINTER)) {
        return TN_FAIL(diag, KERNEL_ARGUMENT,
                       "kernel %s: local memory %zu puts its offset at byte %u, but that is "
                       "argument %zu, which is no local memory",
                       kernel->display_name, k, at, i);
      }
    }
  }
  return TN_OK;
}

// With what its variables take.
static tn_status check_local_sum(const tn_queue *queue, const tn_kernel *kernel, uint64_t size,
                                 tn_diag *diag) {
  if (size <= queue->local_mem_size && kernel->local_mem_size <= queue->local_mem_size - size) {
    return TN_OK;
  }
  if (kernel->local_mem_size > 0) {
    return TN_FAIL(diag, OUT_OF_MEMORY,
                   "kernel %s asks for %llu bytes of local memory for each work-group, and has "
                   "variables of %llu bytes there, but device %s has %llu",
                   kernel->display_name, (unsigned long long)size,
                   (unsigned long long)kernel->local_mem_size, queue->device->name,
                   (unsigned long long)queue->local_mem_size);
  }
  return TN_FAIL(diag, OUT_OF_MEMORY,
                 "kernel %s asks for %llu bytes of local memory for each work-group, but device "
                 "%s has %llu; make its local accessors and its scratch memory smaller",
                 kernel->display_name, (unsigned long long)size, queue->device->name,
                 (unsigned long long)queue->local_mem_size);
}

static tn_status check_locals(const tn_queue *queue, const tn_command *command,
                              const tn_kernel *kernel, uint64_t *out_size, tn_diag *diag) {
  const char *name = kernel->display_name;
  *out_size = 0;
  if (command->local_count == 0) {
    return TN_OK;
  }
  if (command->locals == NULL) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "kernel %s has %zu pieces of local memory, but locals is NULL", name,
                   command->local_count);
  }
  if (command->has_local == 0) {
    return TN_FAIL(diag, KERNEL_ARGUMENT,
                   "kernel %s uses local memory, but its launch has no work-groups; use "
                   "parallel_for with an nd_range",
                   name);
  }
  for (size_t i = 0; i < command->local_count; i++) {
    TN_TRY(check_local(command, i, name, diag));
  }
  if (!tn_command_place_locals(command, NULL, out_size)) {
    *out_size = UINT64_MAX;
  }
  return check_local_sum(queue, kernel, *out_size, diag);
}

// Its arguments are in a list that the block begins with.
static tn_status check_native_block(const tn_command *command, const tn_kernel *kernel,
                                    tn_diag *diag) {
  uint64_t count = 0;
  if (command->args != NULL && command->arg_size >= TN_KERNEL_ARG_LIST_AT) {
    memcpy(&count, command->args, sizeof(count));
  }
  return command->args != NULL && command->arg_size >= TN_KERNEL_ARG_LIST_AT &&
                 count == kernel->arg_count
             ? TN_OK
             : TN_FAIL(diag, KERNEL_ARGUMENT,
                       "kernel %s has %zu arguments, but its argument block lists %llu",
                       kernel->display_name, kernel->arg_count, (unsigned long long)count);
}

static tn_status check_block(const tn_command *command, const tn_kernel *kernel, tn_diag *diag) {
  if (kernel->is_native) {
    return check_native_block(command, kernel, diag);
  }
  if (command->arg_size != kernel->arg_size) {
    return tn_kernel_is_function(kernel)
               ? TN_FAIL(diag, KERNEL_ARGUMENT,
                         "kernel %s takes its %zu arguments in a block of %u bytes, but %u were "
                         "given",
                         kernel->display_name, kernel->arg_count, kernel->arg_size,
                         command->arg_size)
               : TN_FAIL(diag, KERNEL_ARGUMENT,
                         "kernel %s takes an argument block of %u bytes, but %u were given; host "
                         "and device code were compiled from different sources",
                         kernel->display_name, kernel->arg_size, command->arg_size);
  }
  if (command->args == NULL && command->arg_size > 0) {
    return TN_FAIL(diag, KERNEL_ARGUMENT,
                   "kernel %s takes an argument block of %u bytes, but args is NULL",
                   kernel->display_name, kernel->arg_size);
  }
  return TN_OK;
}

// A function is launched as the kind of kernel that it is declared as.
static tn_status check_kind(const tn_command *command, const tn_kernel *kernel, tn_diag *diag) {
  if (kernel->is_single_task) {
    const bool is_one = command->has_local == 0 && command->dims == 1 && command->global[0] == 1;
    return is_one ? TN_OK
                  : TN_FAIL(diag, INVALID_ARGUMENT,
                            "kernel %s is a single_task_kernel, but it was launched over a range",
                            kernel->display_name);
  }
  if (command->has_local == 0 || command->dims != kernel->dims) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "kernel %s is an nd_range_kernel<%u>, but it was launched %s",
                   kernel->display_name, kernel->dims,
                   command->has_local == 0 ? "without work-groups; use an nd_range"
                   : command->dims == 1    ? "with an nd_range<1>"
                   : command->dims == 2    ? "with an nd_range<2>"
                                           : "with an nd_range<3>");
  }
  return TN_OK;
}

static bool is_one_item(const tn_command *command) {
  bool is_one = true;
  for (uint32_t i = 0; i < command->dims; i++) {
    is_one = is_one && command->global[i] == 1;
  }
  return is_one;
}

// A launch whose groups may wait for each other.
static tn_status check_root_groups(const tn_queue *queue, const tn_command *command,
                                   const tn_checked *checked, tn_diag *diag) {
  const char *name = checked->kernel->display_name;
  uint64_t items = 1;
  uint64_t groups = 1;
  uint64_t most = 0;
  if (command->has_local == 0) {
    if (is_one_item(command)) {
      return TN_OK;  // it waits for nobody
    }
    return TN_FAIL(diag, ND_RANGE,
                   "kernel %s: its work-groups are to wait for each other (use_root_sync), but its "
                   "launch has none; use an nd_range",
                   name);
  }
  for (uint32_t i = 0; i < command->dims; i++) {
    items *= command->local[i];
    groups = __builtin_mul_overflow(groups, command->global[i] / command->local[i], &groups)
                 ? UINT64_MAX
                 : groups;
  }
  TN_TRY(tn_kernel_root_groups(checked->kernel, queue->device, items, checked->local_memory_size,
                               &most, diag));
  if (groups > most) {
    return TN_FAIL(diag, ND_RANGE,
                   "kernel %s: %llu work-groups of %llu work-items cannot wait for each other "
                   "(use_root_sync) on device %s, which runs at most %llu of them at once; ask "
                   "kernel::ext_oneapi_get_info for max_num_work_groups",
                   name, (unsigned long long)groups, (unsigned long long)items,
                   queue->device->name, (unsigned long long)most);
  }
  return TN_OK;
}

tn_status tn_command_check_kernel(tn_queue *queue, const tn_command *command, tn_checked *out,
                                  tn_diag *diag) {
  out->kernel = NULL;
  TN_TRY(tn_command_find_kernel(queue, command, &out->kernel, diag));
  const tn_kernel *kernel = out->kernel;
  TN_TRY(check_block(command, kernel, diag));
  if (__builtin_expect(kernel->dims != 0 || kernel->is_single_task, 0)) {
    TN_TRY(check_kind(command, kernel, diag));
  }
  TN_TRY(check_possible(queue, kernel, diag));
  TN_TRY(check_range(queue, command, kernel->display_name, &out->is_empty, diag));
  if (kernel->group_size[0] != 0) {
    TN_TRY(check_required_group(command, kernel, diag));
  }
  TN_TRY(check_locals(queue, command, kernel, &out->local_memory_size, diag));
  if (__builtin_expect(command->flags != 0, 0)) {
    TN_TRY(check_root_groups(queue, command, out, diag));
  }
  return __builtin_expect(kernel->arg_count != 0, 0) ? check_local_args(command, kernel, diag)
                                                     : TN_OK;
}

static tn_status check_end(const char *what, const void *memory, size_t size, tn_diag *diag) {
  if (size > UINTPTR_MAX - (uintptr_t)memory) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "the %s at %p does not have %zu bytes: the address space "
                   "ends before",
                   what, memory, size);
  }
  return TN_OK;
}

static tn_status check_memory(const tn_queue *queue, const char *what, const void *memory,
                              size_t size, tn_diag *diag) {
  if (memory == NULL) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "the %s of %zu bytes is NULL", what, size);
  }
  TN_TRY(check_end(what, memory, size, diag));
  return tn_usm_check_range(queue->context, what, memory, size, diag);
}

static tn_status check_pattern(const tn_command *command, uint64_t size, tn_diag *diag) {
  if (command->pattern_size < 1 || command->pattern_size > 128) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "a fill's pattern has 1 to 128 bytes, not %zu",
                   command->pattern_size);
  }
  if (command->pattern == NULL) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "a fill's pattern is NULL");
  }
  if (size % command->pattern_size != 0) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "a fill of %llu bytes is not a multiple of its pattern's %zu bytes",
                   (unsigned long long)size, command->pattern_size);
  }
  return TN_OK;
}

static const tn_access *find_access(const tn_command *command, const tn_buffer *buffer,
                                    uint32_t mode) {
  for (size_t i = 0; i < command->access_count; i++) {
    if (command->accesses[i].buffer == buffer && (command->accesses[i].mode & mode) != 0) {
      return &command->accesses[i];
    }
  }
  return NULL;
}

// Bytes from the first element to the end of the last row. False on overflow.
static bool rect_span(const tn_rect *rect, const uint64_t extent[3], uint64_t *out) {
  uint64_t rows = 0;
  uint64_t slices = 0;
  return !__builtin_mul_overflow(extent[1] - 1, rect->row_pitch, &rows) &&
         !__builtin_mul_overflow(extent[2] - 1, rect->slice_pitch, &slices) &&
         !__builtin_add_overflow(rows, slices, &rows) &&
         !__builtin_add_overflow(rows, extent[0], &rows) &&
         !__builtin_add_overflow(rows, rect->offset, out);
}

static tn_status check_rect(const tn_queue *queue, const tn_command *command, const tn_rect *rect,
                            const char *what, uint32_t mode, tn_diag *diag) {
  uint64_t span = 0;
  const uint32_t image_flag =
      mode == TN_ACCESS_WRITE ? TN_COMMAND_IMAGE_DESTINATION : TN_COMMAND_IMAGE_SOURCE;
  if (command->kind == TN_COMMAND_COPY_RECT && (command->flags & image_flag) != 0) {
    return tn_bindless_check_box(rect->memory, queue->device, what, rect, command->rect_extent,
                                 diag);
  }
  if (!rect_span(rect, command->rect_extent, &span)) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "the %s of a rectangular copy is larger than any memory",
                   what);
  }
  if (rect->buffer == NULL) {
    return check_memory(queue, what, rect->memory, span, diag);
  }
  if (find_access(command, rect->buffer, mode) == NULL) {
    return TN_FAIL(diag, ACCESSOR,
                   "the %s of a rectangular copy is a buffer that the command does not access for "
                   "%s",
                   what, mode == TN_ACCESS_WRITE ? "writing" : "reading");
  }
  if (span > tn_buffer_size(rect->buffer)) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "the %s of a rectangular copy ends at byte %llu of a buffer of %zu bytes", what,
                   (unsigned long long)span, tn_buffer_size(rect->buffer));
  }
  return TN_OK;
}

static tn_status check_linear(const tn_queue *queue, const tn_command *command, bool *out_empty,
                              tn_diag *diag) {
  *out_empty = command->size == 0;
  if (command->kind == TN_COMMAND_FILL) {
    TN_TRY(check_pattern(command, command->size, diag));
  }
  if (command->size == 0) {
    return TN_OK;
  }
  TN_TRY(check_memory(queue, "destination", command->dst, command->size, diag));
  if (command->kind == TN_COMMAND_COPY) {
    TN_TRY(check_memory(queue, "source", command->src, command->size, diag));
  }
  return TN_OK;
}

static tn_status check_rects(const tn_queue *queue, const tn_command *command, bool *out_empty,
                             tn_diag *diag) {
  const uint64_t *extent = command->rect_extent;
  *out_empty = extent[0] == 0 || extent[1] == 0 || extent[2] == 0;
  if (command->kind == TN_COMMAND_FILL_RECT) {
    TN_TRY(check_pattern(command, extent[0], diag));
  }
  if (*out_empty) {
    return TN_OK;
  }
  TN_TRY(check_rect(queue, command, &command->rect_dst, "destination", TN_ACCESS_WRITE, diag));
  if (command->kind == TN_COMMAND_COPY_RECT) {
    TN_TRY(check_rect(queue, command, &command->rect_src, "source", TN_ACCESS_READ, diag));
  }
  return TN_OK;
}

static tn_status check_access(const tn_command *command, size_t index, tn_diag *diag) {
  const tn_access *access = &command->accesses[index];
  if (access->buffer == NULL) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "access %zu of the command has no buffer: it is NULL",
                   index);
  }
  if ((access->mode & TN_ACCESS_READ_WRITE) == 0) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "access %zu of the command has mode 0x%x, which neither reads nor writes", index,
                   access->mode);
  }
  const bool has_block = command->kind == TN_COMMAND_KERNEL;
  if (access->arg_offset != TN_NO_ARG &&
      (!has_block || command->arg_size < sizeof(void *) ||
       access->arg_offset > command->arg_size - sizeof(void *))) {
    return TN_FAIL(diag, KERNEL_ARGUMENT,
                   "access %zu of the command puts its address at byte %u, outside the argument "
                   "block of %u bytes",
                   index, access->arg_offset, has_block ? command->arg_size : 0);
  }
  return TN_OK;
}

static tn_status check_lists(const tn_command *command, tn_diag *diag) {
  if (command->events == NULL && command->event_count > 0) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "a command depends on %zu events, but events is NULL",
                   command->event_count);
  }
  if (command->accesses == NULL && command->access_count > 0) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "a command has %zu accesses, but accesses is NULL",
                   command->access_count);
  }
  for (size_t i = 0; i < command->access_count; i++) {
    TN_TRY(check_access(command, i, diag));
  }
  return TN_OK;
}

static tn_status check_hint(const tn_command *command, tn_diag *diag) {
  if (command->kind == TN_COMMAND_PREFETCH && command->advice != TN_PREFETCH_TO_DEVICE &&
      command->advice != TN_PREFETCH_TO_HOST) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "unknown direction %d of a prefetch", command->advice);
  }
  return check_end("memory", command->dst, command->size, diag);
}

tn_status tn_command_check(tn_queue *queue, const tn_command *command, tn_checked *out,
                           tn_diag *diag) {
  *out = (tn_checked){0};
  TN_TRY(check_lists(command, diag));
  switch (command->kind) {
    case TN_COMMAND_NONE:
    case TN_COMMAND_BARRIER:
    case TN_COMMAND_EVENT_BARRIER:
      out->is_empty = true;
      return TN_OK;
    case TN_COMMAND_KERNEL:
      return tn_command_check_kernel(queue, command, out, diag);
    case TN_COMMAND_COPY:
    case TN_COMMAND_FILL:
      return check_linear(queue, command, &out->is_empty, diag);
    case TN_COMMAND_COPY_RECT:
    case TN_COMMAND_FILL_RECT:
      return check_rects(queue, command, &out->is_empty, diag);
    case TN_COMMAND_DEVICE_GRAPH:
      return TN_OK;
    case TN_COMMAND_PREFETCH:
    case TN_COMMAND_ADVISE:
      out->is_empty = command->size == 0 || command->dst == NULL ||
                      !TN_ADAPTER_HAS(queue->api, memory_kind);
      return check_hint(command, diag);
    case TN_COMMAND_HOST_TASK:
    case TN_COMMAND_NATIVE:
    case TN_COMMAND_INTEROP_TASK:
      if (command->host_task == NULL) {
        return TN_FAIL(diag, INVALID_ARGUMENT, "a host task has no function: host_task is NULL");
      }
      return TN_OK;
    default:
      return TN_FAIL(diag, INVALID_ARGUMENT, "%u is no kind of command", command->kind);
  }
}
