// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions of floats round where the source says. What may be contracted to products with sums
// are operations; LLVM's back end takes two conversions for one as well, a double to a float to a
// half for example, which has another value.
// needs: nothing.  keeps: all else.  breaks: nothing.
#include "compile/gpu/gpu_conversions.h"

#include <llvm-c/DebugInfo.h>

// Flags can be added to an instruction and not taken away: another takes its place.
static void settle(LLVMBuilderRef builder, LLVMValueRef instruction) {
  const LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
  if (opcode != LLVMFPTrunc && opcode != LLVMFPExt) {
    return;
  }
  const LLVMFastMathFlags flags = LLVMGetFastMathFlags(instruction);
  const LLVMFastMathFlags kept = flags & ~(LLVMFastMathFlags)LLVMFastMathAllowContract;
  if (kept == flags) {
    return;
  }
  LLVMPositionBuilderBefore(builder, instruction);
  LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(instruction));
  LLVMValueRef value = LLVMGetOperand(instruction, 0);
  LLVMTypeRef type = LLVMTypeOf(instruction);
  LLVMValueRef made = opcode == LLVMFPTrunc ? LLVMBuildFPTrunc(builder, value, type, "")
                                            : LLVMBuildFPExt(builder, value, type, "");
  if (LLVMIsAInstruction(made)) {
    LLVMSetFastMathFlags(made, kept);
  }
  LLVMReplaceAllUsesWith(instruction, made);
  LLVMInstructionEraseFromParent(instruction);
}

void tn_gpu_conversions_settle(LLVMModuleRef module) {
  tn_module_rewrite(module, settle);
}
