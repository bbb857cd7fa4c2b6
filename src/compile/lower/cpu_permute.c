// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What widened functions call for the value of another lane becomes instructions.
#include "compile/lower/lower.h"
#include "compile/widen/widen.h"

typedef struct permuter {
  LLVMBuilderRef builder;
  LLVMContextRef context;
  LLVMValueRef memory;  // for the widest vectors, of the function at hand; NULL: none yet
} permuter;

// The narrow integers that `vector`'s wide ones were made of for the call alone, or `vector`.
static LLVMValueRef narrow(const permuter *p, LLVMValueRef vector, bool *out_signed) {
  *out_signed = LLVMIsASExtInst(vector) != NULL;
  if (*out_signed || LLVMIsAZExtInst(vector)) {
    return LLVMGetOperand(vector, 0);
  }
  if (!LLVMIsABinaryOperator(vector) || LLVMGetInstructionOpcode(vector) != LLVMAnd) {
    return vector;
  }
  const unsigned lanes = LLVMGetVectorSize(LLVMTypeOf(vector));
  LLVMTypeRef element = LLVMGetElementType(LLVMTypeOf(vector));
  for (unsigned bits = 8; bits < LLVMGetIntTypeWidth(element) && bits <= 16; bits *= 2) {
    LLVMValueRef mask = LLVMConstInt(element, (1U << bits) - 1, false);
    if (LLVMGetOperand(vector, 1) == tn_constant_splat(mask, lanes)) {
      LLVMTypeRef kept = LLVMVectorType(LLVMIntTypeInContext(p->context, bits), lanes);
      return LLVMBuildTrunc(p->builder, vector, kept, "");
    }
  }
  return vector;
}

static LLVMValueRef by_order(const permuter *p, LLVMValueRef vector, LLVMValueRef order) {
  bool is_signed = false;
  LLVMValueRef from = narrow(p, vector, &is_signed);
  LLVMValueRef result =
      LLVMBuildShuffleVector(p->builder, from, LLVMGetPoison(LLVMTypeOf(from)), order, "");
  if (from == vector) {
    return result;
  }
  return LLVMBuildCast(p->builder, is_signed ? LLVMSExt : LLVMZExt, result, LLVMTypeOf(vector), "");
}

static LLVMValueRef memory_of(permuter *p, LLVMValueRef call) {
  enum { ALIGN = 64 };  // of the longest vectors
  if (!p->memory) {
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function);
    LLVMPositionBuilderBefore(p->builder, LLVMGetFirstInstruction(entry));
    p->memory = LLVMBuildAlloca(
        p->builder, LLVMArrayType2(LLVMInt64TypeInContext(p->context), TN_WIDTH_MAX), "lanes");
    LLVMSetAlignment(p->memory, ALIGN);
    LLVMPositionBuilderBefore(p->builder, call);
  }
  return p->memory;
}

// Lanes that ask for one that is not there get any value, but never one from outside the vector.
static LLVMValueRef through_memory(permuter *p, LLVMValueRef call, unsigned lanes) {
  LLVMValueRef vector = LLVMGetOperand(call, 0);
  LLVMValueRef memory = memory_of(p, call);
  LLVMBuildStore(p->builder, vector, memory);
  LLVMValueRef bound = LLVMConstInt(LLVMInt32TypeInContext(p->context), lanes - 1, false);
  // A lane that is masked off may ask for poison.
  LLVMValueRef ids = LLVMBuildFreeze(p->builder, LLVMGetOperand(call, 1), "");
  ids = LLVMBuildAnd(p->builder, ids, tn_constant_splat(bound, lanes), "");
  LLVMTypeRef type = LLVMTypeOf(vector);
  LLVMTypeRef mask = LLVMVectorType(LLVMInt1TypeInContext(p->context), lanes);
  LLVMValueRef arguments[3] = {
      LLVMBuildInBoundsGEP2(p->builder, LLVMGetElementType(type), memory, &ids, 1, ""),
      LLVMConstAllOnes(mask), LLVMGetPoison(type)};
  LLVMTypeRef types[2] = {type, LLVMTypeOf(arguments[0])};
  static const char name[] = "llvm.masked.gather";
  LLVMValueRef gather =
      LLVMGetIntrinsicDeclaration(LLVMGetGlobalParent(LLVMGetCalledValue(call)),
                                  LLVMLookupIntrinsicID(name, sizeof(name) - 1), types, 2);
  return LLVMBuildCall2(p->builder, LLVMGlobalGetValueType(gather), gather, arguments, 3, "");
}

static void lower(permuter *p, LLVMValueRef call) {
  LLVMValueRef vector = LLVMGetOperand(call, 0);
  const unsigned lanes = LLVMGetVectorSize(LLVMTypeOf(vector));
  LLVMValueRef order[TN_WIDTH_MAX];
  LLVMPositionBuilderBefore(p->builder, call);
  LLVMValueRef result = tn_permute_order(LLVMGetOperand(call, 1), order)
                            ? by_order(p, vector, LLVMConstVector(order, lanes))
                            : through_memory(p, call, lanes);
  LLVMReplaceAllUsesWith(call, result);
  LLVMInstructionEraseFromParent(call);
}

static void lower_calls(permuter *p, LLVMValueRef function) {
  p->memory = NULL;
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
    LLVMValueRef next = NULL;
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = next) {
      next = LLVMGetNextInstruction(i);
      if (LLVMIsACallInst(i) && tn_is_permute(LLVMGetCalledValue(i))) {
        lower(p, i);
      }
    }
  }
}

void tn_lower_permutes(LLVMModuleRef module) {
  permuter p = {.context = LLVMGetModuleContext(module)};
  p.builder = LLVMCreateBuilderInContext(p.context);
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    lower_calls(&p, f);
  }
  LLVMValueRef next = NULL;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = next) {
    next = LLVMGetNextFunction(f);
    if (tn_is_permute(f)) {
      LLVMDeleteFunction(f);
    }
  }
  LLVMDisposeBuilder(p.builder);
}
