// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Streams of in-order queues, and places in them.
#include "adapter/cuda/cuda_device.h"
#include "base/alloc.h"

#include <stdio.h>

struct tn_adapter_stream {
  tn_adapter_device *device;
  tn_cu_stream handle;
  // Of the last kernel, for what is only heard of when the stream is waited for.
  const char *_Atomic kernel;
};

struct tn_adapter_mark {
  tn_adapter_mark *next;
  tn_adapter_device *device;
  tn_cu_event event;
  const char *kernel;  // the last one before
};

tn_status tn_cuda_stream_create(tn_adapter_device *device, tn_adapter_stream **out, tn_diag *diag) {
  *out = NULL;
  tn_adapter_stream *stream = tn_alloc(sizeof(*stream));
  if (!stream) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "%s: no memory for a stream", device->name);
  }
  stream->device = device;
  tn_cuda_entry entry;
  tn_status status = tn_cuda_enter(device, &entry, diag);
  if (status == TN_OK) {
    const tn_cu_result result =
        device->driver->stream_create(&stream->handle, TN_CU_STREAM_NON_BLOCKING);
    status =
        result == TN_CU_SUCCESS ? TN_OK : tn_cuda_fail(device->driver, result, device->name, diag);
    tn_cuda_leave(device, &entry);
  }
  if (status != TN_OK) {
    tn_free(stream);
    return status;
  }
  *out = stream;
  return TN_OK;
}

void tn_cuda_stream_destroy(tn_adapter_stream *stream) {
  tn_cuda_entry entry;
  if (stream && tn_cuda_enter(stream->device, &entry, NULL) == TN_OK) {
    (void)stream->device->driver->stream_destroy(stream->handle);
    tn_cuda_leave(stream->device, &entry);
  }
  tn_free(stream);
}

tn_status tn_cuda_stream_launch(tn_adapter_stream *stream, const tn_adapter_command *command,
                                tn_diag *diag) {
  tn_cuda_entry entry;
  tn_adapter_device *device = stream->device;
  TN_TRY(tn_cuda_enter(device, &entry, diag));
  tn_status status = TN_OK;
  if (command->kind == TN_ADAPTER_KERNEL) {
    status = tn_cuda_launch(device, &command->launch, stream->handle, diag);
    atomic_store_explicit(&stream->kernel, command->launch.kernel->name, memory_order_relaxed);
  } else {
    status = tn_cuda_move(device, command, stream->handle, diag);
  }
  tn_cuda_leave(device, &entry);
  return status;
}

tn_status tn_cuda_stream_submit(tn_adapter_stream *stream, const tn_adapter_command *command,
                                tn_adapter_done_fn done, void *user, tn_diag *diag) {
  return tn_cuda_submit_in(stream->device, stream->handle, command, done, user, diag);
}

static tn_status tell(tn_adapter_device *device, tn_cu_result result, const char *kernel,
                      tn_diag *diag) {
  if (result == TN_CU_SUCCESS) {
    return TN_OK;
  }
  char what[512];
  (void)snprintf(what, sizeof(what),
                 "device %.200s, after kernel %.200s and what was launched "
                 "before it",
                 device->name, kernel ? kernel : "(none)");
  return tn_cuda_fail(device->driver, result, what, diag);
}

tn_status tn_cuda_stream_wait(tn_adapter_stream *stream, tn_diag *diag) {
  tn_cuda_entry entry;
  tn_adapter_device *device = stream->device;
  TN_TRY(tn_cuda_enter(device, &entry, diag));
  const tn_cu_result result = device->driver->stream_sync(stream->handle);
  tn_cuda_leave(device, &entry);
  return tell(device, result, atomic_load_explicit(&stream->kernel, memory_order_relaxed), diag);
}

bool tn_cuda_stream_is_idle(tn_adapter_stream *stream) {
  tn_cuda_entry entry;
  if (tn_cuda_enter(stream->device, &entry, NULL) != TN_OK) {
    return true;
  }
  const tn_cu_result result = stream->device->driver->stream_query(stream->handle);
  tn_cuda_leave(stream->device, &entry);
  return result != TN_CU_NOT_READY;
}

static tn_adapter_mark *take_mark(tn_adapter_device *device) {
  tn_mutex_lock(&device->work_mu);
  tn_adapter_mark *mark = device->spare_marks;
  if (mark) {
    device->spare_marks = mark->next;
  }
  tn_mutex_unlock(&device->work_mu);
  return mark;
}

tn_status tn_cuda_mark_create(tn_adapter_stream *stream, tn_adapter_mark **out, tn_diag *diag) {
  tn_adapter_device *device = stream->device;
  tn_adapter_mark *mark = take_mark(device);
  tn_cuda_entry entry;
  *out = NULL;
  if (!mark && !(mark = tn_alloc(sizeof(*mark)))) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "%s: no memory for an event", device->name);
  }
  mark->device = device;
  mark->kernel = atomic_load_explicit(&stream->kernel, memory_order_relaxed);
  tn_status status = tn_cuda_enter(device, &entry, diag);
  if (status == TN_OK) {
    tn_cu_result result = TN_CU_SUCCESS;
    if (!mark->event) {
      result = device->driver->event_create(&mark->event, TN_CU_EVENT_UNTIMED);
    }
    if (result == TN_CU_SUCCESS) {
      result = device->driver->event_record(mark->event, stream->handle);
    }
    tn_cuda_leave(device, &entry);
    status = tell(device, result, mark->kernel, diag);
  }
  if (status != TN_OK) {
    tn_cuda_mark_destroy(mark);
    return status;
  }
  *out = mark;
  return TN_OK;
}

void tn_cuda_mark_destroy(tn_adapter_mark *mark) {
  tn_adapter_device *device = mark->device;
  tn_mutex_lock(&device->work_mu);
  mark->next = device->spare_marks;
  device->spare_marks = mark;
  tn_mutex_unlock(&device->work_mu);
}

tn_status tn_cuda_mark_wait(tn_adapter_mark *mark, tn_diag *diag) {
  tn_cuda_entry entry;
  TN_TRY(tn_cuda_enter(mark->device, &entry, diag));
  const tn_cu_result result = mark->device->driver->event_sync(mark->event);
  tn_cuda_leave(mark->device, &entry);
  return tell(mark->device, result, mark->kernel, diag);
}

bool tn_cuda_mark_is_done(tn_adapter_mark *mark) {
  tn_cuda_entry entry;
  if (tn_cuda_enter(mark->device, &entry, NULL) != TN_OK) {
    return true;
  }
  const tn_cu_result result = mark->device->driver->event_query(mark->event);
  tn_cuda_leave(mark->device, &entry);
  return result != TN_CU_NOT_READY;
}

tn_status tn_cuda_mark_watch(tn_adapter_mark *mark, tn_adapter_done_fn done, void *user,
                             tn_diag *diag) {
  return tn_cuda_watch(mark->device, mark->event, done, user, diag);
}

void tn_cuda_marks_end(tn_adapter_device *device) {
  tn_cuda_entry entry;
  tn_adapter_mark *mark = take_mark(device);
  if (!mark || tn_cuda_enter(device, &entry, NULL) != TN_OK) {
    return;
  }
  while (mark) {
    (void)device->driver->event_destroy(mark->event);
    tn_free(mark);
    mark = take_mark(device);
  }
  tn_cuda_leave(device, &entry);
}
