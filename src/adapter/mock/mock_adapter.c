// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The mock adapter's table and what its device says of itself: round numbers that tests can rely
// on.
#include "adapter/mock/mock_device.h"
#include "base/alloc.h"
#include "base/info.h"

#include <string.h>

static tn_status create(const tn_adapter_host *host, tn_adapter **out, tn_diag *diag) {
  (void)host;
  *out = NULL;
  tn_adapter *adapter = tn_alloc(sizeof(*adapter));
  if (adapter == NULL) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the mock adapter");
  }
  tn_adapter_device *device = &adapter->device;
  tn_mutex_init(&device->mu, TN_RANK_ADAPTER);
  tn_cond_init(&device->cond);
  for (int i = 0; i < TN_MOCK_CALL_COUNT; i++) {
    tn_mock_fail(device, (tn_mock_call)i, -1);
  }
  *out = adapter;
  return TN_OK;
}

static void free_records(tn_adapter_device *device) TN_NO_ANALYSIS { tn_free(device->records); }

static void destroy(tn_adapter *adapter) {
  if (adapter != NULL) {
    tn_mock_stop(&adapter->device);
    free_records(&adapter->device);
    tn_cond_deinit(&adapter->device.cond);
    tn_mutex_deinit(&adapter->device.mu);
    tn_free(adapter);
  }
}

static tn_status get_info(tn_adapter *adapter, int32_t what, void *out, size_t size,
                          size_t *out_size, tn_diag *diag) {
  (void)adapter;
  const uint32_t backend = TN_BACKEND_MOCK;
  switch (what) {
    case TN_PLATFORM_INFO_NAME:
      return tn_info_write_text("Tenon mock", out, size, out_size, diag);
    case TN_PLATFORM_INFO_VENDOR:
      return tn_info_write_text("Tenon", out, size, out_size, diag);
    case TN_PLATFORM_INFO_VERSION:
      return tn_info_write_text(TN_VERSION, out, size, out_size, diag);
    case TN_PLATFORM_INFO_BACKEND:
      return tn_info_write(&backend, sizeof(backend), out, size, out_size, diag);
    default:
      return TN_FAIL(diag, INVALID_ARGUMENT, "%d is no platform info", (int)what);
  }
}

static size_t device_count(tn_adapter *adapter) {
  (void)adapter;
  return 1;
}

static tn_adapter_device *device_at(tn_adapter *adapter, size_t index) {
  return index == 0 ? &adapter->device : NULL;
}

static const char *device_target(tn_adapter_device *device) {
  (void)device;
  return TN_MOCK_TARGET;
}

// Code is text, whatever its image's format says, and calls nothing.
static uint32_t image_fit(tn_adapter_device *device, const tn_adapter_image *image,
                          uint32_t *out_flags, tn_diag *diag) {
  (void)device;
  (void)image;
  (void)diag;
  *out_flags = TN_ADAPTER_IMAGE_IS_WHOLE;
  return 1;
}

static const char *find_text(int32_t what) {
  switch (what) {
    case TN_DEVICE_INFO_NAME:
      return "mock";
    case TN_DEVICE_INFO_VENDOR:
      return "Tenon";
    case TN_DEVICE_INFO_DRIVER_VERSION:
      return TN_VERSION;
    case TN_DEVICE_INFO_VERSION:
      return "Tenon mock " TN_VERSION;
    default:
      return NULL;
  }
}

static const struct {
  int32_t what;
  uint32_t value;
} small_facts[] = {
    {TN_DEVICE_INFO_TYPE, TN_DEVICE_TYPE_CUSTOM},
    {TN_DEVICE_INFO_BACKEND, TN_BACKEND_MOCK},
    {TN_DEVICE_INFO_VENDOR_ID, 0},
    {TN_DEVICE_INFO_MAX_COMPUTE_UNITS, 1},
    {TN_DEVICE_INFO_MAX_CLOCK_FREQUENCY, 1},
    {TN_DEVICE_INFO_ADDRESS_BITS, 64},
    {TN_DEVICE_INFO_MEM_BASE_ADDR_ALIGN, 512},
    {TN_DEVICE_INFO_CACHE_LINE_SIZE, 64},
    {TN_DEVICE_INFO_SUB_GROUP_SIZE, 1},
    {TN_DEVICE_INFO_NATIVE_VECTOR_WIDTH, 16},
    {TN_DEVICE_INFO_MAX_NUM_SUB_GROUPS, 64},
    {TN_DEVICE_INFO_SUB_GROUP_SIZES, 1},
    {TN_DEVICE_INFO_NATIVE_HALF_WIDTH, 0},
    {TN_DEVICE_INFO_ERROR_CORRECTION, 0},
};

static const struct {
  int32_t what;
  uint64_t value;
} large_facts[] = {
    {TN_DEVICE_INFO_MAX_WORK_GROUP_SIZE, 64},
    {TN_DEVICE_INFO_GLOBAL_MEM_SIZE, 1u << 30},
    {TN_DEVICE_INFO_LOCAL_MEM_SIZE, 1u << 15},
    {TN_DEVICE_INFO_MAX_MEM_ALLOC_SIZE, 1u << 30},
    {TN_DEVICE_INFO_GLOBAL_CACHE_SIZE, 0},
    {TN_DEVICE_INFO_MAX_PARAMETER_SIZE, 4096},
    {TN_DEVICE_INFO_TIMER_RESOLUTION, 1},
    {TN_DEVICE_INFO_ASPECTS,
     1u << TN_ASPECT_CUSTOM | 1u << TN_ASPECT_EMULATED | 1u << TN_ASPECT_QUEUE_PROFILING |
         1u << TN_ASPECT_USM_DEVICE_ALLOCATIONS | 1u << TN_ASPECT_USM_HOST_ALLOCATIONS |
         1u << TN_ASPECT_USM_SHARED_ALLOCATIONS | 1u << TN_ASPECT_USM_SYSTEM_ALLOCATIONS},
};

static tn_status device_get_info(tn_adapter_device *device, int32_t what, void *out, size_t size,
                                 size_t *out_size, tn_diag *diag) {
  (void)device;
  const char *text = find_text(what);
  if (text != NULL) {
    return tn_info_write_text(text, out, size, out_size, diag);
  }
  if (what == TN_DEVICE_INFO_MAX_WORK_ITEM_SIZES) {
    const uint64_t sizes[3] = {64, 32, 16};
    return tn_info_write(sizes, sizeof(sizes), out, size, out_size, diag);
  }
  for (size_t i = 0; i < TN_COUNT(small_facts); i++) {
    if (small_facts[i].what == what) {
      return tn_info_write(&small_facts[i].value, sizeof(uint32_t), out, size, out_size, diag);
    }
  }
  for (size_t i = 0; i < TN_COUNT(large_facts); i++) {
    if (large_facts[i].what == what) {
      return tn_info_write(&large_facts[i].value, sizeof(uint64_t), out, size, out_size, diag);
    }
  }
  return TN_FAIL(diag, INVALID_ARGUMENT, "%d is no device info that the mock knows", (int)what);
}

// No try_run and no help: every command is asynchronous.
static const tn_adapter_api api = {
    .size = sizeof(tn_adapter_api),
    .version = TN_ADAPTER_VERSION,
    .name = "mock",
    .create = create,
    .destroy = destroy,
    .get_info = get_info,
    .device_count = device_count,
    .device_at = device_at,
    .device_get_info = device_get_info,
    .device_target = device_target,
    .memory_alloc = tn_mock_memory_alloc,
    .memory_free = tn_mock_memory_free,
    .program_load = tn_mock_program_load,
    .program_unload = tn_mock_program_unload,
    .kernel_find = tn_mock_kernel_find,
    .submit = tn_mock_submit,
    .kernel_get_info = tn_mock_kernel_get_info,
    .image_fit = image_fit,
};

const tn_adapter_api *tn_mock_adapter_query(uint32_t max_version) {
  return max_version >= TN_ADAPTER_VERSION ? &api : NULL;
}
