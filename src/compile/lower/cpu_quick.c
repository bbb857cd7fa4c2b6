// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Results must not depend on the tier. Launches switch tiers between work-groups: a kernel of a
// single work-item, which may run long, cannot switch.
#include "compile/lower/cpu_quick.h"

#include "compile/widen/widen.h"

// An optimization may change the last bits of the result.
static bool is_loose(LLVMValueRef inst) {
  const LLVMFastMathFlags loose = LLVMFastMathAllowReassoc | LLVMFastMathAllowContract |
                                  LLVMFastMathAllowReciprocal | LLVMFastMathApproxFunc;
  return LLVMCanValueUseFastMathFlags(inst) && (LLVMGetFastMathFlags(inst) & loose) != 0;
}

static bool is_real_call(LLVMValueRef inst) {
  LLVMValueRef callee = LLVMIsACallInst(inst) ? LLVMGetCalledValue(inst) : NULL;
  return callee && !(LLVMIsAFunction(callee) && tn_function_is_intrinsic(callee));
}

tn_status tn_cpu_quick_check(LLVMValueRef function, bool is_alone, tn_diag *diag) {
  const char *reason =
      is_alone && LLVMCountBasicBlocks(function) > 1 ? "a single work-item has branches" : NULL;
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && !reason; i = LLVMGetNextInstruction(i)) {
      reason = is_loose(i)                             ? "relaxed floating point"
               : tn_group_op_of(i) != TN_GROUP_OP_NONE ? "barriers or group functions"
               : is_alone && is_real_call(i)           ? "a single work-item calls functions"
                                                       : NULL;
    }
  }
  return !reason ? TN_OK
                 : TN_FAIL(diag, UNSUPPORTED, "the quick tier does not support '%.*s': %s",
                           TN_STR_ARG(tn_value_name(function)), reason);
}
