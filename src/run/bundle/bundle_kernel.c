// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels of bundles: whether one is there, and what a queue launches.
#include "base/log.h"
#include "run/bundle/bundle_choice.h"
#include "run/bundle/bundle_object.h"

enum { PATHS_MAXIMUM = 1 << 16 };

// The best image of the kernel for the device (NULL: any); NULL when there is none.
static tn_bundle_image *find_image(const tn_bundle *bundle, const tn_kernel_id *id,
                                   const tn_device *device) {
  size_t count = 0;
  const tn_bundle_entry *entries = tn_bundle_find_entries(bundle, id, &count);
  for (size_t i = 0; i < count; i++) {
    tn_bundle_image *image = bundle->images[entries[i].image];
    if (!device || tn_bundle_image_is_for(image, device)) {
      return image;
    }
  }
  return NULL;
}

int tn_bundle_has_kernel(const tn_bundle *bundle, const tn_kernel_id *id, const tn_device *device) {
  if (bundle && id && !id->module) {
    return tn_bundle_driver_find(bundle, id, device) ? 1 : 0;
  }
  return bundle && id && find_image(bundle, id, device) ? 1 : 0;
}

static tn_status check_target(const tn_bundle *bundle, const tn_device *device, tn_diag *diag) {
  if (bundle->state != TN_BUNDLE_EXECUTABLE) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "kernels are had from a kernel bundle in state executable, not %s",
                   tn_bundle_state_name(bundle->state));
  }
  if (!tn_bundle_list_covers(bundle->devices, bundle->device_count, device)) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "device %s, for which a kernel is asked for, is none of the kernel bundle's",
                   device->name);
  }
  return TN_OK;
}

// Why no image of the bundle is for the device, though this one holds the kernel.
static tn_status fail_device(const tn_bundle_image *image, const tn_kernel_id *id,
                             const tn_device *device, tn_diag *diag) {
  if (tn_bundle_can_represent(id->module, image->fatbin, id, TN_BUNDLE_EXECUTABLE, device)) {
    return TN_FAIL(diag, KERNEL_NOT_FOUND,
                   "kernel %.300s: the image of it for device %s is not in the kernel bundle",
                   id->name, device->name);
  }
  return tn_program_fail_device(image->fatbin, id->symbol, id->name, device, diag);
}

// *out is NULL, with TN_OK, when the bundle has no such kernel.
static tn_status find_kernel(const tn_bundle *bundle, const tn_kernel_id *id, tn_device *device,
                             tn_kernel **out, tn_diag *diag) {
  device = tn_context_own_device(bundle->context, device);
  if (!id->module) {
    *out = tn_bundle_driver_find(bundle, id, device);
    if (*out) {
      tn_kernel_retain(*out);
    }
    return TN_OK;
  }
  tn_bundle_image *image = find_image(bundle, id, device);
  if (image) {
    const size_t position = tn_bundle_image_find_kernel(image, id);
    return tn_bundle_image_get_kernel(image, position, device, out, diag);
  }
  image = find_image(bundle, id, NULL);
  return image ? fail_device(image, id, device, diag) : TN_OK;
}

// Of a kernel that is not there: whose kernel of the same name is.
static void add_namesake(const tn_bundle *bundle, tn_str name, tn_buf *buf) {
  for (size_t i = 0; i < bundle->kernel_count; i++) {
    if (tn_str_equals(tn_str_from(bundle->kernels[i]->name), name)) {
      tn_buf_add_text(buf, ", which has the kernel of this name of ");
      tn_bundle_module_add_path(bundle->kernels[i]->module, buf);
      return;
    }
  }
}

tn_status tn_bundle_get_kernel(tn_bundle *bundle, const tn_kernel_id *id, tn_device *device,
                               tn_kernel **out, tn_diag *diag) {
  TN_NOT_NULL(out, "place for the kernel", diag);
  *out = NULL;
  TN_NOT_NULL(bundle, "kernel bundle", diag);
  TN_NOT_NULL(id, "kernel id", diag);
  TN_NOT_NULL(device, "device", diag);
  TN_TRY(check_target(bundle, device, diag));
  TN_TRY(find_kernel(bundle, id, device, out, diag));
  if (*out) {
    return TN_OK;
  }
  tn_buf other;
  tn_buf_init(&other, PATHS_MAXIMUM);
  add_namesake(bundle, tn_str_from(id->name), &other);
  const tn_status status =
      TN_FAIL(diag, INVALID_ARGUMENT, "kernel %.300s is not in the kernel bundle%s", id->name,
              tn_buf_text(&other));
  tn_buf_deinit(&other);
  return status;
}

// The record of a module among those of the bundle's kernels, which are in its order.
static const tn_bundle_module *find_module(const tn_bundle *bundle, uint64_t number) {
  size_t begin = 0;
  size_t end = bundle->kernel_count;
  while (begin < end) {
    const size_t middle = begin + (end - begin) / 2;
    if (bundle->kernels[middle]->module->number < number) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  return begin < bundle->kernel_count && bundle->kernels[begin]->module->number == number
             ? bundle->kernels[begin]->module
             : NULL;
}

static tn_status find_slot(const tn_bundle *bundle, const tn_kernel_slot *slot, tn_kernel_id **out,
                           tn_diag *diag) {
  *out = NULL;
  tn_registered *registered = slot->module ? tn_registry_find(slot->module) : NULL;
  if (registered) {
    const tn_bundle_module *module = find_module(bundle, tn_registered_id(registered));
    tn_registered_release(registered);
    return module ? tn_bundle_module_find_slot(module, slot, out, diag) : TN_OK;
  }
  return TN_OK;
}

tn_status tn_bundle_get_slot(tn_bundle *bundle, const tn_kernel_slot *slot, tn_device *device,
                             tn_kernel **out, tn_diag *diag) {
  TN_NOT_NULL(out, "place for the kernel", diag);
  *out = NULL;
  tn_kernel_id *id = NULL;
  TN_NOT_NULL(bundle, "kernel bundle", diag);
  TN_NOT_NULL(slot, "slot", diag);
  TN_NOT_NULL(slot->name, "slot's name", diag);
  TN_NOT_NULL(device, "device", diag);
  TN_TRY(check_target(bundle, device, diag));
  TN_TRY(find_slot(bundle, slot, &id, diag));
  if (id) {
    TN_TRY(find_kernel(bundle, id, device, out, diag));
  }
  if (*out) {
    return TN_OK;
  }
  tn_buf name;
  tn_buf other;
  tn_buf_init(&name, 1u << 16);
  tn_buf_init(&other, PATHS_MAXIMUM);
  tn_kernel_symbol_show(&name, tn_str_from(slot->name));
  add_namesake(bundle, tn_buf_str(&name), &other);
  const tn_status status = TN_FAIL(diag, KERNEL_NOT_FOUND,
                                   "kernel %.400s is not in the kernel bundle that is used for "
                                   "its launch%s",
                                   tn_buf_text(&name), tn_buf_text(&other));
  tn_buf_deinit(&name);
  tn_buf_deinit(&other);
  return status;
}
