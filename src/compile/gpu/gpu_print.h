// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to compile/gpu: printf's formats as devices know them.
#ifndef TN_COMPILE_GPU_GPU_PRINT_H
#define TN_COMPILE_GPU_GPU_PRINT_H

#include "compile/module/module.h"

// Clang has made vprintf of printf, with the arguments in memory. Formats that are constants lose
// what the driver's printf does not know and has another word for; BUILD_FAILED, naming the place,
// for what it has no word for.
TN_MUST_USE tn_status tn_gpu_print_adapt(LLVMModuleRef module, tn_diag *diag);
// For SPIR-V: calls of C's printf become OpenCL's. BUILD_FAILED, naming the place, where the format
// or a text is not a constant, or OpenCL has no such conversion.
TN_MUST_USE tn_status tn_gpu_print_for_spirv(tn_llvm_job *job, LLVMModuleRef module,
                                             tn_diag *diag);
// The text that a pointer is to, when it is a constant; false otherwise.
bool tn_gpu_print_text(LLVMValueRef pointer, tn_str *out);

#endif
