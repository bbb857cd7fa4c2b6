// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to compile/emit: how much of a thread's stack kernels take.
#ifndef TN_COMPILE_EMIT_STACK_SIZE_H
#define TN_COMPILE_EMIT_STACK_SIZE_H

#include "base/map.h"
#include "compile/module/module.h"

typedef struct tn_stack_frame tn_stack_frame;

// The frames of a module's functions. LLVM's back end knows a frame's size, and reports it as a
// warning while it makes code.
typedef struct tn_stack_sizes {
  tn_llvm_job *job;        // borrowed
  tn_arena arena;          // owned
  tn_map by_name;          // owned: tn_stack_frame
  tn_list frames;          // of all functions
  tn_list called_by_pointer;
  tn_list open;            // of the walk
  uint32_t order;          // of the last frame that the walk came to
  bool out_of_memory;
} tn_stack_sizes;

// Before code is made of an optimized module: has LLVM report each function's frame. The job stays
// where it is until deinit.
TN_MUST_USE tn_status tn_stack_sizes_begin(tn_stack_sizes *sizes, tn_llvm_job *job,
                                           LLVMModuleRef module, tn_diag *diag);
// After: writes each kernel's tn_cpu_needs.stack_size into `out`, a copy of the object `code` that
// was made of the module. Recursion counts once.
TN_MUST_USE tn_status tn_stack_sizes_write(tn_stack_sizes *sizes, LLVMMemoryBufferRef code,
                                           tn_buf *out, tn_diag *diag);
void tn_stack_sizes_deinit(tn_stack_sizes *sizes);

#endif
