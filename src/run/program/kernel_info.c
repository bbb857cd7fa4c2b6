// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a kernel says of itself on its device: from what its image asks for, the device's limits,
// and what the adapter knows besides.
#include "base/buf.h"
#include "base/info.h"
#include "run/program/tier_upgrade.h"

static bool is_known(int32_t what) {
  switch (what) {
#define KNOWN(name, value, type) case TN_KERNEL_INFO_##name:
    TN_KERNEL_INFO_MAP(KNOWN)
#undef KNOWN
    return true;
    default:
      return false;
  }
}

// UNSUPPORTED when the adapter leaves the answer to the runtime.
static tn_status ask_adapter(const tn_kernel *kernel, int32_t what, void *out, size_t size,
                             size_t *out_size, tn_diag *diag) {
  const tn_adapter_api *api = kernel->device->api;
  if (!TN_ADAPTER_HAS(api, kernel_get_info)) {
    return TN_UNSUPPORTED;
  }
  // In use, so that code which lies in a module is not unmapped meanwhile.
  tn_kernel *used = (tn_kernel *)(uintptr_t)kernel;
  if (!tn_kernel_begin_use(used)) {
    return TN_FAIL(diag, KERNEL_NOT_FOUND, "its module is unloaded");
  }
  tn_tier_upgrade_wait(kernel->program);
  tn_diag reason;
  const tn_status status =
      api->kernel_get_info(kernel->adapter_kernel, what, out, size, out_size, &reason);
  tn_kernel_end_use(used);
  if (diag && status != TN_OK && status != TN_UNSUPPORTED) {
    *diag = reason;
  }
  return status;
}

static tn_status max_group_size(const tn_kernel *kernel, uint64_t *out, tn_diag *diag) {
  return tn_device_get_info(kernel->device, TN_DEVICE_INFO_MAX_WORK_GROUP_SIZE, out, sizeof(*out),
                            NULL, diag);
}

static tn_status sub_group_size(const tn_kernel *kernel, uint32_t *out, tn_diag *diag) {
  *out = kernel->sub_group_size;
  if (*out > 0) {
    return TN_OK;
  }
  const tn_status status =
      ask_adapter(kernel, TN_KERNEL_INFO_MAX_SUB_GROUP_SIZE, out, sizeof(*out), NULL, diag);
  return status != TN_UNSUPPORTED
             ? status
             : tn_device_get_info(kernel->device, TN_DEVICE_INFO_SUB_GROUP_SIZE, out, sizeof(*out),
                                  NULL, diag);
}

static tn_status write_group_sizes(const tn_kernel *kernel, int32_t what, void *out, size_t size,
                                   size_t *out_size, tn_diag *diag) {
  uint64_t group = 0;
  uint32_t sub_group = 0;
  TN_TRY(max_group_size(kernel, &group, diag));
  if (what == TN_KERNEL_INFO_GROUP_SIZE) {
    return tn_info_write(&group, sizeof(group), out, size, out_size, diag);
  }
  TN_TRY(sub_group_size(kernel, &sub_group, diag));
  if (what == TN_KERNEL_INFO_PREFERRED_GROUP_SIZE_MULTIPLE) {
    const uint64_t multiple = sub_group;
    return tn_info_write(&multiple, sizeof(multiple), out, size, out_size, diag);
  }
  const uint64_t sub_groups = sub_group > 0 ? (group + sub_group - 1) / sub_group : 0;
  const uint32_t count = sub_groups > UINT32_MAX ? UINT32_MAX : (uint32_t)sub_groups;
  return tn_info_write(what == TN_KERNEL_INFO_MAX_NUM_SUB_GROUPS ? &count : &sub_group,
                       sizeof(uint32_t), out, size, out_size, diag);
}

// "reqd_work_group_size(1,1,64) reqd_sub_group_size(8)".
static tn_status write_attributes(const tn_kernel *kernel, void *out, size_t size, size_t *out_size,
                                  tn_diag *diag) {
  tn_buf text;
  tn_buf_init(&text, 256);
  if (kernel->group_size[2] > 0) {
    tn_buf_add_format(&text, "reqd_work_group_size(%u,%u,%u)", kernel->group_size[0],
                      kernel->group_size[1], kernel->group_size[2]);
  }
  if (kernel->sub_group_size > 0) {
    tn_buf_add_format(&text, "%sreqd_sub_group_size(%u)", text.size > 0 ? " " : "",
                      kernel->sub_group_size);
  }
  tn_status status = tn_buf_status(&text, diag);
  if (status == TN_OK) {
    status = tn_info_write_text(tn_buf_text(&text), out, size, out_size, diag);
  }
  tn_buf_deinit(&text);
  return status;
}

static tn_status write_info(const tn_kernel *kernel, int32_t what, void *out, size_t size,
                            size_t *out_size, tn_diag *diag) {
  static const uint32_t none = 0;
  static const uint64_t no_memory = 0;
  const uint64_t group[3] = {kernel->group_size[0], kernel->group_size[1], kernel->group_size[2]};
  switch (what) {
    case TN_KERNEL_INFO_COMPILE_GROUP_SIZE:
      return tn_info_write(group, sizeof(group), out, size, out_size, diag);
    case TN_KERNEL_INFO_PRIVATE_MEM_SIZE:
    case TN_KERNEL_INFO_LOCAL_MEM_SIZE:
      return tn_info_write(&no_memory, sizeof(no_memory), out, size, out_size, diag);
    case TN_KERNEL_INFO_COMPILE_SUB_GROUP_SIZE:
      return tn_info_write(&kernel->sub_group_size, sizeof(uint32_t), out, size, out_size, diag);
    case TN_KERNEL_INFO_COMPILE_NUM_SUB_GROUPS:
      return tn_info_write(&none, sizeof(none), out, size, out_size, diag);
    case TN_KERNEL_INFO_ATTRIBUTES:
      return write_attributes(kernel, out, size, out_size, diag);
    default:
      return write_group_sizes(kernel, what, out, size, out_size, diag);
  }
}

tn_status tn_kernel_get_info(const tn_kernel *kernel, int32_t what, void *out, size_t size,
                             size_t *out_size, tn_diag *diag) {
  if (!kernel) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "tn_kernel_get_info: the kernel is NULL");
  }
  if (!is_known(what)) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "%d is no kernel info that this version knows",
                   (int)what);
  }
  tn_status status = ask_adapter(kernel, what, out, size, out_size, diag);
  if (status == TN_UNSUPPORTED) {
    status = write_info(kernel, what, out, size, out_size, diag);
  }
  if (status != TN_OK) {
    tn_diag_prepend(diag, "kernel %.300s on %s", kernel->display_name, kernel->device->name);
  }
  return status;
}

static tn_status ask_root_groups(const tn_kernel *kernel, const tn_device *device,
                                 uint64_t group_items, uint64_t local_size, uint64_t *out,
                                 tn_diag *diag) {
  uint64_t most_items = 0;
  uint64_t most_local = 0;
  TN_TRY(tn_kernel_get_info(kernel, TN_KERNEL_INFO_GROUP_SIZE, &most_items, sizeof(most_items),
                            NULL, diag));
  TN_TRY(tn_device_get_info(device, TN_DEVICE_INFO_LOCAL_MEM_SIZE, &most_local, sizeof(most_local),
                            NULL, diag));
  if (group_items > most_items || local_size > most_local) {
    *out = 0;
    return TN_OK;
  }
  tn_kernel *used = (tn_kernel *)(uintptr_t)kernel;
  if (!tn_kernel_begin_use(used)) {
    return TN_FAIL(diag, KERNEL_NOT_FOUND, "its module is unloaded");
  }
  const tn_status status = device->api->kernel_root_groups(
      device->adapter_device, kernel->adapter_kernel, group_items, local_size, out, diag);
  tn_kernel_end_use(used);
  return status;
}

tn_status tn_kernel_root_groups(const tn_kernel *kernel, const tn_device *device,
                                uint64_t group_items, uint64_t local_size, uint64_t *out,
                                tn_diag *diag) {
  if (!kernel || !device || !out || group_items == 0) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "tn_kernel_root_groups: an argument is NULL, or the group has no work-items");
  }
  const tn_status status = ask_root_groups(kernel, device, group_items, local_size, out, diag);
  if (status != TN_OK) {
    tn_diag_prepend(diag, "kernel %.300s on %s", kernel->display_name, device->name);
  }
  return status;
}
