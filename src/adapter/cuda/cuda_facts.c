// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a device says of itself.
#include "adapter/cuda/cuda_device.h"
#include "base/info.h"

#include <stdio.h>

enum {
  // Group functions keep 64 bytes for each of up to 32 sub-groups (docs/decisions/gpu-lowering.md),
  // beside what local accessors take.
  STATIC_SHARED = 32 * 64 + 64,
  PARAMETER_SIZE = 4096 - TN_CUDA_LAUNCH_WORDS * 8,
  NVIDIA_PCI_VENDOR = 0x10de,
  DRIVER_WITH_PCI_IDS = 12080,
};

static uint64_t ask(const tn_adapter_device *device, int what) {
  int value = 0;
  return device->driver->device_attribute(&value, what, device->handle) == TN_CU_SUCCESS &&
                 value > 0
             ? (uint64_t)value
             : 0;
}

uint64_t tn_cuda_static_local(const tn_adapter_kernel *kernel) {
  return kernel->static_shared > STATIC_SHARED ? kernel->static_shared - STATIC_SHARED : 0;
}

uint64_t tn_cuda_local_memory(const tn_adapter_device *device) {
  const uint64_t all = ask(device, TN_CU_MAX_SHARED_MEMORY_OPTIN);
  return all > STATIC_SHARED ? all - STATIC_SHARED : 0;
}

static uint64_t memory_size(const tn_adapter_device *device) {
  size_t size = 0;
  (void)device->driver->device_memory(&size, device->handle);
  return size;
}

// Two words a clock.
static uint64_t bandwidth(const tn_adapter_device *device) {
  return 2 * ask(device, TN_CU_MEMORY_CLOCK_RATE) * 1000 * ask(device, TN_CU_MEMORY_BUS_WIDTH) / 8;
}

static uint64_t find_aspects(const tn_adapter_device *device) {
  const bool is_shared = ask(device, TN_CU_MANAGED_MEMORY) != 0;
  const bool is_concurrent = ask(device, TN_CU_CONCURRENT_MANAGED_ACCESS) != 0;
  const bool has_system = ask(device, TN_CU_PAGEABLE_MEMORY_ACCESS) != 0;
  const struct {
    bool has;
    uint32_t aspect;
  } all[] = {
      {true, TN_ASPECT_GPU},
      {device->major > 5 || (device->major == 5 && device->minor >= 3), TN_ASPECT_FP16},
      {true, TN_ASPECT_FP64},
      {true, TN_ASPECT_ATOMIC64},
      {true, TN_ASPECT_IMAGE},
      {true, TN_ASPECT_ONLINE_COMPILER},
      {true, TN_ASPECT_ONLINE_LINKER},
      {true, TN_ASPECT_QUEUE_PROFILING},
      {true, TN_ASPECT_USM_DEVICE_ALLOCATIONS},
      {true, TN_ASPECT_USM_HOST_ALLOCATIONS},
      {is_shared, TN_ASPECT_USM_SHARED_ALLOCATIONS},
      {is_shared && is_concurrent && device->major >= 6, TN_ASPECT_USM_ATOMIC_SHARED_ALLOCATIONS},
      {has_system, TN_ASPECT_USM_SYSTEM_ALLOCATIONS},
      {device->driver->version >= DRIVER_WITH_PCI_IDS, TN_ASPECT_DEVICE_ID},
      {true, TN_ASPECT_PCI_ADDRESS},
      {true, TN_ASPECT_UUID},
      {true, TN_ASPECT_FREE_MEMORY},
      {true, TN_ASPECT_MEMORY_CLOCK_RATE},
      {true, TN_ASPECT_MEMORY_BUS_WIDTH},
      {true, TN_ASPECT_MAX_MEM_BANDWIDTH},
      {ask(device, TN_CU_INTEGRATED) != 0, TN_ASPECT_INTEGRATED_GPU},
      {true, TN_ASPECT_IPC_MEMORY},
      {ask(device, TN_CU_USES_HOST_POINTERS) != 0, TN_ASPECT_REGISTER_HOST_MEMORY},
  };
  uint64_t bits = 0;
  for (size_t i = 0; i < TN_COUNT(all); i++) {
    bits |= all[i].has ? (uint64_t)1 << all[i].aspect : 0;
  }
  return bits;
}

// Each queue asks for them, and the driver takes most of a millisecond to tell the memory's clock.
// Each queue asks for them: nothing here may take its time, and some attributes do.
static uint64_t aspects(const tn_adapter_device *device) {
  uint64_t bits = atomic_load_explicit(&device->aspects, memory_order_relaxed);
  if (bits == 0) {
    bits = find_aspects(device);
    // What is remembered is not seen as a change.
    atomic_store_explicit(&((tn_adapter_device *)(uintptr_t)device)->aspects, bits,
                          memory_order_relaxed);
  }
  return bits;
}

static bool find_u32(const tn_adapter_device *device, int32_t what, uint32_t *out) {
  switch (what) {
    case TN_DEVICE_INFO_TYPE:
      *out = TN_DEVICE_TYPE_GPU;
      return true;
    case TN_DEVICE_INFO_BACKEND:
      *out = TN_BACKEND_CUDA;
      return true;
    case TN_DEVICE_INFO_VENDOR_ID:
      *out = NVIDIA_PCI_VENDOR;
      return true;
    case TN_DEVICE_INFO_MAX_COMPUTE_UNITS:
      *out = (uint32_t)ask(device, TN_CU_MULTIPROCESSOR_COUNT);
      return true;
    case TN_DEVICE_INFO_MAX_CLOCK_FREQUENCY:
      *out = (uint32_t)(ask(device, TN_CU_CLOCK_RATE) / 1000);
      return true;
    case TN_DEVICE_INFO_ADDRESS_BITS:
      *out = 64;
      return true;
    case TN_DEVICE_INFO_MEM_BASE_ADDR_ALIGN:
      *out = 64 * 8;  // as on the CPU: accesses need no more
      return true;
    case TN_DEVICE_INFO_CACHE_LINE_SIZE:
      *out = 128;
      return true;
    case TN_DEVICE_INFO_SUB_GROUP_SIZE:
    case TN_DEVICE_INFO_SUB_GROUP_SIZES:
      *out = TN_CUDA_WARP;
      return true;
    case TN_DEVICE_INFO_NATIVE_VECTOR_WIDTH:
      *out = sizeof(float);
      return true;
    case TN_DEVICE_INFO_NATIVE_HALF_WIDTH:
      *out = 2 * sizeof(short);  // two halves an instruction
      return true;
    case TN_DEVICE_INFO_MAX_NUM_SUB_GROUPS:
      *out = (uint32_t)(ask(device, TN_CU_MAX_THREADS_PER_BLOCK) / TN_CUDA_WARP);
      return true;
    case TN_DEVICE_INFO_ERROR_CORRECTION:
      *out = (uint32_t)ask(device, TN_CU_ECC_ENABLED);
      return true;
    case TN_DEVICE_INFO_MAX_REGISTERS_PER_WORK_GROUP:
      *out = (uint32_t)ask(device, TN_CU_MAX_REGISTERS_PER_BLOCK);
      return true;
    case TN_DEVICE_INFO_DEVICE_ID:
      *out = (uint32_t)(ask(device, TN_CU_PCI_IDS) >> 16);
      return true;
    case TN_DEVICE_INFO_MEMORY_CLOCK_RATE:
      *out = (uint32_t)(ask(device, TN_CU_MEMORY_CLOCK_RATE) / 1000);
      return true;
    case TN_DEVICE_INFO_MEMORY_BUS_WIDTH:
      *out = (uint32_t)ask(device, TN_CU_MEMORY_BUS_WIDTH);
      return true;
    case TN_DEVICE_INFO_PARTITION_MAX:
    case TN_DEVICE_INFO_PARTITION_KINDS:
    case TN_DEVICE_INFO_PARTITION_DOMAINS:
    case TN_DEVICE_INFO_PARTITION_TYPE:
    case TN_DEVICE_INFO_PARTITION_TYPE_DOMAIN:
      *out = 0;
      return true;
    default:
      return false;
  }
}

static bool find_u64(const tn_adapter_device *device, int32_t what, uint64_t *out) {
  switch (what) {
    case TN_DEVICE_INFO_MAX_WORK_GROUP_SIZE:
      *out = ask(device, TN_CU_MAX_THREADS_PER_BLOCK);
      return true;
    case TN_DEVICE_INFO_GLOBAL_MEM_SIZE:
    case TN_DEVICE_INFO_MAX_MEM_ALLOC_SIZE:
      *out = memory_size(device);
      return true;
    case TN_DEVICE_INFO_LOCAL_MEM_SIZE:
      *out = tn_cuda_local_memory(device);
      return true;
    case TN_DEVICE_INFO_GLOBAL_CACHE_SIZE:
      *out = ask(device, TN_CU_L2_CACHE_SIZE);
      return true;
    case TN_DEVICE_INFO_ASPECTS:
      *out = aspects(device);
      return true;
    case TN_DEVICE_INFO_MAX_MEM_BANDWIDTH:
      *out = bandwidth(device);
      return true;
    case TN_DEVICE_INFO_MAX_PARAMETER_SIZE:
      *out = PARAMETER_SIZE;
      return true;
    case TN_DEVICE_INFO_TIMER_RESOLUTION:
      *out = 500;
      return true;
    default:
      return false;
  }
}

static const char *find_text(const tn_adapter_device *device, int32_t what, char *text,
                             size_t size) {
  switch (what) {
    case TN_DEVICE_INFO_NAME:
      return device->name;
    case TN_DEVICE_INFO_VENDOR:
      return "NVIDIA Corporation";
    case TN_DEVICE_INFO_DRIVER_VERSION:
      (void)snprintf(text, size, "CUDA %d.%d", device->driver->version / 1000,
                     device->driver->version % 1000 / 10);
      return text;
    case TN_DEVICE_INFO_PCI_ADDRESS:
      return device->driver->device_pci(text, (int)size, device->handle) == TN_CU_SUCCESS ? text
                                                                                         : NULL;
    case TN_DEVICE_INFO_VERSION:
      (void)snprintf(text, size, "%d.%d", device->major, device->minor);
      return text;
    default:
      return NULL;
  }
}

// The context is made for this question: the driver answers it to a context only.
static tn_status get_free_memory(tn_adapter_device *device, uint64_t *out, tn_diag *diag) {
  size_t free_size = 0;
  size_t total = 0;
  tn_cuda_entry entry;
  TN_TRY(tn_cuda_enter(device, &entry, diag));
  const tn_cu_result result = device->driver->memory_info(&free_size, &total);
  tn_cuda_leave(device, &entry);
  *out = free_size;
  return result == TN_CU_SUCCESS ? TN_OK
                                 : tn_cuda_device_fail(device, result, device->name, diag);
}

tn_status tn_cuda_device_get_info(tn_adapter_device *device, int32_t what, void *out, size_t size,
                                  size_t *out_size, tn_diag *diag) {
  char space[64];
  const char *text = find_text(device, what, space, sizeof(space));
  if (text) {
    return tn_info_write_text(text, out, size, out_size, diag);
  }
  if (what == TN_DEVICE_INFO_MAX_WORK_ITEM_SIZES) {
    const uint64_t sizes[3] = {ask(device, TN_CU_MAX_BLOCK_DIM_X),
                               ask(device, TN_CU_MAX_BLOCK_DIM_Y),
                               ask(device, TN_CU_MAX_BLOCK_DIM_Z)};
    return tn_info_write(sizes, sizeof(sizes), out, size, out_size, diag);
  }
  unsigned char uuid[16];
  if (what == TN_DEVICE_INFO_UUID &&
      device->driver->device_uuid(uuid, device->handle) == TN_CU_SUCCESS) {
    return tn_info_write(uuid, sizeof(uuid), out, size, out_size, diag);
  }
  if (what == TN_DEVICE_INFO_FREE_MEMORY) {
    uint64_t free_size = 0;
    TN_TRY(get_free_memory(device, &free_size, diag));
    return tn_info_write(&free_size, sizeof(free_size), out, size, out_size, diag);
  }
  uint32_t narrow = 0;
  uint64_t wide = 0;
  if (find_u32(device, what, &narrow)) {
    return tn_info_write(&narrow, sizeof(narrow), out, size, out_size, diag);
  }
  if (find_u64(device, what, &wide)) {
    return tn_info_write(&wide, sizeof(wide), out, size, out_size, diag);
  }
  return TN_FAIL(diag, INVALID_ARGUMENT, "%d is no device info that NVIDIA's devices have",
                 (int)what);
}
