// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pointers in SPIR-V: those in a kernel's arguments are to global memory, and members of structures
// are found by their offsets.
//
// What a program puts into a kernel's argument block was given out by the host: USM, or a buffer's
// memory. Drivers that are not told so take each access for one of any address space. LLVM's
// infer-address-spaces carries on from here what the pointers are used for.
// needs: inlined code whose blocks are read in the kernels.  keeps: values.
//
// Zero is not a constant but a null value to LLVM's back end, which SPIR-V does not allow as the
// number of a member. Optimized code has no such numbers.
#include "compile/emit/emit.h"
#include "compile/module/module.h"

enum { SPACE_GLOBAL = 1, SPACE_GENERIC = 4, DEPTH_MAXIMUM = 16 };

static bool is_generic_pointer(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMPointerTypeKind &&
         LLVMGetPointerAddressSpace(type) == SPACE_GENERIC;
}

static void mark_load(LLVMBuilderRef builder, LLVMValueRef load) {
  LLVMTypeRef generic = LLVMTypeOf(load);
  LLVMTypeRef global = LLVMPointerTypeInContext(LLVMGetTypeContext(generic), SPACE_GLOBAL);
  LLVMPositionBuilderBefore(builder, LLVMGetNextInstruction(load));
  LLVMValueRef in_global = LLVMBuildAddrSpaceCast(builder, load, global, "");
  LLVMValueRef again = LLVMBuildAddrSpaceCast(builder, in_global, generic, "");
  LLVMReplaceAllUsesWith(load, again);
  LLVMSetOperand(in_global, 0, load);
}

// `address` is in the block. A load of another type than a pointer's is left as it is.
static void mark_loads(LLVMBuilderRef builder, LLVMValueRef address, unsigned depth) {
  for (LLVMUseRef use = LLVMGetFirstUse(address); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    const bool is_address = LLVMIsAGetElementPtrInst(user) || LLVMIsABitCastInst(user) ||
                            LLVMIsAAddrSpaceCastInst(user);
    if (is_address && depth < DEPTH_MAXIMUM) {
      mark_loads(builder, user, depth + 1);
    } else if (LLVMIsALoadInst(user) && is_generic_pointer(LLVMTypeOf(user))) {
      mark_load(builder, user);
    }
  }
}

void tn_emit_spirv_pointers(LLVMModuleRef module) {
  const unsigned by_value = LLVMGetEnumAttributeKindForName("byval", sizeof("byval") - 1);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (tn_function_is_defined(f) && LLVMGetFunctionCallConv(f) == LLVMSPIRKERNELCallConv &&
        LLVMCountParams(f) > 0 && LLVMGetEnumAttributeAtIndex(f, 1, by_value)) {
      mark_loads(builder, LLVMGetParam(f, 0), 0);
    }
  }
  LLVMDisposeBuilder(builder);
}

static bool has_member(LLVMValueRef address, LLVMTypeRef type) {
  const unsigned count = LLVMGetNumIndices(address);
  for (unsigned i = 1; i < count; ++i) {
    if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
      return true;
    }
    type = LLVMGetElementType(type);
  }
  return false;
}

static LLVMValueRef offset_of(LLVMBuilderRef builder, LLVMTargetDataRef layout,
                              LLVMValueRef address, LLVMTypeRef type) {
  LLVMTypeRef word = LLVMInt64TypeInContext(LLVMGetTypeContext(type));
  LLVMValueRef sum = LLVMConstInt(word, 0, 0);
  const unsigned count = LLVMGetNumIndices(address);
  for (unsigned i = 0; i < count; ++i) {
    LLVMValueRef index = LLVMGetOperand(address, i + 1);
    if (i > 0 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
      const unsigned member = (unsigned)LLVMConstIntGetZExtValue(index);
      const uint64_t offset = LLVMOffsetOfElement(layout, type, member);
      sum = LLVMBuildAdd(builder, sum, LLVMConstInt(word, offset, 0), "");
      type = LLVMStructGetTypeAtIndex(type, member);
      continue;
    }
    type = i > 0 ? LLVMGetElementType(type) : type;
    LLVMValueRef size = LLVMConstInt(word, LLVMABISizeOfType(layout, type), 0);
    LLVMValueRef wide = LLVMBuildIntCast2(builder, index, word, 1, "");
    sum = LLVMBuildAdd(builder, sum, LLVMBuildMul(builder, wide, size, ""), "");
  }
  return sum;
}

static void find_by_offset(LLVMBuilderRef builder, LLVMTargetDataRef layout, LLVMValueRef address) {
  LLVMTypeRef byte = LLVMInt8TypeInContext(LLVMGetTypeContext(LLVMTypeOf(address)));
  LLVMPositionBuilderBefore(builder, address);
  LLVMValueRef offset = offset_of(builder, layout, address, LLVMGetGEPSourceElementType(address));
  LLVMValueRef made = LLVMBuildGEP2(builder, byte, LLVMGetOperand(address, 0), &offset, 1, "");
  LLVMGEPSetNoWrapFlags(made, LLVMGEPGetNoWrapFlags(address));
  LLVMReplaceAllUsesWith(address, made);
  LLVMInstructionEraseFromParent(address);
}

void tn_emit_spirv_members(LLVMModuleRef module) {
  LLVMTargetDataRef layout = LLVMGetModuleDataLayout(module);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
      for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;) {
        LLVMValueRef next = LLVMGetNextInstruction(i);
        if (LLVMIsAGetElementPtrInst(i) && LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMPointerTypeKind &&
            has_member(i, LLVMGetGEPSourceElementType(i))) {
          find_by_offset(builder, layout, i);
        }
        i = next;
      }
    }
  }
  LLVMDisposeBuilder(builder);
}
