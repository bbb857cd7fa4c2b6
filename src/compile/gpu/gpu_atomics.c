// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomic operations as back ends have them. On floating-point values, which SPIR-V has only in
// extensions: loops around a compare-exchange of their bits. With orders, which LLVM's NVPTX back
// end leaves out: fences.
// needs: nothing.  keeps: orders and scopes.  breaks: nothing.
#include "compile/gpu/gpu_atomics.h"

enum { SINGLE_THREAD = 0 };  // LLVM's number of the scope

static LLVMValueRef call_two(LLVMBuilderRef builder, LLVMModuleRef module, const char *intrinsic,
                             LLVMValueRef a, LLVMValueRef b) {
  LLVMTypeRef types[1] = {LLVMTypeOf(a)};
  LLVMValueRef function = LLVMGetIntrinsicDeclaration(
      module, LLVMLookupIntrinsicID(intrinsic, strlen(intrinsic)), types, 1);
  return LLVMBuildCall2(builder, LLVMGlobalGetValueType(function), function, (LLVMValueRef[]){a, b},
                        2, "");
}

static LLVMValueRef combine(LLVMBuilderRef builder, LLVMModuleRef module,
                            LLVMAtomicRMWBinOp operation, LLVMValueRef a, LLVMValueRef b) {
  switch (operation) {
    case LLVMAtomicRMWBinOpFAdd:
      return LLVMBuildFAdd(builder, a, b, "");
    case LLVMAtomicRMWBinOpFSub:
      return LLVMBuildFSub(builder, a, b, "");
    case LLVMAtomicRMWBinOpFMax:
      return call_two(builder, module, "llvm.maxnum", a, b);
    case LLVMAtomicRMWBinOpFMin:
      return call_two(builder, module, "llvm.minnum", a, b);
    default:
      return NULL;
  }
}

static bool is_expanded(LLVMValueRef instruction) {
  if (!LLVMIsAAtomicRMWInst(instruction)) {
    return false;
  }
  const LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(instruction));
  const LLVMAtomicRMWBinOp operation = LLVMGetAtomicRMWBinOp(instruction);
  return (kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind) &&
         (operation == LLVMAtomicRMWBinOpFAdd || operation == LLVMAtomicRMWBinOpFSub ||
          operation == LLVMAtomicRMWBinOpFMax || operation == LLVMAtomicRMWBinOpFMin);
}

static LLVMAtomicOrdering failure_order(LLVMAtomicOrdering order) {
  switch (order) {
    case LLVMAtomicOrderingAcquireRelease:
      return LLVMAtomicOrderingAcquire;
    case LLVMAtomicOrderingRelease:
      return LLVMAtomicOrderingMonotonic;
    default:
      return order;
  }
}

// value f(pointer, operand): what the instruction does, as a function of its own.
static LLVMValueRef write_loop(LLVMModuleRef module, LLVMValueRef instruction) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMTypeRef type = LLVMTypeOf(instruction);
  const bool is_double = LLVMGetTypeKind(type) == LLVMDoubleTypeKind;
  LLVMTypeRef bits = is_double ? LLVMInt64TypeInContext(context) : LLVMInt32TypeInContext(context);
  LLVMTypeRef params[2] = {LLVMTypeOf(LLVMGetOperand(instruction, 0)), type};
  LLVMValueRef made = LLVMAddFunction(module, "tn.atomic", LLVMFunctionType(type, params, 2, 0));
  const LLVMAtomicOrdering order = LLVMGetOrdering(instruction);
  LLVMSetLinkage(made, LLVMInternalLinkage);
  LLVMSetFunctionCallConv(made, LLVMSPIRFUNCCallConv);
  tn_function_add_enum(made, "alwaysinline");
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
  LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(context, made, "entry");
  LLVMBasicBlockRef loop = LLVMAppendBasicBlockInContext(context, made, "loop");
  LLVMBasicBlockRef done = LLVMAppendBasicBlockInContext(context, made, "done");
  LLVMPositionBuilderAtEnd(builder, entry);
  LLVMValueRef pointer = LLVMGetParam(made, 0);
  LLVMValueRef first = LLVMBuildLoad2(builder, bits, pointer, "");
  LLVMSetOrdering(first, LLVMAtomicOrderingMonotonic);
  LLVMSetAtomicSyncScopeID(first, LLVMGetAtomicSyncScopeID(instruction));
  LLVMSetAlignment(first, is_double ? 8 : 4);
  LLVMBuildBr(builder, loop);
  LLVMPositionBuilderAtEnd(builder, loop);
  LLVMValueRef old = LLVMBuildPhi(builder, bits, "");
  LLVMValueRef old_value = LLVMBuildBitCast(builder, old, type, "");
  LLVMValueRef value = combine(builder, module, LLVMGetAtomicRMWBinOp(instruction), old_value,
                               LLVMGetParam(made, 1));
  LLVMValueRef pair = LLVMBuildAtomicCmpXchgSyncScope(
      builder, pointer, old, LLVMBuildBitCast(builder, value, bits, ""), order,
      failure_order(order), LLVMGetAtomicSyncScopeID(instruction));
  LLVMValueRef seen = LLVMBuildExtractValue(builder, pair, 0, "");
  LLVMBuildCondBr(builder, LLVMBuildExtractValue(builder, pair, 1, ""), done, loop);
  LLVMAddIncoming(old, (LLVMValueRef[]){first, seen}, (LLVMBasicBlockRef[]){entry, loop}, 2);
  LLVMPositionBuilderAtEnd(builder, done);
  LLVMBuildRet(builder, old_value);
  LLVMDisposeBuilder(builder);
  return made;
}

static void expand(LLVMModuleRef module, LLVMValueRef instruction) {
  LLVMValueRef function = write_loop(module, instruction);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  LLVMPositionBuilderBefore(builder, instruction);
  LLVMValueRef arguments[2] = {LLVMGetOperand(instruction, 0), LLVMGetOperand(instruction, 1)};
  LLVMValueRef call =
      LLVMBuildCall2(builder, LLVMGlobalGetValueType(function), function, arguments, 2, "");
  LLVMSetInstructionCallConv(call, LLVMSPIRFUNCCallConv);
  LLVMReplaceAllUsesWith(instruction, call);
  LLVMInstructionEraseFromParent(instruction);
  LLVMDisposeBuilder(builder);
}

// Calls `change` for each instruction there is; it may remove it.
static void for_each(LLVMModuleRef module,
                     void (*change)(LLVMModuleRef module, LLVMValueRef instruction)) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
      for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;) {
        LLVMValueRef next = LLVMGetNextInstruction(i);
        change(module, i);
        i = next;
      }
    }
  }
}

static void expand_one(LLVMModuleRef module, LLVMValueRef instruction) {
  if (is_expanded(instruction)) {
    expand(module, instruction);
  }
}

// The back end ignores these orders.
static void fence_one(LLVMModuleRef module, LLVMValueRef instruction) {
  const bool is_fence = LLVMIsAFenceInst(instruction) != NULL;
  if (is_fence && LLVMGetAtomicSyncScopeID(instruction) == SINGLE_THREAD) {
    LLVMInstructionEraseFromParent(instruction);
    return;
  }
  if (is_fence || !LLVMIsAAtomicRMWInst(instruction)) {
    return;
  }
  const LLVMAtomicOrdering order = LLVMGetOrdering(instruction);
  const unsigned scope = LLVMGetAtomicSyncScopeID(instruction);
  const bool is_both = order == LLVMAtomicOrderingAcquireRelease ||
                       order == LLVMAtomicOrderingSequentiallyConsistent;
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  if (is_both || order == LLVMAtomicOrderingRelease) {
    LLVMPositionBuilderBefore(builder, instruction);
    LLVMBuildFenceSyncScope(
        builder,
        order == LLVMAtomicOrderingSequentiallyConsistent ? order : LLVMAtomicOrderingRelease,
        scope, "");
  }
  if (is_both || order == LLVMAtomicOrderingAcquire) {
    LLVMPositionBuilderBefore(builder, LLVMGetNextInstruction(instruction));
    LLVMBuildFenceSyncScope(builder, LLVMAtomicOrderingAcquire, scope, "");
  }
  LLVMSetOrdering(instruction, LLVMAtomicOrderingMonotonic);
  LLVMDisposeBuilder(builder);
}

void tn_gpu_atomics_fence(LLVMModuleRef module) { for_each(module, fence_one); }

tn_status tn_gpu_atomics_expand(LLVMModuleRef module, tn_diag *diag) {
  for_each(module, expand_one);
  return tn_module_verify(module, "atomic operations were expanded", diag);
}
