// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to lower: what Clang's annotations say of kernels and functions.
#ifndef TN_COMPILE_LOWER_ATTRIBUTE_ANNOTATIONS_H
#define TN_COMPILE_LOWER_ATTRIBUTE_ANNOTATIONS_H

#include "compile/module/module.h"

// Gives functions the attributes that their annotations say. Before the annotations are dropped.
TN_MUST_USE tn_status tn_annotations_apply(LLVMModuleRef module, tn_arena *arena, tn_diag *diag);

// What an annotation is of, and its text; NULL when it is of no function.
LLVMValueRef tn_annotation_function(LLVMValueRef entry, tn_str *out_name);
// The numbers among the arguments of an annotation, {function, name, file, line, arguments}; false
// when there are more than `maximum`, or others.
size_t tn_annotation_size(LLVMValueRef entry);  // how many arguments there are
TN_MUST_USE bool tn_annotation_numbers(LLVMValueRef entry, uint64_t *out, size_t maximum,
                                       size_t *out_count);

// Gives a kernel the sizes of `function`, which it calls, unless it has its own.
void tn_attributes_inherit(LLVMValueRef kernel, LLVMValueRef function);

#endif
