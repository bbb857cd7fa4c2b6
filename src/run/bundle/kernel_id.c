// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernel ids: from slots, and of all modules there are.
#include "base/alloc.h"
#include "base/map.h"
#include "base/weak.h"
#include "run/bundle/bundle_module.h"
#include "run/program/program.h"
#include "tenon/weak.h"

static tn_status fail_slot(const tn_kernel_slot *slot, const char *sentence, tn_diag *diag) {
  tn_buf name;
  tn_buf_init(&name, 1u << 16);
  tn_kernel_symbol_show(&name, tn_str_from(slot->name));
  const tn_status status =
      TN_FAIL(diag, KERNEL_NOT_FOUND, "kernel %.400s: %s", tn_buf_text(&name), sentence);
  tn_buf_deinit(&name);
  return status;
}

static tn_status find_in(tn_bundle_module *module, const tn_kernel_slot *slot, tn_kernel_id **out,
                         tn_diag *diag) {
  tn_kernel_id *found = NULL;
  TN_TRY(tn_bundle_module_find_slot(module, slot, &found, diag));
  if (!found) {
    return fail_slot(slot,
                     "its module has no device code for it; compile the file that launches it with "
                     "-fsycl and link with tenon++",
                     diag);
  }
  *out = found;
  return TN_OK;
}

tn_status tn_kernel_id_from_slot(const tn_kernel_slot *slot, tn_kernel_id **out, tn_diag *diag) {
  TN_NOT_NULL(out, "place for the id", diag);
  *out = NULL;
  if (!slot) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "get_kernel_id: no kernel of that name is defined in what the program was "
                   "linked of; its link has warned of it by name");
  }
  TN_NOT_NULL(slot->name, "slot's name", diag);
  if (!slot->module) {
    return fail_slot(slot,
                     "the program has no device code: it was linked without tenon++ -fsycl. Link "
                     "it again with tenon++ -fsycl",
                     diag);
  }
  tn_registered *registered = tn_registry_find(slot->module);
  if (!registered) {
    return fail_slot(slot,
                     "its module is not registered: it was unloaded, or its constructor has not "
                     "run yet",
                     diag);
  }
  tn_bundle_module *module = NULL;
  tn_status status = tn_bundle_module_open(registered, &module, diag);
  tn_registered_release(registered);
  if (status == TN_OK) {
    status = find_in(module, slot, out, diag);
  }
  if (status != TN_OK) {
    tn_bundle_module_release(module);
  }
  return status;  // the id's reference is the module's
}

// The kernels of one module, as far as there is room.
static void add_ids(tn_bundle_module *module, tn_kernel_id **out, size_t capacity, size_t *count) {
  for (size_t i = 0; i < module->kernel_count; i++, (*count)++) {
    if (*count < capacity) {
      tn_bundle_module_retain(module);
      out[*count] = &module->kernels[i];
    }
  }
}

tn_status tn_kernel_id_list(tn_kernel_id **out, size_t capacity, size_t *out_count, tn_diag *diag) {
  TN_NOT_NULL(out_count, "place for the count", diag);
  *out_count = 0;
  TN_NOT_NULL(out || capacity == 0, "array", diag);
  tn_registry_list list;
  TN_TRY(tn_registry_list_create(&list, diag));
  tn_status status = TN_OK;
  size_t count = 0;
  for (size_t i = 0; status == TN_OK && i < list.count; i++) {
    tn_bundle_module *module = NULL;
    if (!tn_registered_address(list.items[i])) {
      continue;  // image files are no part of the program
    }
    tn_diag reason;
    status = tn_bundle_module_open(list.items[i], &module, &reason);
    if (status == TN_OK) {
      add_ids(module, out, capacity, &count);
      tn_bundle_module_release(module);
    } else if (status == TN_KERNEL_NOT_FOUND) {
      status = TN_OK;  // it was unloaded meanwhile
    } else if (diag) {
      *diag = reason;
    }
  }
  tn_registry_list_destroy(&list);
  for (size_t i = 0; status != TN_OK && i < count && i < capacity; i++) {
    tn_kernel_id_release(out[i]);
    out[i] = NULL;
  }
  *out_count = status == TN_OK ? count : 0;
  return status;
}

tn_kernel_id *tn_driver_kernel_id_create(const char *name) {
  tn_driver_kernel_id *made = tn_alloc(sizeof(*made));
  char *copy = tn_str_copy(tn_str_from(name));
  if (!made || !copy) {
    tn_free(made);
    tn_free(copy);
    return NULL;
  }
  const tn_str symbol = tn_str_from(copy);
  made->id = (tn_kernel_id){.symbol = symbol,
                            .name = copy,
                            .hash = tn_hash_bytes(copy, symbol.size, (uint64_t)(uintptr_t)made)};
  tn_ref_init(&made->ref);
  return &made->id;
}

static tn_driver_kernel_id *driver_id(tn_kernel_id *id) {
  return (tn_driver_kernel_id *)(void *)id;  // its first member
}

void tn_kernel_id_retain(tn_kernel_id *id) {
  if (id && id->module) {
    tn_bundle_module_retain(id->module);
  } else if (id) {
    tn_ref_up(&driver_id(id)->ref);
  }
}

void tn_kernel_id_release(tn_kernel_id *id) {
  if (id && id->module) {
    tn_bundle_module_release(id->module);
  } else if (id && tn_ref_down(&driver_id(id)->ref)) {
    tn_free((void *)(uintptr_t)id->name);
    tn_free(id);
  }
}

static void release_module(void *object) {
  tn_bundle_module_release(object);
}

static void release_id(void *object) {
  tn_kernel_id_release(object);
}

tn_weak *tn_kernel_id_weak(tn_kernel_id *id) {
  static const tn_weak_type of_module = {.release = release_module};
  static const tn_weak_type of_driver = {.release = release_id};
  if (!id) {
    return NULL;
  }
  return id->module ? tn_weak_of(&id->module->ref, id->module, &of_module, NULL)
                    : tn_weak_of(&driver_id(id)->ref, id, &of_driver, NULL);
}

const char *tn_kernel_id_name(const tn_kernel_id *id) { return id ? id->name : ""; }

int tn_kernel_id_equals(const tn_kernel_id *a, const tn_kernel_id *b) { return a == b; }

uint64_t tn_kernel_id_hash(const tn_kernel_id *id) { return id ? id->hash : 0; }
