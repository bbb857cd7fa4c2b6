// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The contents of a node: the device's command with its arguments, the addresses of its buffers and
// local memory in place. Whatever was acquired before a failure is given back by tn_node_recycle.
#include "base/alloc.h"
#include "run/sched/launch_aliases.h"
#include "run/sched/launch_parameters.h"
#include "run/sched/residence.h"

#include <string.h>

static tn_status copy_args(tn_node *node, const tn_command *command, tn_diag *diag) {
  const size_t size = command->arg_size;
  const size_t alignment =
      command->arg_align > node->kernel->arg_align ? command->arg_align : node->kernel->arg_align;
  void *args = node->inline_args;
  if (size > TN_NODE_INLINE_ARGS || alignment > _Alignof(tn_node)) {
    node->heap_args = tn_alloc_aligned(size, alignment > 64 ? alignment : 64);
    args = node->heap_args;
    if (args == NULL) {
      return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for %zu bytes of kernel arguments", size);
    }
  }
  if (size > 0) {
    memcpy(args, command->args, size);
  }
  node->command.launch.args = args;
  return TN_OK;
}

// The bytes of a buffer, or of a part, where the node is to find them.
static tn_status find_memory(tn_device *place, tn_buffer *buffer, void **out, tn_diag *diag) {
  TN_TRY(tn_buffer_get_memory(buffer, out, diag));
  if (place == NULL) {
    return TN_OK;
  }
  tn_buffer_copy *copy = NULL;
  TN_TRY(tn_buffer_get_copy(tn_buffer_whole(buffer), place, &copy, diag));
  *out = (unsigned char *)copy->memory + buffer->offset;
  return TN_OK;
}

// Puts the buffers' addresses into the block.
static tn_status take_buffers(tn_node *node, const tn_command *command, unsigned char *args,
                              tn_diag *diag) {
  if (command->access_count > TN_NODE_INLINE_BUFFERS) {
    tn_buffer **buffers = tn_alloc_array(command->access_count, sizeof(*buffers));
    if (buffers == NULL) {
      return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the %zu accesses of a command",
                     command->access_count);
    }
    node->buffers = buffers;
  }
  for (size_t i = 0; i < command->access_count; i++) {
    const tn_access *access = &command->accesses[i];
    void *memory = NULL;
    TN_TRY(find_memory(tn_residence_at(node->queue, node->kind, access), access->buffer, &memory,
                       diag));
    tn_buffer *whole = tn_buffer_whole(access->buffer);
    tn_buffer_ref(whole);
    node->buffers[node->buffer_count++] = whole;
    if (access->arg_offset != TN_NO_ARG && args != NULL) {
      memcpy(args + access->arg_offset, &memory, sizeof(memory));
    }
  }
  return TN_OK;
}

static tn_status fill_kernel(tn_node *node, const tn_command *command, const tn_checked *checked,
                             tn_diag *diag) {
  if (!tn_kernel_begin_use(checked->kernel)) {
    return TN_FAIL(diag, KERNEL_NOT_FOUND, "kernel %s: the module with its code was unloaded: keep "
                   "it loaded as long as its kernels are launched", checked->kernel->display_name);
  }
  node->kernel = checked->kernel;
  node->command.kind = TN_ADAPTER_KERNEL;
  tn_launch_parameters_fill(&node->command.launch, command, checked);
  TN_TRY(copy_args(node, command, diag));
  unsigned char *args = node->heap_args != NULL ? node->heap_args : node->inline_args;
  uint64_t local_size = 0;
  (void)tn_command_place_locals(command, args, &local_size);
  TN_TRY(take_buffers(node, command, args, diag));
  node->command.launch.noalias = tn_launch_noalias(checked->kernel, command, args);
  return TN_OK;
}

static void fill_pattern(tn_node *node, const tn_command *command) {
  memcpy(node->inline_args, command->pattern, command->pattern_size);
  node->command.pattern = node->inline_args;
  node->command.pattern_size = command->pattern_size;
}

static tn_status fill_rect(const tn_node *node, tn_adapter_rect *out, const tn_rect *rect,
                           tn_diag *diag) {
  void *memory = rect->memory;
  if (rect->buffer != NULL) {
    TN_TRY(find_memory(tn_residence_of(node->queue, node->kind), rect->buffer, &memory, diag));
  }
  out->memory = (unsigned char *)memory + rect->offset;
  out->row_pitch = rect->row_pitch;
  out->slice_pitch = rect->slice_pitch;
  return TN_OK;
}

// A side that is an image: its place in linear memory, or in the driver's array.
static void fill_image(tn_adapter_rect *out, tn_adapter_array_place *place, const tn_rect *rect) {
  const tn_bindless_memory *image = rect->memory;
  if (image->array != NULL) {
    *place = (tn_adapter_array_place){.array = image->array,
                                      .x = rect->offset,
                                      .y = rect->row_pitch,
                                      .z = rect->slice_pitch};
    return;
  }
  *out = (tn_adapter_rect){.memory = image->pixels + rect->offset +
                                     rect->row_pitch * image->row_pitch +
                                     rect->slice_pitch * image->slice_pitch,
                           .row_pitch = image->row_pitch,
                           .slice_pitch = image->slice_pitch};
}

static tn_status fill_copy(tn_node *node, const tn_command *command, tn_diag *diag) {
  tn_adapter_command *to = &node->command;
  tn_adapter_array_place places[2] = {{0}, {0}};
  to->kind = TN_ADAPTER_COPY_RECT;
  if ((command->flags & TN_COMMAND_IMAGE_SOURCE) != 0) {
    fill_image(&to->rect_src, &places[1], &command->rect_src);
  } else {
    TN_TRY(fill_rect(node, &to->rect_src, &command->rect_src, diag));
  }
  if ((command->flags & TN_COMMAND_IMAGE_DESTINATION) != 0) {
    fill_image(&to->rect_dst, &places[0], &command->rect_dst);
  } else {
    TN_TRY(fill_rect(node, &to->rect_dst, &command->rect_dst, diag));
  }
  if (places[0].array != NULL || places[1].array != NULL) {
    _Static_assert(sizeof(places) <= TN_NODE_INLINE_ARGS, "they fit");
    memcpy(node->inline_args, places, sizeof(places));
    to->kind = TN_ADAPTER_COPY_ARRAY;
    to->arrays = (const tn_adapter_array_place *)node->inline_args;
  }
  return TN_OK;
}

static tn_status fill_memory_command(tn_node *node, const tn_command *command, tn_diag *diag) {
  tn_adapter_command *to = &node->command;
  switch (command->kind) {
    case TN_COMMAND_COPY:
      to->kind = TN_ADAPTER_COPY;
      break;
    case TN_COMMAND_FILL:
      to->kind = TN_ADAPTER_FILL;
      fill_pattern(node, command);
      break;
    case TN_COMMAND_COPY_RECT:
      TN_TRY(fill_copy(node, command, diag));
      break;
    case TN_COMMAND_FILL_RECT:
      to->kind = TN_ADAPTER_FILL_RECT;
      fill_pattern(node, command);
      TN_TRY(fill_rect(node, &to->rect_dst, &command->rect_dst, diag));
      break;
    case TN_COMMAND_DEVICE_GRAPH:
      to->kind = TN_ADAPTER_GRAPH;
      break;
    case TN_COMMAND_PREFETCH:
      to->kind = TN_ADAPTER_PREFETCH;
      to->advice = command->advice;
      break;
    case TN_COMMAND_ADVISE:
      to->kind = TN_ADAPTER_ADVISE;
      to->advice = command->advice;
      break;
    case TN_COMMAND_NATIVE:
      to->kind = TN_ADAPTER_NATIVE;
      to->native = tn_native_command_run;
      to->native_user = node;
      break;
    default:
      break;
  }
  to->dst = command->dst;
  to->src = command->src;
  to->size = command->size;
  memcpy(to->extent, command->rect_extent, sizeof(to->extent));
  return take_buffers(node, command, NULL, diag);
}

tn_status tn_node_fill(tn_node *node, const tn_command *command, const tn_checked *checked,
                       tn_diag *diag) {
  node->kind = command->kind;
  if (checked->is_empty) {
    const bool is_barrier =
        (command->kind == TN_COMMAND_BARRIER || command->kind == TN_COMMAND_EVENT_BARRIER) &&
        (node->queue->flags & TN_QUEUE_IN_ORDER) == 0;
    node->kind = node->queue->stream != NULL ? TN_NODE_MARKER
                 : is_barrier                ? TN_COMMAND_BARRIER
                                             : TN_COMMAND_NONE;
    return take_buffers(node, command, NULL, diag);
  }
  if (command->kind == TN_COMMAND_KERNEL) {
    return fill_kernel(node, command, checked, diag);
  }
  node->host_task = command->host_task;
  node->command.graph = command->graph;
  return fill_memory_command(node, command, diag);
}
