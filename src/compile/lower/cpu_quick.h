// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to compile/lower: what the quick tier of the CPU supports (docs/decisions/tiers.md).
#ifndef TN_COMPILE_LOWER_CPU_QUICK_H
#define TN_COMPILE_LOWER_CPU_QUICK_H

#include "compile/module/module.h"

// UNSUPPORTED for a function that the quick tier does not support. `is_alone`: it is a kernel of a
// single work-item.
TN_MUST_USE tn_status tn_cpu_quick_check(LLVMValueRef function, bool is_alone, tn_diag *diag);

#endif
