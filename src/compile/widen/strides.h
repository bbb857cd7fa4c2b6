// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to compile/widen: loops whose rounds access memory far apart.
#ifndef TN_COMPILE_WIDEN_STRIDES_H
#define TN_COMPILE_WIDEN_STRIDES_H

#include "compile/widen/shape.h"

// How many strips of `width` lanes access enough side by side, 1, 2, 4 or 8, where a loop with few
// values goes far in each round: through a matrix's rows, or by as many elements as there are
// work-items.
unsigned tn_strided_factor(const tn_shapes *shapes, unsigned width);

#endif
