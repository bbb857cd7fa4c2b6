// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A translation unit's device bitcode: checked, its symbols settled.
#include "compile/check/check.h"
#include "compile/gpu/gpu.h"
#include "compile/lower/lower.h"
#include "compile/pipeline/kernel_remarks.h"
#include "compile/pipeline/ready_unit.h"
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

// Declarations stay what they are: the function is another image's.
static void hide_kernel_functions(LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (tn_function_is_defined(f) && !tn_function_is_kernel(f) &&
        tn_function_attr(f, TN_ATTR_FUNCTION_KIND).size > 0) {
      tn_function_remove_attr(f, TN_ATTR_MODULE_ID);
    }
  }
}

// -fsycl-default-sub-group-size= is as if the source had it on each kernel without a size.
static tn_status require_sub_group_size(LLVMModuleRef module, uint32_t size, tn_arena *arena,
                                        tn_diag *diag) {
  const char *text = tn_arena_format(arena, "%u", size);
  if (!text) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to describe kernels");
  }
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (tn_function_is_kernel(f) && tn_function_attr(f, TN_ATTR_SUB_GROUP_SIZE).size == 0) {
      tn_function_set_attr(f, TN_ATTR_SUB_GROUP_SIZE, text);
    }
  }
  return TN_OK;
}

typedef struct unit_job {
  tn_llvm_job *llvm;
  const tn_unit_params *params;
  const char *source;
  const char *recorded;  // the source as the code names it
  tn_arena *arena;
  LLVMModuleRef module;
  bool is_alone;        // no other unit is there
  tn_list definitions;  // what other units may define as well
} unit_job;

static tn_status check(unit_job *job, tn_buf *messages, tn_diag *diag) {
  const char *module_id = tn_arena_format(job->arena, "%s@%016llx", job->recorded,
                                          (unsigned long long)job->params->unit_id);
  if (!module_id) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "%s: no memory to compile it", job->source);
  }
  TN_TRY(tn_lower_c_kernels(job->module, job->arena, diag));
  TN_TRY(tn_gpu_kernels_unify(job->module, diag));
  TN_TRY(tn_lower_prepare_unit(job->module, module_id, job->arena, diag));
  if (job->params->sub_group_size != 0) {
    TN_TRY(require_sub_group_size(job->module, job->params->sub_group_size, job->arena, diag));
  }
  if (job->params->is_foreign) {
    mark_visible(job->module, module_id);
  }
  if (job->params->hides_kernel_functions) {
    hide_kernel_functions(job->module);
  }
  TN_TRY(tn_module_drop_libraries(job->llvm, &job->module, diag));
  // Not the folder it was compiled in: equal units are equal bytes.
  LLVMSetSourceFileName(job->module, job->recorded, strlen(job->recorded));
  return tn_check_unit(job->module, job->source, job->arena, messages, diag);
}

// What the front end in this process made was looked at there.
static tn_status verify(const unit_job *job, tn_diag *diag) {
#ifdef NDEBUG
  if (job->is_alone) {
    return TN_OK;
  }
#endif
  return tn_module_verify(job->module, "its symbols were settled", diag);
}

static tn_status settle(unit_job *job, tn_diag *diag) {
  if (!job->is_alone) {
    TN_TRY(tn_lower_list_definitions(job->module, job->params->unit_id, job->arena,
                                     &job->definitions, diag));
  }
  TN_TRY(tn_lower_name_unit(job->module, job->params->unit_id, diag));
  tn_lower_internalize(job->module, NULL, NULL);
  TN_TRY(verify(job, diag));
  TN_TRY(tn_simplify(job->llvm, job->module, job->params->opt_level, diag));
  // Of what is left: constants are folded, code that never runs is gone.
  return tn_lower_note_aspects(job->module, job->arena, diag);
}

static tn_status write_symbols(unit_job *job, tn_buf *out_symbols, tn_diag *diag) {
  TN_TRY(tn_unit_symbols_write(job->module, job->params->opt_level > 0, job->arena, out_symbols,
                               diag));
  tn_unit_symbols_add_definitions(&job->definitions, out_symbols);
  return tn_buf_status(out_symbols, diag);
}

// The job's module to what it is for the link, with its list of symbols.
static tn_status work(unit_job *job, tn_buf *out_symbols, tn_buf *messages, tn_diag *diag) {
  TN_TRY(check(job, messages, diag));
  // Names of values are for those who read what clang made.
  LLVMContextSetDiscardValueNames(job->llvm->context, job->is_alone);
  TN_TRY(settle(job, diag));
  return write_symbols(job, out_symbols, diag);
}

static tn_status run(unit_job *job, tn_buf *out_bitcode, tn_buf *out_symbols, tn_buf *messages,
                     tn_diag *diag) {
  if (job->params->is_c) {
    TN_TRY(tn_lower_check_c_kernels(job->llvm, job->params->bitcode, diag));
  }
  TN_TRY(tn_module_parse(job->llvm, job->params->bitcode, job->source, &job->module, diag));
  tn_status status = work(job, out_symbols, messages, diag);
  if (status == TN_OK) {
    status = tn_module_write(job->module, out_bitcode, diag);
  }
  if (status == TN_OK && job->params->remarks != 0 &&
      job->params->target->kind == TN_TARGET_CPU) {
    tn_kernel_remarks_of_unit(job->llvm, job->module, job->params, job->arena, messages);
  }
  LLVMDisposeModule(job->module);
  return status;
}

static unit_job job_of(tn_llvm_job *llvm, const tn_unit_params *params, tn_arena *arena) {
  const char *source = params->source ? params->source : "device code";
  return (unit_job){.llvm = llvm,
                    .params = params,
                    .arena = arena,
                    .source = source,
                    .recorded = params->recorded_source ? params->recorded_source : source};
}

tn_status tn_pipeline_unit(const tn_unit_params *params, tn_buf *out_bitcode, tn_buf *out_symbols,
                           tn_buf *messages, tn_diag *diag) {
  tn_arena arena;
  tn_arena_init(&arena);
  tn_llvm_job llvm;
  unit_job job = job_of(&llvm, params, &arena);
  tn_status status = tn_llvm_job_init(&llvm, diag);
  if (status == TN_OK) {
    status = run(&job, out_bitcode, out_symbols, messages, diag);
  }
  tn_llvm_job_deinit(&llvm);
  tn_arena_deinit(&arena);
  return status;
}

tn_status tn_ready_unit_make(tn_ready_unit *unit, const tn_unit_params *params,
                             tn_buf *out_symbols, tn_buf *messages, tn_diag *diag) {
  tn_arena arena;
  tn_arena_init(&arena);
  unit_job job = job_of(&unit->llvm, params, &arena);
  job.module = unit->module;
  job.is_alone = true;
  tn_status status = params->is_c ? tn_lower_check_c_module(job.module, diag) : TN_OK;
  if (status == TN_OK) {
    status = work(&job, out_symbols, messages, diag);
  }
  unit->module = job.module;
  tn_arena_deinit(&arena);
  return status;
}
