// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to compile/gpu: who calls what in a module for a GPU.
#ifndef TN_COMPILE_GPU_GPU_CALLS_H
#define TN_COMPILE_GPU_GPU_CALLS_H

#include "compile/module/module.h"

// Has every function that calls the named one, directly or through others, inlined where it is
// called. Kernels and recursive functions stay.
TN_MUST_USE tn_status tn_gpu_calls_inline(LLVMModuleRef module, const char *name, tn_diag *diag);

// What a function calls, itself and through others.
typedef struct tn_gpu_calls {
  bool is_open;       // functions of other images, or function pointers
  bool asks_group;    // for what only a kernel over an nd_range may ask
  bool asks_through;  // for the launch's block, in functions that it calls
  uint32_t dims;      // of its launches, where it says so; else 0
  bool is_plain;      // they are over a plain range, whose groups are the device's choice
} tn_gpu_calls;
TN_MUST_USE tn_status tn_gpu_calls_of(LLVMValueRef function, tn_gpu_calls *out, tn_diag *diag);

#endif
