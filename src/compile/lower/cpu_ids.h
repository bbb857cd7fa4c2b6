// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to compile/lower: the functions device code asks for ids and sizes with, on the CPU.
#ifndef TN_COMPILE_LOWER_CPU_IDS_H
#define TN_COMPILE_LOWER_CPU_IDS_H

#include "compile/module/module.h"

// Parameters of the function that runs one work-item.
enum { TN_CPU_ITEM_ARGS, TN_CPU_ITEM_GROUP, TN_CPU_ITEM_LOCAL, TN_CPU_ITEM_PARAMS = 5 };

// What a function is called for.
typedef enum tn_cpu_id {
  TN_CPU_ID_NONE,  // another function, or a dimension that is not constant
  TN_CPU_ID_GLOBAL,
  TN_CPU_ID_LOCAL,
  TN_CPU_ID_GLOBAL_SIZE,
  TN_CPU_ID_GLOBAL_OFFSET,
  TN_CPU_ID_GROUP_COUNT,
  TN_CPU_ID_GROUP_SIZE,
  TN_CPU_ID_GROUP,
} tn_cpu_id;
tn_cpu_id tn_cpu_id_of(LLVMValueRef value, uint64_t *out_dimension);
// A function whose result, or what it does, may depend on which work-item calls it.
bool tn_cpu_knows_items(LLVMValueRef function);
// One of those that returns memory which all groups of a launch share, or looks at an address.
bool tn_cpu_is_launch_memory(LLVMValueRef function);
LLVMValueRef tn_cpu_id_load_global_size(LLVMBuilderRef builder, LLVMValueRef item,
                                        uint64_t dimension);

// Gets all functions that ask for ids inlined into their kernels. BUILD_FAILED naming a function
// that cannot be.
TN_MUST_USE tn_status tn_cpu_ids_inline(tn_llvm_job *job, LLVMModuleRef module, tn_diag *diag);
// Replaces the questions in `item`, a function of a work-item in a sub-group of at most `width`;
// those about sub-groups stay for compile/widen. Unknown ones fail by name. `*out_group_memory` is
// tn_cpu_needs.group_memory of the kernel.
TN_MUST_USE tn_status tn_cpu_ids_replace(LLVMModuleRef module, LLVMValueRef item, unsigned width,
                                         uint64_t *out_group_memory, tn_diag *diag);

#endif
