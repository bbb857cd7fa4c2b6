// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Truncations that are extended again. LLVM's back end for SPIR-V makes a mask of `zext (trunc x)`
// and drops the conversion of x to the wider type: OpBitwiseAnd gets operands of two widths, which
// spirv-val and drivers reject. Optimized code has the mask already.
// needs: the module as it goes to the back end.  keeps: values.  breaks: nothing.
#include "base/base.h"
#include "compile/emit/emit.h"
#include "compile/module/module.h"

static LLVMTypeRef element_of(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type;
}

static unsigned width_of(LLVMTypeRef type) { return LLVMGetIntTypeWidth(element_of(type)); }

// The lowest `width` bits, in each element of a vector; NULL for vectors that are too long.
static LLVMValueRef mask_of(LLVMTypeRef type, unsigned width) {
  LLVMValueRef mask = LLVMConstInt(element_of(type), ((uint64_t)1 << width) - 1, 0);
  if (LLVMGetTypeKind(type) != LLVMVectorTypeKind) {
    return mask;
  }
  LLVMValueRef masks[16];
  const unsigned count = LLVMGetVectorSize(type);
  if (count > TN_COUNT(masks)) {
    return NULL;
  }
  for (unsigned i = 0; i < count; ++i) {
    masks[i] = mask;
  }
  return LLVMConstVector(masks, count);
}

static void mask_instead(LLVMBuilderRef builder, LLVMValueRef extension) {
  LLVMValueRef truncation = LLVMIsAZExtInst(extension) ? LLVMGetOperand(extension, 0) : NULL;
  if (!truncation || !LLVMIsATruncInst(truncation)) {
    return;
  }
  LLVMValueRef whole = LLVMGetOperand(truncation, 0);
  while (LLVMIsATruncInst(whole)) {  // the back end makes one of several
    whole = LLVMGetOperand(whole, 0);
  }
  LLVMTypeRef to = LLVMTypeOf(extension);
  const unsigned kept = width_of(LLVMTypeOf(truncation));
  // Boolean values are compared with zero, and no mask.
  if (kept == 1 || width_of(to) > 64 || width_of(LLVMTypeOf(whole)) <= width_of(to)) {
    return;
  }
  LLVMValueRef mask = mask_of(to, kept);
  if (mask) {
    LLVMPositionBuilderBefore(builder, extension);
    LLVMValueRef low = LLVMBuildTrunc(builder, whole, to, "");
    LLVMReplaceAllUsesWith(extension, LLVMBuildAnd(builder, low, mask, ""));
    LLVMInstructionEraseFromParent(extension);
  }
}

void tn_emit_spirv_casts(LLVMModuleRef module) { tn_module_rewrite(module, mask_instead); }
