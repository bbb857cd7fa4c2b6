// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to compile/gpu: what device code uses and its device does not have.
#ifndef TN_COMPILE_GPU_GPU_MISSING_H
#define TN_COMPILE_GPU_GPU_MISSING_H

#include "compile/module/module.h"
#include "compile/target/target.h"

// BUILD_FAILED for the first function that is declared, used and nowhere: with its name, the kernel
// that gets there, and where. Before kernels lose the convention by which they are known.
TN_MUST_USE tn_status tn_gpu_missing_check(LLVMModuleRef module, const tn_target *target,
                                           tn_diag *diag);

#endif
