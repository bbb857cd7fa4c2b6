// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of the OpenCL adapter.
#include "adapter/opencl/opencl_device.h"
#include "base/alloc.h"
#include "base/info.h"

static tn_status create(const tn_adapter_host *host, tn_adapter **out, tn_diag *diag) {
  (void)host;
  *out = NULL;
  const tn_cl_driver *driver = NULL;
  TN_TRY(tn_opencl_driver_load(&driver, diag));
  return tn_opencl_discover(driver, out, diag);
}

static void destroy(tn_adapter *adapter) {
  if (adapter) {
    tn_opencl_parts_end(adapter);
  }
  for (size_t i = 0; adapter && i < adapter->device_count; i++) {
    tn_opencl_end(&adapter->devices[i]);
  }
  tn_free(adapter);
}

// Of all platforms together.
static tn_status get_info(tn_adapter *adapter, int32_t what, void *out, size_t size,
                          size_t *out_size, tn_diag *diag) {
  return what == TN_PLATFORM_INFO_LEFT_OUT
             ? tn_info_write_text(adapter->left_out, out, size, out_size, diag)
             : tn_opencl_platform_get_info(&adapter->devices[0], what, out, size, out_size, diag);
}

static const void *device_platform(tn_adapter_device *device) { return device->platform; }

static size_t device_count(tn_adapter *adapter) { return adapter->device_count; }

static tn_adapter_device *device_at(tn_adapter *adapter, size_t index) {
  return index < adapter->device_count ? &adapter->devices[index] : NULL;
}

static const char *device_target(tn_adapter_device *device) {
  (void)device;
  return TN_OPENCL_TARGET;
}

static const char *device_processor(tn_adapter_device *device) {
  (void)device;
  return "";
}

static const char *device_identity(tn_adapter_device *device) { return device->identity; }

static const tn_adapter_api api = {
    .size = sizeof(tn_adapter_api),
    .version = TN_ADAPTER_VERSION,
    .name = "opencl",
    .create = create,
    .destroy = destroy,
    .get_info = get_info,
    .device_count = device_count,
    .device_at = device_at,
    .device_get_info = tn_opencl_device_get_info,
    .device_target = device_target,
    .memory_alloc = tn_opencl_memory_alloc,
    .memory_free = tn_opencl_memory_free,
    .program_load = tn_opencl_program_load,
    .program_unload = tn_opencl_program_unload,
    .kernel_find = tn_opencl_kernel_find,
    .try_run = tn_opencl_try_run,
    .submit = tn_opencl_submit,
    .device_divide = tn_opencl_divide,
    .program_set_specs = tn_opencl_program_set_specs,
    .kernel_get_info = tn_opencl_kernel_get_info,
    .stream_create = tn_opencl_stream_create,
    .stream_destroy = tn_opencl_stream_destroy,
    .stream_launch = tn_opencl_stream_launch,
    .stream_submit = tn_opencl_stream_submit,
    .stream_wait = tn_opencl_stream_wait,
    .stream_is_idle = tn_opencl_stream_is_idle,
    .mark_create = tn_opencl_mark_create,
    .mark_destroy = tn_opencl_mark_destroy,
    .mark_wait = tn_opencl_mark_wait,
    .mark_is_done = tn_opencl_mark_is_done,
    .mark_watch = tn_opencl_mark_watch,
    .stream_after = tn_opencl_stream_after,
    .flags = TN_ADAPTER_PARTS_LOAD_CODE,
    .native_get = tn_opencl_native_get,
    .device_platform = device_platform,
    .platform_get_info = tn_opencl_platform_get_info,
    .native_retain = tn_opencl_native_retain,
    .native_stream = tn_opencl_native_stream,
    .native_mark = tn_opencl_native_mark,
    .graph_create = tn_opencl_graph_create,
    .graph_destroy = tn_opencl_graph_destroy,
    .graph_update = tn_opencl_graph_update,
    .kernel_show_as = tn_opencl_kernel_show_as,
    .device_processor = device_processor,
    .device_identity = device_identity,
    .program_link = tn_opencl_program_link,
    .code_free = tn_opencl_code_free,
    .image_fit = tn_opencl_image_fit,
    .image_prepare = tn_opencl_image_prepare,
    .program_set_image_specs = tn_opencl_program_set_image_specs,
    .native_context_open = tn_opencl_native_context_open,
    .native_context_close = tn_opencl_native_context_close,
    .native_program = tn_opencl_native_program,
    .native_memory_open = tn_opencl_native_memory_open,
    .native_memory_close = tn_opencl_native_memory_close,
};

const tn_adapter_api *tn_opencl_adapter_query(uint32_t max_version) {
  return max_version >= TN_ADAPTER_VERSION ? &api : NULL;
}
