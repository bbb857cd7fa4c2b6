// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to compile/widen: a function's code written again, for several rows of work-items at
// once. What is the same in all rows is written once, other instructions row by row.
#ifndef TN_COMPILE_WIDEN_COPIES_H
#define TN_COMPILE_WIDEN_COPIES_H

#include "compile/widen/flow.h"
#include "compile/widen/widen.h"

enum { TN_COPIES_MAX = 8 };  // rows at once

// Of a block of tn_copies.flow, beside it.
typedef struct tn_copied_block {
  LLVMBasicBlockRef to;
  LLVMBasicBlockRef ends[2];  // where the code comes from that goes to each successor
  int succ[2];      // TN_FLOW_NONE: nobody goes there; of a guard, it may be that all rows go the
                    // other way or are run one after the other
  bool is_reached;  // from the entry
  bool is_in_loop;
  bool is_late;   // something may have been done before its end that is not to be done twice
  bool is_guard;  // a branch that rows may decide differently
} tn_copied_block;
enum { TN_COPIES_BLOCKS_MAX = 256 };

typedef struct tn_copies {
  LLVMValueRef from;
  unsigned rows;
  tn_arena *arena;
  tn_flow flow;  // blocks and edges of `from`
  tn_copied_block *blocks;
  tn_map differs;  // instruction that is not the same in all rows → itself
  tn_map values;   // instruction or parameter → the copies, of each row
} tn_copies;

// False when there is no memory, or the code cannot be written for several rows: rows decide
// differently in a loop, or after something was done. With one row, all can.
TN_MUST_USE bool tn_copies_init(tn_copies *copies, LLVMValueRef from, unsigned rows,
                                tn_arena *arena);
void tn_copies_deinit(tn_copies *copies);
static inline bool tn_copies_differ(const tn_copies *copies, LLVMValueRef value) {
  return tn_map_find(&copies->differs, TN_POINTER_KEY(value)) != NULL;
}
// Writes the code to `to`, a function of the same type without a body. Rows that decide differently
// run `from`, one after the other.
TN_MUST_USE bool tn_copies_write(tn_copies *copies, LLVMValueRef to);

// A load or gather of vectors under a mask.
bool tn_is_masked_read(LLVMValueRef call);

#endif
