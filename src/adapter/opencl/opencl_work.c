// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gives commands to the driver, and completes them when it calls back: on a thread of the driver,
// where only functions that do not block are allowed, as in `done`.
#include "adapter/opencl/opencl_work.h"

#include "base/alloc.h"

#include <stdio.h>

static void free_work(tn_opencl_work *work) {
  if (work->event) {
    (void)work->device->driver->event_release(work->event);
  }
  if (work->before) {
    (void)work->device->driver->event_release(work->before);
  }
  tn_free(work->expanded);
  tn_free(work);
}

static uint64_t ask_time(const tn_opencl_work *work, tn_cl_event event, tn_cl_uint what,
                         uint64_t otherwise) {
  uint64_t time = 0;
  return event &&
                 work->device->driver->event_profile(event, what, sizeof(time), &time, NULL) ==
                     TN_CL_SUCCESS &&
                 time != 0
             ? time + work->clock_offset
             : otherwise;
}

static uint64_t between(uint64_t low, uint64_t value, uint64_t high) {
  return value < low ? low : value > high ? high : value;
}

static void complete(tn_opencl_work *work, tn_cl_int result) {
  tn_diag diag = {0};
  tn_status status = TN_OK;
  const uint64_t now = tn_time_ns();
  uint64_t start = work->submit_ns > 0 ? work->submit_ns : now;
  uint64_t end = now;
  if (work->wants_times) {
    const uint64_t begin = work->before ? ask_time(work, work->before, TN_CL_PROFILING_END, start)
                                        : ask_time(work, work->event, TN_CL_PROFILING_START, start);
    start = between(work->submit_ns, begin, now);
    end = between(start, ask_time(work, work->event, TN_CL_PROFILING_END, now), now);
  }
  if (result < 0) {
    char what[512];
    (void)snprintf(what, sizeof(what), "%s%.300s%sdevice %.100s", work->kernel ? "kernel " : "",
                   work->kernel ? work->kernel : "", work->kernel ? " on " : "",
                   work->device->name);
    status = tn_opencl_fail_as(TN_DEVICE_FAILED, result, what, &diag);
  } else if (work->kernel) {
    status = tn_opencl_assert_check(work->device, work->kernel, &diag);
  }
  const tn_adapter_done_fn done = work->done;
  void *user = work->user;
  free_work(work);
  if (done) {
    done(user, status, status != TN_OK ? &diag : NULL, start, end);
  }
}

static void on_event(tn_cl_event event, tn_cl_int result, void *user) {
  (void)event;
  complete(user, result);
}

// The driver's clock need not be the runtime's: their distance is measured for each command.
static void measure_clock(tn_opencl_work *work) {
  uint64_t on_device = 0;
  uint64_t on_host = 0;
  work->submit_ns = tn_time_ns();
  if (work->device->driver->timers(work->device->handle, &on_device, &on_host) == TN_CL_SUCCESS) {
    const uint64_t now = tn_time_ns();
    work->clock_offset = work->submit_ns + (now - work->submit_ns) / 2 - on_device;
  }
}

// Drivers report that a command buffer starts when it ends: a marker before the graph has the time.
static tn_status enqueue_graph(tn_opencl_work *work, tn_adapter_graph *graph, tn_diag *diag) {
  tn_adapter_device *device = work->device;
  tn_adapter_stream *stream = work->stream;
  tn_cl_int result = TN_CL_SUCCESS;
  if (!stream) {
    TN_TRY(tn_opencl_stream_create(device, &stream, diag));
  }
  work->queue = stream->queue;
  work->kernel = tn_opencl_graph_kernel(graph);
  if (work->wants_times) {
    result = device->driver->marker(stream->queue, 0, NULL, &work->before);
  }
  const tn_status status =
      result == TN_CL_SUCCESS
          ? tn_opencl_graph_launch(graph, stream, work->done ? &work->event : NULL, diag)
          : tn_opencl_fail(result, device->name, diag);
  if (!work->stream) {
    tn_opencl_stream_destroy(stream);
  }
  return status;
}

static tn_status enqueue(tn_opencl_work *work, const tn_adapter_command *command, tn_diag *diag) {
  tn_adapter_device *device = work->device;
  if (!command) {
    const tn_cl_int result = device->driver->marker(work->queue, 0, NULL, &work->event);
    return result == TN_CL_SUCCESS ? TN_OK : tn_opencl_fail(result, device->name, diag);
  }
  if (work->wants_times) {
    measure_clock(work);
  }
  if (command->kind == TN_ADAPTER_NATIVE) {
    TN_TRY(command->native(command->native_user, work->queue, NULL, diag));
    return enqueue(work, NULL, diag);
  }
  if (command->kind == TN_ADAPTER_GRAPH) {
    return enqueue_graph(work, command->graph, diag);
  }
  if (command->kind != TN_ADAPTER_KERNEL) {
    return tn_opencl_move(work, command, diag);
  }
  work->kernel = atomic_load_explicit(&command->launch.kernel->shown, memory_order_acquire);
  return tn_opencl_launch(device, &command->launch, work->queue, work->done ? &work->event : NULL,
                          diag);
}

// From here on the callback may have freed the work.
static tn_status await(tn_opencl_work *work, tn_diag *diag) {
  tn_adapter_device *device = work->device;
  tn_cl_queue queue = work->queue;
  const tn_cl_int result =
      device->driver->event_callback(work->event, TN_CL_COMPLETE, on_event, work);
  if (result != TN_CL_SUCCESS) {
    (void)device->driver->wait_events(1, &work->event);  // its memory is in use until then
    free_work(work);
    return tn_opencl_fail(result, device->name, diag);
  }
  if (queue) {
    (void)device->driver->flush(queue);  // without it some drivers never start
  }
  return TN_OK;
}

static tn_status create_work(const tn_opencl_work *initial, tn_opencl_work **out, tn_diag *diag) {
  *out = tn_alloc(sizeof(**out));
  if (!*out) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "%s: no memory for a command", initial->device->name);
  }
  **out = *initial;
  return TN_OK;
}

tn_status tn_opencl_give(tn_adapter_device *device, tn_adapter_stream *stream,
                         const tn_adapter_command *command, tn_adapter_done_fn done, void *user,
                         tn_diag *diag) {
  const tn_opencl_work initial = {.device = device,
                                  .stream = stream,
                                  .queue = stream ? stream->queue : device->queue,
                                  .done = done,
                                  .user = user,
                                  .wants_times = command && command->wants_times != 0};
  const uint64_t before =
      stream ? atomic_load_explicit(&stream->given_count, memory_order_acquire) : 0;
  tn_opencl_work *work = NULL;
  TN_TRY(create_work(&initial, &work, diag));
  const tn_status status = enqueue(work, command, diag);
  if (status != TN_OK) {
    free_work(work);
    return status;
  }
  if (work->event && stream) {
    tn_opencl_stream_keep_end(stream, work->event, before + 1);
  }
  if (work->event && (done || work->expanded)) {
    return await(work, diag);
  }
  if (done) {
    complete(work, TN_CL_COMPLETE);
  } else {
    (void)device->driver->flush(work->queue);
    free_work(work);
  }
  return TN_OK;
}

tn_status tn_opencl_watch(tn_adapter_device *device, tn_cl_event event, const char *kernel,
                          tn_adapter_done_fn done, void *user, tn_diag *diag) {
  const tn_opencl_work initial = {
      .device = device, .done = done, .user = user, .event = event, .kernel = kernel};
  tn_opencl_work *work = NULL;
  const tn_status status = create_work(&initial, &work, diag);
  if (status != TN_OK) {
    (void)device->driver->event_release(event);
    return status;
  }
  return await(work, diag);
}

tn_status tn_opencl_submit(tn_adapter_device *device, const tn_adapter_command *command,
                           tn_adapter_done_fn done, void *user, tn_diag *diag) {
  TN_TRY(tn_opencl_start(device, diag));
  return tn_opencl_give(device, NULL, command, done, user, diag);
}
