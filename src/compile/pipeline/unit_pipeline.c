// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A translation unit's device bitcode: checked, its symbols settled.
#include "compile/check/check.h"
#include "compile/gpu/gpu.h"
#include "compile/lower/lower.h"
#include "compile/pipeline/simplify.h"
#include "compile/pipeline/unit_symbols.h"

static void mark_visible(LLVMModuleRef module, const char *module_id) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (tn_function_is_kernel(f) || (tn_function_is_defined(f) && tn_function_is_external(f))) {
      return;
    }
  }
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (tn_function_is_defined(f) && LLVMGetLinkage(f) == LLVMExternalLinkage) {
      tn_function_set_attr(f, TN_ATTR_MODULE_ID, module_id);
    }
  }
}

static tn_status run(tn_llvm_job *job, const tn_unit_params *params, tn_arena *arena,
                     tn_buf *out_bitcode, tn_buf *out_symbols, tn_buf *messages, tn_diag *diag) {
  const char *source = params->source ? params->source : "device code";
  const char *module_id =
      tn_arena_format(arena, "%s@%016llx", source, (unsigned long long)params->unit_id);
  if (!module_id) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "%s: no memory to compile it", source);
  }
  LLVMModuleRef module = NULL;
  TN_TRY(tn_module_parse(job, params->bitcode, source, &module, diag));
  tn_status status = tn_gpu_kernels_unify(module, diag);
  if (status == TN_OK) {
    status = tn_lower_prepare_unit(module, module_id, arena, diag);
  }
  if (status == TN_OK && params->is_foreign) {
    mark_visible(module, module_id);
  }
  if (status == TN_OK) {
    status = tn_module_drop_libraries(job, &module, diag);
  }
  if (status == TN_OK) {
    status = tn_check_unit(module, source, arena, messages, diag);
  }
  tn_list definitions = {0};
  if (status == TN_OK) {
    // Not the folder it was compiled in: equal units are equal bytes.
    LLVMSetSourceFileName(module, source, strlen(source));
    status = tn_lower_list_definitions(module, arena, &definitions, diag);
  }
  if (status == TN_OK) {
    status = tn_lower_name_unit(module, params->unit_id, diag);
  }
  if (status == TN_OK) {
    tn_lower_internalize(module, NULL, NULL);
    status = tn_module_verify(module, "its symbols were settled", diag);
  }
  if (status == TN_OK) {
    status = tn_simplify(job, module, params->opt_level, diag);
  }
  if (status == TN_OK) {  // of what is left: constants are folded, code that never runs is gone
    status = tn_lower_note_aspects(module, arena, diag);
  }
  if (status == TN_OK) {
    status = tn_unit_symbols_write(module, params->opt_level > 0, arena, out_symbols, diag);
    tn_unit_symbols_add_definitions(&definitions, out_symbols);
  }
  if (status == TN_OK) {
    status = tn_module_write(module, out_bitcode, diag);
  }
  LLVMDisposeModule(module);
  return status;
}

tn_status tn_pipeline_unit(const tn_unit_params *params, tn_buf *out_bitcode, tn_buf *out_symbols,
                           tn_buf *messages, tn_diag *diag) {
  tn_arena arena;
  tn_arena_init(&arena);
  tn_llvm_job job;
  tn_status status = tn_llvm_job_init(&job, diag);
  if (status == TN_OK) {
    status = run(&job, params, &arena, out_bitcode, out_symbols, messages, diag);
  }
  tn_llvm_job_deinit(&job);
  tn_arena_deinit(&arena);
  return status;
}
