// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Questions about platforms and devices, forwarded to the adapter that knows.
#include "base/config.h"
#include "base/info.h"

#include <stdio.h>
#include "run/device/device_list.h"

tn_platform *tn_device_platform(const tn_device *device) { return device->platform; }

size_t tn_device_index(const tn_device *device) { return device->index; }

tn_device *tn_device_parent(const tn_device *device) { return device->parent; }

tn_device *tn_device_root(tn_device *device) {
  while (device->parent) {
    device = device->parent;
  }
  return device;
}

tn_device *tn_device_of_code(tn_device *device) {
  return (device->api->flags & TN_ADAPTER_PARTS_LOAD_CODE) != 0 ? device : tn_device_root(device);
}

// What an adapter that divides nothing need not know.
static bool is_of_partition(int32_t what) {
  return what >= TN_DEVICE_INFO_PARTITION_MAX && what <= TN_DEVICE_INFO_PARTITION_TYPE_DOMAIN;
}

// The sum of the sizes, which are powers of two; 0 when the device does not answer.
static uint32_t sub_group_sizes(const tn_device *device) {
  uint32_t sizes = 0;
  const tn_status status = device->api->device_get_info(
      device->adapter_device, TN_DEVICE_INFO_SUB_GROUP_SIZES, &sizes, sizeof(sizes), NULL, NULL);
  return status == TN_OK ? sizes : 0;
}

bool tn_device_has_sub_group_size(const tn_device *device, uint32_t size) {
  const bool is_power = size != 0 && (size & (size - 1)) == 0;
  return is_power && (sub_group_sizes(device) & size) != 0;
}

// The names by which programs ask OpenCL for what SYCL calls aspects.
static tn_status write_extensions(const tn_device *device, void *out, size_t size, size_t *out_size,
                                  tn_diag *diag) {
  static const struct {
    uint32_t aspect;
    const char *names;
  } rows[] = {{TN_ASPECT_FP16, "cl_khr_fp16"},
              {TN_ASPECT_FP64, "cl_khr_fp64"},
              {TN_ASPECT_ATOMIC64, "cl_khr_int64_base_atomics cl_khr_int64_extended_atomics"}};
  char text[128] = "";
  uint64_t aspects = 0;
  TN_TRY(tn_device_get_info(device, TN_DEVICE_INFO_ASPECTS, &aspects, sizeof(aspects), NULL, diag));
  size_t used = 0;
  for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
    if ((aspects >> rows[i].aspect & 1) != 0) {
      used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%s", used > 0 ? " " : "",
                               rows[i].names);
    }
  }
  return tn_info_write_text(text, out, size, out_size, diag);
}

tn_status tn_device_get_info(const tn_device *device, int32_t what, void *out, size_t size,
                             size_t *out_size, tn_diag *diag) {
  if (!device) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "tn_device_get_info: the device is NULL");
  }
  if (!TN_ADAPTER_HAS(device->api, device_divide) && is_of_partition(what)) {
    static const uint32_t none = 0;
    return tn_info_write(&none, sizeof(none), out, size, out_size, diag);
  }
  const uint32_t chosen = tn_config_get()->sub_group_size;
  if (what == TN_DEVICE_INFO_SUB_GROUP_SIZE && tn_device_has_sub_group_size(device, chosen)) {
    return tn_info_write(&chosen, sizeof(chosen), out, size, out_size, diag);
  }
  const tn_status status =
      device->api->device_get_info(device->adapter_device, what, out, size, out_size, diag);
  if (status == TN_INVALID_ARGUMENT && what == TN_DEVICE_INFO_ERROR_CORRECTION) {
    static const uint32_t unknown = 0;
    return tn_info_write(&unknown, sizeof(unknown), out, size, out_size, diag);
  }
  if (status == TN_INVALID_ARGUMENT && what == TN_DEVICE_INFO_EXTENSIONS) {
    return write_extensions(device, out, size, out_size, diag);
  }
  if (status == TN_INVALID_ARGUMENT && what == TN_DEVICE_INFO_OPENCL_C) {
    return tn_info_write_text("", out, size, out_size, diag);
  }
  if (status != TN_OK) {
    tn_diag_prepend(diag, "device %s", device->name);
  }
  return status;
}

void tn_device_add_sub_group_sizes(const tn_device *device, tn_buf *out) {
  const uint32_t sizes = sub_group_sizes(device);
  const char *separator = "";
  for (uint32_t size = 1; size != 0; size <<= 1) {
    if ((sizes & size) != 0) {
      tn_buf_add_format(out, "%s%u", separator, size);
      separator = ", ";
    }
  }
  tn_buf_add_text(out, sizes != 0 ? "" : "none");
}

void tn_device_add_sub_group_need(const tn_device *device, uint32_t size, tn_buf *out) {
  tn_buf_add_format(out,
                    "its reqd_sub_group_size (or -fsycl-default-sub-group-size=) is %u, which "
                    "device %s does not have; it has ",
                    size, device->name);
  tn_device_add_sub_group_sizes(device, out);
}

tn_status tn_platform_get_info(const tn_platform *platform, int32_t what, void *out, size_t size,
                               size_t *out_size, tn_diag *diag) {
  if (!platform) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "tn_platform_get_info: the platform is NULL");
  }
  const tn_status status =
      TN_ADAPTER_HAS(&platform->api, platform_get_info)
          ? platform->api.platform_get_info(platform->devices[0]->adapter_device, what, out, size,
                                            out_size, diag)
          : platform->api.get_info(platform->adapter, what, out, size, out_size, diag);
  if (status != TN_OK) {
    tn_diag_prepend(diag, "platform %s", platform->api.name);
  }
  return status;
}

size_t tn_platform_device_count(const tn_platform *platform) { return platform->device_count; }

tn_device *tn_platform_device_at(const tn_platform *platform, size_t index) {
  return index < platform->device_count ? platform->devices[index] : NULL;
}

tn_status tn_device_peer(const tn_device *device, const tn_device *peer, int32_t what,
                         int32_t *out_answer, tn_diag *diag) {
  *out_answer = 0;
  if (!device || !peer) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "tn_device_peer: a device is NULL");
  }
  if (TN_ADAPTER_HAS(device->api, device_peer) && device->api == peer->api) {
    return device->api->device_peer(device->adapter_device, peer->adapter_device, what, out_answer,
                                    diag);
  }
  if (what == TN_PEER_CAN_ACCESS || what == TN_PEER_CAN_ATOMICS) {
    return TN_OK;
  }
  return TN_FAIL(diag, UNSUPPORTED, "device %s cannot use the memory of device %s: copy it",
                 device->name, peer->name);
}
