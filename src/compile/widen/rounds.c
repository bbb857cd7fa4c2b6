// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop of one block, which nothing is written in, gets another one before it: in each of its
// rounds the body is written as often as a vector has elements. At least one round is left to the
// loop itself, which leaves it as ever.
#include "compile/widen/rounds.h"

enum { INSTRUCTIONS_MAX = 32, DEPTH_MAX = 16 };

typedef struct tn_rounds_state {
  const tn_rounds *rounds;
  unsigned round;
  LLVMValueRef *turned[TN_ROUNDS_LOADS_MAX];  // by load and round
} tn_rounds_state;

// ---- Which loops

// How much more a number of 64 bits, or a pointer, is in each round; false: not by the same.
static bool step_of(const tn_shapes *shapes, int loop, LLVMValueRef value, int64_t *out,
                    int depth) {
  const tn_flow *flow = shapes->flow;
  *out = 0;
  if (!tn_flow_has_value(flow, loop, value)) {
    return true;
  }
  LLVMTypeRef type = LLVMTypeOf(value);
  const bool is_number =
      LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 64;
  if (depth >= DEPTH_MAX || (!is_number && LLVMGetTypeKind(type) != LLVMPointerTypeKind)) {
    return false;
  }
  int64_t a = 0;
  int64_t b = 0;
  int64_t constant = 0;
  const LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
  if (opcode == LLVMPHI) {
    // One that adds a constant to itself.
    LLVMValueRef next = tn_flow_incoming(flow, value, flow->loops[loop].latch);
    return next && LLVMIsAInstruction(next) && LLVMGetInstructionOpcode(next) == LLVMAdd &&
           LLVMGetOperand(next, 0) == value && tn_get_constant(LLVMGetOperand(next, 1), out);
  }
  if (opcode == LLVMGetElementPtr) {
    if (LLVMGetNumOperands(value) != 2 ||
        !step_of(shapes, loop, LLVMGetOperand(value, 0), &a, depth + 1) ||
        !step_of(shapes, loop, LLVMGetOperand(value, 1), &b, depth + 1)) {
      return false;
    }
    const uint64_t size = LLVMABISizeOfType(shapes->layout, LLVMGetGEPSourceElementType(value));
    LLVMTypeRef index = LLVMTypeOf(LLVMGetOperand(value, 1));
    const bool is_wide = LLVMGetIntTypeWidth(index) == 64 || b == 0;
    return is_wide && !__builtin_mul_overflow(b, (int64_t)size, &b) &&
           !__builtin_add_overflow(a, b, out);
  }
  if (opcode == LLVMAdd) {
    return step_of(shapes, loop, LLVMGetOperand(value, 0), &a, depth + 1) &&
           step_of(shapes, loop, LLVMGetOperand(value, 1), &b, depth + 1) &&
           !__builtin_add_overflow(a, b, out);
  }
  if (opcode == LLVMMul || opcode == LLVMShl) {
    if (!tn_get_constant(LLVMGetOperand(value, 1), &constant) ||
        (opcode == LLVMShl && (constant < 0 || constant > 32))) {
      return false;
    }
    constant = opcode == LLVMShl ? INT64_C(1) << constant : constant;
    return step_of(shapes, loop, LLVMGetOperand(value, 0), &a, depth + 1) &&
           !__builtin_mul_overflow(a, constant, out);
  }
  return false;
}

static bool is_turned(const tn_shapes *shapes, int loop, LLVMValueRef i, unsigned size) {
  LLVMTypeRef type = LLVMTypeOf(i);
  LLVMValueRef pointer = LLVMIsALoadInst(i) ? LLVMGetOperand(i, 0) : NULL;
  int64_t step = 0;
  return pointer && !LLVMGetVolatile(i) && LLVMGetOrdering(i) == LLVMAtomicOrderingNotAtomic &&
         LLVMGetTypeKind(type) != LLVMPointerTypeKind &&
         LLVMSizeOfTypeInBits(shapes->layout, type) == (uint64_t)size * 8 &&
         !tn_shape_value_is_uniform(shapes, pointer) &&
         tn_shape_side_by_side(shapes, type, pointer) == 0 &&
         step_of(shapes, loop, pointer, &step, 0) && step == (int64_t)size;
}

// Nothing that others see, or that takes longer than to turn vectors.
static bool is_plain(LLVMValueRef i) {
  return !LLVMIsAStoreInst(i) && !LLVMIsAAtomicRMWInst(i) && !LLVMIsAAtomicCmpXchgInst(i) &&
         !LLVMIsAFenceInst(i) && !LLVMIsAAllocaInst(i) &&
         (!LLVMIsACallInst(i) || tn_call_is_speculatable(i));
}

// The predicate by which the loop goes on, of that of its condition; EQ: another one.
static LLVMIntPredicate predicate_to_stay(LLVMIntPredicate predicate, bool stays_on_true) {
  if (stays_on_true) {
    return predicate == LLVMIntNE || predicate == LLVMIntULT || predicate == LLVMIntSLT ? predicate
                                                                                        : LLVMIntEQ;
  }
  return predicate == LLVMIntEQ    ? LLVMIntNE
         : predicate == LLVMIntUGE ? LLVMIntULT
         : predicate == LLVMIntSGE ? LLVMIntSLT
                                   : LLVMIntEQ;
}

// The condition of another round, of the counter that is one more.
static bool find_counter(const tn_shapes *shapes, const tn_flow_block *block, int loop,
                         tn_rounds *out) {
  const tn_flow *flow = shapes->flow;
  LLVMValueRef condition = LLVMGetCondition(block->end);
  if (!LLVMIsAICmpInst(condition)) {
    return false;
  }
  LLVMValueRef next = LLVMGetOperand(condition, 0);
  out->bound = LLVMGetOperand(condition, 1);
  out->predicate =
      predicate_to_stay(LLVMGetICmpPredicate(condition), &flow->blocks[block->succ[0]] == block);
  if (out->predicate == LLVMIntEQ || !LLVMIsAInstruction(next) ||
      LLVMGetInstructionOpcode(next) != LLVMAdd || LLVMGetIntTypeWidth(LLVMTypeOf(next)) != 64 ||
      tn_flow_has_value(flow, loop, out->bound)) {
    return false;
  }
  out->counter = LLVMGetOperand(next, 0);
  int64_t one = 0;
  return LLVMIsAPHINode(out->counter) && tn_flow_has_value(flow, loop, out->counter) &&
         tn_flow_incoming(flow, out->counter, flow->loops[loop].latch) == next &&
         tn_get_constant(LLVMGetOperand(next, 1), &one) && one == 1;
}

bool tn_rounds_find(const tn_shapes *shapes, int loop, unsigned width, unsigned vector_bytes,
                    tn_rounds *out) {
  const tn_flow_loop *l = &shapes->flow->loops[loop];
  const tn_flow_block *block = &shapes->flow->blocks[l->header];
  *out = (tn_rounds){.block = l->header};
  if (l->blocks.count != 1 || block->succ_count != 2 || shapes->is_loop_divergent[loop] ||
      shapes->is_divergent[l->header] || !find_counter(shapes, block, loop, out)) {
    return false;
  }
  int total = 0;
  unsigned size = 0;
  for (LLVMValueRef i = LLVMGetFirstInstruction(block->block); i; i = LLVMGetNextInstruction(i)) {
    if (++total > INSTRUCTIONS_MAX || !is_plain(i)) {
      return false;
    }
    const unsigned one =
        LLVMIsALoadInst(i) ? (unsigned)LLVMABISizeOfType(shapes->layout, LLVMTypeOf(i)) : 0;
    if ((one != 4 && one != 8) || !is_turned(shapes, loop, i, one)) {
      continue;
    }
    if ((size != 0 && one != size) || out->load_count == TN_ROUNDS_LOADS_MAX) {
      return false;
    }
    size = one;
    out->loads[out->load_count++] = i;
  }
  out->count = size != 0 ? vector_bytes / size : 0;
  return out->count >= 4 && width % out->count == 0;
}

bool tn_rounds_have(const tn_shapes *shapes, LLVMValueRef load, unsigned width,
                    unsigned vector_bytes) {
  const tn_flow *flow = shapes->flow;
  const int loop = flow->blocks[tn_flow_index(flow, LLVMGetInstructionParent(load))].loop;
  tn_rounds rounds;
  if (loop == TN_FLOW_NONE || !tn_rounds_find(shapes, loop, width, vector_bytes, &rounds)) {
    return false;
  }
  for (int n = 0; n < rounds.load_count; n++) {
    if (rounds.loads[n] == load) {
      return true;
    }
  }
  return false;
}

// ---- Their code

static LLVMValueRef shuffle(tn_widener *w, LLVMValueRef a, LLVMValueRef b, unsigned count,
                            unsigned half, unsigned side) {
  LLVMTypeRef i32 = LLVMInt32TypeInContext(w->context);
  LLVMValueRef order[TN_WIDTH_MAX];
  for (unsigned k = 0; k < count; k++) {
    // Elements whose number has the bit `half` as `side` has: of `a` where k has not, else of `b`.
    const unsigned from = (k & ~half) | (side != 0 ? half : 0);
    order[k] = LLVMConstInt(i32, (k & half) != 0 ? count + from : from, 0);
  }
  return LLVMBuildShuffleVector(w->builder, a, b, LLVMConstVector(order, count), "");
}

// Rows become columns.
static void turn(tn_widener *w, LLVMValueRef *rows, unsigned count) {
  for (unsigned half = 1; half < count; half *= 2) {
    for (unsigned k = 0; k < count; k++) {
      if ((k & half) == 0) {
        LLVMValueRef a = rows[k];
        LLVMValueRef b = rows[k + half];
        rows[k] = shuffle(w, a, b, count, half, 0);
        rows[k + half] = shuffle(w, a, b, count, half, 1);
      }
    }
  }
}

static LLVMValueRef concat(tn_widener *w, LLVMValueRef a, LLVMValueRef b, unsigned each) {
  LLVMTypeRef i32 = LLVMInt32TypeInContext(w->context);
  LLVMValueRef order[TN_WIDTH_MAX];
  for (unsigned k = 0; k < 2 * each; k++) {
    order[k] = LLVMConstInt(i32, k, 0);
  }
  return LLVMBuildShuffleVector(w->builder, a, b, LLVMConstVector(order, 2 * each), "");
}

// The lanes of a load in each round, where its address is that of the first one: the first `count`
// of what is returned.
static LLVMValueRef *read_rounds(tn_widener *w, LLVMValueRef load, unsigned count) {
  LLVMTypeRef type = LLVMTypeOf(load);
  LLVMTypeRef vector = LLVMVectorType(type, count);
  LLVMValueRef *all = tn_widen_alloc(w, w->width, sizeof(LLVMValueRef));
  for (unsigned l = 0; all && l < w->width; l++) {
    all[l] = LLVMBuildLoad2(w->builder, vector, tn_lanes_at(w, LLVMGetOperand(load, 0), l), "");
    LLVMSetAlignment(all[l], LLVMGetAlignment(load));
    tn_copy_access_metadata(load, all[l]);
  }
  for (unsigned l = 0; all && l < w->width; l += count) {
    turn(w, &all[l], count);
  }
  for (unsigned each = count; all && each < w->width; each *= 2) {
    for (unsigned l = 0; l < w->width; l += 2 * each) {
      for (unsigned r = 0; r < count; r++) {
        all[l + r] = concat(w, all[l + r], all[l + each + r], each);
      }
    }
  }
  return all;
}

LLVMValueRef tn_rounds_take(tn_widener *w, LLVMValueRef load) {
  tn_rounds_state *state = w->rounds;
  for (int n = 0; state && n < state->rounds->load_count; n++) {
    if (state->rounds->loads[n] != load) {
      continue;
    }
    if (!state->turned[n]) {
      tn_explain_rounds(w->remarks, load, state->rounds->count);
      state->turned[n] = read_rounds(w, load, state->rounds->count);
    }
    return state->turned[n] ? state->turned[n][state->round]
                            : LLVMGetPoison(tn_lanes_vector_type(w, LLVMTypeOf(load)));
  }
  return NULL;
}

// More rounds are to come than are written at once.
static LLVMValueRef are_enough(tn_widener *w, const tn_rounds *r) {
  LLVMValueRef counter = tn_lanes_scalar(w, r->counter);
  LLVMValueRef bound = tn_lanes_scalar(w, r->bound);
  LLVMValueRef count = LLVMConstInt(LLVMTypeOf(counter), r->count, 0);
  LLVMValueRef left = LLVMBuildSub(w->builder, bound, counter, "");
  LLVMValueRef are = LLVMBuildICmp(w->builder, LLVMIntUGT, left, count, "");
  if (r->predicate == LLVMIntNE) {
    return are;
  }
  const LLVMIntPredicate above = r->predicate == LLVMIntULT ? LLVMIntUGT : LLVMIntSGT;
  return LLVMBuildAnd(w->builder, LLVMBuildICmp(w->builder, above, bound, counter, ""), are, "");
}

static void write_rounds(tn_widener *w, const tn_rounds *r) {
  tn_rounds_state state = {.rounds = r};
  w->rounds = &state;
  for (; state.round < r->count && !w->failed; state.round++) {
    if (state.round > 0) {
      tn_phis_set(w, r->block, tn_phis_incoming(w, r->block, r->block));
    }
    tn_widen_block_body(w, r->block);
  }
  w->rounds = NULL;
}

const tn_lanes *tn_rounds_write(tn_widener *w, int loop, const tn_lanes *first) {
  tn_rounds r;
  if (!w->is_full || w->rounds ||
      !tn_rounds_find(&w->shapes, loop, w->width, w->vector_bytes, &r)) {
    return first;
  }
  LLVMBasicBlockRef before = LLVMGetInsertBlock(w->builder);
  LLVMBasicBlockRef head = tn_widen_block(w, "rounds");
  LLVMBasicBlockRef body = tn_widen_block(w, "together");
  LLVMBasicBlockRef rest = tn_widen_block(w, "rest");
  LLVMBuildBr(w->builder, head);
  LLVMPositionBuilderAtEnd(w->builder, head);
  tn_lanes *phis = tn_phis_build(w, r.block, first);
  tn_phis_add_incoming(w, r.block, phis, first, before);
  tn_phis_set(w, r.block, phis);
  LLVMBuildCondBr(w->builder, are_enough(w, &r), body, rest);
  LLVMPositionBuilderAtEnd(w->builder, body);
  write_rounds(w, &r);
  if (w->failed || !phis) {
    return first;
  }
  const tn_lanes *next = tn_phis_incoming(w, r.block, r.block);
  LLVMBasicBlockRef end = LLVMGetInsertBlock(w->builder);
  tn_loop_keep(LLVMBuildBr(w->builder, head));
  tn_phis_add_incoming(w, r.block, phis, next, end);
  LLVMPositionBuilderAtEnd(w->builder, rest);
  return phis;
}
