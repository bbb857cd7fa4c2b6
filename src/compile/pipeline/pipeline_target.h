// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to compile/pipeline: the targets it knows.
#ifndef TN_COMPILE_PIPELINE_PIPELINE_TARGET_H
#define TN_COMPILE_PIPELINE_PIPELINE_TARGET_H

#include "compile/pipeline/pipeline.h"

// UNSUPPORTED naming what there is.
TN_MUST_USE tn_status tn_pipeline_check_target(const char *target, tn_diag *diag);

#endif
