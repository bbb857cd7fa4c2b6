// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to device: ONEAPI_DEVICE_SELECTOR, by the grammar that DPC++ documents.
//
//   selector = term {";" term}     terms that begin with "!" discard, and stand after the others
//   term     = backend ":" device {"," device}      or a backend or a device type alone
//   backend  = * | cpu | native_cpu | tenon | cuda | opencl | level_zero | hip | mock …
//   device   = * | cpu | gpu | accelerator | fpga | custom | index within the backend
//            | sub-device, in terms that accept: N.N, N.*, *.*, N.N.N … (of next_partitionable)
#ifndef TN_RUN_DEVICE_SELECTOR_H
#define TN_RUN_DEVICE_SELECTOR_H

#include "base/str.h"

enum { TN_SELECTOR_PARTS = 2 };

// What a term is held against.
typedef struct tn_selector_device {
  const char *backend;  // adapter's name
  uint32_t type;        // TN_DEVICE_TYPE_…
  size_t index;         // within the backend
  size_t part_count;    // 0: no sub-device; else its place in that device, and in that sub-device
  size_t parts[TN_SELECTOR_PARTS];
} tn_selector_device;

// INVALID_ARGUMENT with a sentence when the text is not of the grammar or names a backend that
// Tenon does not know; `available` is what there is, for that sentence.
TN_MUST_USE tn_status tn_selector_check(const char *selector, const char *available, tn_diag *diag);
// Of a checked selector; the empty one selects everything.
bool tn_selector_accepts(const char *selector, const tn_selector_device *device);
// Whether a term names sub-devices, or, with `depth` 2, sub-devices of these.
bool tn_selector_names_parts(const char *selector, size_t depth);
// Whether it may accept any device of the adapter of that name, without asking the adapter.
bool tn_selector_may_accept(const char *selector, const char *name);

#endif
