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

static const char *find_reason(LLVMValueRef function) {
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
      if (is_loose(i)) {
        return "relaxed floating point";
      }
      if (tn_group_op_of(i) != TN_GROUP_OP_NONE) {
        return "barriers or group functions";
      }
    }
  }
  return NULL;
}

static tn_status fail(LLVMValueRef function, const char *reason, tn_diag *diag) {
  return TN_FAIL(diag, UNSUPPORTED, "the quick tier does not support '%.*s': %s",
                 TN_STR_ARG(tn_value_name(function)), reason);
}

tn_status tn_cpu_quick_check(LLVMModuleRef module, tn_diag *diag) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    const char *reason = find_reason(f);
    if (reason) {
      return fail(f, reason, diag);
    }
  }
  return TN_OK;
}

tn_status tn_cpu_quick_check_single(LLVMValueRef item, tn_diag *diag) {
  LLVMBasicBlockRef only = LLVMGetEntryBasicBlock(item);
  if (LLVMGetNextBasicBlock(only)) {
    return fail(item, "a single work-item has branches", diag);
  }
  for (LLVMValueRef i = LLVMGetFirstInstruction(only); i; i = LLVMGetNextInstruction(i)) {
    LLVMValueRef callee = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
    if (callee && !(LLVMIsAFunction(callee) && tn_function_is_intrinsic(callee))) {
      return fail(item, "a single work-item calls functions", diag);
    }
  }
  return TN_OK;
}
