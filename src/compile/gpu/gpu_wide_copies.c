// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies of structures that are as large and as aligned as a GPU's widest accesses.
// needs: nothing.  keeps: what is copied.  breaks: nothing.
#include "compile/gpu/gpu_wide_copies.h"

enum { WIDEST = 16, PIECES_MAX = 4, LENGTH = 2, IS_VOLATILE = 3 };

static bool is_aligned(LLVMValueRef call, LLVMAttributeIndex param) {
  LLVMAttributeRef align =
      LLVMGetCallSiteEnumAttribute(call, param, LLVMGetEnumAttributeKindForName("align", 5));
  return align && LLVMGetEnumAttributeValue(align) >= WIDEST;
}

// How many accesses a copy takes; 0 when it stays a copy.
static unsigned count_pieces(LLVMValueRef call) {
  LLVMValueRef length = LLVMIsAConstantInt(LLVMGetOperand(call, LENGTH));
  LLVMValueRef is_volatile = LLVMIsAConstantInt(LLVMGetOperand(call, IS_VOLATILE));
  const uint64_t size = length ? LLVMConstIntGetZExtValue(length) : 0;
  const bool fits = size % WIDEST == 0 && size / WIDEST <= PIECES_MAX;
  return fits && is_volatile && LLVMConstIntGetZExtValue(is_volatile) == 0 && is_aligned(call, 1) &&
                 is_aligned(call, 2)
             ? (unsigned)(size / WIDEST)
             : 0;
}

static void widen(LLVMModuleRef module, LLVMValueRef call, unsigned count) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMTypeRef type = LLVMVectorType(LLVMInt32TypeInContext(context), 4);
  LLVMTypeRef i64 = LLVMInt64TypeInContext(context);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
  LLVMValueRef values[PIECES_MAX];
  LLVMPositionBuilderBefore(builder, call);
  for (unsigned i = 0; i < count; ++i) {
    LLVMValueRef index = LLVMConstInt(i64, i, 0);
    LLVMValueRef from =
        LLVMBuildInBoundsGEP2(builder, type, LLVMGetOperand(call, 1), &index, 1, "");
    values[i] = LLVMBuildLoad2(builder, type, from, "");
    LLVMSetAlignment(values[i], WIDEST);
  }
  for (unsigned i = 0; i < count; ++i) {
    LLVMValueRef index = LLVMConstInt(i64, i, 0);
    LLVMValueRef to = LLVMBuildInBoundsGEP2(builder, type, LLVMGetOperand(call, 0), &index, 1, "");
    LLVMSetAlignment(LLVMBuildStore(builder, values[i], to), WIDEST);
  }
  LLVMDisposeBuilder(builder);
  LLVMInstructionEraseFromParent(call);
}

void tn_gpu_copies_widen(LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    const bool is_copy = tn_str_has_prefix(tn_value_name(f), TN_STR_LIT("llvm.memcpy."));
    for (LLVMUseRef use = is_copy ? LLVMGetFirstUse(f) : NULL; use;) {
      LLVMValueRef call = LLVMGetUser(use);
      use = LLVMGetNextUse(use);
      const unsigned count = LLVMIsACallInst(call) ? count_pieces(call) : 0;
      if (count > 0) {
        widen(module, call, count);
      }
    }
  }
}
