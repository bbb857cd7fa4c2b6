// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bundles of modules that were compiled while the program runs, and their kernels by name.
#include "base/alloc.h"
#include "run/bundle/bundle_names.h"
#include "run/bundle/bundle_object.h"
#include "tenon/rtc.h"

enum { SHOWN_NAMES = 8, SHOWN_SIZE = 120, LIST_MAXIMUM = 4096 };

// Those of the draft's devices that the image is of use to; how many.
static size_t choose_devices(const tn_bundle_draft *draft, const tn_bundle_of_module *from,
                             const tn_fatbin *fatbin, uint32_t index, tn_device **out) {
  size_t count = 0;
  for (size_t d = 0; d < draft->device_count; d++) {
    tn_device *device = draft->devices[d];
    if (tn_program_image_use(from->registered, fatbin, index, device) != TN_IMAGE_USE_NONE) {
      out[count++] = device;
    }
  }
  return count;
}

static tn_status add_image(tn_bundle_draft *draft, const tn_bundle_of_module *from,
                           tn_bundle_module *module, uint32_t index, tn_device *const *devices,
                           size_t device_count, tn_diag *diag) {
  tn_bundle_image *image = NULL;
  TN_TRY(tn_bundle_image_create(module, index, draft->state, devices, device_count, &image, diag));
  tn_bundle_names_retain(from->names);
  image->names = from->names;
  return tn_bundle_draft_add(draft, image, diag);
}

// Some kernel is in an image that is of use: what is left out otherwise is none's loss.
static tn_status check_has_kernel(const tn_bundle_draft *draft, const tn_bundle_module *module,
                                  const tn_fatbin *fatbin, tn_diag *diag) {
  bool found = module->kernel_count == 0;
  for (size_t i = 0; !found && i < draft->image_count; i++) {
    found = draft->images[i]->kernel_count > 0;
  }
  const tn_kernel_id *first = module->kernels;
  return found
             ? TN_OK
             : tn_program_fail_device(fatbin, first->symbol, first->name, draft->devices[0], diag);
}

static tn_status add_images(tn_bundle_draft *draft, const tn_bundle_of_module *from,
                            tn_bundle_module *module, const tn_fatbin *fatbin, tn_diag *diag) {
  tn_device **few = tn_alloc_array(draft->device_count + 1, sizeof(tn_device *));
  tn_status status = few ? TN_OK : TN_FAIL(diag, OUT_OF_MEMORY, "no memory for a kernel bundle");
  for (uint32_t i = 0; status == TN_OK && i < fatbin->image_count; i++) {
    const size_t count = choose_devices(draft, from, fatbin, i, few);
    if (count > 0) {
      status = add_image(draft, from, module, i, few, count, diag);
    }
  }
  tn_free((void *)few);
  return status == TN_OK ? check_has_kernel(draft, module, fatbin, diag) : status;
}

static tn_status fill_draft(tn_bundle_draft *draft, const tn_bundle_of_module *from,
                            tn_diag *diag) {
  tn_bundle_module *module = NULL;
  const tn_fatbin *fatbin = NULL;
  TN_TRY(tn_bundle_module_open(from->registered, &module, diag));
  tn_status status = tn_registered_pin(from->registered, &fatbin, diag);
  if (status == TN_OK) {
    status = add_images(draft, from, module, fatbin, diag);
    tn_registered_unpin(from->registered);
  }
  tn_bundle_module_release(module);
  return status;
}

tn_status tn_bundle_create_of_module(const tn_bundle_of_module *from, tn_bundle **out,
                                     tn_diag *diag) {
  *out = NULL;
  tn_bundle_draft draft;
  TN_TRY(tn_bundle_draft_init(&draft, from->state, from->context, from->devices, from->device_count,
                              diag));
  tn_status status = fill_draft(&draft, from, diag);
  if (status == TN_OK && from->state == TN_BUNDLE_EXECUTABLE) {
    status = tn_bundle_draft_build(&draft, diag);
  }
  if (status == TN_OK) {
    status = tn_bundle_create(&draft, out, diag);
  }
  tn_bundle_draft_deinit(&draft);
  return status;
}

// The kernel of the image's module that a symbol means, also when the image has it not.
static tn_kernel_id *id_in_image(const tn_bundle_image *image, tn_str symbol, bool *out_is_there) {
  tn_kernel_id *id = symbol.data ? tn_bundle_module_find(image->module, symbol) : NULL;
  *out_is_there = id && tn_bundle_image_find_kernel(image, id) != SIZE_MAX;
  return id;
}

// First by what the program calls kernels, then by their symbols. *out_left_out: a kernel of that
// name that was compiled, but is in no image of the bundle, and an image of its module.
static tn_kernel_id *find_id(const tn_bundle *bundle, tn_str name, tn_kernel_id **out_left_out,
                             const tn_bundle_image **out_image) {
  *out_left_out = NULL;
  for (size_t pass = 0; pass < 2; pass++) {
    for (size_t i = 0; i < bundle->image_count; i++) {
      const tn_bundle_image *image = bundle->images[i];
      bool is_there = false;
      tn_kernel_id *id = NULL;
      if (image->names) {
        id = id_in_image(image, pass == 0 ? tn_bundle_names_find(image->names, name) : name,
                         &is_there);
      }
      if (is_there) {
        return id;
      }
      if (id) {
        *out_left_out = id;
        *out_image = image;
      }
    }
  }
  return NULL;
}

int tn_bundle_has_kernel_name(const tn_bundle *bundle, const char *name) {
  tn_kernel_id *left_out = NULL;
  const tn_bundle_image *image = NULL;
  return bundle && name && find_id(bundle, tn_str_from(name), &left_out, &image) ? 1 : 0;
}

const char *tn_bundle_raw_kernel_name(const tn_bundle *bundle, const char *name) {
  tn_kernel_id *left_out = NULL;
  const tn_bundle_image *image = NULL;
  const tn_kernel_id *id =
      bundle && name ? find_id(bundle, tn_str_from(name), &left_out, &image) : NULL;
  return id ? id->symbol.data : NULL;
}

static bool is_first_with_names(const tn_bundle *bundle, size_t index) {
  for (size_t i = 0; i < index; i++) {
    if (bundle->images[i]->names == bundle->images[index]->names) {
      return false;
    }
  }
  return bundle->images[index]->names != NULL;
}

// The first few names that kernels can be asked for by, and how many more there are.
static void add_names(const tn_bundle *bundle, tn_buf *out) {
  size_t count = 0;
  for (size_t i = 0; i < bundle->image_count; i++) {
    const tn_bundle_names *names = bundle->images[i]->names;
    for (size_t n = 0; is_first_with_names(bundle, i) && n < tn_bundle_names_count(names); n++) {
      const tn_str name = tn_str_from(tn_bundle_names_at(names, n));
      if (count++ < SHOWN_NAMES) {
        tn_buf_add_format(out, "%s%.*s", count > 1 ? ", " : "",
                          TN_STR_ARG(tn_str_slice(name, 0, SHOWN_SIZE)));
      }
    }
  }
  if (count > SHOWN_NAMES) {
    tn_buf_add_format(out, " and %zu more", count - SHOWN_NAMES);
  }
}

static tn_status fail_name(const tn_bundle *bundle, const char *name, tn_diag *diag) {
  tn_buf names;
  tn_buf_init(&names, LIST_MAXIMUM);
  add_names(bundle, &names);
  const tn_status status =
      names.size > 0
          ? TN_FAIL(diag, KERNEL_NOT_FOUND,
                    "kernel %.300s is not in the kernel bundle; there are %.500s", name,
                    tn_buf_text(&names))
          : TN_FAIL(diag, KERNEL_NOT_FOUND,
                    "kernel %.300s is not in the kernel bundle, which has no kernel that was "
                    "compiled while the program runs under a name of its own: register the name "
                    "when it is built, or use the raw name",
                    name);
  tn_buf_deinit(&names);
  return status;
}

tn_status tn_bundle_find_kernel_id(const tn_bundle *bundle, const char *name, tn_kernel_id **out,
                                   tn_diag *diag) {
  *out = NULL;
  if (!bundle || !name) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "tn_bundle_find_kernel_id: the %s is NULL",
                   bundle ? "name" : "kernel bundle");
  }
  tn_kernel_id *left_out = NULL;
  const tn_bundle_image *image = NULL;
  tn_kernel_id *id = find_id(bundle, tn_str_from(name), &left_out, &image);
  if (id) {
    tn_kernel_id_retain(id);
    *out = id;
    return TN_OK;
  }
  return left_out ? tn_program_fail_device(image->fatbin, left_out->symbol, name,
                                           bundle->devices[0], diag)
                  : fail_name(bundle, name, diag);
}
