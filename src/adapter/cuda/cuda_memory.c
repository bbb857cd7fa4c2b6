// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory of each kind of USM, as the driver has it.
#include "adapter/cuda/cuda_device.h"
#include "base/alloc.h"
#include "tenon/memory.h"

#include <stdio.h>

// What the driver aligns allocations to.
enum { DEVICE_ALIGNMENT = 256, HOST_ALIGNMENT = 4096 };

static tn_cu_result allocate(tn_adapter_device *device, int32_t kind, size_t size, void **out) {
  tn_cu_address address = 0;
  tn_cu_result result = TN_CU_INVALID_VALUE;
  switch (kind) {
    case TN_USM_HOST:
      return device->driver->host_alloc(out, size, TN_CU_HOST_PORTABLE | TN_CU_HOST_MAPPED);
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

tn_status tn_cuda_memory_alloc(tn_adapter_device *device, int32_t kind, size_t size,
                               size_t alignment, void **out, tn_diag *diag) {
  *out = NULL;
  const size_t given = kind == TN_USM_HOST ? HOST_ALIGNMENT : DEVICE_ALIGNMENT;
  tn_cuda_aligned *aligned = alignment > given ? tn_alloc(sizeof(*aligned)) : NULL;
  size_t whole = size;
  if (tn_fault_hit() || (alignment > given && !aligned) ||
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
      char what[TN_CUDA_NAME_SIZE + 64];
      (void)snprintf(what, sizeof(what), "%s: %zu bytes cannot be allocated", device->name, size);
      status = tn_cuda_fail(device->driver, result, what, diag);
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
  } else {
    (void)device->driver->memory_free((tn_cu_address)(uintptr_t)base);
  }
  tn_cuda_leave(device, &entry);
}
