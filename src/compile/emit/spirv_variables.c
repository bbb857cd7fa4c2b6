// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables that hold pointers. LLVM's back end for SPIR-V gives such a variable the type that it
// deduces of a function's parameter which the variable's address is passed to: a pointer to int
// that the function reads through made it an int, and what was stored behind it was lost. As an
// integer of a pointer's size the variable keeps its type.
// needs: the module as it goes to the back end.  keeps: values.  breaks: nothing.
#include "base/base.h"
#include "compile/emit/emit.h"
#include "compile/module/module.h"

static bool is_passed(LLVMValueRef variable) {
  for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsACallInst(user) || (LLVMIsAAddrSpaceCastInst(user) && is_passed(user))) {
      return true;
    }
  }
  return false;
}

static void replace(LLVMBuilderRef builder, LLVMValueRef variable) {
  if (!LLVMIsAAllocaInst(variable) ||
      LLVMGetTypeKind(LLVMGetAllocatedType(variable)) != LLVMPointerTypeKind ||
      !is_passed(variable)) {
    return;
  }
  LLVMTypeRef integer =
      LLVMIntTypeInContext(LLVMGetTypeContext(LLVMTypeOf(variable)), 8 * sizeof(uint64_t));
  LLVMPositionBuilderBefore(builder, variable);
  LLVMValueRef made = LLVMBuildAlloca(builder, integer, LLVMGetValueName2(variable, &(size_t){0}));
  LLVMSetAlignment(made, LLVMGetAlignment(variable));
  LLVMReplaceAllUsesWith(variable, made);
  LLVMInstructionEraseFromParent(variable);
}

void tn_emit_spirv_variables(LLVMModuleRef module) { tn_module_rewrite(module, replace); }
