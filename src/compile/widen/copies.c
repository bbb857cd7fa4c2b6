// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM's C interface copies instructions, not functions.
#include "compile/widen/copies.h"

#include "compile/widen/shape.h"

#include <llvm-c/DebugInfo.h>

static bool find_blocks(tn_copies *c) {
  if (LLVMCountBasicBlocks(c->from) > TN_COPIES_BLOCKS_MAX ||
      !tn_flow_init_blocks(&c->flow, c->from, c->arena)) {
    return false;
  }
  c->blocks = tn_arena_alloc_array(c->arena, (size_t)c->flow.count, sizeof(*c->blocks));
  for (int b = 0; b < c->flow.count && c->blocks; b++) {
    const tn_flow_block *from = &c->flow.blocks[b];
    c->blocks[b] = (tn_copied_block){.succ = {from->succ[0], from->succ[1]}};
  }
  return c->blocks;
}

// Sets in `seen`, by block, which can be reached from a block, with itself.
static void reach(const tn_copies *c, int from, bool *seen) {
  int work[TN_COPIES_BLOCKS_MAX];
  int left = 0;
  memset(seen, 0, (size_t)c->flow.count * sizeof(*seen));
  seen[from] = true;
  work[left++] = from;
  while (left > 0) {
    const int at = work[--left];
    const tn_copied_block *block = &c->blocks[at];
    for (int s = 0; s < c->flow.blocks[at].succ_count; s++) {
      if (block->succ[s] != TN_FLOW_NONE && !seen[block->succ[s]]) {
        seen[block->succ[s]] = true;
        work[left++] = block->succ[s];
      }
    }
  }
}

static void find_loops(tn_copies *c) {
  bool seen[TN_COPIES_BLOCKS_MAX];
  for (int b = 0; b < c->flow.count; b++) {
    for (int s = 0; s < c->flow.blocks[b].succ_count && !c->blocks[b].is_in_loop; s++) {
      reach(c, c->blocks[b].succ[s], seen);
      c->blocks[b].is_in_loop = seen[b];
    }
  }
}

static bool is_private(LLVMValueRef pointer) {
  while (LLVMIsAGetElementPtrInst(pointer)) {
    pointer = LLVMGetOperand(pointer, 0);
  }
  return LLVMIsAAllocaInst(pointer) != NULL;
}

static bool has_prefix(LLVMValueRef value, const char *prefix) {
  return tn_str_has_prefix(tn_value_name(value), tn_str_from(prefix));
}

bool tn_is_masked_read(LLVMValueRef call) {
  LLVMValueRef callee = LLVMGetCalledValue(call);
  return has_prefix(callee, "llvm.masked.load.") || has_prefix(callee, "llvm.masked.gather.");
}

// What has to be done by each row. Work-items of a group with `rows` rows run in any order, but
// each sees what it wrote.
static bool is_done_by_each(LLVMValueRef i) {
  if (LLVMIsALoadInst(i)) {
    return LLVMGetVolatile(i) || LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic;
  }
  if (LLVMIsACallInst(i)) {
    return !tn_is_masked_read(i) && !tn_call_is_pure(i) && !tn_is_permute(LLVMGetCalledValue(i));
  }
  return LLVMIsAStoreInst(i) || LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i) ||
         LLVMIsAFenceInst(i) || LLVMIsAAllocaInst(i);
}

// Whether others could tell that it was done twice.
static bool is_effect(LLVMValueRef i) {
  static const char *const none[] = {"llvm.lifetime.", "llvm.assume",
                                     "llvm.experimental.noalias.scope.decl"};
  if (!is_done_by_each(i) || LLVMIsAAllocaInst(i) || LLVMIsALoadInst(i) ||
      (LLVMIsAStoreInst(i) && is_private(LLVMGetOperand(i, 1)))) {
    return false;
  }
  LLVMValueRef callee = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : i;
  for (size_t n = 0; n < TN_COUNT(none); n++) {
    if (has_prefix(callee, none[n])) {
      return false;
    }
  }
  return !(has_prefix(callee, "llvm.memcpy.") && is_private(LLVMGetOperand(i, 0)));
}

static bool mark(tn_copies *c, LLVMValueRef i) {
  return tn_map_set(&c->differs, TN_POINTER_KEY(i), i);
}

static bool has_operand_that_differs(const tn_copies *c, LLVMValueRef i) {
  const int count = LLVMGetNumOperands(i);
  for (int k = 0; k < count; k++) {
    if (tn_copies_differ(c, LLVMGetOperand(i, (unsigned)k))) {
      return true;
    }
  }
  return false;
}

static bool find_differences(tn_copies *c) {
  if (c->rows == 1) {
    return true;
  }
  bool ok = mark(c, LLVMGetParam(c->from, TN_ITEM_Y));
  for (bool changed = true; changed && ok;) {
    changed = false;
    for (int b = 0; b < c->flow.count; b++) {
      for (LLVMValueRef i = LLVMGetFirstInstruction(c->flow.blocks[b].block); i && ok;
           i = LLVMGetNextInstruction(i)) {
        if (!tn_copies_differ(c, i) && (is_done_by_each(i) || has_operand_that_differs(c, i))) {
          ok = mark(c, i);
          changed = true;
        }
      }
    }
  }
  return ok;
}

static bool does_something(const tn_copies *c, int block) {
  for (LLVMValueRef i = LLVMGetFirstInstruction(c->flow.blocks[block].block); i;
       i = LLVMGetNextInstruction(i)) {
    if (is_effect(i)) {
      return true;
    }
  }
  return false;
}

// Loops are the work: of two sides, the one that alone leads to one is to be taken together. Where
// both do, the first: `tn_widen_function` writes code without masks there.
static int side_with_loops(const tn_copies *c, const tn_copied_block *block) {
  bool seen[2][TN_COPIES_BLOCKS_MAX];
  reach(c, block->succ[0], seen[0]);
  reach(c, block->succ[1], seen[1]);
  for (int s = 0; s < 2; s++) {
    for (int b = 0; b < c->flow.count; b++) {
      if (seen[s][b] && !seen[1 - s][b] && c->blocks[b].is_in_loop) {
        return s;
      }
    }
  }
  return TN_FLOW_NONE;
}

static void note_effect(tn_copies *c, int block) {
  bool seen[TN_COPIES_BLOCKS_MAX];
  reach(c, block, seen);
  for (int b = 0; b < c->flow.count; b++) {
    c->blocks[b].is_late = c->blocks[b].is_late || seen[b];
  }
}

static bool find_guards(tn_copies *c) {
  c->blocks[0].is_reached = true;
  // Predecessors come before, but for those of loops, in which there are no guards.
  for (int b = 0; b < c->flow.count; b++) {
    tn_copied_block *block = &c->blocks[b];
    if (!block->is_reached) {
      continue;
    }
    if (does_something(c, b)) {
      note_effect(c, b);
    }
    const tn_flow_block *from = &c->flow.blocks[b];
    block->is_guard = from->succ_count == 2 && tn_copies_differ(c, LLVMGetCondition(from->end));
    if (block->is_guard && (block->is_in_loop || block->is_late)) {
      return false;
    }
    const int side = block->is_guard ? side_with_loops(c, block) : TN_FLOW_NONE;
    if (side != TN_FLOW_NONE) {
      block->succ[1 - side] = TN_FLOW_NONE;
    }
    for (int s = 0; s < from->succ_count; s++) {
      if (block->succ[s] != TN_FLOW_NONE) {
        c->blocks[block->succ[s]].is_reached = true;
      }
    }
  }
  return true;
}

bool tn_copies_init(tn_copies *copies, LLVMValueRef from, unsigned rows, tn_arena *arena) {
  *copies = (tn_copies){.from = from, .rows = rows, .arena = arena};
  tn_map_init(&copies->flow.index);
  tn_map_init(&copies->differs);
  tn_map_init(&copies->values);
  if (!find_blocks(copies)) {
    return false;
  }
  find_loops(copies);
  return find_differences(copies) && find_guards(copies);
}

void tn_copies_deinit(tn_copies *copies) {
  tn_flow_deinit(&copies->flow);
  tn_map_deinit(&copies->differs);
  tn_map_deinit(&copies->values);
}

// ---- Writing

typedef struct writer {
  tn_copies *copies;
  LLVMBuilderRef builder;
  LLVMValueRef to;
  LLVMBasicBlockRef apart;  // where rows go one after the other; NULL until one is needed
  bool failed;
} writer;

static LLVMValueRef *slots_of(writer *w, LLVMValueRef value) {
  LLVMValueRef *slots = tn_arena_alloc_array(w->copies->arena, TN_COPIES_MAX, sizeof(*slots));
  if (!slots || !tn_map_set(&w->copies->values, TN_POINTER_KEY(value), slots)) {
    w->failed = true;
    return NULL;
  }
  return slots;
}

static LLVMValueRef copy_of(const writer *w, LLVMValueRef value, unsigned row) {
  LLVMValueRef *slots = tn_map_find(&w->copies->values, TN_POINTER_KEY(value));
  return slots ? slots[row] : value;
}

static LLVMBasicBlockRef append(const writer *w, const char *name) {
  return LLVMAppendBasicBlockInContext(LLVMGetTypeContext(LLVMTypeOf(w->to)), w->to, name);
}

static unsigned count_of(const writer *w, LLVMValueRef value) {
  return tn_copies_differ(w->copies, value) ? w->copies->rows : 1;
}

static void fill_rows(const writer *w, LLVMValueRef *slots, unsigned count) {
  for (unsigned r = count; r < w->copies->rows; r++) {
    slots[r] = slots[0];
  }
}

static void copy_parameters(writer *w) {
  for (unsigned p = 0; p < LLVMCountParams(w->copies->from) && !w->failed; p++) {
    LLVMValueRef *slots = slots_of(w, LLVMGetParam(w->copies->from, p));
    LLVMValueRef param = LLVMGetParam(w->to, p);
    for (unsigned r = 0; slots && r < w->copies->rows; r++) {
      slots[r] = p != TN_ITEM_Y || r == 0
                     ? param
                     : LLVMBuildAdd(w->builder, param, LLVMConstInt(LLVMTypeOf(param), r, 0), "");
    }
  }
}

// Without its line, which is of another function.
static LLVMValueRef clone(LLVMValueRef i) {
  LLVMValueRef copy = LLVMInstructionClone(i);
  LLVMInstructionSetDebugLoc(copy, NULL);
  return copy;
}

static void copy_instruction(writer *w, LLVMValueRef i) {
  LLVMValueRef *slots = slots_of(w, i);
  const unsigned count = count_of(w, i);
  for (unsigned r = 0; slots && r < count; r++) {
    if (LLVMIsAPHINode(i)) {
      slots[r] = LLVMBuildPhi(w->builder, LLVMTypeOf(i), "");
      continue;
    }
    LLVMValueRef copy = clone(i);
    const int operands = LLVMGetNumOperands(i);
    for (int k = 0; k < operands; k++) {
      LLVMSetOperand(copy, (unsigned)k, copy_of(w, LLVMGetOperand(i, (unsigned)k), r));
    }
    LLVMInsertIntoBuilder(w->builder, copy);
    slots[r] = copy;
  }
  if (slots) {
    fill_rows(w, slots, count);
  }
}

// The rows, one after the other, from the begin: nothing has been done so far.
static LLVMBasicBlockRef apart_of(writer *w) {
  if (w->apart) {
    return w->apart;
  }
  LLVMBasicBlockRef here = LLVMGetInsertBlock(w->builder);
  w->apart = append(w, "apart");
  LLVMPositionBuilderAtEnd(w->builder, w->apart);
  tn_call_each(w->builder, w->to, w->copies->from, TN_ITEM_Y, w->copies->rows, "row");
  LLVMPositionBuilderAtEnd(w->builder, here);
  return w->apart;
}

// Whether all rows decide for a side.
static LLVMValueRef do_all_take(const writer *w, LLVMValueRef condition, int side) {
  LLVMValueRef all = NULL;
  for (unsigned r = 0; r < w->copies->rows; r++) {
    LLVMValueRef one = LLVMBuildFreeze(w->builder, copy_of(w, condition, r), "");
    one = side == 0 ? one : LLVMBuildNot(w->builder, one, "");
    all = all ? LLVMBuildAnd(w->builder, all, one, "") : one;
  }
  return all;
}

static void write_guard(writer *w, tn_copied_block *block, LLVMValueRef condition) {
  LLVMBasicBlockRef apart = apart_of(w);
  for (int s = 0; s < 2; s++) {
    if (block->succ[s] == TN_FLOW_NONE) {
      continue;
    }
    block->ends[s] = LLVMGetInsertBlock(w->builder);
    const bool is_last = s == 1 || block->succ[1] == TN_FLOW_NONE;
    LLVMBasicBlockRef other = is_last ? apart : append(w, "other");
    LLVMBuildCondBr(w->builder, do_all_take(w, condition, s), w->copies->blocks[block->succ[s]].to,
                    other);
    LLVMPositionBuilderAtEnd(w->builder, other);
  }
}

static void write_end(writer *w, int b) {
  tn_copied_block *block = &w->copies->blocks[b];
  LLVMValueRef end = w->copies->flow.blocks[b].end;
  block->ends[0] = block->ends[1] = block->to;
  if (block->is_guard) {
    write_guard(w, block, LLVMGetCondition(end));
    return;
  }
  LLVMValueRef copy = clone(end);
  const int operands = LLVMGetNumOperands(end);
  for (int k = 0; k < operands; k++) {
    LLVMValueRef operand = LLVMGetOperand(end, (unsigned)k);
    operand =
        LLVMValueIsBasicBlock(operand)
            ? LLVMBasicBlockAsValue(
                  w->copies->blocks[tn_flow_index(&w->copies->flow, LLVMValueAsBasicBlock(operand))]
                      .to)
            : copy_of(w, operand, 0);
    LLVMSetOperand(copy, (unsigned)k, operand);
  }
  LLVMInsertIntoBuilder(w->builder, copy);
}

static void add_incoming(const writer *w, int from, int side) {
  const tn_copied_block *block = &w->copies->blocks[from];
  const tn_flow_block *blocks = w->copies->flow.blocks;
  for (LLVMValueRef phi = LLVMGetFirstInstruction(blocks[block->succ[side]].block);
       phi && LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi)) {
    const unsigned count = count_of(w, phi);
    // A branch both of whose ways lead to one block has two values there, and one side here.
    for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
      for (unsigned r = 0; LLVMGetIncomingBlock(phi, k) == blocks[from].block && r < count; r++) {
        LLVMValueRef value = copy_of(w, LLVMGetIncomingValue(phi, k), r);
        LLVMBasicBlockRef end = block->ends[side];
        LLVMAddIncoming(copy_of(w, phi, r), &value, &end, 1);
      }
    }
  }
}

static void write_blocks(writer *w) {
  tn_copies *c = w->copies;
  for (int b = 0; b < c->flow.count; b++) {
    c->blocks[b].to = c->blocks[b].is_reached ? append(w, "") : NULL;
  }
  LLVMPositionBuilderAtEnd(w->builder, c->blocks[0].to);
  copy_parameters(w);
  for (int b = 0; b < c->flow.count && !w->failed; b++) {
    tn_copied_block *block = &c->blocks[b];
    if (!block->is_reached) {
      continue;
    }
    LLVMPositionBuilderAtEnd(w->builder, block->to);
    for (LLVMValueRef i = LLVMGetFirstInstruction(c->flow.blocks[b].block);
         i && !LLVMIsATerminatorInst(i) && !w->failed; i = LLVMGetNextInstruction(i)) {
      copy_instruction(w, i);
    }
    write_end(w, b);
  }
  for (int b = 0; b < c->flow.count && !w->failed; b++) {
    for (int s = 0; s < c->flow.blocks[b].succ_count && c->blocks[b].is_reached; s++) {
      if (c->blocks[b].succ[s] != TN_FLOW_NONE) {
        add_incoming(w, b, s);
      }
    }
  }
}

bool tn_copies_write(tn_copies *copies, LLVMValueRef to) {
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(to));
  writer w = {.copies = copies, .builder = LLVMCreateBuilderInContext(context), .to = to};
  write_blocks(&w);
  LLVMDisposeBuilder(w.builder);
  return !w.failed;
}
