// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to bundle: values of specialization constants that were set. A set never changes: setting
// a value makes another, so that bundles and images share them and read without a lock.
#ifndef TN_RUN_BUNDLE_BUNDLE_VALUES_H
#define TN_RUN_BUNDLE_BUNDLE_VALUES_H

#include "base/arena.h"
#include "base/thread.h"
#include "image/image.h"
#include "tenon/kernel.h"

// A constant. Where its id has no linkage it is the unit's own, else all units share it.
typedef struct tn_bundle_spec {
  tn_str symbol;     // without the unit's id
  uint64_t unit_id;  // 0 when shared
  bool is_shared;
} tn_bundle_spec;

typedef struct tn_bundle_values tn_bundle_values;  // counted; NULL is the empty set

void tn_bundle_values_retain(tn_bundle_values *values);   // NULL-safe
void tn_bundle_values_release(tn_bundle_values *values);  // NULL-safe
size_t tn_bundle_values_count(const tn_bundle_values *values);
// `base` and one more, in place of what it has of the constant. The caller owns one reference.
TN_MUST_USE tn_status tn_bundle_values_set(const tn_bundle_values *base, const tn_bundle_spec *spec,
                                           tn_bytes value, tn_bundle_values **out, tn_diag *diag);
// All of `over`, and of `base` what is not in it. The caller owns one reference.
TN_MUST_USE tn_status tn_bundle_values_merge(tn_bundle_values *over, tn_bundle_values *base,
                                             tn_bundle_values **out, tn_diag *diag);
// The value of the unit's own constant, or of the one that all share; false when there is none.
bool tn_bundle_values_find(const tn_bundle_values *values, tn_str symbol, uint64_t unit_id,
                           tn_bytes *out);
bool tn_bundle_values_equal(const tn_bundle_values *a, const tn_bundle_values *b);
// One for each, named as images name their constants; borrowed from the set.
const tn_spec_value *tn_bundle_values_list(const tn_bundle_values *values);

// Whether images name the constant so that units share it, by what its symbol looks like.
bool tn_bundle_spec_looks_shared(tn_str symbol);

#endif
