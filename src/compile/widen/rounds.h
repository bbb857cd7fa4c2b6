// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to compile/widen: loops in which each work-item reads memory of its own, element after
// element, as in a product of a matrix and a vector. Instead of an element of each in every round,
// a vector of each is read for as many rounds, and turned in registers.
#ifndef TN_COMPILE_WIDEN_ROUNDS_H
#define TN_COMPILE_WIDEN_ROUNDS_H

#include "compile/widen/edges.h"

enum { TN_ROUNDS_LOADS_MAX = 4 };
typedef struct tn_rounds {
  int block;             // the loop's only one
  unsigned count;        // rounds at once: as many elements as a vector has
  LLVMValueRef counter;  // i64, one more in each round
  LLVMValueRef bound;
  LLVMIntPredicate predicate;  // next counter, bound: there is another round; NE, ULT or SLT
  LLVMValueRef loads[TN_ROUNDS_LOADS_MAX];
  int load_count;
} tn_rounds;

// False for other loops. Needs: all work-items leave the loop together.
bool tn_rounds_find(const tn_shapes *shapes, int loop, unsigned width, unsigned vector_bytes,
                    tn_rounds *out);
// Whether a load is one of such a loop.
bool tn_rounds_have(const tn_shapes *shapes, LLVMValueRef load, unsigned width,
                    unsigned vector_bytes);
// As many rounds at once as there are but for the last ones, from where the builder is; `first` and
// the result are the header's values, before and after.
const tn_lanes *tn_rounds_write(tn_widener *w, int loop, const tn_lanes *first);
// Of a load in a round that is being written: its lanes; NULL: it is none of those.
LLVMValueRef tn_rounds_take(tn_widener *w, LLVMValueRef load);

#endif
