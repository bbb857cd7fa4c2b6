// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which images run on a device, by the names of NVIDIA's processors. Source: CUDA C++ Programming
// Guide, binary and PTX compatibility, architecture-specific and family-specific features.
#include "adapter/cuda/cuda_device.h"
#include "image/image.h"

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

uint32_t tn_cuda_processor_fit(tn_str image, bool is_machine, tn_str device) {
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

static void say_unfit(const tn_adapter_device *device, tn_diag *diag) {
  TN_IGNORE(TN_FAIL(diag, UNSUPPORTED,
                    "the device is of %s, and what is for a newer or another processor does not "
                    "run there: compile it with -fsycl-targets=nvidia_gpu_%s, or for all GPUs with "
                    "-fsycl-targets=%s",
                    device->processor, device->processor, TN_CUDA_TARGET),
            "the caller returns 0");
}

uint32_t tn_cuda_image_fit(tn_adapter_device *device, const tn_adapter_image *image,
                           uint32_t *out_flags, tn_diag *diag) {
  switch (image->format) {
    case TN_IMAGE_FORMAT_PTX:
      *out_flags = TN_ADAPTER_IMAGE_IS_PORTABLE;
      break;
    case TN_IMAGE_FORMAT_CUBIN:
      *out_flags = 0;
      break;
    default:
      *out_flags = image->format == TN_IMAGE_FORMAT_BITCODE ? TN_ADAPTER_IMAGE_IS_COMPILED : 0;
      return FIT_UNKNOWN;
  }
  const tn_str wanted = {image->processor, image->processor_size};
  const uint32_t fit = tn_cuda_processor_fit(wanted, image->format == TN_IMAGE_FORMAT_CUBIN,
                                             tn_str_from(device->processor));
  if (fit == 0) {
    say_unfit(device, diag);
  }
  return fit;
}
