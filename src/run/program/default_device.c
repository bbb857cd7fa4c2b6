// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device of a program that asks for none: a program for the CPU is not to fail where there
// happens to be a GPU.
#include "image/image.h"
#include "run/device/device.h"
#include "run/program/image_fit.h"
#include "run/registry/registry.h"

static bool has_image(tn_registered *registered, const tn_device *device) {
  tn_fatbin fatbin;
  bool is_found = false;
  if (!tn_registered_enter(registered)) {
    return false;
  }
  if (tn_registered_view(registered, &fatbin, NULL) == TN_OK) {
    for (uint32_t i = 0; i < fatbin.image_count && !is_found; i++) {
      const tn_image image = tn_fatbin_image_at(&fatbin, i);
      is_found = tn_str_equals(image.target, tn_str_from(device->target)) &&
                 tn_image_fit(&image, device) > 0;
    }
  }
  tn_registered_leave(registered);
  return is_found;
}

static bool has_code(const tn_registry_list *list, const tn_device *device) {
  bool is_found = false;
  for (size_t i = 0; i < list->count && !is_found; i++) {
    is_found = has_image(list->items[i], device);
  }
  return is_found;
}

static bool is_alike(const tn_device *a, const tn_device *b) {
  return strcmp(a->target, b->target) == 0 &&
         tn_str_equals(tn_image_processor_of_device(a), tn_image_processor_of_device(b));
}

tn_device *tn_device_default(void) {
  size_t count = 0;
  tn_registry_list list;
  if (tn_device_count(&count, NULL) != TN_OK || count == 0) {
    return NULL;
  }
  tn_device *first = tn_device_at(0);
  size_t same = 1;
  while (same < count && is_alike(tn_device_at(same), first)) {
    same++;
  }
  if (same == count || tn_registry_list_create(&list, NULL) != TN_OK) {
    return first;  // there is nothing to choose
  }
  tn_device *chosen = NULL;
  for (size_t i = 0; i < count && !chosen; i++) {
    tn_device *device = tn_device_at(i);
    chosen = has_code(&list, device) ? device : NULL;
  }
  tn_registry_list_destroy(&list);
  return chosen ? chosen : first;
}

tn_status tn_device_get_default(tn_device **out, tn_diag *diag) {
  size_t count = 0;
  *out = NULL;
  TN_TRY(tn_device_count(&count, diag));
  if (count == 0) {
    return TN_FAIL(diag, DEVICE_NOT_FOUND, "there is no device: check ONEAPI_DEVICE_SELECTOR");
  }
  *out = tn_device_default();
  return TN_OK;
}
