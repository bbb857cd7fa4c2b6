// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The link of translation units, whose symbols were found to fit before.
#include "compile/link/merge.h"

static void drop_kernels(LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f;) {
    LLVMValueRef next = LLVMGetNextFunction(f);
    if (tn_function_is_kernel(f)) {
      tn_function_delete(f);
    }
    f = next;
  }
}

static tn_status check_triple(LLVMModuleRef module, const char *name, LLVMModuleRef first,
                              const char *first_name, tn_diag *diag) {
  if (strcmp(LLVMGetTarget(module), LLVMGetTarget(first)) == 0) {
    return TN_OK;
  }
  return TN_FAIL(diag, BUILD_FAILED, "%s holds device code for %s, but %s for %s; compile both "
                 "for the same target", name, LLVMGetTarget(module), first_name,
                 LLVMGetTarget(first));
}

// One after another, so that only the whole and one unit are in memory.
tn_status tn_link_units(tn_llvm_job *job, const tn_link_source *units, size_t count,
                        size_t own_count, LLVMModuleRef *out, tn_diag *diag) {
  *out = NULL;
  if (count == 0) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "there is no device code to link");
  }
  LLVMModuleRef whole = NULL;
  TN_TRY(tn_module_parse(job, units[0].bitcode, units[0].name, &whole, diag));
  for (size_t i = 1; i < count; i++) {
    LLVMModuleRef module = NULL;
    tn_status status = tn_module_parse(job, units[i].bitcode, units[i].name, &module, diag);
    if (status == TN_OK) {
      status = check_triple(module, units[i].name, whole, units[0].name, diag);
    }
    if (status == TN_OK && i >= own_count) {
      drop_kernels(module);
    }
    if (status == TN_OK) {
      status = tn_merge_into(job, whole, module, units[i].name, diag);
      module = NULL;
    }
    if (status != TN_OK) {
      if (module) {
        LLVMDisposeModule(module);
      }
      LLVMDisposeModule(whole);
      return status;
    }
  }
  *out = whole;
  return TN_OK;
}
