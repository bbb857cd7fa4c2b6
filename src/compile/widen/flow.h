// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to compile/widen: blocks in reverse post-order, dominators, loops. LLVM's C interface has
// none of them.
#ifndef TN_COMPILE_WIDEN_FLOW_H
#define TN_COMPILE_WIDEN_FLOW_H

#include "base/map.h"
#include "compile/module/module.h"

#include <llvm-c/Target.h>

enum { TN_FLOW_NONE = -1, TN_FLOW_BLOCKS_MAX = 3000 };

typedef struct tn_flow_block {
  LLVMBasicBlockRef block;
  LLVMValueRef end;  // the terminator
  int succ[2];
  int succ_count;
  int *pred;
  int pred_count;
  int idom;   // TN_FLOW_NONE for the entry
  int ipdom;  // in one round of its loops; TN_FLOW_NONE for the last
  int loop;   // innermost, or TN_FLOW_NONE
} tn_flow_block;

typedef struct tn_block_list {
  int *items;
  int count;
} tn_block_list;

typedef struct tn_flow_loop {
  int header;
  int latch;
  int parent;
  int exit;               // the one block outside that is entered from inside
  tn_block_list blocks;   // in order, the header first; with those of inner loops
  tn_block_list exiting;  // those of them that lead to the exit
  bool has_inner;         // loops
} tn_flow_loop;

typedef struct tn_flow {
  tn_arena *arena;
  tn_flow_block *blocks;  // in reverse post-order; 0 is the entry
  int count;
  tn_flow_loop *loops;  // outer before inner
  int loop_count;
  tn_map index;  // block → index + 1
} tn_flow;

// False when the control flow has another form than widening takes, or there is no memory: one
// return, branches of two ways, natural loops with one latch and one block to exit to.
TN_MUST_USE bool tn_flow_init(tn_flow *flow, LLVMValueRef function, tn_arena *arena);
// Blocks and edges alone, of functions with other loops as well; deinit ends both.
TN_MUST_USE bool tn_flow_init_blocks(tn_flow *flow, LLVMValueRef function, tn_arena *arena);
void tn_flow_deinit(tn_flow *flow);
int tn_flow_index(const tn_flow *flow, LLVMBasicBlockRef block);
bool tn_flow_dominates(const tn_flow *flow, int a, int b);
// A copy of `count` numbers in the arena, in their order; false when there is no memory.
TN_MUST_USE bool tn_block_list_sort(tn_arena *arena, const int *numbers, int count,
                                    tn_block_list *out);
// What a phi takes from a block; NULL when that is none of its own.
LLVMValueRef tn_flow_incoming(const tn_flow *flow, LLVMValueRef phi, int from);
// Whether the loop, or one inside of it, holds the block; TN_FLOW_NONE holds all.
bool tn_flow_in_loop(const tn_flow *flow, int loop, int block);
// Whether the value is computed in the loop.
bool tn_flow_has_value(const tn_flow *flow, int loop, LLVMValueRef value);
// 2 to how many times the block is taken to run: each loop around it eight times.
unsigned tn_flow_iteration_bits(const tn_flow *flow, int block);

#endif
