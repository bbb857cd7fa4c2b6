// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of one unit, for another compiler of its host code, and whether there are any.
#include "compile/module/module.h"
#include "compile/pipeline/unit_symbols.h"

tn_status tn_pipeline_kernels(const tn_link_input *input, tn_arena *arena, tn_list *out,
                              tn_diag *diag) {
  tn_unit_symbols symbols;
  TN_TRY(tn_unit_symbols_read(input, arena, &symbols, diag));
  for (size_t i = 0; i < symbols.kernel_count; i++) {
    if (!tn_list_add(out, arena, &symbols.kernels[i])) {
      return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the kernels of %s", input->name);
    }
  }
  return TN_OK;
}

bool tn_pipeline_is_device_code(tn_bytes bitcode, const char *name) {
  tn_llvm_job job;
  LLVMModuleRef module = NULL;
  bool found = false;
  if (tn_llvm_job_init(&job, NULL) == TN_OK &&
      tn_module_parse(&job, bitcode, name, &module, NULL) == TN_OK) {
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f && !found; f = LLVMGetNextFunction(f)) {
      found = tn_function_is_kernel(f) || tn_function_is_external(f);
    }
    LLVMDisposeModule(module);
  }
  tn_llvm_job_deinit(&job);
  return found;
}
