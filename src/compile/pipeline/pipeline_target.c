// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The targets the pipeline knows.
#include "compile/pipeline/pipeline_target.h"

#include "image/image.h"

tn_status tn_pipeline_check_target(const char *target, tn_diag *diag) {
  if (target && strcmp(target, TN_TARGET_NATIVE_CPU) == 0) {
    return TN_OK;
  }
  return TN_FAIL(diag, UNSUPPORTED, "unknown target '%s'; this version compiles device code for: "
                 TN_TARGET_NATIVE_CPU, target ? target : "");
}
