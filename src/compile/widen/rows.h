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

#endif
