// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to compile/lower: a kernel's body as a function of one work-item.
#ifndef TN_COMPILE_LOWER_CPU_ITEM_H
#define TN_COMPILE_LOWER_CPU_ITEM_H

#include "compile/module/module.h"

typedef struct tn_cpu_item {
  LLVMValueRef function;  // void(ptr args, ptr group, i64 x, i64 y, i64 z)
  uint64_t arg_size;
  uint64_t arg_align;
  uint64_t group_memory;  // tn_cpu_needs.group_memory
  bool is_groupless;      // computes the same in groups of any size
} tn_cpu_item;

// Moves the body out of `kernel`, which is gone afterwards. `width` is the size of its sub-groups;
// `is_stepped`: its lines are for a debugger.
TN_MUST_USE tn_status tn_cpu_item_make(LLVMModuleRef module, LLVMValueRef kernel, unsigned width,
                                       bool is_stepped, tn_cpu_item *out, tn_diag *diag);
// Copies a function's attributes but those that are about inlining.
void tn_cpu_copy_attrs(LLVMValueRef from, LLVMValueRef to);

#endif
