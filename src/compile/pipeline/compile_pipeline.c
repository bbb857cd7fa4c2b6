// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program of one unit: what lies between device pass and images, in one context of LLVM.
#include "compile/lower/lower.h"
#include "compile/pipeline/ready_unit.h"

enum { SYMBOLS_MAXIMUM = 1 << 30 };

static tn_status run(tn_ready_unit *ready, const tn_unit_params *unit, const tn_link_params *link,
                     tn_link_result *result, tn_buf *symbols, tn_buf *messages, tn_diag *diag) {
  TN_TRY(tn_lower_check_globals(ready->module, diag));
  TN_TRY(tn_ready_unit_make(ready, unit, symbols, messages, diag));
  const tn_link_input input = {.symbols = tn_buf_str(symbols), .name = unit->source};
  tn_link_params with_input = *link;
  with_input.inputs = &input;
  with_input.input_count = 1;
  with_input.ready = ready;
  return tn_pipeline_link(&with_input, result, messages, diag);
}

tn_status tn_pipeline_compile(LLVMModuleRef take_module, const tn_unit_params *unit,
                              const tn_link_params *link, tn_link_result *result, tn_buf *messages,
                              tn_diag *diag) {
  tn_ready_unit ready = {.module = take_module};
  tn_llvm_job_init_in(&ready.llvm, LLVMGetModuleContext(take_module));
  tn_buf symbols;
  tn_buf_init(&symbols, SYMBOLS_MAXIMUM);
  const tn_status status = run(&ready, unit, link, result, &symbols, messages, diag);
  tn_buf_deinit(&symbols);
  if (ready.module) {
    LLVMDisposeModule(ready.module);
  }
  tn_llvm_job_deinit(&ready.llvm);
  return status;
}
