// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to compile/gpu: mathematics on devices other than the CPU.
#ifndef TN_COMPILE_GPU_GPU_MATH_H
#define TN_COMPILE_GPU_GPU_MATH_H

#include "compile/module/module.h"
#include "compile/target/target.h"

// The C library's functions and those of LLVM's intrinsics that the device's back end cannot do
// become calls of the device's library: libdevice (__nv_…), OpenCL's built-ins, OCML (__ocml_…).
TN_MUST_USE tn_status tn_gpu_math_replace(tn_llvm_job *job, LLVMModuleRef module,
                                          tn_target_kind kind, tn_diag *diag);
// Before that, on NVIDIA GPUs: calls that may be approximate become the device's instructions.
void tn_gpu_fast_math(LLVMModuleRef module);
// Whether a declared function is one of such a library's.
bool tn_gpu_math_is_library(tn_target_kind kind, tn_str name);

#endif
