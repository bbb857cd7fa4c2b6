// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device of a program that asks for none: a program for the CPU is not to fail where there
// happens to be a GPU.
#include "image/image.h"
#include "run/device/device.h"
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
      is_found = tn_str_equals(image.target, tn_str_from(device->target));
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

tn_device *tn_device_default(void) {
  size_t count = 0;
  tn_registry_list list;
  if (tn_device_count(&count, NULL) != TN_OK || count == 0) {
    return NULL;
  }
  tn_device *first = tn_device_at(0);
  size_t same = 1;
  while (same < count && strcmp(tn_device_at(same)->target, first->target) == 0) {
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
