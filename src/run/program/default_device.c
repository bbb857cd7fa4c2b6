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

// Images for devices that are not listed yet.
static bool has_late_image(tn_registered *registered) {
  tn_fatbin fatbin;
  bool is_found = false;
  if (!tn_registered_enter(registered)) {
    return false;
  }
  if (tn_registered_view(registered, &fatbin, NULL) == TN_OK) {
    for (uint32_t i = 0; i < fatbin.image_count && !is_found; i++) {
      is_found = tn_device_is_late_target(tn_fatbin_image_at(&fatbin, i).target);
    }
  }
  tn_registered_leave(registered);
  return is_found;
}

static bool has_late_code(const tn_registry_list *list) {
  bool is_found = false;
  for (size_t i = 0; i < list->count && !is_found; i++) {
    is_found = has_late_image(list->items[i]);
  }
  return is_found;
}

static bool is_gpu(const tn_device *device) {
  uint32_t type = 0;
  return tn_device_get_info(device, TN_DEVICE_INFO_TYPE, &type, sizeof(type), NULL, NULL) ==
             TN_OK &&
         type == TN_DEVICE_TYPE_GPU;
}

static bool are_alike(size_t count) {
  size_t same = 1;
  while (same < count && is_alike(tn_device_quick_at(same), tn_device_quick_at(0))) {
    same++;
  }
  return same == count;
}

// A GPU that the program has code for, else the first device that it has code for. OpenCL's devices
// follow the CPU: of these only a GPU comes before it.
static tn_device *choose(const tn_registry_list *list, tn_device *(*device_at)(size_t),
                         size_t count) {
  tn_device *chosen = NULL;
  for (size_t i = 0; i < count; i++) {
    tn_device *device = device_at(i);
    if (device && (!chosen || (!is_gpu(chosen) && is_gpu(device))) && has_code(list, device)) {
      chosen = device;
    }
  }
  return chosen;
}

tn_device *tn_device_default(void) {
  size_t count = 0;
  tn_registry_list list;
  if (tn_device_quick_count(&count, NULL) != TN_OK) {
    return NULL;
  }
  tn_device *first = count > 0 ? tn_device_quick_at(0) : tn_device_at(0);
  if (tn_registry_list_create(&list, NULL) != TN_OK) {
    return first;
  }
  tn_device *chosen = NULL;
  size_t all_count = 0;
  if (has_late_code(&list) && tn_device_count(&all_count, NULL) == TN_OK) {
    chosen = choose(&list, tn_device_at, all_count);
  } else if (count > 0 && !are_alike(count)) {
    chosen = choose(&list, tn_device_quick_at, count);
  }
  tn_registry_list_destroy(&list);
  return chosen ? chosen : first;
}

tn_status tn_device_get_default(tn_device **out, tn_diag *diag) {
  size_t count = 0;
  *out = NULL;
  TN_TRY(tn_device_quick_count(&count, diag));
  *out = tn_device_default();
  return *out ? TN_OK
              : TN_FAIL(diag, DEVICE_NOT_FOUND,
                        "there is no device: check ONEAPI_DEVICE_SELECTOR");
}

static _Thread_local tn_device *current;

tn_status tn_device_get_current(tn_device **out, tn_diag *diag) {
  *out = current;
  return current ? TN_OK : tn_device_get_default(out, diag);
}

void tn_device_set_current(tn_device *device) { current = device; }
