// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to pipeline: a unit that goes on to its link in memory.
#ifndef TN_COMPILE_PIPELINE_READY_UNIT_H
#define TN_COMPILE_PIPELINE_READY_UNIT_H

#include "compile/module/module.h"
#include "compile/pipeline/pipeline.h"

typedef struct tn_ready_unit {
  tn_llvm_job llvm;
  LLVMModuleRef module;  // owned; NULL when the link has taken it
} tn_ready_unit;

// As tn_pipeline_unit, for the unit's module in place of params->bitcode.
TN_MUST_USE tn_status tn_ready_unit_make(tn_ready_unit *unit, const tn_unit_params *params,
                                         tn_buf *out_symbols, tn_buf *messages, tn_diag *diag);

#endif
