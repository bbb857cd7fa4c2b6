// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// group_local_memory and work_group_static on GPUs: a variable of address space 3 for each place
// that asks, and for each variable.
#include "compile/gpu/gpu_group_memory.h"

#include "compile/gpu/gpu_calls.h"
#include "compile/lower/lower.h"

#include <llvm-c/Comdat.h>

#include <stdio.h>

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

// Whether images that are linked to this one may have the variable, too.
static bool is_of_program(LLVMValueRef function) {
  bool is_linked = false;
  LLVMModuleRef module = LLVMGetGlobalParent(function);
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f && !is_linked; f = LLVMGetNextFunction(f)) {
    is_linked = tn_function_is_defined(f)
                    ? tn_function_is_export(f) && !tn_function_is_kernel(f)
                    : tn_function_is_external(f) && !tn_function_is_builtin_name(tn_value_name(f));
  }
  // Behind the @ is the unit that has a variable for itself.
  return is_linked && tn_str_find_char(tn_value_name(function), '@') == SIZE_MAX;
}

// As TN_GPU_LAUNCH_SHARED: weak in each image, so that a program has one.
static void share(LLVMValueRef variable, LLVMValueRef function) {
  char name[1024];
  const tn_str symbol = tn_value_name(function);
  const size_t prefix = sizeof(TN_GROUP_MEMORY_FUNCTION);  // with the dot
  const int size = snprintf(name, sizeof(name), "%.*s",
                            TN_STR_ARG(tn_str_slice(symbol, prefix, symbol.size - prefix)));
  for (char *c = name; *c; ++c) {
    *c = *c == '.' ? '$' : *c;
  }
  if (size > 0 && (size_t)size < sizeof(name)) {
    LLVMSetValueName2(variable, name, (size_t)size);
    LLVMSetLinkage(variable, LLVMWeakAnyLinkage);
  }
}

// OpenCL has local variables in kernels alone, and drivers may count on it: the functions that use
// one are part of their kernels, and no other image gets them.
static tn_status keep_in_kernels(LLVMModuleRef module, LLVMValueRef function, tn_diag *diag) {
  TN_TRY(tn_gpu_calls_inline(module, tn_value_name(function).data, diag));
  tn_arena arena;
  tn_arena_init(&arena);
  tn_list users = {0};
  bool is_kept = tn_list_add(&users, &arena, function);
  for (size_t i = 0; i < users.count && is_kept; ++i) {
    for (LLVMUseRef use = LLVMGetFirstUse(users.items[i]); use && is_kept;
         use = LLVMGetNextUse(use)) {
      LLVMValueRef user = LLVMGetUser(use);
      LLVMValueRef caller = LLVMIsACallInst(user)
                                ? LLVMGetBasicBlockParent(LLVMGetInstructionParent(user))
                                : NULL;
      if (caller && tn_function_is_export(caller) && !tn_function_is_kernel(caller)) {
        LLVMSetComdat(caller, NULL);
        LLVMSetVisibility(caller, LLVMDefaultVisibility);
        LLVMSetLinkage(caller, LLVMInternalLinkage);
      }
      bool is_known = !caller || tn_function_is_kernel(caller);
      for (size_t k = 0; k < users.count && !is_known; ++k) {
        is_known = users.items[k] == (void *)caller;
      }
      is_kept = is_known || tn_list_add(&users, &arena, caller);
    }
  }
  tn_arena_deinit(&arena);
  return is_kept ? TN_OK : TN_FAIL(diag, OUT_OF_MEMORY, "no memory to lower kernels");
}

// Of a variable all calls get the same place.
static tn_status place_calls(LLVMModuleRef module, LLVMValueRef function, bool is_shared,
                             tn_diag *diag) {
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
      if (is_shared) {
        share(variable, function);
      }
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
    const bool is_static = tn_group_static_is_function(f);
    if (kind == TN_TARGET_SPIRV && is_static) {
      TN_TRY(keep_in_kernels(module, f, diag));
    }
    const bool is_shared = kind == TN_TARGET_NVPTX && is_static && is_of_program(f);
    TN_TRY(place_calls(module, f, is_shared, diag));
  }
  return TN_OK;
}
