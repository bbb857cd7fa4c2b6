// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Processors of NVIDIA's by their names. Source: CUDA C++ Programming Guide, binary and PTX
// compatibility, architecture-specific and family-specific features.
#include "run/program/gpu_processor.h"

// Machine code for the very processor comes first, then that for an older one of its generation,
// then PTX, the newest first.
enum { FIT_SAME = 1u << 20, FIT_GENERATION = 1u << 19, FIT_PTX = 1u << 18, FIT_UNKNOWN = 1 };
enum { SUFFIX_NONE = 0, SUFFIX_FAMILY = 1, SUFFIX_ALONE = 2 };

typedef struct processor {
  uint32_t number;  // 90 of sm_90a: ten times the major version and the minor one
  uint32_t suffix;
} processor;

static bool read_processor(tn_str name, processor *out) {
  if (!tn_str_has_prefix(name, TN_STR_LIT("sm_"))) {
    return false;
  }
  tn_str digits = tn_str_slice(name, 3, SIZE_MAX);
  out->suffix = SUFFIX_NONE;
  const char last = digits.size > 0 ? digits.data[digits.size - 1] : '0';
  if (last == 'a' || last == 'f') {
    out->suffix = last == 'a' ? SUFFIX_ALONE : SUFFIX_FAMILY;
    digits.size--;
  }
  uint64_t number = 0;
  if (!tn_str_to_u64(digits, &number) || number > 999) {
    return false;
  }
  out->number = (uint32_t)number;
  return true;
}

static bool is_one_generation(processor a, processor b) { return a.number / 10 == b.number / 10; }

uint32_t tn_gpu_processor_fit_named(tn_str image, bool is_machine, tn_str device) {
  processor code;
  processor gpu;
  if (!read_processor(image, &code) || !read_processor(device, &gpu)) {
    return FIT_UNKNOWN;
  }
  if (code.number > gpu.number || (code.suffix == SUFFIX_ALONE && code.number != gpu.number) ||
      ((is_machine || code.suffix == SUFFIX_FAMILY) && !is_one_generation(code, gpu))) {
    return 0;
  }
  const uint32_t kind = !is_machine                 ? FIT_PTX
                        : code.number == gpu.number ? FIT_SAME
                                                    : FIT_GENERATION;
  return kind + code.number * 4 + code.suffix;
}

tn_str tn_gpu_processor_of(const tn_image *image) {
  tn_prop prop;
  const tn_prop_set set = tn_image_prop_set_find(image, TN_PROPS_MISC);
  const bool has = tn_prop_set_find(&set, TN_STR_LIT(TN_MISC_GPU_PROCESSOR), &prop) &&
                   prop.type == TN_PROP_BYTES;
  return has ? (tn_str){(const char *)prop.bytes.data, prop.bytes.size} : (tn_str){0};
}

tn_str tn_gpu_processor_of_device(const tn_device *device) {
  return tn_str_from(device->api->device_processor(device->adapter_device));
}

uint32_t tn_gpu_processor_fit(const tn_image *image, const tn_device *device) {
  const bool is_machine = image->format == TN_IMAGE_FORMAT_CUBIN;
  return is_machine || image->format == TN_IMAGE_FORMAT_PTX
             ? tn_gpu_processor_fit_named(tn_gpu_processor_of(image), is_machine,
                                          tn_gpu_processor_of_device(device))
             : FIT_UNKNOWN;
}
