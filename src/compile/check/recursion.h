// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to compile/check: finds recursion.
#ifndef TN_COMPILE_CHECK_RECURSION_H
#define TN_COMPILE_CHECK_RECURSION_H

#include "compile/check/report.h"

// Reports each call that closes a cycle of calls: direct ones, and those through
// pointers that are known. False when there is no memory.
TN_MUST_USE bool tn_recursion_report(const tn_reach *reach, tn_report *report);

#endif
