// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to compile/lower: checks of accessor indices (__tenon_check_index).
#ifndef TN_COMPILE_LOWER_CPU_CHECK_H
#define TN_COMPILE_LOWER_CPU_CHECK_H

#include "compile/widen/widen.h"

bool tn_cpu_is_check(LLVMValueRef function);
// Tells LLVM that a check leaves everything else alone; for declarations as clang makes them.
void tn_cpu_check_mark(LLVMValueRef function);
// The checks in an item function call tn_cpu_check's function when an index is outside.
void tn_cpu_check_insert(LLVMModuleRef module, LLVMValueRef item, const tn_check_kernel *kernel);

#endif
