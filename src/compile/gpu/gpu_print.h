// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to compile/gpu: printf's formats as NVIDIA's GPUs know them.
#ifndef TN_COMPILE_GPU_GPU_PRINT_H
#define TN_COMPILE_GPU_GPU_PRINT_H

#include "compile/module/module.h"

// Clang has made vprintf of printf, with the arguments in memory. Formats that are constants lose
// what the driver's printf does not know and has another word for; BUILD_FAILED, naming the place,
// for what it has no word for.
TN_MUST_USE tn_status tn_gpu_print_adapt(LLVMModuleRef module, tn_diag *diag);

#endif
