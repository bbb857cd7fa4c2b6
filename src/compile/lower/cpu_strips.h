// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to compile/lower: work-groups without barriers as loops over strips (compile/widen).
#ifndef TN_COMPILE_LOWER_CPU_STRIPS_H
#define TN_COMPILE_LOWER_CPU_STRIPS_H

#include "compile/widen/widen.h"

// The parameters of a work-group function, void(ptr args, ptr group).
enum { TN_GROUP_ARGS = 0, TN_GROUP_GROUP = 1 };
// A field of the group, i64; `field` is its offset in tn_cpu_group.
LLVMValueRef tn_strips_field(LLVMBuilderRef builder, const tn_strips *strips, size_t field);
// A new block at the function's end.
LLVMBasicBlockRef tn_strips_block(const tn_strips *strips, const char *name);

// The code of a kernel's work-items; functions are NULL where there is none.
typedef struct tn_strip_code {
  LLVMValueRef item;    // of one work-item, for where `full` is NULL
  LLVMValueRef full;    // of as many as a strip has
  LLVMValueRef part;    // of fewer
  LLVMValueRef folded;  // of sub-groups that go on in the next row
  LLVMValueRef wide;    // several strips at once,
  unsigned wide_width;  // so many lanes
  LLVMValueRef rows;    // strips of `rows_width` lanes, `row_count` rows at once
  unsigned rows_width;
  unsigned row_count;
} tn_strip_code;

// Sub-groups follow the linear ids of work-items (SYCL leaves their composition open; CUDA's warps
// and DPC++'s sub-groups do the same). Where rows are multiples of a sub-group, or there is one row
// only, those are strips of rows; other groups are one row of all their work-items, folded.
tn_strips tn_strips_fold(LLVMBuilderRef builder, const tn_strips *strips);
// Ends the builder's block; leaves the builder where groups with several rows go.
LLVMBasicBlockRef tn_strips_have_rows(LLVMBuilderRef builder, const tn_strips *strips,
                                      const tn_strips *folded);
// The group in folded strips, if it has to be; the builder is left where it goes on if not.
void tn_strips_build_folded(LLVMBuilderRef builder, const tn_strips *strips,
                            const tn_strip_code *code);
// The group in rows of strips. Ends the function.
void tn_strips_build_rows(LLVMBuilderRef builder, const tn_strips *strips,
                          const tn_strip_code *code);

#endif
