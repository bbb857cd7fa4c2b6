// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to compile/lower: kernels of nd_ranges that do nothing with their work-groups.
#ifndef TN_COMPILE_LOWER_CPU_GROUPLESS_H
#define TN_COMPILE_LOWER_CPU_GROUPLESS_H

#include "compile/module/module.h"

// Whether `item`, whose calls of ids are still there, computes the same in groups of any size: it
// has neither memory of its work-group nor barriers nor sub-groups, and of its ids in groups it
// makes the global one alone. Counts of groups times their size become the global size.
bool tn_cpu_is_groupless(LLVMModuleRef module, LLVMValueRef item);

#endif
