// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device's primary context, which the program's own CUDA code has as well: made at the first
// use, so that looking at devices starts none.
#include "adapter/cuda/cuda_device.h"
#include "base/own_code.h"

#include <sched.h>

// What the pool of buffers' memory keeps at most of what was given back.
#define KEPT_MEMORY ((uint64_t)1 << 30)

static tn_status make_streams(tn_adapter_device *device, tn_diag *diag) {
  const tn_cuda_driver *driver = device->driver;
  for (size_t i = 0; i < TN_CUDA_STREAMS; i++) {
    const tn_cu_result result =
        driver->stream_create(&device->streams[i], TN_CU_STREAM_NON_BLOCKING);
    if (result != TN_CU_SUCCESS) {
      return tn_cuda_device_fail(device, result, device->name, diag);
    }
    device->own_streams[i].device = device;
    device->own_streams[i].handle = device->streams[i];
  }
  tn_cu_result result = driver->stream_create(&device->memory_stream, TN_CU_STREAM_NON_BLOCKING);
  result =
      result == TN_CU_SUCCESS ? driver->event_create(&device->origin, TN_CU_EVENT_TIMED) : result;
  result =
      result == TN_CU_SUCCESS ? driver->event_record(device->origin, device->streams[0]) : result;
  result = result == TN_CU_SUCCESS ? driver->event_sync(device->origin) : result;
  device->origin_ns = tn_time_ns();
  return result == TN_CU_SUCCESS ? TN_OK : tn_cuda_device_fail(device, result, device->name, diag);
}

// Where the driver has no pools, or none for this device, buffers' memory is as any other.
static void make_pool(tn_adapter_device *device) {
  const tn_cu_pool_props props = {.kind = TN_CU_POOL_PINNED,
                                  .place = {TN_CU_PLACE_DEVICE, device->handle}};
  uint64_t kept = KEPT_MEMORY;
  tn_cu_pool pool = NULL;
  if (device->driver->pool_create(&pool, &props) != TN_CU_SUCCESS) {
    return;
  }
  (void)device->driver->pool_set(pool, TN_CU_POOL_RELEASE_THRESHOLD, &kept);
  device->pool = pool;
}

static void drop_streams(tn_adapter_device *device) {
  for (size_t i = 0; i < TN_CUDA_STREAMS; i++) {
    if (device->streams[i]) {
      (void)device->driver->stream_destroy(device->streams[i]);
      device->streams[i] = NULL;
    }
  }
  if (device->memory_stream) {
    (void)device->driver->stream_destroy(device->memory_stream);
    device->memory_stream = NULL;
  }
  if (device->origin) {
    (void)device->driver->event_destroy(device->origin);
    device->origin = NULL;
  }
}

// True when the caller is the one to make the context; false when another thread has made it.
static bool is_maker(tn_adapter_device *device) {
  for (;;) {
    tn_mutex_lock(&device->mu);
    const bool is_free = !device->is_starting;
    device->is_starting = true;
    tn_mutex_unlock(&device->mu);
    if (is_free) {
      return true;
    }
    for (int i = 0; i < 1000; i++) {
      if (atomic_load_explicit(&device->ready, memory_order_acquire)) {
        return false;
      }
      tn_thread_pause();
    }
    (void)sched_yield();
  }
}

static tn_status make_context(tn_adapter_device *device, tn_diag *diag) {
  if (!is_maker(device)) {
    return TN_OK;
  }
  tn_cu_context made = NULL;
  tn_cu_context before = NULL;
  const tn_cu_result result = device->driver->primary_retain(&made, device->handle);
  tn_status status =
      result == TN_CU_SUCCESS ? TN_OK : tn_cuda_device_fail(device, result, device->name, diag);
  if (status == TN_OK) {
    (void)device->driver->context_get(&before);
    (void)device->driver->context_set(made);
    status = make_streams(device, diag);
    if (status == TN_OK) {
      make_pool(device);
    }
    if (status != TN_OK) {
      drop_streams(device);
      (void)device->driver->primary_release(device->handle);
    }
    (void)device->driver->context_set(before);
  }
  if (status == TN_OK) {
    // Sequentially consistent for tn_cuda_pool_share: of two that start, one sees the other.
    atomic_store_explicit(&device->ready, made, memory_order_seq_cst);
    tn_cuda_pool_share(device);
    tn_own_code_touch();  // a first launch is soon, and runs all of it for the first time
  } else {
    tn_mutex_lock(&device->mu);
    device->is_starting = false;  // the next use tries again
    tn_mutex_unlock(&device->mu);
  }
  return status;
}

tn_status tn_cuda_enter(tn_adapter_device *device, tn_cuda_entry *out, tn_diag *diag) {
  out->before = NULL;
  tn_cu_context context = atomic_load_explicit(&device->ready, memory_order_acquire);
  if (!context) {
    TN_TRY(make_context(device, diag));
    context = atomic_load_explicit(&device->ready, memory_order_acquire);
  }
  (void)device->driver->context_get(&out->before);
  if (out->before == context) {
    return TN_OK;
  }
  const tn_cu_result result = device->driver->context_set(context);
  return result == TN_CU_SUCCESS ? TN_OK : tn_cuda_device_fail(device, result, device->name, diag);
}

// A thread without a context of its own keeps ours: the next command finds it there.
void tn_cuda_leave(tn_adapter_device *device, const tn_cuda_entry *entry) {
  const tn_cu_context ours = atomic_load_explicit(&device->ready, memory_order_relaxed);
  if (entry->before && entry->before != ours) {
    (void)device->driver->context_set(entry->before);
  }
}

void tn_cuda_context_end(tn_adapter_device *device) {
  if (atomic_load_explicit(&device->ready, memory_order_acquire)) {
    tn_cuda_entry entry;
    if (tn_cuda_enter(device, &entry, NULL) == TN_OK) {
      tn_cuda_pool_end(device);
      drop_streams(device);
      tn_cuda_leave(device, &entry);
    }
    (void)device->driver->primary_release(device->handle);
  }
}
