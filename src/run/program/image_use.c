// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What other rooms may ask about images without a build: of what use one is to a device, and what
// kernels and constants are called.
#include "run/program/device_needs.h"
#include "run/program/image_choice.h"
#include "run/program/native_kernel.h"
#include "run/program/program.h"
#include "run/program/symbol_text.h"

// The n-th image of machine code has the n-th table.
static bool has_table(const tn_registered *registered, const tn_fatbin *fatbin, uint32_t index) {
  size_t number = 0;
  for (uint32_t i = 0; i < index; i++) {
    number += tn_fatbin_image_at(fatbin, i).format == TN_IMAGE_FORMAT_HOST ? 1 : 0;
  }
  return number < tn_registered_native_count(registered);
}

tn_image_use tn_program_image_use(const tn_registered *registered, const tn_fatbin *fatbin,
                                  uint32_t index, const tn_device *device) {
  const tn_image image = tn_fatbin_image_at(fatbin, index);
  if (!tn_str_equals(image.target, tn_str_from(device->target)) ||
      !tn_device_meets(device, &image)) {
    return TN_IMAGE_USE_NONE;
  }
  if (image.format == TN_IMAGE_FORMAT_HOST) {
    return has_table(registered, fatbin, index) && tn_native_is_usable(registered, device, &image)
               ? TN_IMAGE_USE_IN_PLACE
               : TN_IMAGE_USE_NONE;
  }
  if (tn_image_choice_needs_compiler(&image, device)) {
    return TN_IMAGE_USE_COMPILE;
  }
  return tn_image_import_count(&image) == 0 ? TN_IMAGE_USE_LOAD : TN_IMAGE_USE_UNLINKED;
}

tn_status tn_program_fail_device(const tn_fatbin *fatbin, tn_str symbol, const char *shown,
                                 const tn_device *device, tn_diag *diag) {
  const tn_str target = tn_str_from(device->target);
  for (uint32_t i = 0; i < fatbin->image_count; i++) {
    const tn_image image = tn_fatbin_image_at(fatbin, i);
    tn_kernel_info kernel;
    if (tn_str_equals(image.target, target) && tn_image_kernel_find(&image, symbol, &kernel)) {
      TN_TRY(tn_device_check_needs(device, &image, &kernel, diag));
    }
  }
  return TN_FAIL(diag, KERNEL_NOT_FOUND,
                 "kernel %.300s is in no image for device %s (target %s); compile and link it with "
                 "tenon++ -fsycl -fsycl-targets=%s",
                 shown, device->name, device->target, device->target);
}

tn_str tn_kernel_info_shown_name(const tn_kernel_info *kernel) {
  return tn_symbol_text_strip(kernel->display_name.size > 0 ? kernel->display_name : kernel->name);
}

void tn_kernel_symbol_show(tn_buf *buf, tn_str symbol) { tn_symbol_text_add(buf, symbol); }
