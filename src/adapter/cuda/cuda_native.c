// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The driver's own objects, given out, and the program's own, taken in.
#include "adapter/cuda/cuda_device.h"
#include "base/alloc.h"
#include "tenon/native.h"

static uint64_t number_of(const void *handle) { return (uint64_t)(uintptr_t)handle; }

// A mark that nothing was given before.
static tn_status make_done_event(tn_adapter_device *device, const void *object, uint64_t *out,
                                 tn_diag *diag) {
  const tn_adapter_mark *mark = object;
  if (!mark) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "device %s: there is no event to give out",
                   device->name);
  }
  *out = number_of(mark->event);
  return TN_OK;
}

tn_status tn_cuda_native_get(tn_adapter_device *device, int32_t what, const void *object,
                             uint64_t *out, tn_diag *diag) {
  tn_cuda_entry entry;
  *out = 0;
  switch (what) {
    case TN_NATIVE_DEVICE:
      *out = (uint64_t)device->handle;
      return TN_OK;
    case TN_NATIVE_CONTEXT:
      TN_TRY(tn_cuda_enter(device, &entry, diag));
      *out = number_of(atomic_load_explicit(&device->ready, memory_order_relaxed));
      tn_cuda_leave(device, &entry);
      return TN_OK;
    case TN_NATIVE_QUEUE:
      *out = number_of(((const tn_adapter_stream *)object)->handle);
      return TN_OK;
    case TN_NATIVE_EVENT:
      return make_done_event(device, object, out, diag);
    case TN_NATIVE_KERNEL:
      *out = number_of(((const tn_adapter_kernel *)object)->function);
      return TN_OK;
    case TN_NATIVE_PROGRAM:
      *out = number_of(tn_cuda_program_module(((const tn_adapter_kernel *)object)->program));
      return TN_OK;
    default:
      return TN_FAIL(diag, INVALID_ARGUMENT, "%d is no native object", (int)what);
  }
}

static tn_status check_stream(tn_adapter_device *device, tn_cu_stream handle, tn_diag *diag) {
  tn_cu_context context = NULL;
  const tn_cu_result result = device->driver->stream_context(handle, &context);
  if (result != TN_CU_SUCCESS) {
    return tn_cuda_device_fail(device, result, "a queue of a stream of the program's", diag);
  }
  return context == atomic_load_explicit(&device->ready, memory_order_relaxed)
             ? TN_OK
             : TN_FAIL(diag, INVALID_ARGUMENT,
                       "a queue of a stream of the program's: the stream is of another context "
                       "than the primary one of device %s, which Tenon works in",
                       device->name);
}

tn_status tn_cuda_native_stream(tn_adapter_device *device, uint64_t native, bool take,
                                tn_adapter_stream **out, tn_diag *diag) {
  *out = NULL;
  tn_cuda_entry entry;
  const tn_cu_stream handle = (tn_cu_stream)(uintptr_t)native;  // NOLINT(performance-no-int-to-ptr)
  TN_TRY(tn_cuda_enter(device, &entry, diag));
  tn_status status = check_stream(device, handle, diag);
  tn_cuda_leave(device, &entry);
  tn_adapter_stream *stream = status == TN_OK ? tn_alloc(sizeof(*stream)) : NULL;
  if (status == TN_OK && !stream) {
    status = TN_FAIL(diag, OUT_OF_MEMORY, "%s: no memory for a stream", device->name);
  }
  if (status != TN_OK) {
    return status;
  }
  stream->device = device;
  stream->handle = handle;
  stream->is_foreign = true;
  stream->is_taken = take;
  *out = stream;
  return TN_OK;
}

void tn_cuda_native_stream_end(tn_adapter_stream *stream) {
  tn_cuda_entry entry;
  tn_adapter_device *device = stream->device;
  if (tn_cuda_enter(device, &entry, NULL) == TN_OK) {
    if (stream->is_taken) {
      (void)device->driver->stream_destroy(stream->handle);
    }
    tn_cuda_leave(device, &entry);
  }
  tn_free(stream);
}

tn_status tn_cuda_native_mark(tn_adapter_device *device, uint64_t native, bool take,
                              tn_adapter_mark **out, tn_diag *diag) {
  *out = NULL;
  tn_cuda_entry entry;
  tn_adapter_mark *mark = tn_alloc(sizeof(*mark));
  if (!mark) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "%s: no memory for an event", device->name);
  }
  mark->device = device;
  mark->is_foreign = native != 0;
  mark->is_taken = take || native == 0;
  mark->event = (tn_cu_event)(uintptr_t)native;  // NOLINT(performance-no-int-to-ptr)
  tn_status status = TN_OK;
  if (native == 0) {  // one that is complete
    status = tn_cuda_enter(device, &entry, diag);
    if (status == TN_OK) {
      const tn_cu_result result = device->driver->event_create(&mark->event, TN_CU_EVENT_UNTIMED);
      status =
          result == TN_CU_SUCCESS ? TN_OK : tn_cuda_device_fail(device, result, "an event", diag);
      tn_cuda_leave(device, &entry);
    }
  }
  if (status != TN_OK) {
    tn_free(mark);
    return status;
  }
  *out = mark;
  return TN_OK;
}

void tn_cuda_native_mark_end(tn_adapter_mark *mark) {
  tn_cuda_entry entry;
  if (mark->is_taken && tn_cuda_enter(mark->device, &entry, NULL) == TN_OK) {
    (void)mark->device->driver->event_destroy(mark->event);
    tn_cuda_leave(mark->device, &entry);
  }
  tn_free(mark);
}
