// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A buffer's memory on devices that cannot use the host's. What lies in it is run/sched's concern.
#include "base/alloc.h"
#include "base/log.h"
#include "run/memory/memory.h"

tn_buffer_copy *tn_buffer_find_copy(tn_buffer *buffer, const tn_device *device) {
  tn_buffer_copy *copy = atomic_load_explicit(&buffer->copies, memory_order_acquire);
  while (copy != NULL && copy->device != device) {
    copy = copy->next;
  }
  return copy;
}

static void free_state(tn_buffer_copy *copy) {
  tn_spans_deinit(&copy->stale);
  while (copy->arrivals != NULL) {
    tn_buffer_arrival *arrival = copy->arrivals;
    copy->arrivals = arrival->next;
    tn_event_release(arrival->event);
    tn_free(arrival);
  }
}

static void free_copy(tn_buffer_copy *copy) {
  tn_device *device = copy->device;
  free_state(copy);
  device->api->memory_free(device->adapter_device, TN_ADAPTER_BUFFER_MEMORY, copy->memory);
  tn_device_drop(device);
  tn_free(copy);
}

// Two threads may come here at a time: the second one's memory goes again.
tn_status tn_buffer_get_copy(tn_buffer *buffer, tn_device *device, tn_buffer_copy **out,
                             tn_diag *diag) {
  *out = tn_buffer_find_copy(buffer, device);
  if (*out != NULL) {
    return TN_OK;
  }
  tn_buffer_copy *made = tn_alloc(sizeof(*made));
  if (made == NULL || !tn_spans_reserve(&made->stale, 1)) {
    tn_free(made);
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for a buffer's place on device %s",
                   device->name);
  }
  const tn_status status =
      device->api->memory_alloc(device->adapter_device, TN_ADAPTER_BUFFER_MEMORY,
                                buffer->size > 0 ? buffer->size : 1, 64, &made->memory, diag);
  if (status != TN_OK) {
    free_state(made);
    tn_free(made);
    return status;
  }
  made->device = device;
  tn_device_hold(device);
  if (buffer->size > 0) {
    tn_spans_add(&made->stale, (tn_span){0, buffer->size});
  }
  TN_LOG(memory, "buffer %p has %zu bytes on %s", (void *)buffer, buffer->size, device->name);
  tn_mutex_lock(&buffer->mu);
  *out = tn_buffer_find_copy(buffer, device);
  if (*out == NULL) {
    made->next = atomic_load_explicit(&buffer->copies, memory_order_relaxed);
    atomic_store_explicit(&buffer->copies, made, memory_order_release);
    *out = made;
    made = NULL;
  }
  tn_mutex_unlock(&buffer->mu);
  if (made != NULL) {
    free_copy(made);
  }
  return TN_OK;
}

void tn_buffer_free_copies(tn_buffer *buffer) {
  free_state(&buffer->host);
  tn_buffer_copy *copy = atomic_load_explicit(&buffer->copies, memory_order_relaxed);
  while (copy != NULL) {
    tn_buffer_copy *next = copy->next;
    free_copy(copy);
    copy = next;
  }
}
