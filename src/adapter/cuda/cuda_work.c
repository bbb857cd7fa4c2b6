// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Giving commands to the device, each with an event behind it.
#include "adapter/cuda/cuda_work.h"

#include <stdio.h>

void tn_cuda_say_what(const tn_adapter_device *device, const char *kernel, char *out, size_t size) {
  if (kernel) {
    (void)snprintf(out, size, "kernel %.300s on device %.100s, or what ran before it", kernel,
                   device->name);
  } else {
    (void)snprintf(out, size, "device %.100s", device->name);
  }
}

static tn_cu_result record(tn_adapter_device *device, tn_cu_stream stream, unsigned flags,
                           tn_cu_event *event) {
  tn_cu_result result = TN_CU_SUCCESS;
  if (!*event) {
    result = device->driver->event_create(event, flags);
  }
  return result == TN_CU_SUCCESS ? device->driver->event_record(*event, stream) : result;
}

static tn_cu_result record_end(tn_adapter_device *device, tn_cu_stream stream, tn_cuda_work *work) {
  tn_cu_event *event = work->has_times ? &work->end : &work->place;
  const unsigned flags = work->has_times ? TN_CU_EVENT_TIMED : TN_CU_EVENT_UNTIMED;
  const tn_cu_result result = record(device, stream, flags, event);
  work->awaited = *event;
  return result;
}

static tn_status put_in_stream(tn_adapter_stream *stream, const tn_adapter_command *command,
                               tn_cuda_work *work, tn_diag *diag) {
  tn_adapter_device *device = stream->device;
  tn_cu_result result = work->has_times
                            ? record(device, stream->handle, TN_CU_EVENT_TIMED, &work->start)
                            : TN_CU_SUCCESS;
  if (result == TN_CU_SUCCESS && command) {
    TN_TRY(work->kernel ? tn_cuda_launch(device, &command->launch, stream->handle, diag)
                        : tn_cuda_move(device, command, stream->handle, diag));
  }
  if (result == TN_CU_SUCCESS) {
    result = record_end(device, stream->handle, work);
    if (result != TN_CU_SUCCESS) {
      (void)device->driver->stream_sync(stream->handle);  // what failed runs no more
    }
  }
  if (result == TN_CU_SUCCESS) {
    return TN_OK;
  }
  char what[512];
  tn_cuda_say_what(device, work->kernel, what, sizeof(what));
  return tn_cuda_device_fail(device, result, what, diag);
}

// A piece of work that somebody waits for, and a watcher.
static tn_status prepare(tn_adapter_device *device, const tn_adapter_command *command,
                         tn_adapter_done_fn done, void *user, tn_cuda_work **out, tn_diag *diag) {
  TN_TRY(tn_cuda_ends_start(device, diag));
  tn_cuda_work *work = tn_cuda_work_take(device);
  if (!work) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "%s: no memory for a command", device->name);
  }
  work->done = done;
  work->user = user;
  work->stream = NULL;
  work->awaited = NULL;
  work->has_ended = false;
  work->has_times = command && command->wants_times != 0;
  work->kind = command ? command->kind : 0;
  work->kernel = work->kind == TN_ADAPTER_KERNEL ? command->launch.kernel->shown : NULL;
  *out = work;
  return TN_OK;
}

// The context is the thread's.
static tn_status submit(tn_adapter_stream *stream, const tn_adapter_command *command,
                        tn_cuda_work *work, tn_diag *diag) {
  work->number_before = atomic_load_explicit(&stream->given_count, memory_order_acquire);
  TN_TRY(put_in_stream(stream, command, work, diag));
  if (work->kernel) {
    atomic_store_explicit(&stream->kernel, work->kernel, memory_order_relaxed);
  }
  work->stream = stream;
  const bool has_times = work->has_times;  // it may have been told of and be another's later
  // Reading times costs more than a launch: the watcher and those who wait do that.
  if (tn_cuda_ends_add(stream->device, work) && !has_times) {
    (void)tn_cuda_ends_look(stream->device);
  }
  return TN_OK;
}

tn_status tn_cuda_submit_in(tn_adapter_stream *stream, const tn_adapter_command *command,
                            tn_adapter_done_fn done, void *user, tn_diag *diag) {
  tn_cuda_entry entry;
  tn_cuda_work *work = NULL;
  tn_adapter_device *device = stream->device;
  TN_TRY(tn_cuda_enter(device, &entry, diag));
  tn_status status = prepare(device, command, done, user, &work, diag);
  if (status == TN_OK) {
    status = submit(stream, command, work, diag);
    if (status != TN_OK) {
      tn_cuda_work_give_back(device, work);
    }
  }
  tn_cuda_leave(device, &entry);
  return status;
}

tn_status tn_cuda_submit(tn_adapter_device *device, const tn_adapter_command *command,
                         tn_adapter_done_fn done, void *user, tn_diag *diag) {
  tn_cuda_entry entry;
  TN_TRY(tn_cuda_enter(device, &entry, diag));  // before that there are no streams
  tn_cuda_leave(device, &entry);
  const unsigned turn = atomic_fetch_add_explicit(&device->next_stream, 1, memory_order_relaxed);
  return tn_cuda_submit_in(&device->own_streams[turn % TN_CUDA_STREAMS], command, done, user, diag);
}

tn_status tn_cuda_watch(tn_adapter_device *device, tn_cu_event event, const char *kernel,
                        tn_adapter_done_fn done, void *user, tn_diag *diag) {
  tn_cuda_entry entry;
  tn_cuda_work *work = NULL;
  TN_TRY(tn_cuda_enter(device, &entry, diag));
  const tn_status status = prepare(device, NULL, done, user, &work, diag);
  tn_cuda_leave(device, &entry);
  if (status == TN_OK) {
    work->awaited = event;
    work->kernel = kernel;
    (void)tn_cuda_ends_add(device, work);
    tn_cuda_flush(device);
  }
  return status;
}
