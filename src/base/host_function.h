// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The C and math functions that device code on the CPU may call: names and addresses. A name means
// this library's own C library, whatever the process has loaded.
#ifndef TN_BASE_HOST_FUNCTION_H
#define TN_BASE_HOST_FUNCTION_H

#include "base/str.h"

// Any thread. 0 when device code may not call it. `_ZGV…` names are of the C library's mathematics
// on vectors, which is loaded at the first question and kept.
uint64_t tn_host_function_address(tn_str name);
bool tn_is_host_function(tn_str name);

#endif
