// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to pipeline: one piece of a group's device code → the images that hold it.
#ifndef TN_COMPILE_PIPELINE_PIECE_IMAGE_H
#define TN_COMPILE_PIPELINE_PIECE_IMAGE_H

#include "compile/module/module.h"
#include "compile/pipeline/group.h"

typedef struct tn_piece_job {
  tn_group_work *work;
  tn_llvm_job *llvm;
  const char *id;  // unique in the link: symbols of machine code are made of it
  size_t count;    // pieces so far
} tn_piece_job;

// tn_piece_fn for a tn_piece_job. Needs: simplified, symbols settled. Adds to the work's images and
// natives; the module is spent after it.
TN_MUST_USE tn_status tn_piece_image_write(void *job, LLVMModuleRef module, tn_diag *diag);

#endif
