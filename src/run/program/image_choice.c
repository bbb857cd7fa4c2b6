// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Choosing the image of a kernel, and saying what was there when there is none.
#include "run/program/image_choice.h"

#include "run/program/device_needs.h"
#include "run/program/image_fit.h"
#include "run/program/symbol_text.h"

enum { NAMES_MAXIMUM = 8 };

bool tn_image_choice_needs_compiler(const tn_image *image, const tn_device *device) {
  return tn_image_has_flag(image, device, TN_ADAPTER_IMAGE_IS_COMPILED);
}

bool tn_image_choice_can_link(const tn_device *device) {
  return TN_ADAPTER_HAS(device->api, program_link);
}

// A device's linker takes code in all formats that its driver takes.
static bool is_for_linker(const tn_image *image, const tn_device *device) {
  return tn_image_choice_can_link(device) && !tn_image_choice_needs_compiler(image, device);
}

bool tn_image_choice_links(const tn_image *a, const tn_image *b, const tn_device *device) {
  return tn_str_equals(a->target, b->target) &&
         (a->format == b->format ||
          (device && is_for_linker(a, device) && is_for_linker(b, device)));
}

bool tn_image_choice_covers(const tn_image *image, const tn_image *other) {
  bool has_all = true;
  for (uint32_t k = 0; has_all && k < tn_image_kernel_count(other); k++) {
    tn_kernel_info kernel;
    has_all = tn_image_kernel_find(image, tn_image_kernel_at(other, k).name, &kernel);
  }
  return has_all;
}

static bool is_for_device(const tn_image *image, const tn_device *device) {
  return tn_str_equals(image->target, tn_str_from(device->target));
}

// Machine code that imports nothing, or that the device links, can be loaded at once; bitcode must
// be compiled; other machine code with imports is chosen when there is nothing else, so that the
// failure says so.
static int rank(const tn_image *image, const tn_device *device) {
  if (image->format == TN_IMAGE_FORMAT_HOST) {
    return 0;  // native_program.c's, as long as its module is loaded
  }
  if (tn_image_choice_needs_compiler(image, device)) {
    return 2;
  }
  return tn_image_import_count(image) == 0 || tn_image_choice_can_link(device) ? 3 : 1;
}

// What asks for nothing that the device lacks comes before all that does; among equals, what suits
// the device best.
static uint64_t rank_for(const tn_image *image, const tn_device *device) {
  const int among_equals = rank(image, device);
  const uint32_t fit = tn_image_fit(image, device);
  if (among_equals == 0 || fit == 0) {
    return 0;
  }
  const int all = tn_device_meets(device, image) ? among_equals + 3 : among_equals;
  return (uint64_t)all << 32 | fit;
}

static bool find_among(const tn_link_owner *owner, const tn_device *device, tn_str symbol,
                       bool is_portable, tn_image_choice *out) {
  uint64_t best = 0;
  for (uint32_t i = 0; i < owner->fatbin->image_count && symbol.size > 0; i++) {
    const tn_image image = tn_fatbin_image_at(owner->fatbin, i);
    tn_kernel_info kernel;
    if (is_for_device(&image, device) && tn_image_kernel_find(&image, symbol, &kernel) &&
        (!is_portable || tn_image_has_flag(&image, device, TN_ADAPTER_IMAGE_IS_PORTABLE)) &&
        rank_for(&image, device) > best) {
      best = rank_for(&image, device);
      *out = (tn_image_choice){.image_index = i, .kernel = kernel};
    }
  }
  return best > 0;
}

static bool find_symbol(const tn_link_owner *owner, const tn_device *device, tn_str symbol,
                        tn_image_choice *out) {
  return find_among(owner, device, symbol, false, out);
}

void tn_image_choice_make_portable(const tn_link_owner *owner, const tn_device *device,
                                   tn_image_choice *choice) {
  (void)find_among(owner, device, choice->kernel.name, true, choice);
}

// "a.out has: native_cpu bitcode (2 kernels: add, scale)".
static void add_contents(const tn_link_owner *owner, tn_buf *text) {
  tn_buf_add_format(text, "%.300s has ", tn_link_owner_path(owner));
  if (owner->fatbin->image_count == 0) {
    tn_buf_add_text(text, "no device images");
  }
  size_t named = 0;
  for (uint32_t i = 0; i < owner->fatbin->image_count; i++) {
    const tn_image image = tn_fatbin_image_at(owner->fatbin, i);
    const uint32_t count = tn_image_kernel_count(&image);
    const tn_str processor = tn_image_processor(&image);
    tn_buf_add_format(text, "%s%.*s %s%s%.*s (%u kernel%s", i > 0 ? ", " : "",
                      TN_STR_ARG(image.target), tn_image_format_name(image.format),
                      processor.size > 0 ? " for " : "", TN_STR_ARG(processor), count,
                      count == 1 ? "" : "s");
    for (uint32_t k = 0; k < count && named < NAMES_MAXIMUM; k++, named++) {
      const tn_kernel_info kernel = tn_image_kernel_at(&image, k);
      tn_buf_add_format(text, "%s%.*s", k > 0 ? ", " : ": ",
                        TN_STR_ARG(tn_str_slice(tn_kernel_info_shown_name(&kernel), 0, 80)));
    }
    tn_buf_add_text(text, ")");
  }
}

void tn_image_choice_add_advice(const tn_device *device, bool has_target, const tn_diag *unfit,
                                tn_buf *text) {
  if (!has_target) {
    tn_buf_add_format(text, "; compile and link it with tenon++ -fsycl -fsycl-targets=%s",
                      device->target);
  } else if (unfit->text[0] != '\0') {
    tn_buf_add_format(text, "; %s", unfit->text);
  }
}

// Why an image with the kernel does not run on the device, if there is one.
static void find_unfit(const tn_link_owner *owner, const tn_device *device, tn_str name,
                       tn_diag *out) {
  bool has = false;
  for (uint32_t i = 0; i < owner->fatbin->image_count && !has; i++) {
    const tn_image image = tn_fatbin_image_at(owner->fatbin, i);
    tn_kernel_info kernel;
    has = is_for_device(&image, device) && tn_image_kernel_find(&image, name, &kernel) &&
          tn_image_is_unfit(&image, device, out);
  }
}

static tn_status not_found(const tn_link_owner *owner, const tn_device *device, tn_str name,
                           tn_diag *diag) {
  tn_buf text;
  tn_buf_init(&text, 1u << 16);
  tn_buf_add_text(&text, "kernel ");
  tn_symbol_text_add(&text, tn_str_slice(name, 0, 400));
  tn_buf_add_format(&text, " is not there for device %s (target %s): ", device->name,
                    device->target);
  add_contents(owner, &text);
  bool has_target = false;
  for (uint32_t i = 0; i < owner->fatbin->image_count; i++) {
    const tn_image image = tn_fatbin_image_at(owner->fatbin, i);
    has_target = has_target || is_for_device(&image, device);
  }
  tn_diag unfit = {0};
  find_unfit(owner, device, name, &unfit);
  tn_image_choice_add_advice(device, has_target, &unfit, &text);
  const tn_status status = TN_FAIL(diag, KERNEL_NOT_FOUND, "%s", tn_buf_text(&text));
  tn_buf_deinit(&text);
  return status;
}

tn_status tn_image_choice_by_symbol(const tn_link_owner *owner, const tn_device *device,
                                    tn_str local_name, tn_str name, tn_image_choice *out,
                                    tn_diag *diag) {
  if (find_symbol(owner, device, local_name, out) || find_symbol(owner, device, name, out)) {
    return TN_OK;
  }
  return not_found(owner, device, name, diag);
}

tn_status tn_image_choice_by_text(const tn_link_owner *owner, const tn_device *device, tn_str text,
                                  tn_image_choice *out, tn_diag *diag) {
  if (find_symbol(owner, device, text, out)) {
    return TN_OK;
  }
  tn_str symbol = {NULL, 0};
  for (uint32_t i = 0; i < owner->fatbin->image_count; i++) {
    const tn_image image = tn_fatbin_image_at(owner->fatbin, i);
    const uint32_t count = is_for_device(&image, device) ? tn_image_kernel_count(&image) : 0;
    for (uint32_t k = 0; k < count; k++) {
      const tn_kernel_info kernel = tn_image_kernel_at(&image, k);
      if (!tn_str_equals(tn_kernel_info_shown_name(&kernel), text) ||
          tn_str_equals(kernel.name, symbol)) {
        continue;
      }
      if (symbol.data) {
        return TN_FAIL(diag, INVALID_ARGUMENT,
                       "%s has more than one kernel %.*s: give the device "
                       "symbol, %.*s or %.*s",
                       tn_link_owner_path(owner), TN_STR_ARG(text), TN_STR_ARG(symbol),
                       TN_STR_ARG(kernel.name));
      }
      symbol = kernel.name;
    }
  }
  return symbol.data && find_symbol(owner, device, symbol, out)
             ? TN_OK
             : not_found(owner, device, text, diag);
}
