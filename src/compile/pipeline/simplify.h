// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to pipeline: what is done to device code wherever it will run.
#ifndef TN_COMPILE_PIPELINE_SIMPLIFY_H
#define TN_COMPILE_PIPELINE_SIMPLIFY_H

#include "compile/module/module.h"

TN_MUST_USE tn_status tn_simplify(tn_llvm_job *job, LLVMModuleRef module, uint32_t opt_level,
                                  tn_diag *diag);

// Of code of -O0, whose functions may be inlined from here on, unless the level is 0 here, too.
TN_MUST_USE tn_status tn_simplify_unoptimized(tn_llvm_job *job, LLVMModuleRef module,
                                              uint32_t opt_level, tn_diag *diag);

#endif
