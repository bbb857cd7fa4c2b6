// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to compile/gpu: copies of vectors' size as loads and stores of vectors.
#ifndef TN_COMPILE_GPU_GPU_WIDE_COPIES_H
#define TN_COMPILE_GPU_GPU_WIDE_COPIES_H

#include "compile/module/module.h"

// LLVM's NVPTX back end copies 8 bytes at a time what a GPU moves 16 at a time.
void tn_gpu_copies_widen(LLVMModuleRef module);

#endif
