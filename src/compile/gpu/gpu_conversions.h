// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to compile/gpu: conversions of floats.
#ifndef TN_COMPILE_GPU_GPU_CONVERSIONS_H
#define TN_COMPILE_GPU_GPU_CONVERSIONS_H

#include "compile/module/module.h"

// Each rounds by itself, whatever may be contracted.
void tn_gpu_conversions_settle(LLVMModuleRef module);

#endif
