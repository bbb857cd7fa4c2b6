// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to bundle: the kernels of a registered module, by number. There is at most one record of
// a module at a time, so that a kernel's id is one address as long as the module is loaded, or
// somebody holds it.
#ifndef TN_RUN_BUNDLE_BUNDLE_MODULE_H
#define TN_RUN_BUNDLE_BUNDLE_MODULE_H

#include "base/arena.h"
#include "base/thread.h"
#include "run/bundle/bundle.h"
#include "run/registry/registry.h"

// In a function of tenon/bundle.h: leaves it when the pointer is NULL, with its name and this.
#define TN_NOT_NULL(pointer, what, diag)                                                \
  do {                                                                                  \
    if (!(pointer)) {                                                                   \
      return TN_FAIL((diag), INVALID_ARGUMENT, "%s: the %s is NULL", __func__, (what)); \
    }                                                                                   \
  } while (0)

typedef struct tn_bundle_module tn_bundle_module;

// Lives in its module's record; a reference to it is one to the record.
struct tn_kernel_id {
  tn_bundle_module *module;  // NULL: of a driver's kernel (tn_driver_kernel_id)
  tn_str symbol;     // device symbol, with the unit's id where it has one
  const char *name;  // as in the source
  uint64_t hash;
};

// The id of a kernel that the application made with the driver: in no module, and in one bundle.
typedef struct tn_driver_kernel_id {
  tn_kernel_id id;  // first
  tn_ref ref;
} tn_driver_kernel_id;
// `name` is copied. NULL: no memory. The caller owns one reference.
tn_kernel_id *tn_driver_kernel_id_create(const char *name);

// Whether a device can run, or compile, each kernel of a module.
typedef struct tn_kernel_support tn_kernel_support;

// Immutable after create but for the count, the links of table and registry, and the support.
struct tn_bundle_module {
  tn_kept kept;               // first; the registry's, while the module is loaded
  tn_ref ref;                 // goes down under the table's lock only
  tn_registered *registered;  // retained
  uint64_t number;            // tn_registered_id: the order of registration
  tn_arena arena;             // of the names
  tn_kernel_id *kernels;      // owned; sorted by symbol, each once
  size_t kernel_count;
  tn_bundle_module *next;  // in the table
  _Atomic(tn_kernel_support *) support;  // owned; a list that grows at its head
};

// The record of the module, made when nobody has one. KERNEL_NOT_FOUND when the module is unloaded
// and was never pinned, BAD_IMAGE. No lock may be held. The caller owns one reference.
TN_MUST_USE tn_status tn_bundle_module_open(tn_registered *registered, tn_bundle_module **out,
                                            tn_diag *diag);
void tn_bundle_module_retain(tn_bundle_module *module);
void tn_bundle_module_release(tn_bundle_module *module);  // NULL-safe
// NULL when there is none; borrowed from the record.
tn_kernel_id *tn_bundle_module_find(const tn_bundle_module *module, tn_str symbol);
// The kernel that a slot of the module names: its unit's own before the one that all share.
TN_MUST_USE tn_status tn_bundle_module_find_slot(const tn_bundle_module *module,
                                                 const tn_kernel_slot *slot, tn_kernel_id **out,
                                                 tn_diag *diag);

// The path of the module, or that it is unloaded, for messages. No lock may be held.
void tn_bundle_module_add_path(const tn_bundle_module *module, tn_buf *buf);

// In the order of registration, then of symbols.
int tn_kernel_id_compare(const tn_kernel_id *a, const tn_kernel_id *b);

#endif
