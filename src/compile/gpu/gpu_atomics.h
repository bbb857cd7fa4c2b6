// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to compile/gpu: atomic operations that a device's back end does not have.
#ifndef TN_COMPILE_GPU_GPU_ATOMICS_H
#define TN_COMPILE_GPU_GPU_ATOMICS_H

#include "compile/module/module.h"

// Read-modify-write of floating-point values becomes a loop around a compare-exchange.
TN_MUST_USE tn_status tn_gpu_atomics_expand(LLVMModuleRef module, tn_diag *diag);
// For NVIDIA's: orders of read-modify-write become fences around it, fences for one thread go, and
// scopes are what the source means.
void tn_gpu_atomics_fence(LLVMModuleRef module);

#endif
