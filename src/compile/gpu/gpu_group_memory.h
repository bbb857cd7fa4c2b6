// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to compile/gpu: group_local_memory and work_group_static.
#ifndef TN_COMPILE_GPU_GPU_GROUP_MEMORY_H
#define TN_COMPILE_GPU_GPU_GROUP_MEMORY_H

#include "compile/module/module.h"
#include "compile/target/target.h"

// Each call of TN_GROUP_MEMORY_FUNCTION becomes the address of a variable in local memory. Needs:
// kernels' callees where they are, for a call in a function that several kernels use is one place.
// So does each variable of type work_group_static.
TN_MUST_USE tn_status tn_gpu_group_memory_place(LLVMModuleRef module, tn_target_kind kind,
                                                tn_diag *diag);

#endif
