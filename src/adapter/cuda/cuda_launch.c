// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel's launch: its groups, and the two parameters of docs/decisions/gpu-lowering.md.
#include "adapter/cuda/cuda_device.h"

#include <stdio.h>

enum {
  GRID_X_MAXIMUM = 0x7fffffff,
  GRID_YZ_MAXIMUM = 0xffff,
  ID_MAXIMUM = 0x7fffffff,
  GROUP_SIZE = 256,
  GROUP_MAXIMUM = 1024,
  ROW_SIZE = 64
};

typedef struct geometry {
  uint64_t group[3];
  uint64_t grid[3];
} geometry;

static uint64_t smaller(uint64_t a, uint64_t b) { return a < b ? a : b; }

static uint64_t power_of_two_over(uint64_t n) {
  uint64_t power = 1;
  while (power < n) {
    power *= 2;
  }
  return power;
}

// A plain range takes any groups: whole rows of warps, and as many of them in a group as the
// kernel's registers allow. Where there are several rows a group has some of them, because kernels
// of more than one dimension often read what is next to them. Dimensions with few groups allowed
// get larger ones.
static void choose_groups(const tn_adapter_launch *launch, geometry *out) {
  const uint64_t limit = smaller(launch->kernel->max_threads, GROUP_SIZE);
  uint64_t left = limit > 0 ? limit : 1;
  for (int i = 2; i > 0; i--) {
    const uint64_t needed = (launch->global[i] + GRID_YZ_MAXIMUM - 1) / GRID_YZ_MAXIMUM;
    out->group[i] = smaller(power_of_two_over(needed), smaller(left, i == 2 ? 64 : left));
    left /= out->group[i];
  }
  const uint64_t row = power_of_two_over(
      smaller(launch->global[0], launch->global[1] > 1 ? smaller(left, ROW_SIZE) : left));
  out->group[0] = smaller(row, left);
  left /= out->group[0];
  if (out->group[1] == 1 && launch->global[1] > 1) {
    out->group[1] = smaller(left, power_of_two_over(launch->global[1]));
  }
}

static tn_status find_geometry(const tn_adapter_device *device, const tn_adapter_launch *launch,
                               geometry *out, tn_diag *diag) {
  if (launch->has_local) {
    for (int i = 0; i < 3; i++) {
      out->group[i] = launch->local[i];
    }
  } else {
    choose_groups(launch, out);
  }
  for (int i = 0; i < 3; i++) {
    const uint64_t maximum = i == 0 ? GRID_X_MAXIMUM : GRID_YZ_MAXIMUM;
    // Device code counts so far in several dimensions (TN_GPU_HAS_ROWS of compile/gpu).
    if (launch->dims > 1 && (launch->global[i] > ID_MAXIMUM || launch->offset[i] > ID_MAXIMUM ||
                             launch->global[i] + launch->offset[i] > ID_MAXIMUM)) {
      return TN_FAIL(diag, ND_RANGE,
                     "kernel %s: ids in dimension %u go up to 2147483647 on device %s where there "
                     "is more than one dimension: use a range of one dimension",
                     launch->kernel->shown, launch->dims - 1 - (uint32_t)i, device->name);
    }
    out->grid[i] = (launch->global[i] + out->group[i] - 1) / out->group[i];
    if (out->grid[i] > maximum) {
      return TN_FAIL(diag, ND_RANGE,
                     "kernel %s: %llu work-groups in dimension %u are over the maximum of device "
                     "%s, %llu: take larger work-groups, or make the last dimension the long one",
                     launch->kernel->shown, (unsigned long long)out->grid[i],
                     launch->dims - 1 - (uint32_t)i, device->name, (unsigned long long)maximum);
    }
  }
  const uint64_t threads = out->group[0] * out->group[1] * out->group[2];
  if (threads > launch->kernel->max_threads) {
    return TN_FAIL(diag, ND_RANGE,
                   "kernel %s: a work-group of %llu work-items is more than its registers allow on "
                   "device %s, %u",
                   launch->kernel->shown, (unsigned long long)threads, device->name,
                   launch->kernel->max_threads);
  }
  return TN_OK;
}

uint32_t tn_cuda_group_shape(tn_adapter_device *device, const uint64_t local[3]) {
  (void)device;
  uint64_t threads = 1;
  for (int i = 0; i < 3; i++) {
    if (__builtin_mul_overflow(threads, local[i], &threads) || threads > GROUP_MAXIMUM) {
      return 1;  // the launch is an error, whatever its code
    }
  }
  return threads > 0 ? (uint32_t)((threads + TN_CUDA_WARP - 1) / TN_CUDA_WARP) : 1;
}

bool tn_cuda_kernel_suits(const tn_adapter_kernel *kernel, uint32_t group_shape) {
  return group_shape * TN_CUDA_WARP <= kernel->max_threads;
}

// More than the 48 KiB that every kernel may have is asked for once.
static tn_status allow_local_memory(tn_adapter_device *device, tn_adapter_kernel *kernel,
                                    uint64_t size, tn_diag *diag) {
  if (size <= atomic_load_explicit(&kernel->dynamic_shared, memory_order_relaxed)) {
    return TN_OK;
  }
  const tn_cu_result result =
      device->driver->function_set(kernel->function, TN_CU_FUNC_MAX_DYNAMIC_SHARED, (int)size);
  if (result != TN_CU_SUCCESS) {
    return TN_FAIL_NATIVE(diag, OUT_OF_MEMORY, result,
                          "kernel %s: %llu bytes of local memory and the %u that group functions "
                          "take are more than a work-group has on device %s",
                          kernel->shown, (unsigned long long)size, kernel->static_shared,
                          device->name);
  }
  atomic_store_explicit(&kernel->dynamic_shared, (uint32_t)size, memory_order_relaxed);
  return TN_OK;
}

static tn_status fail_launch(tn_adapter_device *device, const tn_adapter_launch *launch,
                             const geometry *at, tn_cu_result result, tn_diag *diag) {
  char what[640];
  const tn_adapter_kernel *kernel = launch->kernel;
  (void)snprintf(what, sizeof(what),
                 "kernel %.300s on device %.100s, %llu x %llu x %llu work-groups of "
                 "%llu x %llu x %llu (its registers allow %u work-items), %llu bytes of local "
                 "memory",
                 kernel->shown, device->name, (unsigned long long)at->grid[2],
                 (unsigned long long)at->grid[1], (unsigned long long)at->grid[0],
                 (unsigned long long)at->group[2], (unsigned long long)at->group[1],
                 (unsigned long long)at->group[0], kernel->max_threads,
                 (unsigned long long)launch->local_memory_size + kernel->static_shared);
  return tn_cuda_device_fail(device, result, what, diag);
}

tn_status tn_cuda_launch(tn_adapter_device *device, const tn_adapter_launch *launch,
                         tn_cu_stream stream, tn_diag *diag) {
  geometry at;
  tn_adapter_kernel *kernel = launch->kernel;
  TN_TRY(find_geometry(device, launch, &at, diag));
  TN_TRY(allow_local_memory(device, kernel, launch->local_memory_size, diag));
  const uint64_t words[TN_CUDA_LAUNCH_WORDS] = {
      launch->global[0], launch->global[1], launch->global[2], launch->offset[0],
      launch->offset[1], launch->offset[2], kernel->specs};
  // The driver copies the parameters during the call, and changes none.
  void *both[] = {(void *)(uintptr_t)launch->args, (void *)(uintptr_t)words};
  void **parameters = launch->arg_size > 0 ? both : both + 1;
  const unsigned shared_size = (unsigned)launch->local_memory_size;
  const tn_cu_result result =
      launch->has_local == TN_ADAPTER_ROOT_SYNC
          ? device->driver->launch_cooperative(
                kernel->function, (unsigned)at.grid[0], (unsigned)at.grid[1],
                (unsigned)at.grid[2], (unsigned)at.group[0], (unsigned)at.group[1],
                (unsigned)at.group[2], shared_size, stream, parameters)
          : device->driver->launch(kernel->function, (unsigned)at.grid[0], (unsigned)at.grid[1],
                                   (unsigned)at.grid[2], (unsigned)at.group[0],
                                   (unsigned)at.group[1], (unsigned)at.group[2], shared_size,
                                   stream, parameters, NULL);
  if (result == TN_CU_SUCCESS) {
    return TN_OK;
  }
  return fail_launch(device, launch, &at, result, diag);
}

tn_status tn_cuda_launch_params(tn_adapter_device *device, const tn_adapter_launch *launch,
                                tn_cuda_params *out, tn_diag *diag) {
  geometry at;
  tn_adapter_kernel *kernel = launch->kernel;
  TN_TRY(find_geometry(device, launch, &at, diag));
  TN_TRY(allow_local_memory(device, kernel, launch->local_memory_size, diag));
  *out = (tn_cuda_params){
      .words = {launch->global[0], launch->global[1], launch->global[2], launch->offset[0],
                launch->offset[1], launch->offset[2], kernel->specs},
      .node = {.function = kernel->function,
               .grid = {(unsigned)at.grid[0], (unsigned)at.grid[1], (unsigned)at.grid[2]},
               .block = {(unsigned)at.group[0], (unsigned)at.group[1], (unsigned)at.group[2]},
               .shared_size = (unsigned)launch->local_memory_size},
  };
  out->both[0] = (void *)(uintptr_t)launch->args;
  out->both[1] = out->words;
  out->node.parameters = launch->arg_size > 0 ? out->both : out->both + 1;
  return TN_OK;
}

tn_status tn_cuda_kernel_root_groups(tn_adapter_device *device, tn_adapter_kernel *kernel,
                                     uint64_t group_items, uint64_t local_size, uint64_t *out,
                                     tn_diag *diag) {
  tn_cuda_entry entry;
  TN_TRY(tn_cuda_enter(device, &entry, diag));
  int each = 0;
  tn_status status = allow_local_memory(device, kernel, local_size, diag);
  if (status == TN_OK) {
    const tn_cu_result result = device->driver->function_occupancy(
        &each, kernel->function, (int)group_items, (size_t)local_size);
    status = result == TN_CU_SUCCESS ? TN_OK
                                     : tn_cuda_device_fail(device, result, kernel->shown, diag);
  }
  tn_cuda_leave(device, &entry);
  TN_TRY(status);
  uint32_t units = 0;
  TN_TRY(tn_cuda_device_get_info(device, TN_DEVICE_INFO_MAX_COMPUTE_UNITS, &units, sizeof(units),
                                 NULL, diag));
  *out = (uint64_t)(each > 0 ? each : 0) * units;
  return TN_OK;
}
