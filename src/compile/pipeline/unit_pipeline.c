// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A translation unit's device bitcode: checked, its symbols settled.
#include "compile/pipeline/pipeline_target.h"

#include "compile/lower/lower.h"

static tn_status run(tn_llvm_job *job, const tn_unit_params *params, tn_arena *arena,
                     tn_buf *out_bitcode, tn_buf *messages, tn_diag *diag) {
  const char *source = params->source ? params->source : "device code";
  const char *module_id =
      tn_arena_format(arena, "%s@%016llx", source, (unsigned long long)params->unit_id);
  if (!module_id) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "%s: no memory to compile it", source);
  }
  LLVMModuleRef module = NULL;
  TN_TRY(tn_module_parse(job, params->bitcode, source, &module, diag));
  tn_status status = tn_lower_prepare_unit(module, module_id, arena, diag);
  if (status == TN_OK) {
    status = tn_lower_check_unit(module, source, arena, messages, diag);
  }
  if (status == TN_OK) {
    status = tn_lower_name_unit(module, params->unit_id, diag);
  }
  if (status == TN_OK) {
    status = tn_module_verify(module, "its symbols were settled", diag);
  }
  if (status == TN_OK) {
    status = tn_module_write(module, out_bitcode, diag);
  }
  LLVMDisposeModule(module);
  return status;
}

tn_status tn_pipeline_unit(const tn_unit_params *params, tn_buf *out_bitcode, tn_buf *messages,
                           tn_diag *diag) {
  TN_TRY(tn_pipeline_check_target(params->target, diag));
  tn_arena arena;
  tn_arena_init(&arena);
  tn_llvm_job job;
  tn_status status = tn_llvm_job_init(&job, diag);
  if (status == TN_OK) {
    status = run(&job, params, &arena, out_bitcode, messages, diag);
  }
  tn_llvm_job_deinit(&job);
  tn_arena_deinit(&arena);
  return status;
}
