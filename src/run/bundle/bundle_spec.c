// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Specialization constants of bundles.
#include "base/alloc.h"
#include "base/log.h"
#include "run/bundle/bundle_object.h"

enum { NAME_MAXIMUM = 1 << 20 };

int tn_bundle_has_specs(const tn_bundle *bundle) {
  bool found = false;
  for (size_t i = 0; bundle && !found && i < bundle->image_count; i++) {
    found = tn_bundle_image_has_specs(bundle->images[i]) != 0;
  }
  return found ? 1 : 0;
}

int tn_bundle_specs_are_native(const tn_bundle *bundle) {
  bool all = tn_bundle_has_specs(bundle) != 0;
  for (size_t i = 0; all && i < bundle->image_count; i++) {
    all = tn_bundle_image_specs_are_native(bundle->images[i]) != 0;
  }
  return all ? 1 : 0;
}

// Whether one of the images has the constant, and how.
static bool find_spec(tn_bundle_image *const *images, size_t count, tn_str symbol, uint64_t unit_id,
                      tn_spec_info *out, bool *out_shared) {
  bool found = false;
  for (size_t i = 0; !found && i < count; i++) {
    found = tn_bundle_image_find_spec(images[i], symbol, unit_id, out, out_shared);
  }
  return found;
}

static bool has_spec(tn_bundle_image *const *images, size_t count, const char *name,
                     uint64_t unit_id) {
  tn_buf symbol;
  tn_buf_init(&symbol, NAME_MAXIMUM);
  tn_spec_symbol_add(&symbol, tn_str_from(name));
  tn_spec_info info;
  bool is_shared = false;
  const bool found = tn_buf_status(&symbol, NULL) == TN_OK &&
                     find_spec(images, count, tn_buf_str(&symbol), unit_id, &info, &is_shared);
  tn_buf_deinit(&symbol);
  return found;
}

int tn_bundle_has_spec(const tn_bundle *bundle, const char *name, uint64_t unit_id) {
  return bundle && name && has_spec(bundle->images, bundle->image_count, name, unit_id) ? 1 : 0;
}

int tn_bundle_image_has_spec(const tn_bundle_image *image, const char *name, uint64_t unit_id) {
  tn_bundle_image *only = (tn_bundle_image *)(uintptr_t)image;
  return image && name && has_spec(&only, 1, name, unit_id) ? 1 : 0;
}

// Other threads may set values meanwhile: then the set is made once more, from theirs.
static tn_status set_value(tn_bundle *bundle, const tn_bundle_spec *spec, tn_bytes value,
                           tn_diag *diag) {
  for (;;) {
    tn_bundle_values *before = tn_bundle_take_set(bundle);
    tn_bundle_values *after = NULL;
    const tn_status status = tn_bundle_values_set(before, spec, value, &after, diag);
    bool is_done = status != TN_OK;
    tn_mutex_lock(&bundle->mu);
    if (!is_done && bundle->set == before) {
      tn_bundle_values *old = bundle->set;
      bundle->set = after;
      after = old;
      is_done = true;
    }
    tn_mutex_unlock(&bundle->mu);
    tn_bundle_values_release(after);
    tn_bundle_values_release(before);
    if (is_done) {
      return status;
    }
  }
}

static tn_status set_named(tn_bundle *bundle, tn_str symbol, const tn_spec_value *value,
                           tn_diag *diag) {
  tn_spec_info info;
  bool is_shared = false;
  if (!find_spec(bundle->images, bundle->image_count, symbol, value->unit_id, &info, &is_shared)) {
    is_shared = tn_bundle_spec_looks_shared(symbol);
    TN_LOG(program, "bundle %p: specialization constant %s is set, but none of its images has it",
           (void *)bundle, value->name);
  } else if (info.size != value->size) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "specialization constant %.300s: its type has %u bytes in device code, but the "
                   "value has %zu; host and device code were compiled from different sources",
                   value->name, info.size, value->size);
  }
  const tn_bundle_spec spec = {
      .symbol = symbol, .unit_id = is_shared ? 0 : value->unit_id, .is_shared = is_shared};
  return set_value(bundle, &spec, tn_bytes_from(value->value, value->size), diag);
}

tn_status tn_bundle_set_spec(tn_bundle *bundle, const tn_spec_value *value, tn_diag *diag) {
  TN_NOT_NULL(bundle, "kernel bundle", diag);
  TN_NOT_NULL(value, "constant", diag);
  TN_NOT_NULL(value->name, "constant's name", diag);
  TN_NOT_NULL(value->value, "constant's value", diag);
  if (value->name[0] == '\0' || value->size == 0) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "tn_bundle_set_spec: the constant's %s is empty",
                   value->size == 0 ? "value" : "name");
  }
  if (bundle->state != TN_BUNDLE_INPUT) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "specialization constants are set in a kernel bundle in "
                   "state input, not %s",
                   tn_bundle_state_name(bundle->state));
  }
  tn_buf symbol;
  tn_buf_init(&symbol, NAME_MAXIMUM);
  tn_spec_symbol_add(&symbol, tn_str_from(value->name));
  tn_status status = tn_buf_status(&symbol, diag);
  if (status == TN_OK) {
    status = set_named(bundle, tn_buf_str(&symbol), value, diag);
  }
  tn_buf_deinit(&symbol);
  return status;
}

int tn_bundle_get_spec(const tn_bundle *bundle, const char *name, uint64_t unit_id, void *out,
                       size_t size) {
  if (!bundle || !name || !out) {
    return 0;
  }
  tn_buf symbol;
  tn_buf_init(&symbol, NAME_MAXIMUM);
  tn_spec_symbol_add(&symbol, tn_str_from(name));
  tn_bundle_values *set = tn_bundle_take_set(bundle);
  tn_bytes value = {NULL, 0};
  const bool found =
      tn_buf_status(&symbol, NULL) == TN_OK &&
      (tn_bundle_values_find(set, tn_buf_str(&symbol), unit_id, &value) ||
       tn_bundle_values_find(bundle->inherited, tn_buf_str(&symbol), unit_id, &value)) &&
      value.size == size;
  if (found) {
    memcpy(out, value.data, size);
  }
  tn_bundle_values_release(set);
  tn_buf_deinit(&symbol);
  return found ? 1 : 0;
}
