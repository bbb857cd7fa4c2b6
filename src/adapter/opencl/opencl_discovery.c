// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lists the devices of all platforms whose drivers take Tenon's SPIR-V.
#include "adapter/opencl/opencl_device.h"
#include "base/alloc.h"
#include "base/log.h"
#include "base/str.h"

#include <stdio.h>
#include <string.h>

enum { PLATFORMS_MAXIMUM = 32, DEVICES_MAXIMUM = 64, TEXT_SIZE = 256 };

static void ask_text(const tn_adapter_device *device, tn_cl_uint what, char *out, size_t size) {
  char text[4096] = "";  // some drivers' versions are long
  if (device->driver->device_info(device->handle, what, sizeof(text) - 1, text, NULL) !=
      TN_CL_SUCCESS) {
    text[0] = '\0';
  }
  (void)snprintf(out, size, "%s", text);
}

uint64_t tn_opencl_ask_u64(const tn_adapter_device *device, tn_cl_uint what) {
  uint64_t value = 0;
  return device->driver->device_info(device->handle, what, sizeof(value), &value, NULL) ==
                 TN_CL_SUCCESS
             ? value
             : 0;
}

uint32_t tn_opencl_ask_u32(const tn_adapter_device *device, tn_cl_uint what) {
  uint32_t value = 0;
  return device->driver->device_info(device->handle, what, sizeof(value), &value, NULL) ==
                 TN_CL_SUCCESS
             ? value
             : 0;
}

char *tn_opencl_extensions(const tn_adapter_device *device) {
  char *list = NULL;
  size_t size = 0;
  if (device->driver->device_info(device->handle, TN_CL_DEVICE_EXTENSIONS, 0, NULL, &size) ==
          TN_CL_SUCCESS &&
      (list = tn_alloc(size + 1)) != NULL &&
      device->driver->device_info(device->handle, TN_CL_DEVICE_EXTENSIONS, size, list, NULL) !=
          TN_CL_SUCCESS) {
    tn_free(list);
    list = NULL;
  }
  if (list) {
    list[size] = '\0';
  }
  return list;
}

tn_cl_name_version *tn_opencl_versions(const tn_adapter_device *device, tn_cl_uint what,
                                       size_t *out_count) {
  size_t size = 0;
  *out_count = 0;
  if (device->driver->device_info(device->handle, what, 0, NULL, &size) != TN_CL_SUCCESS ||
      size < sizeof(tn_cl_name_version)) {
    return NULL;
  }
  tn_cl_name_version *all = tn_alloc(size);
  if (all &&
      device->driver->device_info(device->handle, what, size, all, NULL) != TN_CL_SUCCESS) {
    tn_free(all);
    return NULL;
  }
  *out_count = all ? size / sizeof(*all) : 0;
  return all;
}

bool tn_opencl_has_extension(const tn_adapter_device *device, const char *name) {
  char *list = tn_opencl_extensions(device);
  bool has = false;
  if (list) {
    tn_str rest = tn_str_from(list);
    for (tn_str word = tn_str_split(&rest, ' '); word.data && !has;
         word = tn_str_split(&rest, ' ')) {
      has = tn_str_equals(word, tn_str_from(name));
    }
  }
  tn_free(list);
  return has;
}

// Generic pointers are optional again since OpenCL 3.0.
static bool has_generic_pointers(const tn_adapter_device *device) {
  char version[TEXT_SIZE];
  ask_text(device, TN_CL_DEVICE_VERSION, version, sizeof(version));  // "OpenCL 3.0 ..."
  return strncmp(version, "OpenCL 2.", 9) == 0 ||
         tn_opencl_ask_u32(device, TN_CL_DEVICE_GENERIC_ADDRESS_SPACE) != 0;
}

// NULL: the device runs Tenon's SPIR-V. Versions of SPIR-V are not looked at: PoCL lists fewer than
// it takes.
static const char *find_obstacle(const tn_adapter_device *device) {
  char il[TEXT_SIZE];
  ask_text(device, TN_CL_DEVICE_IL_VERSION, il, sizeof(il));
  if (!strstr(il, "SPIR-V")) {
    return "its driver takes no SPIR-V";
  }
  if (!has_generic_pointers(device)) {
    return "its driver has no generic address space";
  }
  if (tn_opencl_ask_u32(device, TN_CL_DEVICE_ADDRESS_BITS) != 64) {
    return "its addresses do not have 64 bits";
  }
  if (tn_opencl_ask_u32(device, TN_CL_DEVICE_AVAILABLE) == 0 ||
      tn_opencl_ask_u32(device, TN_CL_DEVICE_COMPILER_AVAILABLE) == 0) {
    return "its driver reports that the device or its compiler is not available";
  }
  return device->memory_api == TN_OPENCL_MEMORY_NONE
             ? "its driver has neither unified nor shared virtual memory"
             : NULL;
}

static void describe(tn_adapter_device *device) {
  char driver_version[TEXT_SIZE];
  char version[TEXT_SIZE];
  char il[TEXT_SIZE];
  ask_text(device, TN_CL_DEVICE_NAME, device->name, sizeof(device->name));
  ask_text(device, TN_CL_DRIVER_VERSION, driver_version, sizeof(driver_version));
  ask_text(device, TN_CL_DEVICE_VERSION, version, sizeof(version));
  ask_text(device, TN_CL_DEVICE_IL_VERSION, il, sizeof(il));
  char platform[TN_OPENCL_NAME_SIZE] = {0};
  if (device->driver->platform_info(device->platform, TN_CL_PLATFORM_NAME, sizeof(platform) - 1,
                                    platform, NULL) != TN_CL_SUCCESS) {
    (void)snprintf(platform, sizeof(platform), "OpenCL");
  }
  memcpy(device->platform_name, platform, sizeof(platform));
  (void)snprintf(device->identity, sizeof(device->identity), "%s, %s, %s, %s", platform,
                 driver_version, version, il);
  tn_opencl_facts_find(device);
}

void tn_opencl_device_init(tn_adapter_device *out, tn_adapter *adapter, tn_cl_platform platform,
                           tn_cl_device handle) {
  out->adapter = adapter;
  out->driver = adapter->driver;
  out->platform = platform;
  out->handle = handle;
  tn_mutex_init(&out->mu, TN_RANK_ADAPTER);
  tn_cond_init(&out->cond);
  describe(out);
}

// If it is one that Tenon can use.
static void add_device(tn_adapter *adapter, tn_cl_platform platform, tn_cl_device handle) {
  tn_adapter_device *device = &adapter->devices[adapter->device_count];
  tn_opencl_device_init(device, adapter, platform, handle);
  const char *obstacle = find_obstacle(device);
  if (obstacle) {
    TN_LOG(device, "OpenCL device %s of %s is left out: %s", device->name, device->platform_name,
           obstacle);
    const size_t used = strlen(adapter->left_out);
    (void)snprintf(adapter->left_out + used, sizeof(adapter->left_out) - used, "%s%s of %s: %s",
                   used > 0 ? "; " : "", device->name, device->platform_name, obstacle);
    tn_opencl_end(device);
    memset(device, 0, sizeof(*device));
    return;
  }
  adapter->device_count++;
}

static void add_platform(tn_adapter *adapter, tn_cl_platform platform) {
  const tn_cl_driver *driver = adapter->driver;
  tn_cl_device handles[DEVICES_MAXIMUM];
  tn_cl_uint count = 0;
  if (driver->get_devices(platform, TN_CL_TYPE_ALL, DEVICES_MAXIMUM, handles, &count) !=
      TN_CL_SUCCESS) {
    return;  // none
  }
  for (tn_cl_uint i = 0;
       i < count && i < DEVICES_MAXIMUM && adapter->device_count < DEVICES_MAXIMUM; i++) {
    add_device(adapter, platform, handles[i]);
  }
}

tn_status tn_opencl_discover(const tn_cl_driver *driver, tn_adapter **out, tn_diag *diag) {
  tn_cl_platform platforms[PLATFORMS_MAXIMUM];
  tn_cl_uint count = 0;
  *out = NULL;
  const tn_cl_int result = driver->get_platforms(PLATFORMS_MAXIMUM, platforms, &count);
  if (result == TN_CL_PLATFORM_NOT_FOUND || (result == TN_CL_SUCCESS && count == 0)) {
    return TN_FAIL(diag, UNSUPPORTED, "no OpenCL driver is installed");
  }
  if (result != TN_CL_SUCCESS) {
    return tn_opencl_fail_as(TN_UNSUPPORTED, result, "clGetPlatformIDs", diag);
  }
  tn_adapter *adapter =
      tn_alloc(sizeof(*adapter) + (size_t)DEVICES_MAXIMUM * sizeof(tn_adapter_device));
  if (!adapter) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the list of OpenCL devices");
  }
  adapter->driver = driver;
  for (tn_cl_uint i = 0; i < count && i < PLATFORMS_MAXIMUM; i++) {
    add_platform(adapter, platforms[i]);
  }
  if (adapter->device_count == 0) {
    const tn_status status =
        TN_FAIL(diag, UNSUPPORTED, "no OpenCL device can be used: %s",
                adapter->left_out[0] != '\0' ? adapter->left_out : "the drivers have none");
    tn_free(adapter);
    return status;
  }
  *out = adapter;
  return TN_OK;
}
