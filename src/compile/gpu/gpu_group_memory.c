// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// group_local_memory and work_group_static on GPUs: a variable of address space 3 for each place
// that asks, and for each variable.
#include "compile/gpu/gpu_group_memory.h"

#include "compile/gpu/gpu_calls.h"
#include "compile/lower/lower.h"

enum { LOCAL_SPACE = 3 };

static LLVMValueRef add_variable(LLVMModuleRef module, uint64_t size, uint64_t alignment) {
  LLVMTypeRef bytes =
      LLVMArrayType2(LLVMInt8TypeInContext(LLVMGetModuleContext(module)), size);
  LLVMValueRef variable =
      LLVMAddGlobalInAddressSpace(module, bytes, "__tenon_group_memory", LOCAL_SPACE);
  LLVMSetLinkage(variable, LLVMInternalLinkage);
  LLVMSetInitializer(variable, LLVMGetUndef(bytes));  // local memory has no initial values
  LLVMSetAlignment(variable, (unsigned)alignment);
  return variable;
}

// Of a variable all calls get the same place.
static tn_status place_calls(LLVMModuleRef module, LLVMValueRef function, tn_diag *diag) {
  LLVMValueRef variable = NULL;
  for (LLVMUseRef use = LLVMGetFirstUse(function); use;) {
    LLVMValueRef call = LLVMGetUser(use);
    use = LLVMGetNextUse(use);
    uint64_t size = 0;
    uint64_t alignment = 0;
    if (!LLVMIsACallInst(call) || LLVMGetCalledValue(call) != function ||
        !tn_group_memory_of(call, &size, &alignment)) {
      return TN_FAIL(diag, BUILD_FAILED,
                     "group_local_memory is called with a size that is not a constant");
    }
    if (!variable || !tn_group_static_is_function(function)) {
      variable = add_variable(module, size, alignment);
    }
    LLVMTypeRef type = LLVMTypeOf(call);
    LLVMValueRef address = LLVMGetPointerAddressSpace(type) == LOCAL_SPACE
                               ? variable
                               : LLVMConstAddrSpaceCast(variable, type);
    LLVMReplaceAllUsesWith(call, address);
    LLVMInstructionEraseFromParent(call);
  }
  return TN_OK;
}

tn_status tn_gpu_group_memory_place(LLVMModuleRef module, tn_target_kind kind, tn_diag *diag) {
  TN_TRY(tn_group_statics_to_calls(module, diag));
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (tn_function_is_defined(f) || !tn_is_group_memory(f)) {
      continue;
    }
    // OpenCL has local variables in kernels alone, and drivers may count on it.
    if (kind == TN_TARGET_SPIRV && tn_group_static_is_function(f)) {
      TN_TRY(tn_gpu_calls_inline(module, tn_value_name(f).data, diag));
    }
    TN_TRY(place_calls(module, f, diag));
  }
  return TN_OK;
}
