// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to bundle: the names of kernels that were compiled while the program runs.
#ifndef TN_RUN_BUNDLE_BUNDLE_NAMES_H
#define TN_RUN_BUNDLE_BUNDLE_NAMES_H

#include "base/str.h"
#include "run/bundle/bundle.h"

// The symbol of the kernel; its data is NULL when there is no such name. Borrowed.
tn_str tn_bundle_names_find(const tn_bundle_names *names, tn_str name);
size_t tn_bundle_names_count(const tn_bundle_names *names);
const char *tn_bundle_names_at(const tn_bundle_names *names, size_t index);  // sorted; borrowed

#endif
