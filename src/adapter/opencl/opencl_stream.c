// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Streams: queues of the driver's whose commands run in order, and marks in them.
//
// OpenCL does not tell whether a queue is idle: an event behind what was given does, for as long as
// nothing else is given.
#include "adapter/opencl/opencl_work.h"
#include "base/alloc.h"

#include <stdio.h>

static tn_adapter_stream *take_spare(tn_adapter_device *device) {
  tn_mutex_lock(&device->mu);
  tn_adapter_stream *stream = device->spare_streams;
  if (stream) {
    device->spare_streams = stream->next;
  }
  tn_mutex_unlock(&device->mu);
  return stream;
}

static void release(tn_adapter_stream *stream) {
  const tn_cl_driver *driver = stream->device->driver;
  tn_mutex_lock(&stream->mu);
  tn_cl_event end = stream->end;
  stream->end = NULL;
  tn_mutex_unlock(&stream->mu);
  if (end) {
    (void)driver->event_release(end);
  }
  (void)driver->flush(stream->queue);
  (void)driver->queue_release(stream->queue);
  tn_mutex_deinit(&stream->mu);
  tn_free(stream);
}

tn_status tn_opencl_stream_of(tn_adapter_device *device, tn_cl_queue queue, bool is_foreign,
                              tn_adapter_stream **out, tn_diag *diag) {
  tn_cl_bits properties = 0;
  tn_adapter_stream *stream = tn_alloc(sizeof(*stream));
  *out = stream;
  if (!stream) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "%s: no memory for a stream", device->name);
  }
  *stream = (tn_adapter_stream){.device = device, .queue = queue};
  atomic_init(&stream->is_shared, is_foreign);
  stream->is_out_of_order =
      is_foreign &&
      device->driver->queue_info(queue, TN_CL_QUEUE_PROPERTIES, sizeof(properties), &properties,
                                 NULL) == TN_CL_SUCCESS &&
      (properties & TN_CL_QUEUE_OUT_OF_ORDER) != 0;
  tn_mutex_init(&stream->mu, TN_RANK_ADAPTER);
  return TN_OK;
}

static tn_status make_stream(tn_adapter_device *device, tn_adapter_stream **out, tn_diag *diag) {
  const tn_cl_bits properties[] = {TN_CL_QUEUE_PROPERTIES, TN_CL_QUEUE_PROFILING, 0};
  tn_cl_int result = TN_CL_SUCCESS;
  TN_TRY(tn_opencl_start(device, diag));
  tn_cl_queue queue =
      device->driver->queue_create(device->context, device->handle, properties, &result);
  if (!queue) {
    return tn_opencl_fail(result, device->name, diag);
  }
  const tn_status status = tn_opencl_stream_of(device, queue, false, out, diag);
  if (status != TN_OK) {
    (void)device->driver->queue_release(queue);
  }
  return status;
}

// Streams are used again: what one still does is only what was given before.
tn_status tn_opencl_stream_create(tn_adapter_device *device, tn_adapter_stream **out,
                                  tn_diag *diag) {
  *out = take_spare(device);
  return *out ? TN_OK : make_stream(device, out, diag);
}

void tn_opencl_stream_destroy(tn_adapter_stream *stream) {
  if (!stream) {
    return;
  }
  tn_adapter_device *device = stream->device;
  if (atomic_load_explicit(&stream->is_shared, memory_order_relaxed)) {
    release(stream);
    return;
  }
  tn_mutex_lock(&device->mu);
  stream->next = device->spare_streams;
  device->spare_streams = stream;
  tn_mutex_unlock(&device->mu);
}

void tn_opencl_streams_end(tn_adapter_device *device, bool waits) {
  for (tn_adapter_stream *each = take_spare(device); each; each = take_spare(device)) {
    if (waits) {
      (void)device->driver->finish(each->queue);
    }
    release(each);
  }
}

// A queue that the program has as well may have commands that are not counted. Otherwise all that
// was begun is complete only if all of it had been given when the stream was waited for.
static bool is_known_idle(tn_adapter_stream *stream) {
  return !atomic_load_explicit(&stream->is_shared, memory_order_relaxed) &&
         atomic_load_explicit(&stream->begun_count, memory_order_acquire) ==
             atomic_load_explicit(&stream->done_count, memory_order_acquire);
}

static void note_done(tn_adapter_stream *stream, uint64_t count) {
  uint64_t before = atomic_load_explicit(&stream->done_count, memory_order_relaxed);
  while (before < count &&
         !atomic_compare_exchange_weak_explicit(&stream->done_count, &before, count,
                                                memory_order_acq_rel, memory_order_relaxed)) {
  }
}

static void begin(tn_adapter_stream *stream) {
  atomic_fetch_add_explicit(&stream->begun_count, 1, memory_order_acq_rel);
}

static void end(tn_adapter_stream *stream) {
  atomic_fetch_add_explicit(&stream->given_count, 1, memory_order_acq_rel);
}

static tn_status give(tn_adapter_stream *stream, const tn_adapter_command *command,
                      tn_adapter_done_fn done, void *user, tn_diag *diag) {
  tn_adapter_device *device = stream->device;
  tn_cl_int result = TN_CL_SUCCESS;
  begin(stream);
  if (stream->is_out_of_order) {
    result = device->driver->barrier(stream->queue, 0, NULL, NULL);
  }
  if (command && command->kind == TN_ADAPTER_KERNEL) {
    const char *shown = atomic_load_explicit(&command->launch.kernel->shown, memory_order_acquire);
    atomic_store_explicit(&stream->kernel, shown, memory_order_relaxed);
  }
  if (command && command->kind == TN_ADAPTER_GRAPH) {
    atomic_store_explicit(&stream->kernel, tn_opencl_graph_kernel(command->graph),
                          memory_order_relaxed);
  }
  const tn_status status = result == TN_CL_SUCCESS
                               ? tn_opencl_give(device, stream, command, done, user, diag)
                               : tn_opencl_fail(result, device->name, diag);
  end(stream);
  return status;
}

tn_status tn_opencl_stream_launch(tn_adapter_stream *stream, const tn_adapter_command *command,
                                  tn_diag *diag) {
  if (tn_opencl_is_done_here(stream->device, command) && is_known_idle(stream)) {
    bool ran = false;
    return tn_opencl_try_run(stream->device, command, &ran, NULL, NULL, diag);
  }
  return give(stream, command, NULL, NULL, diag);
}

tn_status tn_opencl_stream_submit(tn_adapter_stream *stream, const tn_adapter_command *command,
                                  tn_adapter_done_fn done, void *user, tn_diag *diag) {
  if (command && tn_opencl_is_done_here(stream->device, command) && is_known_idle(stream)) {
    bool ran = false;
    uint64_t start = 0;
    uint64_t end = 0;
    TN_TRY(tn_opencl_try_run(stream->device, command, &ran, &start, &end, diag));
    done(user, TN_OK, NULL, start, end);
    return TN_OK;
  }
  return give(stream, command, done, user, diag);
}

static tn_status outcome(tn_adapter_device *device, tn_cl_int result, const char *kernel,
                         tn_diag *diag) {
  if (result == TN_CL_SUCCESS) {
    return kernel ? tn_opencl_assert_check(device, kernel, diag) : TN_OK;
  }
  char what[512];
  if (kernel) {
    (void)snprintf(what, sizeof(what), "kernel %.300s on device %.100s, or what ran before it",
                   kernel, device->name);
  } else {
    (void)snprintf(what, sizeof(what), "device %.100s", device->name);
  }
  return tn_opencl_fail_as(TN_DEVICE_FAILED, result, what, diag);
}

tn_status tn_opencl_stream_wait(tn_adapter_stream *stream, tn_diag *diag) {
  tn_adapter_device *device = stream->device;
  const uint64_t count = atomic_load_explicit(&stream->given_count, memory_order_acquire);
  const tn_cl_int result =
      is_known_idle(stream) ? TN_CL_SUCCESS : device->driver->finish(stream->queue);
  note_done(stream, count);
  return outcome(device, result, atomic_load_explicit(&stream->kernel, memory_order_relaxed), diag);
}

static bool is_complete(const tn_adapter_device *device, tn_cl_event event) {
  tn_cl_int status = TN_CL_COMPLETE;
  return device->driver->event_info(event, TN_CL_EVENT_STATUS, sizeof(status), &status, NULL) !=
             TN_CL_SUCCESS ||
         status <= TN_CL_COMPLETE;
}

void tn_opencl_stream_keep_end(tn_adapter_stream *stream, tn_cl_event event, uint64_t count) {
  const tn_cl_driver *driver = stream->device->driver;
  (void)driver->event_retain(event);
  tn_mutex_lock(&stream->mu);
  tn_cl_event other = event;
  if (!stream->end || stream->end_count <= count) {
    other = stream->end;
    stream->end = event;
    stream->end_count = count;
  }
  tn_mutex_unlock(&stream->mu);
  if (other) {
    (void)driver->event_release(other);
  }
}

// Takes the event out of the stream, if it is behind all `count` commands; else makes one.
static tn_cl_event take_end(tn_adapter_stream *stream, uint64_t count) {
  tn_mutex_lock(&stream->mu);
  tn_cl_event event = stream->end;
  const bool is_behind = event && stream->end_count == count;
  stream->end = NULL;
  tn_mutex_unlock(&stream->mu);
  if (is_behind) {
    return event;
  }
  const tn_cl_driver *driver = stream->device->driver;
  if (event) {
    (void)driver->event_release(event);
    event = NULL;
  }
  if (driver->marker(stream->queue, 0, NULL, &event) == TN_CL_SUCCESS) {
    (void)driver->flush(stream->queue);
  }
  return event;
}

bool tn_opencl_stream_is_idle(tn_adapter_stream *stream) {
  const tn_cl_driver *driver = stream->device->driver;
  const uint64_t count = atomic_load_explicit(&stream->given_count, memory_order_acquire);
  if (is_known_idle(stream)) {
    return true;
  }
  tn_cl_event event = take_end(stream, count);
  if (!event || is_complete(stream->device, event)) {
    note_done(stream, count);
    if (event) {
      (void)driver->event_release(event);
    }
    return true;
  }
  tn_opencl_stream_keep_end(stream, event, count);
  (void)driver->event_release(event);
  return false;
}

tn_status tn_opencl_mark_create(tn_adapter_stream *stream, tn_adapter_mark **out, tn_diag *diag) {
  tn_adapter_device *device = stream->device;
  tn_adapter_mark *mark = tn_alloc(sizeof(*mark));
  *out = NULL;
  if (!mark) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "%s: no memory for an event", device->name);
  }
  *mark = (tn_adapter_mark){.device = device,
                            .kernel = atomic_load_explicit(&stream->kernel, memory_order_relaxed)};
  const uint64_t count = atomic_load_explicit(&stream->given_count, memory_order_acquire);
  const tn_cl_int result = device->driver->marker(stream->queue, 0, NULL, &mark->event);
  if (result != TN_CL_SUCCESS) {
    tn_free(mark);
    return tn_opencl_fail(result, device->name, diag);
  }
  tn_opencl_stream_keep_end(stream, mark->event, count);
  (void)device->driver->flush(stream->queue);
  *out = mark;
  return TN_OK;
}

void tn_opencl_mark_destroy(tn_adapter_mark *mark) {
  (void)mark->device->driver->event_release(mark->event);
  tn_free(mark);
}

tn_status tn_opencl_mark_wait(tn_adapter_mark *mark, tn_diag *diag) {
  return outcome(mark->device, mark->device->driver->wait_events(1, &mark->event), mark->kernel,
                 diag);
}

bool tn_opencl_mark_is_done(tn_adapter_mark *mark) {
  return is_complete(mark->device, mark->event);
}

tn_status tn_opencl_mark_watch(tn_adapter_mark *mark, tn_adapter_done_fn done, void *user,
                               tn_diag *diag) {
  (void)mark->device->driver->event_retain(mark->event);
  return tn_opencl_watch(mark->device, mark->event, mark->kernel, done, user, diag);
}

// ---- What follows a mark of another device

typedef struct bridge {
  const tn_cl_driver *driver;
  tn_cl_event from;  // owned; in the other context
  tn_cl_event to;    // owned; the user event
} bridge;

static void cross(tn_cl_event event, tn_cl_int result, void *user) {
  (void)event;
  bridge *self = user;
  (void)self->driver->user_event_set(self->to, result < 0 ? result : TN_CL_COMPLETE);
  (void)self->driver->event_release(self->to);
  (void)self->driver->event_release(self->from);
  tn_free(self);
}

static tn_cl_int follow_other(tn_adapter_stream *stream, tn_adapter_mark *mark) {
  const tn_cl_driver *driver = stream->device->driver;
  tn_cl_int result = TN_CL_OUT_OF_HOST_MEMORY;
  bridge *self = tn_alloc(sizeof(*self));
  if (!self) {
    return result;
  }
  *self = (bridge){.driver = driver, .from = mark->event};
  self->to = driver->user_event_create(stream->device->context, &result);
  if (!self->to) {
    tn_free(self);
    return result;
  }
  (void)driver->event_retain(self->from);
  result = driver->barrier(stream->queue, 1, &self->to, NULL);
  if (result == TN_CL_SUCCESS) {
    result = driver->event_callback(self->from, TN_CL_COMPLETE, cross, self);
  }
  if (result != TN_CL_SUCCESS) {
    cross(self->from, result, self);
  }
  return result;
}

tn_status tn_opencl_stream_after(tn_adapter_stream *stream, tn_adapter_mark *mark, tn_diag *diag) {
  tn_adapter_device *device = stream->device;
  begin(stream);
  const tn_cl_int result = device->context == mark->device->context
                               ? device->driver->barrier(stream->queue, 1, &mark->event, NULL)
                               : follow_other(stream, mark);
  end(stream);
  return result == TN_CL_SUCCESS ? TN_OK : tn_opencl_fail(result, device->name, diag);
}
