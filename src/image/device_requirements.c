// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an image asks of a device: the set "SYCL/device requirements", and the names of aspects.
#include "image/image.h"
#include "image/image_bytes.h"

// By number; sycl::aspect's enumerators.
static const char *const aspects[TN_IMAGE_ASPECT_COUNT] = {
    "cpu",
    "gpu",
    "accelerator",
    "custom",
    "emulated",
    "host_debuggable",
    "fp16",
    "fp64",
    "atomic64",
    "image",
    "online_compiler",
    "online_linker",
    "queue_profiling",
    "usm_device_allocations",
    "usm_host_allocations",
    "usm_atomic_host_allocations",
    "usm_shared_allocations",
    "usm_atomic_shared_allocations",
    "usm_system_allocations",
};

const char *tn_aspect_name(uint32_t number) {
  return number < TN_COUNT(aspects) ? aspects[number] : NULL;
}

bool tn_aspect_find(tn_str name, uint32_t *out_number) {
  for (uint32_t i = 0; i < TN_COUNT(aspects); i++) {
    if (tn_str_equals(name, tn_str_from(aspects[i]))) {
      *out_number = i;
      return true;
    }
  }
  return false;
}

// The bytes of one property of the set; empty when it is absent or a number.
static tn_bytes numbers_of(const tn_image *image, tn_str name) {
  const tn_prop_set set = tn_image_prop_set_find(image, TN_PROPS_REQUIREMENTS);
  tn_prop prop;
  if (!tn_prop_set_find(&set, name, &prop) || prop.type != TN_PROP_BYTES) {
    return (tn_bytes){NULL, 0};
  }
  return prop.bytes;
}

uint32_t tn_image_aspect_count(const tn_image *image) {
  return (uint32_t)(numbers_of(image, TN_STR_LIT("aspects")).size / sizeof(uint32_t));
}

uint32_t tn_image_aspect_at(const tn_image *image, uint32_t index) {
  const tn_bytes numbers = numbers_of(image, TN_STR_LIT("aspects"));
  if (TN_NEVER(index >= numbers.size / sizeof(uint32_t))) {
    return UINT32_MAX;
  }
  return tn_load_u32(numbers.data + index * sizeof(uint32_t));
}

bool tn_image_required_group_size(const tn_image *image, uint32_t out_size[3]) {
  const tn_bytes numbers = numbers_of(image, TN_STR_LIT("reqd_work_group_size"));
  const size_t count = numbers.size / sizeof(uint32_t);
  if (count < 1 || count > 3) {
    return false;
  }
  for (size_t i = 0; i < 3; i++) {
    const size_t skipped = 3 - count;
    out_size[i] = i < skipped ? 1 : tn_load_u32(numbers.data + (i - skipped) * sizeof(uint32_t));
  }
  return true;
}

uint32_t tn_image_required_sub_group_size(const tn_image *image) {
  const tn_prop_set set = tn_image_prop_set_find(image, TN_PROPS_REQUIREMENTS);
  tn_prop prop;
  return tn_prop_set_find(&set, TN_STR_LIT("reqd_sub_group_size"), &prop) &&
                 prop.type == TN_PROP_U32
             ? prop.u32
             : 0;
}
