// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to compile/gpu: kernels' signatures on devices other than the CPU.
#ifndef TN_COMPILE_GPU_GPU_KERNEL_H
#define TN_COMPILE_GPU_GPU_KERNEL_H

#include "compile/module/module.h"

// What a kernel looks like to its device, beside its block.
typedef struct tn_gpu_kernel_form {
  unsigned convention;     // LLVMCallConv
  const char *extra_attr;  // of a second parameter: "byval", "byref"; NULL = a plain one
  LLVMTypeRef extra_type;  // what it points at, with extra_attr
  unsigned extra_space;    // address space of the second parameter
  const char *stand_in;    // the function whose calls in the kernel become that parameter
} tn_gpu_kernel_form;
// Gives the kernel that form; the old function is gone, the new one has its attributes, and its
// name with '$' for '@' and '.'.
// With `has_extra` false the second parameter is left out. *out is the new function.
TN_MUST_USE tn_status tn_gpu_kernel_rebuild(LLVMModuleRef module, LLVMValueRef kernel,
                                            const tn_gpu_kernel_form *form, bool has_extra,
                                            LLVMValueRef *out, tn_diag *diag);

#endif
