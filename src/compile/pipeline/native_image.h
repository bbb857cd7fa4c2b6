// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to pipeline: machine code for the CPU, ahead of time.
#ifndef TN_COMPILE_PIPELINE_NATIVE_IMAGE_H
#define TN_COMPILE_PIPELINE_NATIVE_IMAGE_H

#include "compile/lower/lower.h"
#include "compile/pipeline/piece_image.h"

// What became of a piece: texts are in the arena of the work.
typedef struct tn_native_image {
  const char *symbol;  // of the table in the object; NULL: the piece has no machine code
  const char *needs;   // of the processor, by commas (base/cpu_feature.h); "" for the baseline
} tn_native_image;

// Adds the piece's work-group functions and their table (tenon/cpu_kernel.h) to the work's natives.
// Pieces without kernels, and those that import symbols, have no machine code. The module stays as
// it is. BUILD_FAILED, UNSUPPORTED for a processor that is not known.
TN_MUST_USE tn_status tn_native_image_make(const tn_piece_job *job, LLVMModuleRef module,
                                           const tn_lower_symbols *symbols,
                                           const tn_lower_specs *specs,
                                           const tn_lower_globals *globals, tn_native_image *out,
                                           tn_diag *diag);

#endif
