// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device globals of bundles that were made of sources, by name.
#include "base/alloc.h"
#include "run/bundle/bundle_object.h"
#include "tenon/rtc.h"

enum { SHOWN_GLOBALS = 8, SHOWN_SIZE = 120, LIST_MAXIMUM = 4096 };

static bool has_globals(const tn_bundle_image *image) {
  return image->names && tn_image_global_count(&image->view) > 0;
}

tn_status tn_bundle_draft_share_globals(const tn_bundle_draft *draft, tn_diag *diag) {
  bool any = false;
  for (size_t i = 0; !any && i < draft->image_count; i++) {
    any = has_globals(draft->images[i]);
  }
  if (!any) {
    return TN_OK;
  }
  tn_global_scope *scope = NULL;
  TN_TRY(tn_global_scope_create(draft->context, &scope, diag));
  for (size_t i = 0; i < draft->image_count; i++) {
    tn_bundle_image *image = draft->images[i];
    tn_global_scope_release(image->scope);
    tn_global_scope_retain(scope);
    image->scope = scope;
  }
  tn_global_scope_release(scope);
  return TN_OK;
}

// "& ::ns::x" asks for what "ns::x" does.
static tn_str plain_name(const char *name) {
  tn_str text = tn_str_trim(tn_str_from(name));
  if (tn_str_has_prefix(text, TN_STR_LIT("&"))) {
    text = tn_str_trim(tn_str_slice(text, 1, SIZE_MAX));
  }
  return tn_str_has_prefix(text, TN_STR_LIT("::")) ? tn_str_slice(text, 2, SIZE_MAX) : text;
}

static bool find_in_image(const tn_bundle_image *image, tn_str name, tn_global_info *out) {
  for (uint32_t i = 0; i < tn_image_global_count(&image->view); i++) {
    *out = tn_image_global_at(&image->view, i);
    if (!out->is_declared &&
        (tn_str_equals(out->display_name, name) || tn_str_equals(out->name, name))) {
      return true;
    }
  }
  return false;
}

// `device` NULL: any of the bundle's.
static const tn_bundle_image *find_image(const tn_bundle *bundle, const char *name,
                                         const tn_device *device, tn_global_info *out) {
  const tn_str wanted = plain_name(name);
  for (size_t i = 0; i < bundle->image_count; i++) {
    const tn_bundle_image *image = bundle->images[i];
    if (has_globals(image) && (!device || tn_bundle_image_is_for(image, device)) &&
        find_in_image(image, wanted, out)) {
      return image;
    }
  }
  return NULL;
}

int tn_bundle_has_device_global(const tn_bundle *bundle, const char *name,
                                const tn_device *device) {
  tn_global_info info;
  return bundle && name && find_image(bundle, name, device, &info) ? 1 : 0;
}

// Whether an image before has one of the name as well.
static bool is_shown(const tn_bundle *bundle, size_t index, tn_str name) {
  tn_global_info info;
  for (size_t i = 0; i < index; i++) {
    if (has_globals(bundle->images[i]) && find_in_image(bundle->images[i], name, &info)) {
      return true;
    }
  }
  return false;
}

// The first few names that there are, and how many more.
static void add_names(const tn_bundle *bundle, tn_buf *out) {
  size_t count = 0;
  for (size_t i = 0; i < bundle->image_count; i++) {
    const tn_bundle_image *image = bundle->images[i];
    for (uint32_t g = 0; has_globals(image) && g < tn_image_global_count(&image->view); g++) {
      const tn_global_info info = tn_image_global_at(&image->view, g);
      const tn_str name = info.display_name;
      if (!info.is_declared && !is_shown(bundle, i, name) && count++ < SHOWN_GLOBALS) {
        tn_buf_add_format(out, "%s%.*s", count > 1 ? ", " : "",
                          TN_STR_ARG(tn_str_slice(name, 0, SHOWN_SIZE)));
      }
    }
  }
  if (count > SHOWN_GLOBALS) {
    tn_buf_add_format(out, " and %zu more", count - SHOWN_GLOBALS);
  }
}

static tn_status fail_name(const tn_bundle *bundle, const char *name, const tn_device *device,
                           tn_diag *diag) {
  tn_global_info info;
  if (find_image(bundle, name, NULL, &info)) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "device global %.300s is in the kernel bundle, but not for device %s", name,
                   device->name);
  }
  tn_buf names;
  tn_buf_init(&names, LIST_MAXIMUM);
  add_names(bundle, &names);
  const tn_status status =
      names.size > 0
          ? TN_FAIL(diag, INVALID_ARGUMENT,
                    "device global %.300s is not in the kernel bundle; there are %.500s", name,
                    tn_buf_text(&names))
          : TN_FAIL(diag, INVALID_ARGUMENT,
                    "device global %.300s is not in the kernel bundle, which has none that comes "
                    "from a source: declare a device_global in it, or TN_DEVICE_GLOBAL in C",
                    name);
  tn_buf_deinit(&names);
  return status;
}

static tn_status check(const tn_bundle *bundle, const char *name, const tn_device *device,
                       tn_diag *diag) {
  TN_NOT_NULL(bundle, "kernel bundle", diag);
  TN_NOT_NULL(name, "name", diag);
  TN_NOT_NULL(device, "device", diag);
  if (!tn_bundle_list_covers(bundle->devices, bundle->device_count, device)) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "device global %.300s: device %s is not one of the kernel bundle's", name,
                   device->name);
  }
  return TN_OK;
}

tn_status tn_bundle_find_device_global(const tn_bundle *bundle, const char *name, tn_device *device,
                                       void **out_address, size_t *out_size, tn_diag *diag) {
  if (out_address) {
    *out_address = NULL;
  }
  if (out_size) {
    *out_size = 0;
  }
  TN_TRY(check(bundle, name, device, diag));
  tn_global_info info;
  const tn_bundle_image *image = find_image(bundle, name, device, &info);
  if (!image) {
    return fail_name(bundle, name, device, diag);
  }
  if (out_size) {
    *out_size = info.size;
  }
  if (!out_address) {
    return TN_OK;
  }
  if (!image->scope) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "device global %.300s has no address yet: the kernel bundle is in state %s, and "
                   "has to be an executable one",
                   name, tn_bundle_state_name(bundle->state));
  }
  if (info.is_image_scope) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "device global %.300s has the property device_image_scope, so that it has no "
                   "address outside of kernels: remove the property, or copy it in a kernel",
                   name);
  }
  return tn_global_scope_get(image->scope, device, &info, out_address, diag);
}
