// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a device reports of itself, and what follows from that for Tenon.
#include "adapter/opencl/opencl_device.h"
#include "base/alloc.h"
#include "base/buf.h"
#include "base/info.h"

#include <stdio.h>

enum {
  SUB_GROUP_SIZES = 4 | 8 | 16 | 32 | 64,  // masks of sub-groups have 64 bits
  SUB_GROUP_COMMON = 16,
  COMMON_GROUP_SIZE = 1024,
  // Static local memory of kernels with group functions, and what aligns the other's start.
  GROUP_MEMORY = (16 << 10) + TN_OPENCL_LOCAL_ALIGNMENT,
  SIZES_MAXIMUM = 16,
  TEXT_SIZE = 1024,
  OPENCL_C_MAXIMUM = 1 << 16,
};

static uint64_t smaller(uint64_t a, uint64_t b) { return a < b ? a : b; }

// Sizes that kernels may require, as a sum, and the smallest that the driver may choose.
static void find_sub_groups(tn_adapter_device *device) {
  size_t sizes[SIZES_MAXIMUM];
  size_t size = 0;
  uint64_t smallest = 1;
  if (tn_opencl_has_extension(device, "cl_intel_required_subgroup_size") &&
      device->driver->device_info(device->handle, TN_CL_DEVICE_SUB_GROUP_SIZES, sizeof(sizes),
                                  sizes, &size) == TN_CL_SUCCESS) {
    smallest = size > 0 ? SIZE_MAX : 1;
    for (size_t i = 0; i < size / sizeof(sizes[0]); i++) {
      device->sub_group_sizes |= (uint32_t)(sizes[i] & SUB_GROUP_SIZES);
      smallest = smaller(smallest, sizes[i] > 0 ? sizes[i] : 1);
    }
  }
  const uint64_t reported = tn_opencl_ask_u64(device, TN_CL_DEVICE_MAX_WORK_GROUP_SIZE);
  device->local_memory_size = tn_opencl_ask_u64(device, TN_CL_DEVICE_LOCAL_MEM_SIZE);
  device->sure_group_size = smaller(reported, TN_OPENCL_SUB_GROUPS_MAXIMUM * smaller(smallest, 64));
  // Programs count on 1,024 work-items: launches of more than are sure have theirs counted.
  device->max_group_size =
      device->sure_group_size >= COMMON_GROUP_SIZE ? device->sure_group_size : reported;
}

static void find_memory(tn_adapter_device *device) {
  const uint64_t svm = tn_opencl_ask_u64(device, TN_CL_DEVICE_SVM_CAPABILITIES);
  const bool has_usm =
      tn_opencl_has_extension(device, "cl_intel_unified_shared_memory") &&
      (tn_opencl_ask_u64(device, TN_CL_DEVICE_DEVICE_MEM) & TN_CL_USM_ACCESS) != 0 &&
      tn_opencl_usm_load(device->driver, device->platform, &device->usm);
  device->memory_api = has_usm                         ? TN_OPENCL_MEMORY_USM
                       : (svm & TN_CL_SVM_FINE) != 0   ? TN_OPENCL_MEMORY_FINE
                       : (svm & TN_CL_SVM_COARSE) != 0 ? TN_OPENCL_MEMORY_COARSE
                                                       : TN_OPENCL_MEMORY_NONE;
  const uint64_t system =
      has_usm ? tn_opencl_ask_u64(device, TN_CL_DEVICE_SYSTEM_MEM) & TN_CL_USM_ACCESS : 0;
  device->has_system_memory = system != 0 || (svm & TN_CL_SVM_SYSTEM) != 0;
  device->is_host_memory = (tn_opencl_ask_u64(device, TN_CL_DEVICE_TYPE) & TN_CL_TYPE_CPU) != 0 &&
                           device->has_system_memory;
}

static uint32_t type_of(const tn_adapter_device *device) {
  const uint64_t type = tn_opencl_ask_u64(device, TN_CL_DEVICE_TYPE);
  return (type & TN_CL_TYPE_GPU) != 0           ? TN_DEVICE_TYPE_GPU
         : (type & TN_CL_TYPE_CPU) != 0         ? TN_DEVICE_TYPE_CPU
         : (type & TN_CL_TYPE_ACCELERATOR) != 0 ? TN_DEVICE_TYPE_ACCELERATOR
                                                : TN_DEVICE_TYPE_CUSTOM;
}

static uint64_t find_aspects(const tn_adapter_device *device) {
  const uint32_t type = type_of(device);
  const bool is_usm = device->memory_api == TN_OPENCL_MEMORY_USM;
  const bool is_fine = device->memory_api == TN_OPENCL_MEMORY_FINE;
  const uint64_t svm = tn_opencl_ask_u64(device, TN_CL_DEVICE_SVM_CAPABILITIES);
  const uint64_t host = is_usm ? tn_opencl_ask_u64(device, TN_CL_DEVICE_HOST_MEM) : 0;
  const uint64_t shared = is_usm ? tn_opencl_ask_u64(device, TN_CL_DEVICE_SHARED_MEM) : 0;
  const bool has_atomics = is_fine && (svm & TN_CL_SVM_ATOMICS) != 0;
  const struct {
    bool has;
    uint32_t aspect;
  } all[] = {
      {type == TN_DEVICE_TYPE_CPU, TN_ASPECT_CPU},
      {type == TN_DEVICE_TYPE_GPU, TN_ASPECT_GPU},
      {type == TN_DEVICE_TYPE_ACCELERATOR, TN_ASPECT_ACCELERATOR},
      {type == TN_DEVICE_TYPE_CUSTOM, TN_ASPECT_CUSTOM},
      {tn_opencl_has_extension(device, "cl_khr_fp16"), TN_ASPECT_FP16},
      {tn_opencl_ask_u64(device, TN_CL_DEVICE_DOUBLE_FP_CONFIG) != 0, TN_ASPECT_FP64},
      {tn_opencl_has_extension(device, "cl_khr_int64_base_atomics") &&
           tn_opencl_has_extension(device, "cl_khr_int64_extended_atomics"),
       TN_ASPECT_ATOMIC64},
      {true, TN_ASPECT_IMAGE},  // by code in the kernels
      {true, TN_ASPECT_ONLINE_COMPILER},
      {true, TN_ASPECT_ONLINE_LINKER},
      {true, TN_ASPECT_QUEUE_PROFILING},
      {true, TN_ASPECT_USM_DEVICE_ALLOCATIONS},
      {is_fine || (host & TN_CL_USM_ACCESS) != 0, TN_ASPECT_USM_HOST_ALLOCATIONS},
      {has_atomics || (host & TN_CL_USM_ATOMICS) != 0, TN_ASPECT_USM_ATOMIC_HOST_ALLOCATIONS},
      {is_fine || (shared & TN_CL_USM_ACCESS) != 0, TN_ASPECT_USM_SHARED_ALLOCATIONS},
      {has_atomics || (shared & TN_CL_USM_ATOMICS) != 0, TN_ASPECT_USM_ATOMIC_SHARED_ALLOCATIONS},
      {device->has_system_memory, TN_ASPECT_USM_SYSTEM_ALLOCATIONS},
      {tn_opencl_has_extension(device, "cl_khr_device_uuid"), TN_ASPECT_UUID},
      {type == TN_DEVICE_TYPE_GPU &&
           tn_opencl_ask_u32(device, TN_CL_DEVICE_HOST_UNIFIED_MEMORY) != 0,
       TN_ASPECT_INTEGRATED_GPU},
  };
  uint64_t bits = 0;
  for (size_t i = 0; i < TN_COUNT(all); i++) {
    bits |= all[i].has ? (uint64_t)1 << all[i].aspect : 0;
  }
  return bits;
}

void tn_opencl_facts_find(tn_adapter_device *device) {
  find_sub_groups(device);
  find_memory(device);
  device->has_spec_constants = device->driver->program_spec_constant != NULL;
  device->is_out_of_order =
      (tn_opencl_ask_u64(device, TN_CL_DEVICE_QUEUE_PROPERTIES) & TN_CL_QUEUE_OUT_OF_ORDER) != 0;
  device->aspects = find_aspects(device);
  tn_opencl_recorder_find(device);
}

// What kernels get that require no size is up to the driver: 16 where there is a choice.
static uint32_t common_sub_group_size(const tn_adapter_device *device) {
  const uint32_t sizes = device->sub_group_sizes;
  if (sizes == 0 || (sizes & SUB_GROUP_COMMON) != 0) {
    return SUB_GROUP_COMMON;
  }
  return 1u << (31 - __builtin_clz(sizes));
}

uint32_t tn_opencl_max_sub_groups(const tn_adapter_device *device) {
  const uint32_t count = tn_opencl_ask_u32(device, TN_CL_DEVICE_MAX_NUM_SUB_GROUPS);
  return count > 0 && count < TN_OPENCL_SUB_GROUPS_MAXIMUM ? count : TN_OPENCL_SUB_GROUPS_MAXIMUM;
}

static bool find_u32(const tn_adapter_device *device, int32_t what, uint32_t *out) {
  switch (what) {
    case TN_DEVICE_INFO_TYPE:
      *out = type_of(device);
      return true;
    case TN_DEVICE_INFO_BACKEND:
      *out = TN_BACKEND_OPENCL;
      return true;
    case TN_DEVICE_INFO_VENDOR_ID:
      *out = tn_opencl_ask_u32(device, TN_CL_DEVICE_VENDOR_ID);
      return true;
    case TN_DEVICE_INFO_MAX_COMPUTE_UNITS:
      *out = tn_opencl_ask_u32(device, TN_CL_DEVICE_MAX_COMPUTE_UNITS);
      return true;
    case TN_DEVICE_INFO_MAX_CLOCK_FREQUENCY:
      *out = tn_opencl_ask_u32(device, TN_CL_DEVICE_MAX_CLOCK_FREQUENCY);
      return true;
    case TN_DEVICE_INFO_ADDRESS_BITS:
      *out = tn_opencl_ask_u32(device, TN_CL_DEVICE_ADDRESS_BITS);
      return true;
    case TN_DEVICE_INFO_MEM_BASE_ADDR_ALIGN:
      *out = 64 * 8;  // buffers are USM: accesses need no more
      return true;
    case TN_DEVICE_INFO_CACHE_LINE_SIZE:
      *out = tn_opencl_ask_u32(device, TN_CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE);
      return true;
    case TN_DEVICE_INFO_SUB_GROUP_SIZE:
      *out = common_sub_group_size(device);
      return true;
    case TN_DEVICE_INFO_SUB_GROUP_SIZES:
      *out = device->sub_group_sizes != 0 ? device->sub_group_sizes : SUB_GROUP_COMMON;
      return true;
    case TN_DEVICE_INFO_NATIVE_VECTOR_WIDTH:
      *out = (uint32_t)sizeof(float) *
             tn_opencl_ask_u32(device, TN_CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT);
      return true;
    case TN_DEVICE_INFO_NATIVE_HALF_WIDTH:
      *out = 2 * tn_opencl_ask_u32(device, TN_CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF);
      return true;
    case TN_DEVICE_INFO_MAX_NUM_SUB_GROUPS:
      *out = tn_opencl_max_sub_groups(device);
      return true;
    case TN_DEVICE_INFO_ERROR_CORRECTION:
      *out = tn_opencl_ask_u32(device, TN_CL_DEVICE_ERROR_CORRECTION) != 0;
      return true;
    case TN_DEVICE_INFO_PARTITION_MAX:
      *out = tn_opencl_partition_maximum(device);
      return true;
    case TN_DEVICE_INFO_PARTITION_KINDS:
      *out = tn_opencl_partition_kinds(device);
      return true;
    case TN_DEVICE_INFO_PARTITION_DOMAINS:
      *out = tn_opencl_partition_domains(device);
      return true;
    case TN_DEVICE_INFO_PARTITION_TYPE:
      *out = (uint32_t)device->partition_kind;
      return true;
    case TN_DEVICE_INFO_PARTITION_TYPE_DOMAIN:
      *out = (uint32_t)device->partition_domain;
      return true;
    default:
      return false;
  }
}

uint64_t tn_opencl_local_beyond_reserve(uint64_t size) {
  return size > GROUP_MEMORY ? size - GROUP_MEMORY : 0;
}

static bool find_u64(const tn_adapter_device *device, int32_t what, uint64_t *out) {
  switch (what) {
    case TN_DEVICE_INFO_MAX_WORK_GROUP_SIZE:
      *out = device->max_group_size;
      return true;
    case TN_DEVICE_INFO_GLOBAL_MEM_SIZE:
      *out = tn_opencl_ask_u64(device, TN_CL_DEVICE_GLOBAL_MEM_SIZE);
      return true;
    case TN_DEVICE_INFO_MAX_MEM_ALLOC_SIZE:
      *out = tn_opencl_ask_u64(device, TN_CL_DEVICE_MAX_MEM_ALLOC_SIZE);
      return true;
    case TN_DEVICE_INFO_LOCAL_MEM_SIZE:
      *out = tn_opencl_local_beyond_reserve(
          tn_opencl_ask_u64(device, TN_CL_DEVICE_LOCAL_MEM_SIZE));
      return true;
    case TN_DEVICE_INFO_GLOBAL_CACHE_SIZE:
      *out = tn_opencl_ask_u64(device, TN_CL_DEVICE_GLOBAL_MEM_CACHE_SIZE);
      return true;
    case TN_DEVICE_INFO_ASPECTS:
      *out = device->aspects;
      return true;
    case TN_DEVICE_INFO_MAX_PARAMETER_SIZE:
      *out = tn_opencl_ask_u64(device, TN_CL_DEVICE_MAX_PARAMETER_SIZE);
      return true;
    case TN_DEVICE_INFO_TIMER_RESOLUTION:
      *out = tn_opencl_ask_u64(device, TN_CL_DEVICE_TIMER_RESOLUTION);
      return true;
    default:
      return false;
  }
}

static bool find_text(const tn_adapter_device *device, int32_t what, char *text, size_t size) {
  tn_cl_uint name = 0;
  switch (what) {
    case TN_DEVICE_INFO_NAME:
      name = TN_CL_DEVICE_NAME;
      break;
    case TN_DEVICE_INFO_VENDOR:
      name = TN_CL_DEVICE_VENDOR;
      break;
    case TN_DEVICE_INFO_DRIVER_VERSION:
      name = TN_CL_DRIVER_VERSION;
      break;
    case TN_DEVICE_INFO_VERSION:
      name = TN_CL_DEVICE_VERSION;
      break;
    default:
      return false;
  }
  if (device->driver->device_info(device->handle, name, size - 1, text, NULL) != TN_CL_SUCCESS) {
    text[0] = '\0';
  }
  return true;
}

static void add_versions(const tn_adapter_device *device, tn_cl_uint what, tn_buf *out) {
  size_t count = 0;
  tn_cl_name_version *all = tn_opencl_versions(device, what, &count);
  for (size_t i = 0; i < count; i++) {
    tn_buf_add_format(out, "%s%.*s %u", out->size > 0 ? " " : "", TN_CL_NAME_VERSION_SIZE,
                      all[i].name, all[i].version);
  }
  tn_free(all);
}

static tn_status write_opencl_c(const tn_adapter_device *device, void *out, size_t size,
                                size_t *out_size, tn_diag *diag) {
  tn_buf text;
  tn_buf_init(&text, OPENCL_C_MAXIMUM);
  add_versions(device, TN_CL_DEVICE_EXTENSIONS_WITH_VERSION, &text);
  add_versions(device, TN_CL_DEVICE_OPENCL_C_FEATURES, &text);
  tn_status status = tn_buf_status(&text, diag);
  if (status == TN_OK) {
    status = tn_info_write_text(tn_buf_text(&text), out, size, out_size, diag);
  }
  tn_buf_deinit(&text);
  return status;
}

tn_status tn_opencl_device_get_info(tn_adapter_device *device, int32_t what, void *out, size_t size,
                                    size_t *out_size, tn_diag *diag) {
  char text[TEXT_SIZE] = "";
  if (find_text(device, what, text, sizeof(text))) {
    return tn_info_write_text(text, out, size, out_size, diag);
  }
  if (what == TN_DEVICE_INFO_EXTENSIONS) {
    char *list = tn_opencl_extensions(device);
    const tn_status status = tn_info_write_text(list ? list : "", out, size, out_size, diag);
    tn_free(list);
    return status;
  }
  if (what == TN_DEVICE_INFO_OPENCL_C) {
    return write_opencl_c(device, out, size, out_size, diag);
  }
  if (what == TN_DEVICE_INFO_MAX_WORK_ITEM_SIZES) {
    size_t sizes[16] = {0};
    (void)device->driver->device_info(device->handle, TN_CL_DEVICE_MAX_WORK_ITEM_SIZES,
                                      sizeof(sizes), sizes, NULL);
    const uint64_t three[3] = {smaller(sizes[0], device->max_group_size),
                               smaller(sizes[1], device->max_group_size),
                               smaller(sizes[2], device->max_group_size)};
    return tn_info_write(three, sizeof(three), out, size, out_size, diag);
  }
  unsigned char uuid[16] = {0};
  if (what == TN_DEVICE_INFO_UUID && (device->aspects >> TN_ASPECT_UUID & 1) != 0 &&
      device->driver->device_info(device->handle, TN_CL_DEVICE_UUID, sizeof(uuid), uuid, NULL) ==
          TN_CL_SUCCESS) {
    return tn_info_write(uuid, sizeof(uuid), out, size, out_size, diag);
  }
  uint32_t narrow = 0;
  uint64_t wide = 0;
  if (find_u32(device, what, &narrow)) {
    return tn_info_write(&narrow, sizeof(narrow), out, size, out_size, diag);
  }
  if (find_u64(device, what, &wide)) {
    return tn_info_write(&wide, sizeof(wide), out, size, out_size, diag);
  }
  return TN_FAIL(diag, INVALID_ARGUMENT, "unknown device info descriptor %d of an OpenCL device",
                 (int)what);
}

tn_status tn_opencl_platform_get_info(tn_adapter_device *device, int32_t what, void *out,
                                      size_t size, size_t *out_size, tn_diag *diag) {
  const uint32_t backend = TN_BACKEND_OPENCL;
  const tn_cl_uint names[] = {
      [TN_PLATFORM_INFO_NAME] = TN_CL_PLATFORM_NAME,
      [TN_PLATFORM_INFO_VENDOR] = TN_CL_PLATFORM_VENDOR,
      [TN_PLATFORM_INFO_VERSION] = TN_CL_PLATFORM_VERSION,
  };
  char text[TEXT_SIZE] = "";
  if (what == TN_PLATFORM_INFO_BACKEND) {
    return tn_info_write(&backend, sizeof(backend), out, size, out_size, diag);
  }
  if (what < 0 || (size_t)what >= TN_COUNT(names) || names[what] == 0) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "unknown platform info descriptor %d", (int)what);
  }
  if (device->driver->platform_info(device->platform, names[what], sizeof(text) - 1, text, NULL) !=
      TN_CL_SUCCESS) {
    text[0] = '\0';
  }
  return tn_info_write_text(text, out, size, out_size, diag);
}
