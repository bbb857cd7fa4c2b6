// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of the CUDA adapter, and its list of devices.
#include "adapter/cuda/cuda_device.h"
#include "base/alloc.h"
#include "base/info.h"

#include <stdio.h>
#include <string.h>

static tn_status describe(tn_adapter_device *device, int index, tn_diag *diag) {
  const tn_cuda_driver *driver = device->driver;
  tn_cu_result result = driver->device_get(&device->handle, index);
  if (result == TN_CU_SUCCESS) {
    result = driver->device_name(device->name, (int)sizeof(device->name), device->handle);
  }
  if (result == TN_CU_SUCCESS) {
    result =
        driver->device_attribute(&device->major, TN_CU_COMPUTE_CAPABILITY_MAJOR, device->handle);
  }
  if (result == TN_CU_SUCCESS) {
    result =
        driver->device_attribute(&device->minor, TN_CU_COMPUTE_CAPABILITY_MINOR, device->handle);
  }
  if (result != TN_CU_SUCCESS) {
    return tn_cuda_fail(driver, result, "a device of NVIDIA's driver", diag);
  }
  int is_concurrent = 0;
  device->is_managed_concurrent =
      driver->device_attribute(&is_concurrent, TN_CU_CONCURRENT_MANAGED_ACCESS, device->handle) ==
          TN_CU_SUCCESS &&
      is_concurrent != 0;
  device->name[sizeof(device->name) - 1] = '\0';
  (void)snprintf(device->processor, sizeof(device->processor), "sm_%d%d", device->major,
                 device->minor);
  tn_cuda_link_describe(device);
  tn_mutex_init(&device->mu, TN_RANK_ADAPTER);
  tn_mutex_init(&device->work_mu, TN_RANK_ADAPTER);
  tn_cond_init(&device->work_cond);
  return TN_OK;
}

static void destroy(tn_adapter *adapter) {
  for (size_t i = 0; adapter && i < adapter->device_count; i++) {
    tn_adapter_device *device = &adapter->devices[i];
    tn_cuda_work_end(device);
    tn_cuda_stage_end(device);
    tn_cuda_streams_end(device);
    tn_cuda_context_end(device);
    tn_cuda_names_end(device);
    tn_cond_deinit(&device->work_cond);
    tn_mutex_deinit(&device->work_mu);
    tn_mutex_deinit(&device->mu);
  }
  tn_free(adapter);
}

static tn_status create(const tn_adapter_host *host, tn_adapter **out, tn_diag *diag) {
  (void)host;
  *out = NULL;
  const tn_cuda_driver *driver = NULL;
  TN_TRY(tn_cuda_driver_load(&driver, diag));
  int count = 0;
  const tn_cu_result result = driver->device_count(&count);
  if (result != TN_CU_SUCCESS) {
    return tn_cuda_fail(driver, result, "the devices of NVIDIA's driver", diag);
  }
  tn_adapter *adapter =
      tn_alloc(sizeof(*adapter) + (size_t)(count > 0 ? count : 0) * sizeof(tn_adapter_device));
  if (!adapter) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for %d devices", count);
  }
  adapter->driver = driver;
  for (int i = 0; i < count; i++) {
    adapter->devices[i].driver = driver;
    adapter->devices[i].adapter = adapter;
    const tn_status status = describe(&adapter->devices[i], i, diag);
    if (status != TN_OK) {
      destroy(adapter);
      return status;
    }
    adapter->device_count++;
  }
  *out = adapter;
  return TN_OK;
}

static tn_status get_info(tn_adapter *adapter, int32_t what, void *out, size_t size,
                          size_t *out_size, tn_diag *diag) {
  const uint32_t backend = TN_BACKEND_CUDA;
  char version[32];
  switch (what) {
    case TN_PLATFORM_INFO_NAME:
      return tn_info_write_text("NVIDIA CUDA", out, size, out_size, diag);
    case TN_PLATFORM_INFO_VENDOR:
      return tn_info_write_text("NVIDIA Corporation", out, size, out_size, diag);
    case TN_PLATFORM_INFO_VERSION:
      (void)snprintf(version, sizeof(version), "CUDA %d.%d", adapter->driver->version / 1000,
                     adapter->driver->version % 1000 / 10);
      return tn_info_write_text(version, out, size, out_size, diag);
    case TN_PLATFORM_INFO_BACKEND:
      return tn_info_write(&backend, sizeof(backend), out, size, out_size, diag);
    default:
      return TN_FAIL(diag, INVALID_ARGUMENT, "%d is no platform info", (int)what);
  }
}

static size_t device_count(tn_adapter *adapter) { return adapter->device_count; }

static tn_adapter_device *device_at(tn_adapter *adapter, size_t index) {
  return index < adapter->device_count ? &adapter->devices[index] : NULL;
}

static const char *device_target(tn_adapter_device *device) {
  (void)device;
  return TN_CUDA_TARGET;
}

static const tn_adapter_api api = {
    .size = sizeof(tn_adapter_api),
    .version = TN_ADAPTER_VERSION,
    .name = "cuda",
    .create = create,
    .destroy = destroy,
    .get_info = get_info,
    .device_count = device_count,
    .device_at = device_at,
    .device_get_info = tn_cuda_device_get_info,
    .device_target = device_target,
    .memory_alloc = tn_cuda_memory_alloc,
    .memory_free = tn_cuda_memory_free,
    .program_load = tn_cuda_program_load,
    .program_unload = tn_cuda_program_unload,
    .kernel_find = tn_cuda_kernel_find,
    .submit = tn_cuda_submit,
    .help = tn_cuda_help,
    .program_set_specs = tn_cuda_program_set_specs,
    .kernel_get_info = tn_cuda_kernel_get_info,
    .kernel_root_groups = tn_cuda_kernel_root_groups,
    .stream_create = tn_cuda_stream_create,
    .stream_destroy = tn_cuda_stream_destroy,
    .stream_launch = tn_cuda_stream_launch,
    .stream_submit = tn_cuda_stream_submit,
    .stream_wait = tn_cuda_stream_wait,
    .stream_is_idle = tn_cuda_stream_is_idle,
    .mark_create = tn_cuda_mark_create,
    .mark_destroy = tn_cuda_mark_destroy,
    .mark_wait = tn_cuda_mark_wait,
    .mark_is_done = tn_cuda_mark_is_done,
    .mark_watch = tn_cuda_mark_watch,
    .stream_after = tn_cuda_stream_after,
    .flush = tn_cuda_flush,
    .await = tn_cuda_await,
    .device_peer = tn_cuda_device_peer,
    .ipc_memory_get = tn_cuda_ipc_memory_get,
    .ipc_memory_open = tn_cuda_ipc_memory_open,
    .ipc_memory_close = tn_cuda_ipc_memory_close,
    .arrays = &tn_cuda_arrays,
    .host_register = tn_cuda_host_register,
    .host_unregister = tn_cuda_host_unregister,
    .memory_kind = tn_cuda_memory_kind,
    .kernel_show_as = tn_cuda_kernel_show_as,
    .graph_create = tn_cuda_graph_create,
    .graph_destroy = tn_cuda_graph_destroy,
    .graph_update = tn_cuda_graph_update,
    .native_get = tn_cuda_native_get,
    .native_capture = tn_cuda_native_capture,
    .native_stream = tn_cuda_native_stream,
    .native_mark = tn_cuda_native_mark,
    .device_processor = tn_cuda_device_processor,
    .device_identity = tn_cuda_device_identity,
    .program_link = tn_cuda_program_link,
    .code_free = tn_cuda_code_free,
    .program_set_variable = tn_cuda_program_set_variable,
    .program_prepare = tn_cuda_program_prepare,
    .image_fit = tn_cuda_image_fit,
    .image_prepare = tn_cuda_image_prepare,
    .group_shape = tn_cuda_group_shape,
    .kernel_suits = tn_cuda_kernel_suits,
    .flags = TN_ADAPTER_SHAPES_ON_DEMAND,
};

const tn_adapter_api *tn_cuda_adapter_query(uint32_t max_version) {
  return max_version >= TN_ADAPTER_VERSION ? &api : NULL;
}
