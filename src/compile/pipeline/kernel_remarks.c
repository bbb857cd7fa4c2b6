// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels are made for the CPU at their first launch, so a compilation that is to report what
// becomes of them lowers them for that alone.
#include "compile/pipeline/kernel_remarks.h"

#include "base/log.h"
#include "compile/emit/emit.h"
#include "compile/lower/lower.h"
#include "compile/pipeline/simplify.h"

_Static_assert((int)TN_UNIT_REMARKS_PASSED == (int)TN_REMARK_PASSED, "they are the same flags");
_Static_assert((int)TN_UNIT_REMARKS_MISSED == (int)TN_REMARK_MISSED, "they are the same flags");
_Static_assert((int)TN_UNIT_REMARKS_ANALYSIS == (int)TN_REMARK_ANALYSIS, "they are the same flags");

typedef struct kind_name {
  tn_remark_kind kind;
  const char *option;
  const char *word;
} kind_name;

static const kind_name kinds[] = {{TN_REMARK_PASSED, "-Rpass", "passed"},
                                  {TN_REMARK_MISSED, "-Rpass-missed", "missed"},
                                  {TN_REMARK_ANALYSIS, "-Rpass-analysis", "analysis"}};

static const kind_name *kind_of(const tn_remark *remark) {
  size_t k = 0;
  while (k + 1 < TN_COUNT(kinds) && kinds[k].kind != remark->kind) {
    k++;
  }
  return &kinds[k];
}

void tn_kernel_remarks_write(const tn_remarks *remarks, tn_buf *messages) {
  for (size_t i = 0; i < remarks->list.count; i++) {
    const tn_remark *remark = tn_remarks_at(remarks, i);
    tn_place_write(messages, remark->place, NULL);
    tn_buf_add_format(messages, "remark: %s [%s=tenon]\n", remark->text, kind_of(remark)->option);
  }
}

void tn_kernel_remarks_log(const tn_remarks *remarks) {
  enum { LINE_MAXIMUM = 1 << 16 };
  tn_buf place;
  tn_buf_init(&place, LINE_MAXIMUM);
  for (size_t i = 0; i < remarks->list.count; i++) {
    const tn_remark *remark = tn_remarks_at(remarks, i);
    tn_buf_clear(&place);
    tn_place_write(&place, remark->place, NULL);
    tn_log_write("vectorize", __func__, "%s%s: %s", tn_buf_text(&place), kind_of(remark)->word,
                 remark->text);
  }
  tn_buf_deinit(&place);
}

// The processor that code ahead of time is for, or -march= names; else this machine's.
static tn_status find_vector_bytes(const tn_unit_params *params, uint32_t opt_level, uint32_t *out,
                                   tn_diag *diag) {
  const char *name = params->target->is_aot ? params->target->processor : params->remark_processor;
  tn_cpu_processor processor;
  LLVMTargetMachineRef machine = NULL;
  tn_status status = TN_OK;
  if (params->target->is_aot || name) {
    status = tn_cpu_processor_init(&processor, name, diag);
    status = status == TN_OK ? tn_emit_machine_create_for(&processor, opt_level, &machine, diag)
                             : status;
    tn_cpu_processor_deinit(&processor);
  } else {
    status = tn_emit_machine_create(opt_level, &machine, diag);
  }
  if (status == TN_OK) {
    *out = tn_emit_vector_bytes(machine);
    LLVMDisposeTargetMachine(machine);
  }
  return status;
}

static tn_status lower(tn_llvm_job *job, LLVMModuleRef module, const tn_unit_params *params,
                       tn_remarks *remarks, tn_diag *diag) {
  enum { RUN_TIME_LEVEL = 2 };
  // As builds at run time decide: only what can be debugged stays without optimization.
  const bool is_plain = params->opt_level == 0 && params->debug;
  const uint32_t opt_level = is_plain ? 0 : RUN_TIME_LEVEL;
  tn_cpu_target target = {.remarks = remarks};
  TN_TRY(find_vector_bytes(params, opt_level, &target.vector_bytes, diag));
  bool has_specs = false;
  TN_TRY(tn_lower_specialize(module, NULL, 0, &has_specs, diag));
  if (params->opt_level == 0 && opt_level > 0) {
    TN_TRY(tn_simplify_unoptimized(job, module, opt_level, diag));
  } else if (has_specs && opt_level > 0) {
    TN_TRY(tn_simplify(job, module, opt_level, diag));
  }
  return tn_lower_cpu(job, module, &target, opt_level, diag);
}

void tn_kernel_remarks_of_unit(tn_llvm_job *job, LLVMModuleRef module, const tn_unit_params *params,
                               tn_arena *arena, tn_buf *messages) {
  tn_remarks remarks;
  tn_remarks_init(&remarks, arena, params->remarks);
  TN_IGNORE(lower(job, module, params, &remarks, NULL), "the link reports what cannot be built");
  tn_kernel_remarks_write(&remarks, messages);
}
