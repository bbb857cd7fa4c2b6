// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Native objects: the driver's objects of devices, contexts, queues, events, kernels and buffers,
// and queues and events made of the program's.
#include "base/alloc.h"
#include "base/log.h"
#include "run/sched/stream_launch.h"
#include "tenon/native.h"

static bool has_native(const tn_device *device) { return TN_ADAPTER_HAS(device->api, native_get); }

static tn_status get(const tn_device *device, int32_t what, const void *object, uint64_t *out,
                     tn_diag *diag) {
  *out = 0;
  if (!has_native(device)) {
    return TN_FAIL(diag, UNSUPPORTED,
                   "device %s has no native objects: no driver of somebody else's is beneath it",
                   device->name);
  }
  return device->api->native_get(device->adapter_device, what, object, out, diag);
}

static tn_status check(const void *object, const char *what, tn_diag *diag) {
  return object != NULL
             ? TN_OK
             : TN_FAIL(diag, INVALID_ARGUMENT, "the native object of %s that is NULL", what);
}

tn_status tn_native_get_platform(const tn_platform *platform, uint64_t *out, tn_diag *diag) {
  TN_TRY(check(platform, "a platform", diag));
  return get(tn_platform_device_at(platform, 0), TN_NATIVE_PLATFORM, NULL, out, diag);
}

tn_status tn_native_get_device(const tn_device *device, uint64_t *out, tn_diag *diag) {
  TN_TRY(check(device, "a device", diag));
  return get(device, TN_NATIVE_DEVICE, NULL, out, diag);
}

tn_status tn_native_get_context(const tn_context *context, const tn_device *device, uint64_t *out,
                                tn_diag *diag) {
  TN_TRY(check(context, "a context", diag));
  TN_TRY(check(device, "a context's device", diag));
  if (!tn_context_has_device(context, device)) {
    return TN_FAIL(diag, WRONG_CONTEXT, "device %s is not in the context", device->name);
  }
  return get(tn_context_own_device(context, (tn_device *)(uintptr_t)device), TN_NATIVE_CONTEXT,
             NULL, out, diag);
}

// An out-of-order queue has one for this alone, created by the first request.
static tn_status find_stream(tn_queue *queue, tn_adapter_stream **out, tn_diag *diag) {
  if (queue->stream != NULL) {
    *out = queue->stream;
    return TN_OK;
  }
  *out = atomic_load_explicit(&queue->native_stream, memory_order_acquire);
  if (*out != NULL) {
    return TN_OK;
  }
  tn_adapter_stream *made = NULL;
  TN_TRY(queue->api->stream_create(queue->device->adapter_device, &made, diag));
  if (atomic_compare_exchange_strong_explicit(&queue->native_stream, out, made,
                                              memory_order_acq_rel, memory_order_acquire)) {
    *out = made;
  } else {
    queue->api->stream_destroy(made);
  }
  return TN_OK;
}

// Until all commands of an in-order queue are in its stream: those behind a host task are not
// before that is complete. A host task itself would wait for what waits for it.
static void wait_until_given(tn_queue *queue) {
  if (queue->stream == NULL || tn_native_current() != NULL) {
    return;
  }
  tn_mutex_lock(&queue->mu);
  tn_event *last = queue->last;
  if (last != NULL) {
    tn_event_retain(last);
  }
  tn_mutex_unlock(&queue->mu);
  if (last != NULL && atomic_load_explicit(&last->stream, memory_order_acquire) == NULL &&
      !atomic_load_explicit(&last->is_launch, memory_order_acquire)) {
    tn_event_await(last);
  }
  tn_event_release(last);
}

tn_status tn_native_get_queue(tn_queue *queue, uint64_t *out, tn_diag *diag) {
  tn_adapter_stream *stream = NULL;
  TN_TRY(check(queue, "a queue", diag));
  void *of_task = NULL;
  TN_TRY(tn_native_task_stream(queue, &of_task, diag));
  if (of_task != NULL) {
    *out = (uint64_t)(uintptr_t)of_task;
    return TN_OK;
  }
  TN_TRY(tn_queue_use_external(queue, diag));
  wait_until_given(queue);
  if (has_native(queue->device)) {
    TN_TRY(find_stream(queue, &stream, diag));
    atomic_store_explicit(&queue->is_shared, true, memory_order_release);
  }
  return get(queue->device, TN_NATIVE_QUEUE, stream, out, diag);
}

// A mark that is reached already.
static tn_status make_done_mark(tn_event *event, tn_adapter_mark **out, tn_diag *diag) {
  const tn_adapter_api *api = event->device->api;
  tn_adapter_mark *none = NULL;
  TN_TRY(api->native_mark(event->device->adapter_device, 0, true, out, diag));
  if (!atomic_compare_exchange_strong_explicit(&event->mark, &none, *out, memory_order_acq_rel,
                                               memory_order_acquire)) {
    api->mark_destroy(*out);
    *out = none;
  }
  return TN_OK;
}

tn_status tn_native_get_event(tn_event *event, uint64_t *out, tn_diag *diag) {
  *out = 0;
  TN_TRY(check(event, "an event", diag));
  if (event->device == NULL || event->recorder != NULL) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "the event is of no command that ran on a device");
  }
  tn_adapter_mark *mark = atomic_load_explicit(&event->mark, memory_order_acquire);
  if (mark == NULL && has_native(event->device)) {
    const bool is_in_stream = atomic_load_explicit(&event->stream, memory_order_acquire) != NULL ||
                              atomic_load_explicit(&event->is_launch, memory_order_acquire);
    if (is_in_stream && !tn_event_is_complete(event)) {
      TN_TRY(tn_event_get_mark(event, &mark, diag));
    } else {
      tn_event_await(event);
    }
    if (mark == NULL) {
      TN_TRY(make_done_mark(event, &mark, diag));
    }
  }
  return get(event->device, TN_NATIVE_EVENT, mark, out, diag);
}

tn_status tn_native_get_kernel(const tn_kernel *kernel, int32_t what, uint64_t *out,
                               tn_diag *diag) {
  TN_TRY(check(kernel, "a kernel", diag));
  if (what != TN_NATIVE_KERNEL && what != TN_NATIVE_PROGRAM) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "%d is no native object of a kernel", (int)what);
  }
  return get(kernel->device, what, kernel->adapter_kernel, out, diag);
}

tn_status tn_native_get_memory(tn_buffer *buffer, tn_queue *queue, void **out, tn_diag *diag) {
  *out = NULL;
  TN_TRY(check(buffer, "a buffer", diag));
  TN_TRY(check(queue, "a buffer's queue", diag));
  TN_TRY(tn_buffer_get_memory(buffer, out, diag));
  if (queue->shares_host_memory) {
    return TN_OK;
  }
  tn_buffer_copy *copy = NULL;
  TN_TRY(tn_buffer_get_copy(tn_buffer_whole(buffer), queue->device, &copy, diag));
  *out = (unsigned char *)copy->memory + buffer->offset;
  return TN_OK;
}

tn_status tn_native_get_memory_object(tn_buffer *buffer, tn_queue *queue, uint64_t *out,
                                      tn_diag *diag) {
  tn_adapter_rect row = {0};
  *out = 0;
  TN_TRY(tn_native_get_memory(buffer, queue, &row.memory, diag));
  const tn_buffer *whole = tn_buffer_whole(buffer);
  if (whole->native_device == queue->device && queue->shares_host_memory &&
      buffer->size == whole->size) {
    *out = whole->native.native;
    return TN_OK;
  }
  row.row_pitch = buffer->size;
  return get(queue->device, TN_NATIVE_MEMORY, &row, out, diag);
}

tn_status tn_native_retain(const tn_device *device, int32_t what, uint64_t native, tn_diag *diag) {
  TN_TRY(check(device, "a device", diag));
  return TN_ADAPTER_HAS(device->api, native_retain)
             ? device->api->native_retain(device->adapter_device, what, native, diag)
             : TN_OK;
}

// ---- From native objects

static tn_status make_memory(tn_context *context, uint64_t native, size_t element_size,
                             uint32_t dimensions, tn_event *after, tn_native_image *out_image,
                             tn_buffer **out, tn_diag *diag) {
  *out = NULL;
  TN_TRY(check(context, "a buffer's context", diag));
  if (native == 0) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "%s: the native memory object is NULL",
                   dimensions > 0 ? "make_unsampled_image, make_sampled_image" : "make_buffer");
  }
  if (after != NULL) {
    TN_TRY(tn_event_wait(after, diag));
  }
  return tn_buffer_create_native(context->devices[0], native, element_size, dimensions, out_image,
                                 out, diag);
}

tn_status tn_native_make_buffer(tn_context *context, uint64_t native, size_t element_size,
                                tn_event *after, tn_buffer **out, tn_diag *diag) {
  return make_memory(context, native, element_size, 0, after, NULL, out, diag);
}

tn_status tn_native_make_image(tn_context *context, uint64_t native, uint32_t dimensions,
                               tn_event *after, tn_native_image *out_image, tn_buffer **out,
                               tn_diag *diag) {
  *out = NULL;
  if (dimensions < 1 || dimensions > 3) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "an image has 1 to 3 dimensions, not %u", dimensions);
  }
  return make_memory(context, native, 1, dimensions, after, out_image, out, diag);
}

static tn_status find(int32_t backend, int32_t what, uint64_t native, tn_device **out,
                      tn_diag *diag) {
  size_t count = 0;
  *out = NULL;
  TN_TRY(tn_device_count(&count, diag));
  for (size_t i = 0; i < count && *out == NULL; i++) {
    tn_device *device = tn_device_at(i);
    uint32_t of = 0;
    uint64_t its = 0;
    TN_TRY(tn_device_get_info(device, TN_DEVICE_INFO_BACKEND, &of, sizeof(of), NULL, diag));
    if ((int32_t)of == backend && has_native(device)) {
      TN_TRY(get(device, what, NULL, &its, diag));
      *out = its == native ? device : NULL;
    }
  }
  return *out != NULL ? TN_OK
                      : TN_FAIL(diag, DEVICE_NOT_FOUND,
                                what == TN_NATIVE_DEVICE
                                    ? "no device of the list is the native device %llu; see "
                                      "ONEAPI_DEVICE_SELECTOR"
                                    : "no device's own context is the native context 0x%llx: Tenon "
                                      "works in the primary contexts of devices only",
                                (unsigned long long)native);
}

tn_status tn_native_find_device(int32_t backend, uint64_t native, tn_device **out, tn_diag *diag) {
  return find(backend, TN_NATIVE_DEVICE, native, out, diag);
}

tn_status tn_native_find_context(int32_t backend, uint64_t native, tn_device **out, tn_diag *diag) {
  return find(backend, TN_NATIVE_CONTEXT, native, out, diag);
}

// The device of the native queue.
static tn_status make_queue_on_any(tn_context *context, uint64_t native, int take, tn_queue **out,
                                   tn_diag *diag) {
  tn_status status = TN_UNSUPPORTED;
  for (size_t i = 0; i < context->device_count && status != TN_OK; i++) {
    status = tn_native_make_queue(context, context->devices[i], native, take, out, diag);
  }
  return status;
}

tn_status tn_native_make_queue(tn_context *context, tn_device *device, uint64_t native, int take,
                               tn_queue **out, tn_diag *diag) {
  *out = NULL;
  TN_TRY(check(context, "a queue's context", diag));
  if (device == NULL) {
    return make_queue_on_any(context, native, take, out, diag);
  }
  if (!has_native(device)) {
    return TN_FAIL(diag, UNSUPPORTED, "device %s has no native queues", device->name);
  }
  tn_adapter_stream *stream = NULL;
  tn_queue *queue = NULL;
  TN_TRY(tn_queue_create(context, device, TN_QUEUE_IN_ORDER, &queue, diag));
  const tn_status status =
      device->api->native_stream(device->adapter_device, native, take != 0, &stream, diag);
  if (status != TN_OK) {
    tn_queue_release(queue);
    return status;
  }
  tn_adapter_stream *own = queue->stream;
  queue->stream = stream;
  atomic_store_explicit(&queue->is_shared, true, memory_order_release);
  device->api->stream_destroy(own);
  *out = queue;
  return TN_OK;
}

tn_status tn_native_make_event(tn_context *context, uint64_t native, int take, tn_event **out,
                               tn_diag *diag) {
  *out = NULL;
  TN_TRY(check(context, "an event's context", diag));
  tn_device *device = context->devices[0];
  if (!has_native(device)) {
    return TN_FAIL(diag, UNSUPPORTED, "device %s: there is no native event", device->name);
  }
  if (native == 0) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "make_event: the native event is NULL");
  }
  tn_adapter_mark *mark = NULL;
  TN_TRY(device->api->native_mark(device->adapter_device, native, take != 0, &mark, diag));
  tn_event *event = tn_event_create_plain();
  if (event == NULL) {
    device->api->mark_destroy(mark);
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for an event");
  }
  event->device = device;
  event->is_native = true;
  atomic_store_explicit(&event->mark, mark, memory_order_relaxed);
  atomic_store_explicit(&event->is_launch, true, memory_order_relaxed);
  atomic_store_explicit(&event->state, TN_EVENT_RUNNING, memory_order_release);
  *out = event;
  return TN_OK;
}
