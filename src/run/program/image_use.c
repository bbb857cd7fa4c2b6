// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What other components may ask about images without a build: of what use one is to a device, and
// what kernels and constants are called.
#include "run/program/device_needs.h"
#include "run/program/image_choice.h"
#include "run/program/image_fit.h"
#include "run/program/native_program.h"
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

// Another image of the module has the same kernels and suits the device better.
static bool is_spare(const tn_fatbin *fatbin, uint32_t index, const tn_image *image,
                     const tn_device *device) {
  const uint32_t fit = tn_image_fit(image, device);
  bool is_better = false;
  for (uint32_t i = 0; i < fatbin->image_count && !is_better; i++) {
    const tn_image other = tn_fatbin_image_at(fatbin, i);
    is_better = i != index && tn_image_choice_links(&other, image, device) &&
                tn_image_fit(&other, device) > fit && tn_device_meets(device, &other) &&
                tn_image_choice_covers(&other, image);
  }
  return is_better;
}

tn_image_use tn_program_image_use(const tn_registered *registered, const tn_fatbin *fatbin,
                                  uint32_t index, const tn_device *device) {
  const tn_image image = tn_fatbin_image_at(fatbin, index);
  if (!tn_str_equals(image.target, tn_str_from(device->target)) ||
      tn_image_fit(&image, device) == 0 || !tn_device_meets(device, &image)) {
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
  if (tn_image_import_count(&image) > 0 && !tn_image_choice_can_link(device)) {
    return TN_IMAGE_USE_UNLINKED;
  }
  return is_spare(fatbin, index, &image, device) ? TN_IMAGE_USE_SPARE : TN_IMAGE_USE_LOAD;
}

bool tn_program_image_is_compilable(const tn_registered *registered, const tn_fatbin *fatbin,
                                    uint32_t index, const tn_device *device) {
  const tn_image image = tn_fatbin_image_at(fatbin, index);
  const tn_image_use use = tn_program_image_use(registered, fatbin, index, device);
  return use == TN_IMAGE_USE_COMPILE ||
         (use != TN_IMAGE_USE_NONE &&
          tn_image_has_flag(&image, device, TN_ADAPTER_IMAGE_IS_PORTABLE));
}

tn_status tn_program_fail_device(const tn_fatbin *fatbin, tn_str symbol, const char *shown,
                                 const tn_device *device, tn_diag *diag) {
  const tn_str target = tn_str_from(device->target);
  bool has_unfit = false;
  tn_diag unfit = {0};
  for (uint32_t i = 0; i < fatbin->image_count; i++) {
    const tn_image image = tn_fatbin_image_at(fatbin, i);
    tn_kernel_info kernel;
    if (tn_str_equals(image.target, target) && tn_image_kernel_find(&image, symbol, &kernel)) {
      TN_TRY(tn_device_check_needs(device, &image, &kernel, diag));
      has_unfit = has_unfit || tn_image_is_unfit(&image, device, &unfit);
    }
  }
  tn_buf text;
  tn_buf_init(&text, 1u << 12);
  tn_buf_add_format(&text, "kernel %.300s is in no image for device %s (target %s)", shown,
                    device->name, device->target);
  tn_image_choice_add_advice(device, has_unfit, &unfit, &text);
  const tn_status status = TN_FAIL(diag, KERNEL_NOT_FOUND, "%s", tn_buf_text(&text));
  tn_buf_deinit(&text);
  return status;
}

tn_str tn_kernel_info_shown_name(const tn_kernel_info *kernel) {
  return tn_symbol_text_strip(kernel->display_name.size > 0 ? kernel->display_name : kernel->name);
}

void tn_kernel_symbol_show(tn_buf *buf, tn_str symbol) { tn_symbol_text_add(buf, symbol); }
