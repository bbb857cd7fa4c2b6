// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Roles of symbols follow from what the set resolved; what to do about them, the adapter knows.
#include "run/program/symbol_role.h"

#include "run/program/image_fit.h"

uint32_t tn_symbol_role_of(const tn_symbol_scope *scope, tn_str name) {
  const tn_image *image = &scope->member->image;
  const tn_link_member *chosen = tn_map_find(&scope->set->chosen, name);
  tn_symbol_info info;
  if (chosen == scope->member) {
    return TN_ADAPTER_SYMBOL_PROVIDED;
  }
  if (tn_image_export_find(image, name, &info)) {
    return chosen ? TN_ADAPTER_SYMBOL_REPLACED : TN_ADAPTER_SYMBOL_UNUSED;
  }
  for (uint32_t i = 0; i < tn_image_import_count(image); i++) {
    if (tn_str_equals(tn_image_import_at(image, i).name, name)) {
      return chosen ? TN_ADAPTER_SYMBOL_IMPORTED : TN_ADAPTER_SYMBOL_UNRESOLVED;
    }
  }
  return TN_ADAPTER_SYMBOL_INTERNAL;
}

static uint32_t role(const void *user, const char *name, size_t size) {
  return tn_symbol_role_of(user, (tn_str){name, size});
}

static const char *kernel_name(const void *user, size_t index) {
  const tn_symbol_scope *scope = user;
  return tn_image_kernel_at(&scope->member->image, (uint32_t)index).name.data;
}

tn_adapter_linkage tn_symbol_linkage(const tn_link_set *set, size_t index,
                                     tn_symbol_scope *out_scope) {
  const tn_link_member *member = tn_link_set_at(set, index);
  *out_scope = (tn_symbol_scope){.set = set, .member = member};
  return (tn_adapter_linkage){.image_count = set->members.count,
                              .image_index = index,
                              .import_count = tn_image_import_count(&member->image),
                              .kernel_count = tn_image_kernel_count(&member->image),
                              .user = out_scope,
                              .symbol_role = role,
                              .kernel_name = kernel_name};
}

tn_status tn_symbol_prepare(const tn_link_set *set, size_t index, tn_device *device, tn_bytes code,
                            const char *name, tn_adapter_prepared *out, tn_diag *diag) {
  tn_symbol_scope scope;
  const tn_adapter_linkage linkage = tn_symbol_linkage(set, index, &scope);
  const tn_adapter_image image = tn_image_for_adapter(&tn_link_set_at(set, index)->image);
  const tn_adapter_code given = {code.data, code.size, name};
  *out = (tn_adapter_prepared){0};
  const tn_status status =
      device->api->image_prepare(device->adapter_device, &image, &given, &linkage, out, diag);
  if (status != TN_OK) {
    *out = (tn_adapter_prepared){0};
  }
  return status;
}

void tn_symbol_free_prepared(const tn_device *device, tn_adapter_prepared *prepared) {
  if (prepared->code) {
    device->api->code_free(prepared->code);
  }
  *prepared = (tn_adapter_prepared){0};
}
