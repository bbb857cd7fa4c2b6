// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to lower: kernels that are functions, their kinds and their tables of arguments.
#ifndef TN_COMPILE_LOWER_FUNCTION_MARKS_H
#define TN_COMPILE_LOWER_FUNCTION_MARKS_H

#include "compile/module/module.h"
#include "image/image.h"

// Gives a function the attributes that its annotation says; does nothing for others' annotations.
TN_MUST_USE tn_status tn_function_mark_apply(LLVMValueRef function, tn_str name,
                                             LLVMValueRef annotation, tn_arena *arena,
                                             tn_diag *diag);
// Gives a kernel the table of arguments, and what the function that it calls is marked as.
TN_MUST_USE tn_status tn_function_marks_inherit(LLVMValueRef kernel, tn_arena *arena,
                                                tn_diag *diag);
// Flags and arguments from a kernel's attributes; false when there was no memory.
TN_MUST_USE bool tn_function_marks_describe(LLVMValueRef kernel, tn_arena *arena,
                                            tn_kernel_info *out);

#endif
