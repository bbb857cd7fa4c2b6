// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to pipeline: -fsycl-device-code-split=, on the module of one group.
#ifndef TN_COMPILE_PIPELINE_SPLIT_PIECES_H
#define TN_COMPILE_PIPELINE_SPLIT_PIECES_H

#include "compile/module/module.h"
#include "compile/pipeline/pipeline.h"

// Called for each piece, in an order that depends on the module's contents only.
typedef tn_status (*tn_piece_fn)(void *user, LLVMModuleRef piece, tn_diag *diag);

// Kernels and visible SYCL_EXTERNAL functions, told apart as `mode` says, each piece with all that
// it needs; copies of what another piece exports are internal. Needs: internalized. Takes the
// module over.
TN_MUST_USE tn_status tn_split_pieces(tn_llvm_job *job, LLVMModuleRef take_module,
                                      tn_split_mode mode, tn_arena *arena, tn_piece_fn fn,
                                      void *user, tn_diag *diag);

#endif
