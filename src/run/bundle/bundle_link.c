// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bundles from bundles: join, compile, link, build.
//
// Compiling fixes the values of constants and leaves the images as they are: what they become is
// made when it is known what they are linked with, so that a called function can be inlined.
#include "base/alloc.h"
#include "run/bundle/bundle_object.h"

static tn_status check_bundles(const char *what, tn_bundle *const *bundles, size_t count,
                               tn_diag *diag) {
  if (!bundles || count == 0) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "%s: there are no kernel bundles", what);
  }
  for (size_t i = 0; i < count; i++) {
    if (!bundles[i]) {
      return TN_FAIL(diag, INVALID_ARGUMENT, "%s: kernel bundle %zu is NULL", what, i);
    }
    if (bundles[i]->context != bundles[0]->context) {
      return TN_FAIL(diag, INVALID_ARGUMENT,
                     "%s: kernel bundle %zu is of another context than the "
                     "first",
                     what, i);
    }
  }
  return TN_OK;
}

static tn_status check_states(const char *what, tn_bundle *const *bundles, size_t count,
                              int32_t state, tn_diag *diag) {
  for (size_t i = 0; i < count; i++) {
    if (bundles[i]->state != state) {
      return TN_FAIL(diag, INVALID_ARGUMENT,
                     "%s: kernel bundle %zu is in state %s, but state %s is needed", what, i,
                     tn_bundle_state_name(bundles[i]->state), tn_bundle_state_name(state));
    }
  }
  return TN_OK;
}

static bool lists_device(const tn_bundle *bundle, const tn_device *device) {
  for (size_t i = 0; i < bundle->device_count; i++) {
    if (bundle->devices[i] == device) {
      return true;
    }
  }
  return false;
}

// What was set in the bundle over what an image (or the bundle) had before.
static tn_status effective_values(const tn_bundle *bundle, tn_bundle_values *before,
                                  tn_bundle_values **out, tn_diag *diag) {
  tn_bundle_values *set = tn_bundle_take_set(bundle);
  const tn_status status = tn_bundle_values_merge(set, before, out, diag);
  tn_bundle_values_release(set);
  return status;
}

// Of what several bundles have set, the first holds.
static tn_status inherit(tn_bundle_draft *draft, const tn_bundle *from, tn_diag *diag) {
  tn_bundle_values *values = NULL;
  tn_bundle_values *merged = NULL;
  TN_TRY(effective_values(from, from->inherited, &values, diag));
  const tn_status status = tn_bundle_values_merge(draft->inherited, values, &merged, diag);
  tn_bundle_values_release(values);
  if (status == TN_OK) {
    tn_bundle_values_release(draft->inherited);
    draft->inherited = merged;
  }
  return status;
}

// The image as it is, unless values were set since.
static tn_status add_same(tn_bundle_draft *draft, const tn_bundle *from, tn_bundle_image *image,
                          tn_diag *diag) {
  tn_bundle_values *values = NULL;
  tn_bundle_image *added = image;
  TN_TRY(effective_values(from, image->values, &values, diag));
  tn_status status = TN_OK;
  if (tn_bundle_values_equal(values, image->values)) {
    tn_bundle_image_retain(image);
  } else {
    status = tn_bundle_image_derive(image, image->state, values, image->devices,
                                    image->device_count, &added, diag);
  }
  tn_bundle_values_release(values);
  return status == TN_OK ? tn_bundle_draft_add(draft, added, diag) : status;
}

static tn_status add_all(tn_bundle_draft *draft, const tn_bundle *from, tn_diag *diag) {
  tn_status status = inherit(draft, from, diag);
  for (size_t i = 0; status == TN_OK && i < from->image_count; i++) {
    status = add_same(draft, from, from->images[i], diag);
  }
  return status;
}

tn_status tn_bundle_join(tn_bundle *const *bundles, size_t count, tn_bundle **out, tn_diag *diag) {
  TN_NOT_NULL(out, "place for the kernel bundle", diag);
  *out = NULL;
  TN_TRY(check_bundles("joining kernel bundles", bundles, count, diag));
  TN_TRY(check_states("joining kernel bundles", bundles, count, bundles[0]->state, diag));
  for (size_t i = 0; i < count; i++) {
    if (bundles[i]->driver_code_count > 0) {
      return TN_FAIL(diag, UNSUPPORTED,
                     "joining kernel bundles: kernel bundle %zu is made of a native program or "
                     "kernel, which has no device images to join",
                     i);
    }
  }
  for (size_t i = 1; i < count; i++) {
    bool is_same = bundles[i]->device_count == bundles[0]->device_count;
    for (size_t d = 0; is_same && d < bundles[i]->device_count; d++) {
      is_same = lists_device(bundles[0], bundles[i]->devices[d]);
    }
    if (!is_same) {
      return TN_FAIL(diag, INVALID_ARGUMENT,
                     "joining kernel bundles: kernel bundle %zu is for other devices than the "
                     "first",
                     i);
    }
  }
  const tn_bundle *first = bundles[0];
  tn_bundle_draft draft;
  TN_TRY(tn_bundle_draft_init(&draft, first->state, first->context, first->devices,
                              first->device_count, diag));
  tn_status status = TN_OK;
  for (size_t i = 0; status == TN_OK && i < count; i++) {
    status = add_all(&draft, bundles[i], diag);
  }
  if (status == TN_OK) {
    status = tn_bundle_draft_drop_doubles(&draft, diag);
  }
  if (status == TN_OK) {
    status = tn_bundle_create(&draft, out, diag);
  }
  tn_bundle_draft_deinit(&draft);
  return status;
}

// Devices that are given, each of which all bundles have; NULL: those that all bundles have.
static tn_status init_draft(tn_bundle_draft *draft, const char *what, int32_t state,
                            tn_bundle *const *bundles, size_t count, tn_device *const *devices,
                            size_t device_count, tn_diag *diag) {
  const bool is_given = devices != NULL;
  tn_device *const *from = is_given ? devices : bundles[0]->devices;
  const size_t from_count = is_given ? device_count : bundles[0]->device_count;
  for (size_t d = 0; d < from_count; d++) {
    if (!from[d]) {
      return TN_FAIL(diag, INVALID_ARGUMENT, "%s: device %zu is NULL", what, d);
    }
  }
  TN_TRY(tn_bundle_draft_init(draft, state, bundles[0]->context, from, from_count, diag));
  size_t kept = 0;
  const tn_device *lacked = NULL;
  for (size_t d = 0; d < draft->device_count; d++) {
    bool in_all = true;
    for (size_t i = 0; i < count; i++) {
      in_all = in_all && lists_device(bundles[i], draft->devices[d]);
    }
    lacked = in_all ? lacked : draft->devices[d];
    if (in_all) {
      draft->devices[kept++] = draft->devices[d];
    }
  }
  draft->device_count = kept;
  if (kept > 0 && (!is_given || !lacked)) {
    return TN_OK;
  }
  tn_bundle_draft_deinit(draft);
  if (is_given && lacked) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "%s: device %s is not one of the kernel bundle's%s",
                   what, lacked->name, count > 1 ? ", or not of all of them" : "");
  }
  return TN_FAIL(diag, INVALID_ARGUMENT, "%s: there are no devices%s", what,
                 is_given ? "" : " that all kernel bundles have");
}

// In another state, for the draft's devices, which are among the image's bundle's.
static tn_status add_derived(tn_bundle_draft *draft, const tn_bundle *from,
                             const tn_bundle_image *image, tn_diag *diag) {
  tn_bundle_image *derived = NULL;
  tn_bundle_values *values = NULL;
  tn_device **few = tn_alloc_array(draft->device_count, sizeof(tn_device *));
  size_t count = 0;
  for (size_t d = 0; few && d < draft->device_count; d++) {
    for (size_t i = 0; i < image->device_count; i++) {
      if (image->devices[i] == draft->devices[d]) {
        few[count++] = draft->devices[d];
      }
    }
  }
  tn_status status = few ? effective_values(from, image->values, &values, diag)
                         : TN_FAIL(diag, OUT_OF_MEMORY, "no memory for a kernel bundle");
  if (status == TN_OK && count > 0) {
    status = tn_bundle_image_derive(image, draft->state, values, few, count, &derived, diag);
  }
  if (derived) {
    status = tn_bundle_draft_add(draft, derived, diag);
  }
  tn_bundle_values_release(values);
  tn_free((void *)few);
  return status;
}

static tn_status derive_all(tn_bundle_draft *draft, const tn_bundle *from, tn_diag *diag) {
  tn_status status = inherit(draft, from, diag);
  for (size_t i = 0; status == TN_OK && i < from->image_count; i++) {
    status = add_derived(draft, from, from->images[i], diag);
  }
  return status;
}

// All images with exports, to be looked into for what others import. Owned by the caller.
static tn_status list_exporters(const tn_bundle_draft *draft, tn_image_ref **out, size_t *out_count,
                                tn_diag *diag) {
  *out_count = 0;
  *out = tn_alloc_array(draft->image_count + 1, sizeof(**out));
  if (!*out) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to link %zu images", draft->image_count);
  }
  for (size_t i = 0; i < draft->image_count; i++) {
    const tn_bundle_image *image = draft->images[i];
    if (tn_image_export_count(&image->view) > 0) {
      (*out)[(*out_count)++] =
          (tn_image_ref){.registered = image->module->registered, .image_index = image->index};
    }
  }
  return TN_OK;
}

// What an image imports has the values of the bundle that it came from, unless the importer's own
// bundle has set others.
static tn_status add_values(tn_bundle_image *image, tn_bundle_values *of_all, tn_diag *diag) {
  tn_bundle_values *merged = NULL;
  TN_TRY(tn_bundle_values_merge(image->values, of_all, &merged, diag));
  tn_bundle_values_release(image->values);
  image->values = merged;
  return TN_OK;
}

// An image without kernels is there for what it exports.
tn_status tn_bundle_draft_build(const tn_bundle_draft *draft, tn_diag *diag) {
  tn_image_ref *exporters = NULL;
  size_t count = 0;
  TN_TRY(tn_bundle_draft_share_globals(draft, diag));
  TN_TRY(list_exporters(draft, &exporters, &count, diag));
  tn_status status = TN_OK;
  for (size_t i = 0; status == TN_OK && i < draft->image_count; i++) {
    tn_bundle_image *image = draft->images[i];
    const bool imports = tn_image_import_count(&image->view) > 0;
    if (imports) {
      status = add_values(image, draft->inherited, diag);
    }
    if (status == TN_OK && image->kernel_count > 0) {
      status = tn_bundle_image_build(image, exporters, imports ? count : 0, diag);
    }
  }
  tn_free(exporters);
  return status;
}

static bool share_device(const tn_bundle_image *a, const tn_bundle_image *b) {
  for (size_t i = 0; i < b->device_count; i++) {
    if (tn_bundle_list_covers(a->devices, a->device_count, b->devices[i])) {
      return true;
    }
  }
  return false;
}

// After doubles are dropped, the same image twice has different values.
static tn_status check_conflicts(const tn_bundle_draft *draft, tn_diag *diag) {
  for (size_t i = 0; i < draft->image_count; i++) {
    const tn_bundle_image *image = draft->images[i];
    for (size_t k = 0; k < i && image->kernel_count > 0; k++) {
      const tn_bundle_image *other = draft->images[k];
      if (other->module == image->module && other->index == image->index &&
          share_device(other, image)) {
        return TN_FAIL(
            diag, INVALID_ARGUMENT,
            "linking kernel bundles: kernel %.300s is in two of the kernel bundles, with "
            "different values of specialization constants: link them one by one",
            image->kernels[0]->name);
      }
    }
  }
  return TN_OK;
}

// The kernel of a source that an image of another source defines as well, or NULL.
static const tn_kernel_id *shared_kernel(const tn_bundle_image *a, const tn_bundle_image *b) {
  for (size_t i = 0; i < a->kernel_count; i++) {
    for (size_t k = 0; k < b->kernel_count; k++) {
      if (tn_str_equals(tn_str_from(a->kernels[i]->name), tn_str_from(b->kernels[k]->name))) {
        return a->kernels[i];
      }
    }
  }
  return NULL;
}

// Kernels of sources are looked up by name, which must be unique. Those of the application have an
// identifier each.
static tn_status check_kernel_names(const tn_bundle_draft *draft, tn_diag *diag) {
  for (size_t i = 0; i < draft->image_count; i++) {
    const tn_bundle_image *image = draft->images[i];
    for (size_t k = 0; k < i && image->names; k++) {
      const tn_bundle_image *other = draft->images[k];
      const bool can_conflict =
          other->names && other->module != image->module && share_device(other, image);
      const tn_kernel_id *kernel = can_conflict ? shared_kernel(image, other) : NULL;
      if (kernel) {
        return TN_FAIL(diag, BUILD_FAILED,
                       "linking kernel bundles: kernel %.300s is defined in two of the kernel "
                       "bundles; rename one of them",
                       kernel->name);
      }
    }
  }
  return TN_OK;
}

static tn_status link_bundles(tn_bundle_draft *draft, tn_bundle *const *bundles, size_t count,
                              tn_diag *diag) {
  for (size_t i = 0; i < count; i++) {
    TN_TRY(derive_all(draft, bundles[i], diag));
  }
  TN_TRY(tn_bundle_draft_drop_doubles(draft, diag));
  TN_TRY(check_conflicts(draft, diag));
  TN_TRY(check_kernel_names(draft, diag));
  return tn_bundle_draft_build(draft, diag);
}

static tn_status derive(const char *what, int32_t from, int32_t to, tn_bundle *const *bundles,
                        size_t count, tn_device *const *devices, size_t device_count,
                        tn_bundle **out, tn_diag *diag) {
  TN_TRY(check_bundles(what, bundles, count, diag));
  TN_TRY(check_states(what, bundles, count, from, diag));
  tn_bundle_draft draft;
  TN_TRY(init_draft(&draft, what, to, bundles, count, devices, device_count, diag));
  tn_status status = to == TN_BUNDLE_EXECUTABLE ? link_bundles(&draft, bundles, count, diag)
                                                : derive_all(&draft, bundles[0], diag);
  if (status == TN_OK) {
    status = tn_bundle_create(&draft, out, diag);
  }
  tn_bundle_draft_deinit(&draft);
  return status;
}

tn_status tn_bundle_compile(tn_bundle *input, tn_device *const *devices, size_t device_count,
                            tn_bundle **out, tn_diag *diag) {
  TN_NOT_NULL(out, "place for the kernel bundle", diag);
  *out = NULL;
  TN_NOT_NULL(input, "kernel bundle", diag);
  return derive("compiling a kernel bundle", TN_BUNDLE_INPUT, TN_BUNDLE_OBJECT, &input, 1, devices,
                device_count, out, diag);
}

tn_status tn_bundle_link(tn_bundle *const *objects, size_t count, tn_device *const *devices,
                         size_t device_count, tn_bundle **out, tn_diag *diag) {
  TN_NOT_NULL(out, "place for the kernel bundle", diag);
  *out = NULL;
  return derive("linking kernel bundles", TN_BUNDLE_OBJECT, TN_BUNDLE_EXECUTABLE, objects, count,
                devices, device_count, out, diag);
}

tn_status tn_bundle_build(tn_bundle *input, tn_device *const *devices, size_t device_count,
                          tn_bundle **out, tn_diag *diag) {
  TN_NOT_NULL(out, "place for the kernel bundle", diag);
  *out = NULL;
  TN_NOT_NULL(input, "kernel bundle", diag);
  return derive("building a kernel bundle", TN_BUNDLE_INPUT, TN_BUNDLE_EXECUTABLE, &input, 1,
                devices, device_count, out, diag);
}
