// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Streams of in-order queues, and places in them.
#include "adapter/cuda/cuda_device.h"
#include "base/alloc.h"


static tn_adapter_stream *take_stream(tn_adapter_device *device) {
  tn_mutex_lock(&device->work_mu);
  tn_adapter_stream *stream = device->spare_streams;
  if (stream) {
    device->spare_streams = stream->next;
  }
  tn_mutex_unlock(&device->work_mu);
  return stream;
}

static tn_status make_stream(tn_adapter_device *device, tn_adapter_stream **out, tn_diag *diag) {
  tn_cuda_entry entry;
  tn_adapter_stream *stream = tn_alloc(sizeof(*stream));
  if (!stream) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "%s: no memory for a stream", device->name);
  }
  stream->device = device;
  tn_status status = tn_cuda_enter(device, &entry, diag);
  if (status == TN_OK) {
    const tn_cu_result result =
        device->driver->stream_create(&stream->handle, TN_CU_STREAM_NON_BLOCKING);
    status = result == TN_CU_SUCCESS ? TN_OK
                                     : tn_cuda_device_fail(device, result, device->name, diag);
    tn_cuda_leave(device, &entry);
  }
  if (status != TN_OK) {
    tn_free(stream);
    return status;
  }
  *out = stream;
  return TN_OK;
}

// Streams go round: what one that is used again still does is only what was given before.
tn_status tn_cuda_stream_create(tn_adapter_device *device, tn_adapter_stream **out, tn_diag *diag) {
  *out = take_stream(device);
  return *out ? TN_OK : make_stream(device, out, diag);
}

void tn_cuda_stream_destroy(tn_adapter_stream *stream) {
  if (!stream) {
    return;
  }
  if (stream->is_foreign) {
    tn_cuda_native_stream_end(stream);
    return;
  }
  tn_adapter_device *device = stream->device;
  tn_mutex_lock(&device->work_mu);
  stream->next = device->spare_streams;
  device->spare_streams = stream;
  tn_mutex_unlock(&device->work_mu);
}

tn_status tn_cuda_stream_launch(tn_adapter_stream *stream, const tn_adapter_command *command,
                                tn_diag *diag) {
  tn_cuda_entry entry;
  tn_adapter_device *device = stream->device;
  TN_TRY(tn_cuda_enter(device, &entry, diag));
  tn_status status = TN_OK;
  if (command->kind == TN_ADAPTER_KERNEL) {
    status = tn_cuda_launch(device, &command->launch, stream->handle, diag);
    atomic_store_explicit(&stream->kernel, command->launch.kernel->shown, memory_order_relaxed);
  } else {
    status = tn_cuda_move(device, command, stream->handle, diag);
    if (command->kind == TN_ADAPTER_GRAPH) {
      atomic_store_explicit(&stream->kernel, tn_cuda_graph_kernel(command->graph),
                            memory_order_relaxed);
    }
  }
  tn_cuda_leave(device, &entry);
  return status;
}

tn_status tn_cuda_stream_submit(tn_adapter_stream *stream, const tn_adapter_command *command,
                                tn_adapter_done_fn done, void *user, tn_diag *diag) {
  return tn_cuda_submit_in(stream, command, done, user, diag);
}

static tn_status tell(tn_adapter_device *device, tn_cu_result result, const char *kernel,
                      tn_diag *diag) {
  if (result == TN_CU_SUCCESS) {
    return TN_OK;
  }
  char what[512];
  tn_cuda_say_what(device, kernel, what, sizeof(what));
  return tn_cuda_device_fail(device, result, what, diag);
}

tn_status tn_cuda_stream_wait(tn_adapter_stream *stream, tn_diag *diag) {
  tn_cuda_entry entry;
  tn_adapter_device *device = stream->device;
  TN_TRY(tn_cuda_enter(device, &entry, diag));
  const tn_cu_result result = tn_cuda_sync_stream(stream);
  tn_cuda_leave(device, &entry);
  return tell(device, result, atomic_load_explicit(&stream->kernel, memory_order_relaxed), diag);
}

static bool has_output(const tn_adapter_device *device) {
  return atomic_load_explicit(&device->has_output, memory_order_relaxed);
}

tn_cu_result tn_cuda_ask_event(tn_adapter_device *device, tn_cu_event event) {
  const tn_cu_result result = device->driver->event_query(event);
  return result == TN_CU_SUCCESS && has_output(device) ? device->driver->event_sync(event) : result;
}

bool tn_cuda_stream_is_idle(tn_adapter_stream *stream) {
  tn_cuda_entry entry;
  if (tn_cuda_enter(stream->device, &entry, NULL) != TN_OK) {
    return true;
  }
  tn_adapter_device *device = stream->device;
  const tn_cu_result result = device->driver->stream_query(stream->handle);
  if (result == TN_CU_SUCCESS && has_output(device)) {
    (void)device->driver->stream_sync(stream->handle);
  }
  tn_cuda_leave(device, &entry);
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
  if (mark->is_foreign || mark->is_taken) {
    tn_cuda_native_mark_end(mark);
    return;
  }
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
  const tn_cu_result result = tn_cuda_ask_event(mark->device, mark->event);
  tn_cuda_leave(mark->device, &entry);
  return result != TN_CU_NOT_READY;
}

tn_status tn_cuda_mark_watch(tn_adapter_mark *mark, tn_adapter_done_fn done, void *user,
                             tn_diag *diag) {
  return tn_cuda_watch(mark->device, mark->event, mark->kernel, done, user, diag);
}

tn_status tn_cuda_stream_after(tn_adapter_stream *stream, tn_adapter_mark *mark, tn_diag *diag) {
  tn_cuda_entry entry;
  tn_adapter_device *device = stream->device;
  TN_TRY(tn_cuda_enter(device, &entry, diag));
  const tn_cu_result result = device->driver->stream_wait_event(stream->handle, mark->event, 0);
  tn_cuda_leave(device, &entry);
  return tell(device, result, mark->kernel, diag);
}

void tn_cuda_streams_end(tn_adapter_device *device) {
  tn_cuda_entry entry;
  const bool is_in = atomic_load_explicit(&device->ready, memory_order_acquire) != NULL &&
                     tn_cuda_enter(device, &entry, NULL) == TN_OK;
  for (tn_adapter_mark *mark = take_mark(device); mark; mark = take_mark(device)) {
    if (mark->event) {
      (void)device->driver->event_destroy(mark->event);
    }
    tn_free(mark);
  }
  for (tn_adapter_stream *each = take_stream(device); each; each = take_stream(device)) {
    (void)device->driver->stream_destroy(each->handle);
    tn_free(each);
  }
  if (is_in) {
    tn_cuda_leave(device, &entry);
  }
}
