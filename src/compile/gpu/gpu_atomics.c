// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomic operations as back ends have them. On floating-point values, which SPIR-V has only in
// extensions: loops around a compare-exchange of their bits. With orders, which LLVM's NVPTX back
// end leaves out: fences. For the whole system, where that back end means the device alone:
// intrinsics of NVIDIA's, and loops where there is none.
// needs: nothing.  keeps: orders and scopes.  breaks: nothing.
#include "compile/gpu/gpu_atomics.h"

enum { SINGLE_THREAD = 0, SYSTEM = 1 };  // LLVM's numbers of the scopes

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
    case LLVMAtomicRMWBinOpUMax:
      return call_two(builder, module, "llvm.umax", a, b);
    case LLVMAtomicRMWBinOpUMin:
      return call_two(builder, module, "llvm.umin", a, b);
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
  const bool is_long =
      LLVMGetTypeKind(type) == LLVMDoubleTypeKind || type == LLVMInt64TypeInContext(context);
  LLVMTypeRef bits = is_long ? LLVMInt64TypeInContext(context) : LLVMInt32TypeInContext(context);
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
  LLVMSetAlignment(first, is_long ? 8 : 4);
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

// Clang's front end has no scopes for NVIDIA's devices: operations that need not be seen outside
// the device are volatile (sycl/detail/atomic_ops.hpp).
static void settle_scope(LLVMModuleRef module, LLVMValueRef instruction) {
  const bool is_plain = LLVMIsALoadInst(instruction) || LLVMIsAStoreInst(instruction);
  if ((!is_plain && !LLVMIsAAtomicRMWInst(instruction) && !LLVMIsAAtomicCmpXchgInst(instruction)) ||
      (is_plain && LLVMGetOrdering(instruction) == LLVMAtomicOrderingNotAtomic) ||
      !LLVMGetVolatile(instruction)) {
    return;
  }
  static const char device[] = "device";
  LLVMSetVolatile(instruction, 0);
  LLVMSetAtomicSyncScopeID(
      instruction, LLVMGetSyncScopeID(LLVMGetModuleContext(module), device, sizeof(device) - 1));
}

static const char *system_intrinsic(LLVMAtomicRMWBinOp operation) {
  switch (operation) {
    case LLVMAtomicRMWBinOpAdd:
    case LLVMAtomicRMWBinOpSub:
      return "llvm.nvvm.atomic.add.gen.i.sys";
    case LLVMAtomicRMWBinOpFAdd:
      return "llvm.nvvm.atomic.add.gen.f.sys";
    case LLVMAtomicRMWBinOpXchg:
      return "llvm.nvvm.atomic.exch.gen.i.sys";
    case LLVMAtomicRMWBinOpAnd:
      return "llvm.nvvm.atomic.and.gen.i.sys";
    case LLVMAtomicRMWBinOpOr:
      return "llvm.nvvm.atomic.or.gen.i.sys";
    case LLVMAtomicRMWBinOpXor:
      return "llvm.nvvm.atomic.xor.gen.i.sys";
    case LLVMAtomicRMWBinOpMax:
      return "llvm.nvvm.atomic.max.gen.i.sys";
    case LLVMAtomicRMWBinOpMin:
      return "llvm.nvvm.atomic.min.gen.i.sys";
    default:
      return NULL;
  }
}

// Of 32 or 64 bits; NULL for others, of which the back end makes loops.
static LLVMTypeRef word_of(LLVMModuleRef module, LLVMTypeRef type) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  const LLVMTypeKind kind = LLVMGetTypeKind(type);
  if (kind == LLVMFloatTypeKind || type == LLVMInt32TypeInContext(context)) {
    return LLVMInt32TypeInContext(context);
  }
  return kind == LLVMDoubleTypeKind || kind == LLVMPointerTypeKind ||
                 type == LLVMInt64TypeInContext(context)
             ? LLVMInt64TypeInContext(context)
             : NULL;
}

static LLVMValueRef convert(LLVMBuilderRef builder, LLVMValueRef value, LLVMTypeRef type) {
  const bool from_pointer = LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind;
  const bool to_pointer = LLVMGetTypeKind(type) == LLVMPointerTypeKind;
  return from_pointer == to_pointer ? LLVMBuildBitCast(builder, value, type, "")
         : from_pointer             ? LLVMBuildPtrToInt(builder, value, type, "")
                                    : LLVMBuildIntToPtr(builder, value, type, "");
}

static LLVMValueRef call_intrinsic(LLVMModuleRef module, LLVMBuilderRef builder,
                                   LLVMValueRef instruction, const char *name) {
  const LLVMAtomicRMWBinOp operation = LLVMGetAtomicRMWBinOp(instruction);
  LLVMTypeRef type = LLVMTypeOf(instruction);
  LLVMTypeRef used = operation == LLVMAtomicRMWBinOpXchg ? word_of(module, type) : type;
  LLVMTypeRef generic = LLVMPointerTypeInContext(LLVMGetModuleContext(module), 0);
  LLVMValueRef pointer = LLVMGetOperand(instruction, 0);
  LLVMValueRef value = convert(builder, LLVMGetOperand(instruction, 1), used);
  if (LLVMTypeOf(pointer) != generic) {
    pointer = LLVMBuildAddrSpaceCast(builder, pointer, generic, "");
  }
  if (operation == LLVMAtomicRMWBinOpSub) {
    value = LLVMBuildNeg(builder, value, "");
  }
  LLVMValueRef function = LLVMGetIntrinsicDeclaration(
      module, LLVMLookupIntrinsicID(name, strlen(name)), (LLVMTypeRef[]){used, generic}, 2);
  LLVMValueRef call = LLVMBuildCall2(builder, LLVMGlobalGetValueType(function), function,
                                     (LLVMValueRef[]){pointer, value}, 2, "");
  return convert(builder, call, type);
}

// What the back end makes loops of has the right scope; the rest has the device's.
static void widen_to_system(LLVMModuleRef module, LLVMValueRef instruction) {
  const LLVMAtomicRMWBinOp operation = LLVMGetAtomicRMWBinOp(instruction);
  const char *name = system_intrinsic(operation);
  if (!word_of(module, LLVMTypeOf(instruction))) {
    return;
  }
  if (operation == LLVMAtomicRMWBinOpUMax || operation == LLVMAtomicRMWBinOpUMin) {
    expand(module, instruction);
  } else if (name) {
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    LLVMPositionBuilderBefore(builder, instruction);
    LLVMReplaceAllUsesWith(instruction, call_intrinsic(module, builder, instruction, name));
    LLVMInstructionEraseFromParent(instruction);
    LLVMDisposeBuilder(builder);
  }
}

// The back end ignores these orders.
static void fence_one(LLVMModuleRef module, LLVMValueRef instruction) {
  settle_scope(module, instruction);
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
  if (scope == SYSTEM) {
    widen_to_system(module, instruction);
  }
}

void tn_gpu_atomics_fence(LLVMModuleRef module) { for_each(module, fence_one); }

tn_status tn_gpu_atomics_expand(LLVMModuleRef module, tn_diag *diag) {
  for_each(module, expand_one);
  return tn_module_verify(module, "atomic operations were expanded", diag);
}
