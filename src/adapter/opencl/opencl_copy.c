// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies and fills. On CPUs all memory is the process's own: what the driver has no command for,
// and what is small, is done by the calling thread; behind other commands of a stream, by a host
// step (opencl_step.c). Elsewhere rows are commands of their own, and patterns that the driver
// refuses are expanded in memory of the host first.
#include "adapter/host/host.h"
#include "adapter/opencl/opencl_work.h"
#include "base/alloc.h"

enum { PATTERN_MAXIMUM = 128, QUICK_SIZE = 32 << 10 };

static unsigned char *row_at(const tn_adapter_rect *rect, uint64_t row, uint64_t slice) {
  return (unsigned char *)rect->memory + slice * rect->slice_pitch + row * rect->row_pitch;
}

bool tn_opencl_is_pattern_taken(const void *to, uint64_t size, uint64_t pattern_size) {
  return pattern_size <= PATTERN_MAXIMUM && (pattern_size & (pattern_size - 1)) == 0 &&
         (uintptr_t)to % pattern_size == 0 && size % pattern_size == 0;
}

// True when the host does it because the driver has no command for it.
static bool needs_host(const tn_adapter_device *device, const tn_adapter_command *command) {
  return device->is_host_memory &&
         (command->kind == TN_ADAPTER_COPY_RECT || command->kind == TN_ADAPTER_FILL_RECT ||
          (command->kind == TN_ADAPTER_FILL &&
           !tn_opencl_is_pattern_taken(command->dst, command->size, command->pattern_size)));
}

bool tn_opencl_is_done_here(const tn_adapter_device *device, const tn_adapter_command *command) {
  const bool is_linear = command->kind == TN_ADAPTER_COPY || command->kind == TN_ADAPTER_FILL;
  return needs_host(device, command) ||
         (device->is_host_memory && is_linear && command->size <= QUICK_SIZE);
}

tn_status tn_opencl_try_run(tn_adapter_device *device, const tn_adapter_command *command,
                            bool *out_ran, uint64_t *out_start_ns, uint64_t *out_end_ns,
                            tn_diag *diag) {
  (void)diag;
  *out_ran = tn_opencl_is_done_here(device, command);
  if (!*out_ran) {
    return TN_OK;
  }
  if (out_start_ns) {
    *out_start_ns = tn_time_ns();
  }
  tn_host_move(command);
  if (out_end_ns) {
    *out_end_ns = tn_time_ns();
  }
  return TN_OK;
}

static tn_cl_int enqueue_copy(tn_adapter_device *device, tn_cl_queue queue, void *to,
                              const void *from, uint64_t size, tn_cl_event *out) {
  return device->memory_api == TN_OPENCL_MEMORY_USM
             ? device->usm.copy(queue, 0, to, from, size, 0, NULL, out)
             : device->driver->svm_copy(queue, 0, to, from, size, 0, NULL, out);
}

static tn_cl_int enqueue_fill(tn_adapter_device *device, tn_cl_queue queue, void *to, uint64_t size,
                              const tn_adapter_command *command, const void *expanded,
                              tn_cl_event *out) {
  if (expanded) {
    return enqueue_copy(device, queue, to, expanded, size, out);
  }
  return device->memory_api == TN_OPENCL_MEMORY_USM
             ? device->usm.fill(queue, to, command->pattern, command->pattern_size, size, 0, NULL,
                                out)
             : device->driver->svm_fill(queue, to, command->pattern, command->pattern_size, size, 0,
                                        NULL, out);
}

static bool needs_expansion(const tn_adapter_command *command) {
  if (command->kind == TN_ADAPTER_FILL) {
    return !tn_opencl_is_pattern_taken(command->dst, command->size, command->pattern_size);
  }
  const tn_adapter_rect *to = &command->rect_dst;
  return command->kind == TN_ADAPTER_FILL_RECT &&
         (!tn_opencl_is_pattern_taken(to->memory, command->extent[0], command->pattern_size) ||
          to->row_pitch % command->pattern_size != 0 ||
          to->slice_pitch % command->pattern_size != 0);
}

// The marker follows all that is in the queue, the rows among it.
static tn_cl_int enqueue_rows(tn_adapter_device *device, tn_cl_queue queue,
                              const tn_adapter_command *command, const void *expanded,
                              tn_cl_event *out) {
  tn_cl_int result = TN_CL_SUCCESS;
  const uint64_t rows = command->extent[1] * command->extent[2];
  for (uint64_t i = 0; i < rows && result == TN_CL_SUCCESS; i++) {
    const uint64_t row = i % command->extent[1];
    const uint64_t slice = i / command->extent[1];
    void *to = row_at(&command->rect_dst, row, slice);
    result = command->kind == TN_ADAPTER_FILL_RECT
                 ? enqueue_fill(device, queue, to, command->extent[0], command, expanded, NULL)
                 : enqueue_copy(device, queue, to, row_at(&command->rect_src, row, slice),
                                command->extent[0], NULL);
  }
  if (result != TN_CL_SUCCESS) {
    (void)device->driver->finish(queue);  // the rows before have ended
    return result;
  }
  return device->driver->marker(queue, 0, NULL, out);
}

tn_status tn_opencl_move(tn_opencl_work *work, const tn_adapter_command *command, tn_diag *diag) {
  tn_adapter_device *device = work->device;
  tn_cl_queue queue = work->queue;
  if (!work->stream && tn_opencl_is_done_here(device, command)) {
    tn_host_move(command);
    return TN_OK;
  }
  if (needs_host(device, command)) {
    return tn_opencl_step(device, queue, command, &work->event, diag);
  }
  if (needs_expansion(command)) {
    const uint64_t size = command->kind == TN_ADAPTER_FILL ? command->size : command->extent[0];
    work->expanded = tn_alloc(size);
    if (!work->expanded) {
      return TN_FAIL(diag, OUT_OF_MEMORY, "%s: no memory to fill %zu bytes", device->name,
                     (size_t)size);
    }
    tn_host_fill(work->expanded, size, command->pattern, command->pattern_size);
  }
  tn_cl_int result = TN_CL_SUCCESS;
  switch (command->kind) {
    case TN_ADAPTER_COPY:
      result = enqueue_copy(device, queue, command->dst, command->src, command->size, &work->event);
      break;
    case TN_ADAPTER_FILL:
      result = enqueue_fill(device, queue, command->dst, command->size, command, work->expanded,
                            &work->event);
      break;
    case TN_ADAPTER_COPY_RECT:
    case TN_ADAPTER_FILL_RECT:
      result = enqueue_rows(device, queue, command, work->expanded, &work->event);
      break;
    default:
      return TN_FAIL(diag, UNSUPPORTED, "%s: OpenCL devices run no commands of kind %u",
                     device->name, command->kind);
  }
  return result == TN_CL_SUCCESS ? TN_OK : tn_opencl_fail(result, device->name, diag);
}
