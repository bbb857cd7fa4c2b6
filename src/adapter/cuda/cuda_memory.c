// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory of each kind of USM, as the driver has it, and of buffers.
//
// Buffers come and go, so their memory is from a pool that keeps what is given back: the driver's
// stream-ordered allocation, in a stream where nothing else is. All commands on the memory have
// ended when it goes, so it needs no order but that of the stream.
#include "adapter/cuda/cuda_device.h"
#include "base/alloc.h"
#include "tenon/memory.h"

#include <stdio.h>

// What the driver aligns all allocations to; small ones of the host's share pages, too.
enum { GIVEN_ALIGNMENT = 256 };

static tn_cu_result allocate(tn_adapter_device *device, int32_t kind, size_t size, void **out) {
  tn_cu_address address = 0;
  tn_cu_result result = TN_CU_INVALID_VALUE;
  switch (kind) {
    case TN_USM_HOST:
      return device->driver->host_alloc(out, size, TN_CU_HOST_PORTABLE | TN_CU_HOST_MAPPED);
    case TN_ADAPTER_BUFFER_MEMORY:
      if (!device->pool) {
        result = device->driver->memory_alloc(&address, size);
        break;
      }
      result = device->driver->pool_alloc(&address, size, device->pool, device->memory_stream);
      if (result == TN_CU_SUCCESS) {
        result = device->driver->stream_sync(device->memory_stream);
      }
      break;
    case TN_USM_SHARED:
      result = device->driver->managed_alloc(&address, size, TN_CU_ATTACH_GLOBAL);
      break;
    default:
      result = device->driver->memory_alloc(&address, size);
      break;
  }
  *out = (void *)(uintptr_t)address;
  return result;
}

// Larger alignments are taken out of a larger piece, and remembered.
struct tn_cuda_aligned {
  tn_cuda_aligned *next;
  void *memory;  // as given out
  void *base;    // as the driver gave it
};

static void remember(tn_adapter_device *device, tn_cuda_aligned *aligned) {
  tn_mutex_lock(&device->mu);
  aligned->next = device->aligned;
  device->aligned = aligned;
  tn_mutex_unlock(&device->mu);
}

static void *take_base(tn_adapter_device *device, void *memory) {
  tn_cuda_aligned *found = NULL;
  tn_mutex_lock(&device->mu);
  for (tn_cuda_aligned **link = &device->aligned; *link && !found; link = &(*link)->next) {
    if ((*link)->memory == memory) {
      found = *link;
      *link = found->next;
      break;
    }
  }
  tn_mutex_unlock(&device->mu);
  void *base = found ? found->base : memory;
  tn_free(found);
  return base;
}

static const char *kind_text(int32_t kind) {
  switch (kind) {
    case TN_USM_HOST:
      return " of pinned host memory";
    case TN_USM_SHARED:
      return " of managed memory";
    case TN_ADAPTER_BUFFER_MEMORY:
      return " of a buffer";
    default:
      return "";
  }
}

static tn_status fail_alloc(tn_adapter_device *device, int32_t kind, size_t size,
                            tn_cu_result result, tn_diag *diag) {
  char what[TN_CUDA_NAME_SIZE + 128];
  size_t free_size = 0;
  size_t total = 0;
  tn_cuda_entry entry;
  if (kind != TN_USM_HOST && tn_cuda_enter(device, &entry, NULL) == TN_OK) {
    (void)device->driver->memory_info(&free_size, &total);
    tn_cuda_leave(device, &entry);
  }
  if (total > 0) {
    (void)snprintf(what, sizeof(what),
                   "%s: %zu bytes%s cannot be allocated, %zu of its %zu bytes are free",
                   device->name, size, kind_text(kind), free_size, total);
  } else {
    (void)snprintf(what, sizeof(what), "%s: %zu bytes%s cannot be allocated", device->name, size,
                   kind_text(kind));
  }
  return tn_cuda_device_fail(device, result, what, diag);
}

tn_status tn_cuda_memory_alloc(tn_adapter_device *device, int32_t kind, size_t size,
                               size_t alignment, void **out, tn_diag *diag) {
  *out = NULL;
  const bool is_larger = alignment > GIVEN_ALIGNMENT;
  tn_cuda_aligned *aligned = is_larger ? tn_alloc(sizeof(*aligned)) : NULL;
  size_t whole = size;
  if (tn_fault_hit() || (is_larger && !aligned) ||
      (aligned && __builtin_add_overflow(size, alignment, &whole))) {
    tn_free(aligned);
    return TN_FAIL(diag, OUT_OF_MEMORY, "%s: no memory for %zu bytes", device->name, size);
  }
  tn_cuda_entry entry;
  tn_status status = tn_cuda_enter(device, &entry, diag);
  if (status == TN_OK) {
    const tn_cu_result result = allocate(device, kind, whole, out);
    tn_cuda_leave(device, &entry);
    if (result != TN_CU_SUCCESS) {
      status = fail_alloc(device, kind, size, result, diag);
    }
  }
  if (status != TN_OK) {
    tn_free(aligned);
    *out = NULL;
    return status;
  }
  if (aligned) {
    aligned->base = *out;
    aligned->memory = (unsigned char *)*out + (-(uintptr_t)*out & (alignment - 1));
    *out = aligned->memory;
    remember(device, aligned);
  }
  return TN_OK;
}

void tn_cuda_memory_free(tn_adapter_device *device, int32_t kind, void *memory) {
  tn_cuda_entry entry;
  void *base = take_base(device, memory);
  if (tn_cuda_enter(device, &entry, NULL) != TN_OK) {
    return;
  }
  if (kind == TN_USM_HOST) {
    (void)device->driver->host_free(base);
  } else if (kind == TN_ADAPTER_BUFFER_MEMORY && device->pool) {
    (void)device->driver->pool_free((tn_cu_address)(uintptr_t)base, device->memory_stream);
  } else {
    (void)device->driver->memory_free((tn_cu_address)(uintptr_t)base);
  }
  tn_cuda_leave(device, &entry);
}

// Also for memory that the program got from the driver itself.
int32_t tn_cuda_memory_kind(tn_adapter_device *device, const void *memory) {
  unsigned type = 0;
  unsigned is_managed = 0;
  const tn_cuda_driver *driver = device->driver;
  const tn_cu_address address = (tn_cu_address)(uintptr_t)memory;
  if (!atomic_load_explicit(&device->ready, memory_order_acquire) ||
      driver->pointer_get(&type, TN_CU_POINTER_MEMORY_TYPE, address) != TN_CU_SUCCESS) {
    return TN_USM_UNKNOWN;
  }
  int ordinal = device->handle;
  if (driver->pointer_get(&ordinal, TN_CU_POINTER_DEVICE, address) == TN_CU_SUCCESS &&
      ordinal != device->handle) {
    return TN_USM_UNKNOWN;  // another device's
  }
  const bool knows =
      driver->pointer_get(&is_managed, TN_CU_POINTER_IS_MANAGED, address) == TN_CU_SUCCESS;
  return knows && is_managed != 0      ? TN_USM_SHARED
         : type == TN_CU_MEMORY_DEVICE ? TN_USM_DEVICE
         : type == TN_CU_MEMORY_HOST   ? TN_USM_HOST
                                       : TN_USM_UNKNOWN;
}

static tn_status fail_host(tn_adapter_device *device, tn_cu_result result, const void *memory,
                           const char *what, tn_diag *diag) {
  char text[TN_CUDA_NAME_SIZE + 96];
  (void)snprintf(text, sizeof(text), "%s: the host's memory at %p cannot be %s", device->name,
                 memory, what);
  return tn_cuda_device_fail(device, result, text, diag);
}

tn_status tn_cuda_host_register(tn_adapter_device *device, void *memory, size_t size,
                                int is_read_only, tn_diag *diag) {
  int knows_read_only = 0;
  tn_cuda_entry entry;
  unsigned flags = TN_CU_HOST_PORTABLE | TN_CU_HOST_MAPPED;
  TN_TRY(tn_cuda_enter(device, &entry, diag));
  if (is_read_only && device->driver->device_attribute(&knows_read_only, TN_CU_REGISTERS_READ_ONLY,
                                                       device->handle) == TN_CU_SUCCESS) {
    flags |= knows_read_only != 0 ? TN_CU_HOST_READ_ONLY : 0u;
  }
  const tn_cu_result result = device->driver->host_register(memory, size, flags);
  tn_cuda_leave(device, &entry);
  return result == TN_CU_SUCCESS ? TN_OK : fail_host(device, result, memory, "registered", diag);
}

tn_status tn_cuda_host_unregister(tn_adapter_device *device, void *memory, tn_diag *diag) {
  tn_cuda_entry entry;
  TN_TRY(tn_cuda_enter(device, &entry, diag));
  const tn_cu_result result = device->driver->host_unregister(memory);
  tn_cuda_leave(device, &entry);
  return result == TN_CU_SUCCESS ? TN_OK : fail_host(device, result, memory, "unregistered", diag);
}

void tn_cuda_pool_end(tn_adapter_device *device) {
  if (device->pool) {
    (void)device->driver->stream_sync(device->memory_stream);
    (void)device->driver->pool_destroy(device->pool);
    device->pool = NULL;
  }
}
