// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to compile/lower: what the quick tier of the CPU supports (docs/decisions/tiers.md).
#ifndef TN_COMPILE_LOWER_CPU_QUICK_H
#define TN_COMPILE_LOWER_CPU_QUICK_H

#include "compile/module/module.h"

// UNSUPPORTED for modules whose kernels' results may depend on the tier, or whose work-items have
// to run side by side. Before anything is inlined: it costs next to nothing.
TN_MUST_USE tn_status tn_cpu_quick_check(LLVMModuleRef module, tn_diag *diag);
// UNSUPPORTED for a kernel of a single work-item that may run long.
TN_MUST_USE tn_status tn_cpu_quick_check_single(LLVMValueRef item, tn_diag *diag);

#endif
