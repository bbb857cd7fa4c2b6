// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to compile/widen: remarks about the parts of a function (tn_remarks). Nothing is done
// where `remarks` is NULL.
#ifndef TN_COMPILE_WIDEN_EXPLAIN_H
#define TN_COMPILE_WIDEN_EXPLAIN_H

#include "compile/widen/shape.h"

// A load or store that becomes a gather or a scatter.
void tn_explain_access(tn_remarks *remarks, const tn_shapes *shapes, unsigned vector_bytes,
                       LLVMValueRef access);
// A load of which each work-item reads `rounds` elements at once.
void tn_explain_rounds(tn_remarks *remarks, LLVMValueRef load, unsigned rounds);
// An instruction that runs once for each work-item, one after the other.
void tn_explain_apart(tn_remarks *remarks, LLVMValueRef instruction);
// A branch that work-items take differently; `is_of_ids`: one of ids alone, which is written
// without masks for strips that take it as a whole.
void tn_explain_branch(tn_remarks *remarks, const tn_flow *flow, int block, bool is_of_ids);
void tn_explain_loop(tn_remarks *remarks, const tn_flow *flow, int loop, bool is_divergent);
// Of a function that stays one of a work-item: what makes lanes expensive.
void tn_explain_costs(tn_remarks *remarks, const tn_shapes *shapes, unsigned vector_bytes);

#endif
