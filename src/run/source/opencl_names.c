// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What sources in OpenCL C may use: what the device's driver has and the compiler makes SPIR-V of.
#include "base/alloc.h"
#include "run/device/device.h"
#include "tenon/rtc.h"

// What a test has compiled and run (test/e2e/rtc/opencl_sources.cpp).
static const char *const compiled[] = {
    "cl_khr_byte_addressable_store",
    "cl_khr_fp16",
    "cl_khr_fp64",
    "cl_khr_global_int32_base_atomics",
    "cl_khr_global_int32_extended_atomics",
    "cl_khr_int64_base_atomics",
    "cl_khr_int64_extended_atomics",
    "cl_khr_local_int32_base_atomics",
    "cl_khr_local_int32_extended_atomics",
    "cl_khr_subgroups",
    "__opencl_c_atomic_order_acq_rel",
    "__opencl_c_atomic_order_seq_cst",
    "__opencl_c_atomic_scope_all_devices",
    "__opencl_c_atomic_scope_device",
    "__opencl_c_fp64",
    "__opencl_c_generic_address_space",
    "__opencl_c_int64",
    "__opencl_c_program_scope_global_variables",
    "__opencl_c_subgroups",
    "__opencl_c_work_group_collective_functions",
};

static bool is_compiled(const char *name) {
  for (size_t i = 0; i < TN_COUNT(compiled); i++) {
    if (strcmp(compiled[i], name) == 0) {
      return true;
    }
  }
  return false;
}

// "name version name version …"
static bool find_version(tn_str rest, tn_str name, uint32_t *out) {
  while (rest.data) {
    const tn_str word = tn_str_split(&rest, ' ');
    const tn_str number = tn_str_split(&rest, ' ');
    uint64_t version = 0;
    if (tn_str_equals(word, name) && tn_str_to_u64(number, &version)) {
      *out = (uint32_t)version;
      return true;
    }
  }
  return false;
}

int tn_source_has_opencl(const tn_device *device, const char *name, uint32_t *out_version) {
  size_t size = 0;
  uint32_t version = 0;
  if (!device || !name || !is_compiled(name) || !tn_source_is_supported(device, TN_SOURCE_OPENCL) ||
      tn_device_get_info(device, TN_DEVICE_INFO_OPENCL_C, NULL, 0, &size, NULL) != TN_OK) {
    return 0;
  }
  char *text = tn_alloc(size + 1);
  const bool has_text =
      text &&
      tn_device_get_info(device, TN_DEVICE_INFO_OPENCL_C, text, size, NULL, NULL) == TN_OK;
  const bool found = has_text && find_version(tn_str_from(text), tn_str_from(name), &version);
  tn_free(text);
  if (found && out_version) {
    *out_version = version;
  }
  return found ? 1 : 0;
}
