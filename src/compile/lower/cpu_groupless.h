// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to compile/lower: kernels of nd_ranges that do nothing with their work-groups.
#ifndef TN_COMPILE_LOWER_CPU_GROUPLESS_H
#define TN_COMPILE_LOWER_CPU_GROUPLESS_H

#include "compile/module/module.h"

// Both need: calls of ids are still there. Counts of groups times their size become the global
// size.
void tn_cpu_join_sizes(LLVMValueRef item);
// Whether `item` computes the same in groups of any size: it has neither memory of its work-group
// nor barriers nor sub-groups, and of its ids in groups it makes the global one alone.
bool tn_cpu_is_groupless(LLVMModuleRef module, LLVMValueRef item);

#endif
