// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to compile/gpu: group_local_memory.
#ifndef TN_COMPILE_GPU_GPU_GROUP_MEMORY_H
#define TN_COMPILE_GPU_GPU_GROUP_MEMORY_H

#include "compile/module/module.h"

// Each call of TN_GROUP_MEMORY_FUNCTION becomes the address of a variable in local memory. Needs:
// kernels' callees where they are, for a call in a function that several kernels use is one place.
TN_MUST_USE tn_status tn_gpu_group_memory_place(LLVMModuleRef module, tn_diag *diag);

#endif
