// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to program: what a program makes of the symbols of its images, for the device's adapter.
// Images are made without knowing each other, so two of them may define one symbol, or have kernels
// of one name.
#ifndef TN_RUN_PROGRAM_SYMBOL_ROLE_H
#define TN_RUN_PROGRAM_SYMBOL_ROLE_H

#include "run/program/link_set.h"

// An image of a program: what the functions of its tn_adapter_linkage are called with.
typedef struct tn_symbol_scope {
  const tn_link_set *set;  // all borrowed
  const tn_link_member *member;
} tn_symbol_scope;

// TN_ADAPTER_SYMBOL_….
uint32_t tn_symbol_role_of(const tn_symbol_scope *scope, tn_str name);
// The part of the set's image number `index`. Good as long as the set and *out_scope, its storage.
tn_adapter_linkage tn_symbol_linkage(const tn_link_set *set, size_t index,
                                     tn_symbol_scope *out_scope);

// The code of the set's image number `index` as the device takes it; tn_symbol_free_prepared frees
// it. Empty after a failure. `name` is for messages.
TN_MUST_USE tn_status tn_symbol_prepare(const tn_link_set *set, size_t index, tn_device *device,
                                        tn_bytes code, const char *name, tn_adapter_prepared *out,
                                        tn_diag *diag);
void tn_symbol_free_prepared(const tn_device *device, tn_adapter_prepared *prepared);

#endif
