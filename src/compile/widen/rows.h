// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to compile/widen: strips that lie within a row of elements that work-items number.
#ifndef TN_COMPILE_WIDEN_ROWS_H
#define TN_COMPILE_WIDEN_ROWS_H

#include "compile/widen/lanes.h"

// Takes it that strips of `width` lanes lie within rows, and finds the shapes again if that makes a
// difference: shapes->row_count tells. The code then needs tn_rows_check.
void tn_rows_assume(tn_shapes *shapes, unsigned width);
// At the begin of the function, with the parameters' lanes set: goes on where that is so. Other
// strips return from here.
void tn_rows_check(tn_widener *w);

// A vector of the instruction's lanes, all of which are there.
typedef LLVMValueRef tn_vector_builder(tn_widener *w, LLVMValueRef i, LLVMValueRef mask);
// Elsewhere than at the begin of the function, where strips that lie across rows stay together: a
// number of rows, or a place in one, has one division where the strip lies within a row, and is
// made by `by_lanes` in the others. False, and nothing is written, when it is neither.
bool tn_widen_in_row(tn_widener *w, LLVMValueRef i, tn_vector_builder *by_lanes);

#endif
