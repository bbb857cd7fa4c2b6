// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The driver's own objects, given out, and the program's own, taken in.
#include "adapter/opencl/opencl_device.h"
#include "base/alloc.h"
#include "tenon/native.h"

static uint64_t number_of(const void *handle) { return (uint64_t)(uintptr_t)handle; }

// NOLINTBEGIN(performance-no-int-to-ptr)
static tn_cl_queue queue_of(uint64_t native) { return (tn_cl_queue)(uintptr_t)native; }
static tn_cl_event event_of(uint64_t native) { return (tn_cl_event)(uintptr_t)native; }
// NOLINTEND(performance-no-int-to-ptr)

static tn_status fail_or_ok(const tn_adapter_device *device, tn_cl_int result, tn_diag *diag) {
  return result == TN_CL_SUCCESS ? TN_OK : tn_opencl_fail(result, device->name, diag);
}

static tn_status give_queue(tn_adapter_stream *stream, uint64_t *out) {
  atomic_store_explicit(&stream->is_shared, true, memory_order_relaxed);
  *out = number_of(stream->queue);
  return TN_OK;
}

static tn_status give_event(const tn_adapter_device *device, const tn_adapter_mark *mark,
                            uint64_t *out, tn_diag *diag) {
  if (!mark) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "device %s: there is no event to give out",
                   device->name);
  }
  *out = number_of(mark->event);
  return TN_OK;
}

static tn_status give_kernel(tn_adapter_kernel *kernel, uint64_t *out, tn_diag *diag) {
  tn_cl_kernel handle = NULL;
  TN_TRY(tn_opencl_kernel_handle(kernel, &handle, diag));
  *out = number_of(handle);
  return TN_OK;
}

// The objects for memory are the driver's view of the process's own, and say nothing about who else
// has it: those that were given out last are kept, and the same memory gives the same object.
static tn_status give_memory(tn_adapter_device *device, const tn_adapter_rect *row, uint64_t *out,
                             tn_diag *diag) {
  const tn_cl_bits flags = TN_CL_MEM_READ_WRITE | TN_CL_MEM_USE_HOST_PTR;
  tn_cl_int result = TN_CL_SUCCESS;
  if (!device->is_host_memory) {
    return TN_FAIL(diag, UNSUPPORTED,
                   "device %s has memory of its own, of which OpenCL makes no cl_mem: use USM",
                   device->name);
  }
  TN_TRY(tn_opencl_start(device, diag));
  tn_cl_memory made =
      device->driver->buffer_create(device->context, flags, row->row_pitch, row->memory, &result);
  if (!made) {
    return fail_or_ok(device, result, diag);
  }
  const tn_opencl_view view = {row->memory, row->row_pitch, made};
  tn_cl_memory unused = NULL;
  tn_mutex_lock(&device->mu);
  tn_opencl_view *place = NULL;
  for (size_t i = 0; i < TN_OPENCL_VIEWS && !place; i++) {
    tn_opencl_view *each = &device->views[i];
    place = each->memory == row->memory && each->size == row->row_pitch ? each : NULL;
  }
  if (place) {
    unused = made;
    made = place->object;
  } else {
    place = &device->views[device->next_view++ % TN_OPENCL_VIEWS];
    unused = place->object;
    *place = view;
  }
  tn_mutex_unlock(&device->mu);
  if (unused) {
    (void)device->driver->memory_release(unused);
  }
  *out = number_of(made);
  return TN_OK;
}

tn_status tn_opencl_native_get(tn_adapter_device *device, int32_t what, const void *object,
                               uint64_t *out, tn_diag *diag) {
  *out = 0;
  switch (what) {
    case TN_NATIVE_PLATFORM:
      *out = number_of(device->platform);
      return TN_OK;
    case TN_NATIVE_DEVICE:
      *out = number_of(device->handle);
      return TN_OK;
    case TN_NATIVE_CONTEXT:
      TN_TRY(tn_opencl_start(device, diag));
      *out = number_of(device->context);
      return TN_OK;
    case TN_NATIVE_QUEUE:
      return give_queue((tn_adapter_stream *)object, out);
    case TN_NATIVE_EVENT:
      return give_event(device, object, out, diag);
    case TN_NATIVE_KERNEL:
      return give_kernel((tn_adapter_kernel *)object, out, diag);
    case TN_NATIVE_PROGRAM:
      *out = number_of(tn_opencl_program_handle(((const tn_adapter_kernel *)object)->program));
      return TN_OK;
    case TN_NATIVE_MEMORY:
      return give_memory(device, object, out, diag);
    default:
      return TN_FAIL(diag, INVALID_ARGUMENT, "%d is no native object", (int)what);
  }
}

tn_status tn_opencl_native_retain(tn_adapter_device *device, int32_t what, uint64_t native,
                                  tn_diag *diag) {
  const tn_cl_driver *driver = device->driver;
  // NOLINTNEXTLINE(performance-no-int-to-ptr)
  void *handle = (void *)(uintptr_t)native;
  switch (what) {
    case TN_NATIVE_PLATFORM:
      return TN_OK;  // they are for ever
    case TN_NATIVE_DEVICE:
      return fail_or_ok(device, driver->device_retain(handle), diag);
    case TN_NATIVE_CONTEXT:
      return fail_or_ok(device, driver->context_retain(handle), diag);
    case TN_NATIVE_QUEUE:
      return fail_or_ok(device, driver->queue_retain(handle), diag);
    case TN_NATIVE_EVENT:
      return fail_or_ok(device, driver->event_retain(handle), diag);
    case TN_NATIVE_KERNEL:
      return fail_or_ok(device, driver->kernel_retain(handle), diag);
    case TN_NATIVE_PROGRAM:
      return fail_or_ok(device, driver->program_retain(handle), diag);
    case TN_NATIVE_MEMORY:
      return fail_or_ok(device, driver->memory_retain(handle), diag);
    default:
      return TN_FAIL(diag, INVALID_ARGUMENT, "%d is no native object", (int)what);
  }
}

void tn_opencl_native_end(tn_adapter_device *device) {
  for (size_t i = 0; i < TN_OPENCL_VIEWS; i++) {
    tn_mutex_lock(&device->mu);
    tn_cl_memory object = device->views[i].object;
    device->views[i] = (tn_opencl_view){0};
    tn_mutex_unlock(&device->mu);
    if (object) {
      (void)device->driver->memory_release(object);
    }
  }
}

static tn_status check_queue(tn_adapter_device *device, tn_cl_queue queue, tn_diag *diag) {
  tn_cl_context context = NULL;
  TN_TRY(tn_opencl_start(device, diag));
  const tn_cl_int result = queue ? device->driver->queue_info(queue, TN_CL_QUEUE_CONTEXT,
                                                              sizeof(context), &context, NULL)
                                 : TN_CL_INVALID_COMMAND_QUEUE;
  if (result != TN_CL_SUCCESS) {
    return tn_opencl_fail_as(TN_INVALID_ARGUMENT, result,
                             "a queue of a cl_command_queue of the program's", diag);
  }
  tn_cl_device of = NULL;
  if (device->driver->queue_info(queue, TN_CL_QUEUE_DEVICE, sizeof(of), (void *)&of, NULL) ==
          TN_CL_SUCCESS &&
      of != device->handle) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "the cl_command_queue is of another device than %s",
                   device->name);
  }
  return context == device->context
             ? TN_OK
             : TN_FAIL(diag, INVALID_ARGUMENT,
                       "a queue of a cl_command_queue of the program's: it is of another "
                       "cl_context than the one that Tenon works in on device %s "
                       "(get_native<backend::opencl> of the context)",
                       device->name);
}

tn_status tn_opencl_native_stream(tn_adapter_device *device, uint64_t native, bool take,
                                  tn_adapter_stream **out, tn_diag *diag) {
  tn_cl_queue queue = queue_of(native);
  *out = NULL;
  TN_TRY(check_queue(device, queue, diag));
  if (!take) {
    (void)device->driver->queue_retain(queue);
  }
  const tn_status status = tn_opencl_stream_of(device, queue, true, out, diag);
  if (status != TN_OK && !take) {
    (void)device->driver->queue_release(queue);
  }
  return status;
}

// An event that is complete.
static tn_cl_event make_done_event(tn_adapter_device *device, tn_cl_int *result) {
  tn_cl_event event = device->driver->user_event_create(device->context, result);
  if (event) {
    *result = device->driver->user_event_set(event, TN_CL_COMPLETE);
  }
  return event;
}

static void flush_queue_of(const tn_cl_driver *driver, tn_cl_event event) {
  tn_cl_queue queue = NULL;
  if (driver->event_info(event, TN_CL_EVENT_QUEUE, sizeof(queue), (void *)&queue, NULL) ==
          TN_CL_SUCCESS &&
      queue) {
    (void)driver->flush(queue);
  }
}

tn_status tn_opencl_native_mark(tn_adapter_device *device, uint64_t native, bool take,
                                tn_adapter_mark **out, tn_diag *diag) {
  tn_cl_int result = TN_CL_SUCCESS;
  *out = NULL;
  TN_TRY(tn_opencl_start(device, diag));
  tn_adapter_mark *mark = tn_alloc(sizeof(*mark));
  if (!mark) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "%s: no memory for an event", device->name);
  }
  *mark = (tn_adapter_mark){.device = device, .event = event_of(native)};
  if (native == 0) {
    mark->event = make_done_event(device, &result);
  } else if (!take) {
    result = device->driver->event_retain(mark->event);
  }
  if (result != TN_CL_SUCCESS) {
    tn_free(mark);
    return tn_opencl_fail(result, "an event of a cl_event of the program's", diag);
  }
  flush_queue_of(device->driver, mark->event);
  *out = mark;
  return TN_OK;
}
