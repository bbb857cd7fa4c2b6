// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to pipeline: -fsycl-device-code-split=, on the module of one group.
#ifndef TN_COMPILE_PIPELINE_SPLIT_PIECES_H
#define TN_COMPILE_PIPELINE_SPLIT_PIECES_H

#include "base/map.h"
#include "compile/module/module.h"
#include "compile/pipeline/pipeline.h"

// Which piece each entry is in: kernels and visible SYCL_EXTERNAL functions, told apart as a mode
// says. Pieces are numbered in an order that depends on the module's contents only. Once made it is
// only read: any thread.
typedef struct tn_split {
  tn_map pieces;  // by name of entry
  size_t count;
} tn_split;
// Needs: internalized.
TN_MUST_USE tn_status tn_split_init(tn_split *split, LLVMModuleRef module, tn_split_mode mode,
                                    tn_arena *arena, tn_diag *diag);
void tn_split_deinit(tn_split *split);

// Called for each piece, in their order.
typedef tn_status (*tn_piece_fn)(void *user, LLVMModuleRef piece, tn_diag *diag);

// The pieces from `begin` to before `end`, which are all that `module` has, each with all that it
// needs; copies of what another piece exports are internal.
TN_MUST_USE tn_status tn_split_range(const tn_split *split, tn_llvm_job *job, LLVMModuleRef module,
                                     size_t begin, size_t end, tn_piece_fn fn, void *user,
                                     tn_diag *diag);
// A module with these pieces of the module's, in its context; the caller's.
TN_MUST_USE tn_status tn_split_part(const tn_split *split, tn_llvm_job *job, LLVMModuleRef module,
                                    size_t begin, size_t end, LLVMModuleRef *out, tn_diag *diag);
// All of that for all pieces. Takes the module over.
TN_MUST_USE tn_status tn_split_pieces(tn_llvm_job *job, LLVMModuleRef take_module,
                                      tn_split_mode mode, tn_arena *arena, tn_piece_fn fn,
                                      void *user, tn_diag *diag);

#endif
