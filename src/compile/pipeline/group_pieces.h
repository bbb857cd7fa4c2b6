// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to pipeline: a group's module → the images of its pieces, on the group's threads.
#ifndef TN_COMPILE_PIPELINE_GROUP_PIECES_H
#define TN_COMPILE_PIPELINE_GROUP_PIECES_H

#include "compile/module/module.h"
#include "compile/pipeline/group.h"

// Adds to the work's images, natives and messages, in the order of the pieces. `id`: as in
// tn_piece_job. Needs: simplified, symbols settled. Takes the module over.
TN_MUST_USE tn_status tn_group_write_pieces(tn_group_work *work, tn_llvm_job *job,
                                            LLVMModuleRef take_module, const char *id,
                                            tn_diag *diag);

#endif
