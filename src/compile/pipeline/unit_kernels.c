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

static tn_status find_device_code(LLVMModuleRef module, void *found, tn_diag *diag) {
  (void)diag;
  bool is_found = false;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f && !is_found; f = LLVMGetNextFunction(f)) {
    is_found = tn_function_is_kernel(f) || tn_function_is_external(f);
  }
  *(bool *)found = is_found;
  return TN_OK;
}

bool tn_pipeline_is_device_code(tn_bytes bitcode, const char *name) {
  bool found = false;
  return tn_module_read(bitcode, name, find_device_code, &found, NULL) == TN_OK && found;
}
