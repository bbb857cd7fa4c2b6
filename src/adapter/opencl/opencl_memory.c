// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// USM and buffers' memory, by cl_intel_unified_shared_memory or by shared virtual memory.
//
// Drivers align to 128 bytes whatever else they are asked for: larger alignments are cut out of a
// larger allocation, which is remembered. Shared virtual memory is remembered as well: where
// kernels do not reach all of it by themselves, each launch has to list what it may use.
#include "adapter/opencl/opencl_device.h"
#include "base/alloc.h"
#include "tenon/memory.h"

enum { DRIVER_ALIGNMENT = 128 };

struct tn_opencl_allocation {
  tn_opencl_allocation *next;
  void *memory;  // as given out
  void *base;    // as the driver gave it
};

static bool is_svm(const tn_adapter_device *device) {
  return device->memory_api != TN_OPENCL_MEMORY_USM;
}

static void *allocate(tn_adapter_device *device, int32_t kind, size_t size, tn_cl_int *result) {
  const tn_cl_usm *usm = &device->usm;
  *result = TN_CL_SUCCESS;
  if (is_svm(device)) {
    tn_cl_bits flags = TN_CL_MEM_READ_WRITE;
    flags |= device->memory_api == TN_OPENCL_MEMORY_FINE ? TN_CL_MEM_FINE : 0;
    flags |= (device->aspects >> TN_ASPECT_USM_ATOMIC_SHARED_ALLOCATIONS & 1) != 0
                 ? TN_CL_MEM_ATOMICS
                 : 0;
    void *memory = device->driver->svm_alloc(device->context, flags, size, 0);
    *result = memory ? TN_CL_SUCCESS : TN_CL_MEM_OBJECT_ALLOCATION_FAILURE;
    return memory;
  }
  switch (kind) {
    case TN_USM_HOST:
      return usm->host_alloc(device->context, NULL, size, 0, result);
    case TN_USM_SHARED:
      return usm->shared_alloc(device->context, device->handle, NULL, size, 0, result);
    default:
      return usm->device_alloc(device->context, device->handle, NULL, size, 0, result);
  }
}

static void release(tn_adapter_device *device, void *base) {
  if (is_svm(device)) {
    device->driver->svm_free(device->context, base);
  } else {
    (void)device->usm.free(device->context, base);
  }
  if (device->is_foreign) {
    (void)device->driver->context_release(device->context);
  }
}

static void remember(tn_adapter_device *device, tn_opencl_allocation *record) {
  tn_mutex_lock(&device->mu);
  record->next = device->allocations;
  device->allocations = record;
  device->allocation_count++;
  tn_mutex_unlock(&device->mu);
}

static tn_status check_kind(const tn_adapter_device *device, int32_t kind, tn_diag *diag) {
  const uint32_t aspect = kind == TN_USM_HOST     ? TN_ASPECT_USM_HOST_ALLOCATIONS
                          : kind == TN_USM_SHARED ? TN_ASPECT_USM_SHARED_ALLOCATIONS
                                                  : TN_ASPECT_USM_DEVICE_ALLOCATIONS;
  if ((device->aspects >> aspect & 1) != 0) {
    return TN_OK;
  }
  return TN_FAIL(diag, UNSUPPORTED,
                 "%s: the OpenCL driver has no memory that the host and the device read at a time: "
                 "use malloc_device and copies, or buffers",
                 device->name);
}

tn_status tn_opencl_memory_alloc(tn_adapter_device *device, int32_t kind, size_t size,
                                 size_t alignment, void **out, tn_diag *diag) {
  *out = NULL;
  const bool is_aligned = alignment > DRIVER_ALIGNMENT;
  size_t whole = size;
  TN_TRY(check_kind(device, kind, diag));
  TN_TRY(tn_opencl_start(device, diag));
  tn_opencl_allocation *record = is_aligned || is_svm(device) ? tn_alloc(sizeof(*record)) : NULL;
  if (tn_fault_hit() || ((is_aligned || is_svm(device)) && !record) ||
      (is_aligned && __builtin_add_overflow(size, alignment, &whole))) {
    tn_free(record);
    return TN_FAIL(diag, OUT_OF_MEMORY, "%s: no memory for %zu bytes", device->name, size);
  }
  // Memory of a foreign device may be freed after the device is closed.
  tn_cl_int result =
      device->is_foreign ? device->driver->context_retain(device->context) : TN_CL_SUCCESS;
  const bool is_retained = device->is_foreign && result == TN_CL_SUCCESS;
  void *base = result == TN_CL_SUCCESS ? allocate(device, kind, whole, &result) : NULL;
  if (!base) {
    if (is_retained) {
      (void)device->driver->context_release(device->context);
    }
    tn_free(record);
    return TN_FAIL_NATIVE(diag, OUT_OF_MEMORY, result,
                          "%s: the OpenCL driver cannot allocate %zu bytes (%d)", device->name,
                          size, (int)result);
  }
  const uintptr_t mask = is_aligned ? alignment - 1 : 0;
  *out = (void *)(((uintptr_t)base + mask) & ~mask);
  if (record) {
    record->memory = *out;
    record->base = base;
    remember(device, record);
  }
  return TN_OK;
}

void tn_opencl_memory_free(tn_adapter_device *device, int32_t kind, void *memory) {
  (void)kind;
  tn_opencl_allocation *found = NULL;
  tn_mutex_lock(&device->mu);
  for (tn_opencl_allocation **link = &device->allocations; *link; link = &(*link)->next) {
    if ((*link)->memory == memory) {
      found = *link;
      *link = found->next;
      device->allocation_count--;
      break;
    }
  }
  tn_mutex_unlock(&device->mu);
  if (memory) {
    release(device, found ? found->base : memory);
  }
  tn_free(found);
}

tn_cl_int tn_opencl_memory_prepare(tn_adapter_device *device, tn_cl_kernel kernel) {
  static const tn_cl_uint flags[] = {TN_CL_KERNEL_INDIRECT_HOST, TN_CL_KERNEL_INDIRECT_DEVICE,
                                     TN_CL_KERNEL_INDIRECT_SHARED};
  const tn_cl_bool yes = 1;
  if (is_svm(device)) {
    return device->has_system_memory ? device->driver->kernel_exec_info(
                                           kernel, TN_CL_KERNEL_SVM_SYSTEM, sizeof(yes), &yes)
                                     : TN_CL_SUCCESS;
  }
  for (size_t i = 0; i < TN_COUNT(flags); i++) {
    // Drivers where all memory is the host's may not know the flags, and need none.
    const tn_cl_int result = device->driver->kernel_exec_info(kernel, flags[i], sizeof(yes), &yes);
    if (result != TN_CL_SUCCESS && !device->is_host_memory) {
      return result;
    }
  }
  return TN_CL_SUCCESS;
}

tn_cl_int tn_opencl_memory_use(tn_adapter_device *device, tn_cl_kernel kernel) {
  if (!is_svm(device) || device->has_system_memory) {
    return TN_CL_SUCCESS;
  }
  tn_mutex_lock(&device->mu);
  const size_t count = device->allocation_count;
  void **list = count > 0 ? tn_alloc_array(count, sizeof(*list)) : NULL;
  size_t at = 0;
  for (tn_opencl_allocation *record = device->allocations; list && record && at < count;
       record = record->next) {
    list[at++] = record->base;
  }
  tn_mutex_unlock(&device->mu);
  tn_cl_int result = count > 0 && !list ? TN_CL_OUT_OF_HOST_MEMORY : TN_CL_SUCCESS;
  if (list) {
    result = device->driver->kernel_exec_info(kernel, TN_CL_KERNEL_SVM_POINTERS, at * sizeof(*list),
                                              list);
  }
  tn_free(list);
  return result;
}
