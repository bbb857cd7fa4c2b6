// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to lower: the one argument that a kernel of C is given.
#ifndef TN_COMPILE_LOWER_C_KERNEL_H
#define TN_COMPILE_LOWER_C_KERNEL_H

#include "compile/module/module.h"

// An argument of a TN_KERNEL function, and where it lies in the block.
typedef struct tn_c_argument {
  LLVMValueRef param;
  LLVMTypeRef type;  // in memory
  uint64_t offset;
  uint64_t size;
  uint32_t align;
  uint32_t kind;   // TN_ARG_…
  bool is_object;  // `param` points to it
} tn_c_argument;

typedef struct tn_c_block {
  tn_c_argument *arguments;  // the arena's
  size_t count;
  uint64_t size;
  uint32_t align;
} tn_c_block;

// Lays the arguments out as members of a struct would be. BUILD_FAILED for what cannot be an
// argument of a kernel.
TN_MUST_USE tn_status tn_c_block_make(LLVMModuleRef module, LLVMValueRef kernel, tn_arena *arena,
                                      tn_c_block *out, tn_diag *diag);

#endif
