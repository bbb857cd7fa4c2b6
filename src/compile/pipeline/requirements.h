// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to pipeline: what all entries of a piece ask of a device together.
#ifndef TN_COMPILE_PIPELINE_REQUIREMENTS_H
#define TN_COMPILE_PIPELINE_REQUIREMENTS_H

#include "compile/lower/lower.h"

enum { TN_REQUIREMENT_KINDS = 3 };
typedef struct tn_requirements {
  tn_prop props[TN_REQUIREMENT_KINDS];  // of the set TN_PROPS_REQUIREMENTS; bytes are the arena's
  size_t count;
} tn_requirements;

// Sizes are listed when all kernels of the piece have the same.
TN_MUST_USE tn_status tn_requirements_list(LLVMModuleRef module, const tn_lower_symbols *symbols,
                                           tn_arena *arena, tn_requirements *out, tn_diag *diag);

#endif
