// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares what an image asks of a device with what the device has: aspects, sizes of groups.
#include "run/program/device_needs.h"

#include "base/config.h"
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

static bool has_aspects(const tn_device *device, const tn_image *image) {
  const uint32_t count = tn_image_aspect_count(image);
  const uint64_t aspects = count > 0 ? aspects_of(device) : 0;
  for (uint32_t i = 0; i < count; i++) {
    if (!has_aspect(aspects, tn_image_aspect_at(image, i))) {
      return false;
    }
  }
  return true;
}

// Whether a work-group of the size that the image's kernels require can run.
static bool has_group_size(const tn_device *device, const tn_image *image) {
  uint32_t size[3];
  uint64_t most[3], together = 0;
  if (!tn_image_required_group_size(image, size)) {
    return true;
  }
  if (tn_device_get_info(device, TN_DEVICE_INFO_MAX_WORK_ITEM_SIZES, most, sizeof(most), NULL,
                         NULL) != TN_OK ||
      tn_device_get_info(device, TN_DEVICE_INFO_MAX_WORK_GROUP_SIZE, &together, sizeof(together),
                         NULL, NULL) != TN_OK) {
    return false;
  }
  for (int i = 0; i < 3; i++) {
    if (size[i] > most[i] || size[i] > together) {
      return false;
    }
    together /= size[i] > 0 ? size[i] : 1;
  }
  return true;
}

static bool has_sub_group_size(const tn_device *device, const tn_image *image) {
  const uint32_t size = tn_image_required_sub_group_size(image);
  return size == 0 || tn_device_has_sub_group_size(device, size);
}

bool tn_device_meets(const tn_device *device, const tn_image *image) {
  return has_aspects(device, image) && has_group_size(device, image) &&
         has_sub_group_size(device, image);
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

// "kernel k needs …, which device …": the first thing that the device lacks.
static void add_need(const tn_device *device, const tn_image *image, tn_str kernel, tn_buf *text) {
  uint32_t size[3] = {0, 0, 0};
  if (!has_aspects(device, image)) {
    tn_buf_add_format(text, "kernel %.*s needs ", TN_STR_ARG(kernel));
    add_lacking(device, image, text);
    tn_buf_add_format(text, ", which device %s does not have", device->name);
  } else if (!has_group_size(device, image) && tn_image_required_group_size(image, size)) {
    tn_buf_add_format(text,
                      "kernel %.*s: its reqd_work_group_size is %u x %u x %u, which is over the "
                      "maximum of device %s; ask it for info::device::max_work_group_size",
                      TN_STR_ARG(kernel), size[0], size[1], size[2], device->name);
  } else {
    tn_buf_add_format(text, "kernel %.*s: ", TN_STR_ARG(kernel));
    tn_device_add_sub_group_need(device, tn_image_required_sub_group_size(image), text);
  }
}

tn_status tn_device_check_default_sub_group(const tn_device *device, uint32_t flags, tn_str kernel,
                                            tn_diag *diag) {
  const uint32_t chosen = tn_config_get()->sub_group_size;
  uint32_t size = 0;
  if (chosen == 0 || (flags & TN_KERNEL_REQUIRES_SUB_GROUP_SIZE) != 0) {
    return TN_OK;
  }
  TN_TRY(tn_device_get_info(device, TN_DEVICE_INFO_SUB_GROUP_SIZE, &size, sizeof(size), NULL,
                            diag));
  if (size == chosen) {
    return TN_OK;
  }
  tn_buf sizes;
  tn_buf_init(&sizes, 1u << 10);
  tn_device_add_sub_group_sizes(device, &sizes);
  const tn_status status =
      TN_FAIL(diag, KERNEL_NOT_FOUND,
              "kernel %.*s: TENON_SUB_GROUP_SIZE is %u, which device %s does not have; it has %s",
              TN_STR_ARG(tn_str_slice(kernel, 0, 120)), chosen, device->name, tn_buf_text(&sizes));
  tn_buf_deinit(&sizes);
  return status;
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
  add_need(device, image, tn_str_slice(shown, 0, 120), &text);
  const tn_status status = TN_FAIL(diag, KERNEL_NOT_FOUND, "%s", tn_buf_text(&text));
  tn_buf_deinit(&text);
  return status;
}
