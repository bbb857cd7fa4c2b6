// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where checks and barriers are in the source, written beside them: the line table goes.
// needs: line tables.  keeps: everything.  breaks: nothing.
#include "compile/lower/cpu_check.h"
#include "compile/lower/lower.h"

void tn_lower_keep_places(LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    const bool is_wanted = tn_cpu_is_check(f) ||
                           tn_group_op_of_name(tn_value_name(f)) == TN_GROUP_OP_BARRIER;
    for (LLVMUseRef use = is_wanted ? LLVMGetFirstUse(f) : NULL; use; use = LLVMGetNextUse(use)) {
      if (LLVMIsACallInst(LLVMGetUser(use))) {
        tn_keep_place(LLVMGetUser(use));
      }
    }
  }
}
