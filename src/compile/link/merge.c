// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parses modules and merges them with LLVM's linker.
#include "compile/link/merge.h"

#include <llvm-c/Linker.h>

tn_status tn_merge_parse(tn_llvm_job *job, const tn_link_source *sources, size_t count,
                         tn_arena *arena, LLVMModuleRef **out, tn_diag *diag) {
  *out = NULL;
  LLVMModuleRef *modules = tn_arena_alloc_array(arena, count + 1, sizeof(*modules));
  if (!modules) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to link device code");
  }
  tn_status status = count == 0 ? TN_FAIL(diag, INVALID_ARGUMENT, "there is no device code to link")
                                : TN_OK;
  for (size_t i = 0; i < count && status == TN_OK; ++i) {
    status = tn_module_parse(job, sources[i].bitcode, sources[i].name, &modules[i], diag);
    if (status == TN_OK && strcmp(LLVMGetTarget(modules[i]), LLVMGetTarget(modules[0])) != 0) {
      status = TN_FAIL(diag, BUILD_FAILED, "%s holds device code for %s, but %s for %s; compile "
                       "both for the same target", sources[i].name, LLVMGetTarget(modules[i]),
                       sources[0].name, LLVMGetTarget(modules[0]));
    }
  }
  if (status != TN_OK) {
    tn_merge_dispose(modules, count);
    return status;
  }
  *out = modules;
  return TN_OK;
}

void tn_merge_dispose(LLVMModuleRef *modules, size_t count) {
  for (size_t i = 0; modules && i < count; ++i) {
    if (modules[i]) {
      LLVMDisposeModule(modules[i]);
    }
    modules[i] = NULL;
  }
}

tn_status tn_merge_into(tn_llvm_job *job, LLVMModuleRef whole, LLVMModuleRef take_module,
                        const char *name, tn_diag *diag) {
  if (LLVMLinkModules2(whole, take_module) || tn_llvm_job_has_error(job)) {
    return tn_llvm_job_fail(job, diag, name);
  }
  return TN_OK;
}

tn_status tn_merge_all(tn_llvm_job *job, LLVMModuleRef *modules, const tn_link_source *sources,
                       size_t count, LLVMModuleRef *out, tn_diag *diag) {
  *out = NULL;
  for (size_t i = 1; i < count; ++i) {
    LLVMModuleRef module = modules[i];
    modules[i] = NULL;  // the linker takes it over, also when it fails
    TN_TRY(tn_merge_into(job, modules[0], module, sources[i].name, diag));
  }
  *out = modules[0];
  modules[0] = NULL;
  return TN_OK;
}
