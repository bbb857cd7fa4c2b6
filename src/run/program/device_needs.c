// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares what an image asks of a device with the device's aspects.
#include "run/program/device_needs.h"

#include "run/program/symbol_text.h"
#include "tenon/device.h"

// The format's numbers and the public ones are the same.
_Static_assert((int)TN_IMAGE_ASPECT_FP16 == (int)TN_ASPECT_FP16, "aspect fp16");
_Static_assert((int)TN_IMAGE_ASPECT_FP64 == (int)TN_ASPECT_FP64, "aspect fp64");
_Static_assert((int)TN_IMAGE_ASPECT_ATOMIC64 == (int)TN_ASPECT_ATOMIC64, "aspect atomic64");
_Static_assert((int)TN_IMAGE_ASPECT_COUNT == (int)TN_ASPECT_USM_SYSTEM_ALLOCATIONS + 1,
               "all aspects");

static uint64_t aspects_of(const tn_device *device) {
  uint64_t aspects = 0;
  return tn_device_get_info(device, TN_DEVICE_INFO_ASPECTS, &aspects, sizeof(aspects), NULL,
                            NULL) == TN_OK
             ? aspects
             : 0;
}

static bool has_aspect(uint64_t aspects, uint32_t number) {
  return number < 64 && (aspects >> number & 1) != 0;
}

bool tn_device_meets(const tn_device *device, const tn_image *image) {
  const uint32_t count = tn_image_aspect_count(image);
  const uint64_t aspects = count > 0 ? aspects_of(device) : 0;
  for (uint32_t i = 0; i < count; i++) {
    if (!has_aspect(aspects, tn_image_aspect_at(image, i))) {
      return false;
    }
  }
  return true;
}

// "aspect::fp16, aspect::fp64": those that the device lacks.
static void add_lacking(const tn_device *device, const tn_image *image, tn_buf *text) {
  const uint64_t aspects = aspects_of(device);
  const char *separator = "";
  for (uint32_t i = 0; i < tn_image_aspect_count(image); i++) {
    const uint32_t number = tn_image_aspect_at(image, i);
    if (has_aspect(aspects, number)) {
      continue;
    }
    const char *name = tn_aspect_name(number);
    if (name) {
      tn_buf_add_format(text, "%saspect::%s", separator, name);
    } else {
      tn_buf_add_format(text, "%saspect %u", separator, number);
    }
    separator = ", ";
  }
}

tn_status tn_device_check_needs(const tn_device *device, const tn_image *image,
                                const tn_kernel_info *kernel, tn_diag *diag) {
  if (tn_device_meets(device, image)) {
    return TN_OK;
  }
  const tn_str shown =
      tn_symbol_text_strip(kernel->display_name.size > 0 ? kernel->display_name : kernel->name);
  tn_buf text;
  tn_buf_init(&text, 1u << 12);
  add_lacking(device, image, &text);
  const tn_status status =
      TN_FAIL(diag, KERNEL_NOT_FOUND, "kernel %.*s needs %s, which device %s does not have",
              TN_STR_ARG(tn_str_slice(shown, 0, 120)), tn_buf_text(&text), device->name);
  tn_buf_deinit(&text);
  return status;
}
