// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomic loads and stores, which LLVM's back end for SPIR-V makes plain ones of: drivers moved them
// out of loops, or took the memory for unshared. They become calls of SPIR-V's functions.
// needs: the module as it goes to the back end.  keeps: orders and scopes.  breaks: nothing.
#include "base/base.h"
#include "compile/emit/emit.h"
#include "compile/emit/spirv_function.h"
#include "compile/module/module.h"

#include <stdio.h>

// SPIR-V's numbers, of scopes and of orders.
enum { CROSS_DEVICE = 0, DEVICE = 1, WORKGROUP = 2, SUBGROUP = 3, INVOCATION = 4 };
enum { RELAXED = 0, ACQUIRE = 2, RELEASE = 4, SEQUENTIALLY_CONSISTENT = 16 };
enum { SINGLE_THREAD_ID = 0, NAME_MAX = 64 };

static unsigned scope_of(LLVMContextRef context, LLVMValueRef access) {
  static const struct {
    const char *name;
    unsigned scope;
  } scopes[] = {{"device", DEVICE}, {"workgroup", WORKGROUP}, {"subgroup", SUBGROUP}};
  const unsigned id = LLVMGetAtomicSyncScopeID(access);
  for (size_t i = 0; i < TN_COUNT(scopes); ++i) {
    if (LLVMGetSyncScopeID(context, scopes[i].name, strlen(scopes[i].name)) == id) {
      return scopes[i].scope;
    }
  }
  return id == SINGLE_THREAD_ID ? INVOCATION : CROSS_DEVICE;
}

static unsigned order_of(LLVMValueRef access) {
  switch (LLVMGetOrdering(access)) {
    case LLVMAtomicOrderingAcquire:
      return ACQUIRE;
    case LLVMAtomicOrderingRelease:
      return RELEASE;
    case LLVMAtomicOrderingSequentiallyConsistent:
      return SEQUENTIALLY_CONSISTENT;
    default:
      return RELAXED;
  }
}

// The integer that stands for the value; NULL: SPIR-V has no atomic access to it.
static LLVMTypeRef integer_for(LLVMContextRef context, LLVMTypeRef type) {
  switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind: {
      const unsigned width = LLVMGetIntTypeWidth(type);
      return width == 32 || width == 64 ? type : NULL;
    }
    case LLVMFloatTypeKind:
      return LLVMIntTypeInContext(context, 32);
    case LLVMDoubleTypeKind:
    case LLVMPointerTypeKind:
      return LLVMIntTypeInContext(context, 64);
    default:
      return NULL;
  }
}

static LLVMValueRef convert(LLVMBuilderRef builder, LLVMValueRef value, LLVMTypeRef to) {
  const bool from_pointer = LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind;
  return LLVMTypeOf(value) == to                         ? value
         : from_pointer                                  ? LLVMBuildPtrToInt(builder, value, to, "")
         : LLVMGetTypeKind(to) == LLVMPointerTypeKind    ? LLVMBuildIntToPtr(builder, value, to, "")
                                                         : LLVMBuildBitCast(builder, value, to, "");
}

// The name is mangled: the back end reads from it what the pointer points to.
static void write_name(char name[NAME_MAX], bool is_load, LLVMTypeRef pointer,
                       LLVMTypeRef integer) {
  const unsigned space = LLVMGetPointerAddressSpace(pointer);
  const char value = LLVMGetIntTypeWidth(integer) == 64 ? 'l' : 'i';
  char place[16] = "P";
  if (space != 0) {
    (void)snprintf(place, sizeof(place), "PU3AS%u", space % 10);
  }
  if (is_load) {
    (void)snprintf(name, NAME_MAX, "_Z18__spirv_AtomicLoad%s%cii", place, value);
  } else {
    (void)snprintf(name, NAME_MAX, "_Z19__spirv_AtomicStore%s%cii%c", place, value, value);
  }
}

static void call_instead(LLVMBuilderRef builder, LLVMValueRef access) {
  const bool is_load = LLVMIsALoadInst(access) != NULL;
  if ((!is_load && !LLVMIsAStoreInst(access)) ||
      LLVMGetOrdering(access) == LLVMAtomicOrderingNotAtomic) {
    return;
  }
  LLVMValueRef pointer = LLVMGetOperand(access, is_load ? 0 : 1);
  LLVMValueRef value = is_load ? access : LLVMGetOperand(access, 0);
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(value));
  LLVMTypeRef integer = integer_for(context, LLVMTypeOf(value));
  if (!integer) {
    return;
  }
  char name[NAME_MAX];
  write_name(name, is_load, LLVMTypeOf(pointer), integer);
  LLVMTypeRef number = LLVMInt32TypeInContext(context);
  LLVMPositionBuilderBefore(builder, access);
  LLVMValueRef arguments[] = {pointer, LLVMConstInt(number, scope_of(context, access), 0),
                              LLVMConstInt(number, order_of(access), 0),
                              is_load ? NULL : convert(builder, value, integer)};
  LLVMTypeRef result = is_load ? integer : LLVMVoidTypeInContext(context);
  LLVMValueRef call = tn_spirv_call(builder, name, result, arguments, is_load ? 3 : 4);
  if (is_load) {
    LLVMReplaceAllUsesWith(access, convert(builder, call, LLVMTypeOf(access)));
  }
  LLVMInstructionEraseFromParent(access);
}

void tn_emit_spirv_atomics(LLVMModuleRef module) { tn_module_rewrite(module, call_instead); }
