// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops whose rounds access memory far apart. A strip would take a few bytes of a page in each
// round; by the time the next strip comes for the rest, caches have lost them: what lies whole
// pages apart shares a set of theirs.
#include "compile/widen/strides.h"

enum {
  // Bytes between two rounds, and how many strips are to access side by side in each.
  FAR = 2048,
  FAR_READS = 256,
  FAR_STORES = 128,  // with stores: loads wait for those that are a multiple of a page away
  APART = 128,
  APART_BYTES = 64,  // a line as a whole
  VALUES_MAX = 16,   // of a vector each, in the loop: more would not stay in registers
  LOOK_MAX = 24
};

// What a value grows by in a round: an amount, or one that only the launch knows.
typedef struct growth {
  int64_t amount;
  bool is_regular;
  bool is_unknown;  // not 0
} growth;

typedef struct looker {
  const tn_shapes *shapes;
  int loop;
  int left;  // values that may still be looked at: some are used more than once
} looker;

static growth growth_of(looker *l, LLVMValueRef value);

static growth sum_of(growth a, growth b, int64_t factor) {
  growth sum = {.is_regular = a.is_regular && b.is_regular,
                .is_unknown = a.is_unknown || b.is_unknown};
  if (__builtin_mul_overflow(b.amount, factor, &b.amount) ||
      __builtin_add_overflow(a.amount, b.amount, &sum.amount)) {
    sum.is_unknown = true;
  }
  return sum;
}

// Of a product: what both the loop and the launch decide is far.
static growth product_of(looker *l, LLVMValueRef value, bool is_shift) {
  const growth none = {.is_regular = true};
  int64_t factor = 0;
  if (tn_get_constant(LLVMGetOperand(value, 1), &factor)) {
    factor = is_shift ? (int64_t)(1ULL << (factor & 63)) : factor;
    return sum_of(none, growth_of(l, LLVMGetOperand(value, 0)), factor);
  }
  growth both = {.is_regular = true};
  for (unsigned k = 0; k < 2; k++) {
    const growth one = growth_of(l, LLVMGetOperand(value, k));
    both.is_regular = both.is_regular && one.is_regular;
    both.is_unknown = both.is_unknown || one.is_unknown || one.amount != 0;
  }
  return both;
}

static bool is_same_in_all(growth g) { return g.is_regular && g.amount == 0 && !g.is_unknown; }

// Of what counts rounds: the header's phi that grows by what is the same in each.
static growth growth_of_phi(looker *l, LLVMValueRef phi) {
  const tn_flow *flow = l->shapes->flow;
  const tn_flow_loop *loop = &flow->loops[l->loop];
  const bool counts = LLVMGetInstructionParent(phi) == flow->blocks[loop->header].block;
  LLVMValueRef next = counts ? tn_flow_incoming(flow, phi, loop->latch) : NULL;
  if (!next || !LLVMIsAInstruction(next)) {
    return (growth){0};
  }
  const LLVMOpcode opcode = LLVMGetInstructionOpcode(next);
  const bool is_pointer = opcode == LLVMGetElementPtr && LLVMGetNumOperands(next) == 2;
  const unsigned at = LLVMGetNumOperands(next) > 1 && LLVMGetOperand(next, 1) == phi ? 1 : 0;
  if ((opcode != LLVMAdd && !is_pointer) || LLVMGetOperand(next, at) != phi) {
    return (growth){0};
  }
  LLVMValueRef step = LLVMGetOperand(next, 1 - at);
  growth grown = {.is_regular = is_same_in_all(growth_of(l, step))};
  grown.is_unknown = !tn_get_constant(step, &grown.amount);
  const uint64_t size =
      is_pointer ? LLVMABISizeOfType(l->shapes->layout, LLVMGetGEPSourceElementType(next)) : 1;
  return sum_of((growth){.is_regular = true}, grown, (int64_t)size);
}

// In bytes. Of structures, whose members do not move, the index counts that is not constant.
static growth growth_of_address(looker *l, LLVMValueRef gep) {
  LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
  growth sum = growth_of(l, LLVMGetOperand(gep, 0));
  for (int k = 1; k < LLVMGetNumOperands(gep); k++) {
    if (k > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
      int64_t member = 0;
      (void)tn_get_constant(LLVMGetOperand(gep, (unsigned)k), &member);
      type = LLVMStructGetTypeAtIndex(type, (unsigned)member);
      continue;
    }
    type = k > 1 ? LLVMGetElementType(type) : type;
    const growth index = growth_of(l, LLVMGetOperand(gep, (unsigned)k));
    sum = sum_of(sum, index, (int64_t)LLVMABISizeOfType(l->shapes->layout, type));
  }
  return sum;
}

// Of what is computed anew in each round from what stays the same.
static growth growth_of_computation(looker *l, LLVMValueRef value) {
  growth all = {.is_regular = LLVMIsABinaryOperator(value) || LLVMIsASelectInst(value) ||
                              LLVMIsACmpInst(value)};
  for (int k = 0; k < LLVMGetNumOperands(value) && all.is_regular; k++) {
    all.is_regular = is_same_in_all(growth_of(l, LLVMGetOperand(value, (unsigned)k)));
  }
  return all;
}

static growth growth_of(looker *l, LLVMValueRef value) {
  const growth none = {.is_regular = true};
  if (!tn_flow_has_value(l->shapes->flow, l->loop, value)) {
    return none;
  }
  if (--l->left < 0) {
    return (growth){0};
  }
  switch (LLVMGetInstructionOpcode(value)) {
    case LLVMPHI:
      return growth_of_phi(l, value);
    case LLVMSExt:
    case LLVMZExt:
    case LLVMTrunc:
    case LLVMFreeze:
      return growth_of(l, LLVMGetOperand(value, 0));
    case LLVMAdd:
    case LLVMSub:
    case LLVMOr:
      return sum_of(growth_of(l, LLVMGetOperand(value, 0)), growth_of(l, LLVMGetOperand(value, 1)),
                    LLVMGetInstructionOpcode(value) == LLVMSub ? -1 : 1);
    case LLVMMul:
    case LLVMShl:
      return product_of(l, value, LLVMGetInstructionOpcode(value) == LLVMShl);
    case LLVMGetElementPtr:
      return growth_of_address(l, value);
    case LLVMLoad:
      return tn_is_constant_memory(LLVMGetOperand(value, 0)) ? none : (growth){0};
    default:
      return growth_of_computation(l, value);
  }
}

// The pointer of an access with lanes side by side, and its type; NULL: it is none.
static LLVMValueRef pointer_of(const tn_shapes *shapes, LLVMValueRef i, LLVMTypeRef *out_type) {
  const bool is_store = LLVMIsAStoreInst(i) != NULL;
  if (!is_store && !LLVMIsALoadInst(i)) {
    return NULL;
  }
  LLVMValueRef pointer = LLVMGetOperand(i, is_store ? 1 : 0);
  *out_type = is_store ? LLVMTypeOf(LLVMGetOperand(i, 0)) : LLVMTypeOf(i);
  return tn_shape_side_by_side(shapes, *out_type, pointer) != 0 ? pointer : NULL;
}

// What a loop's accesses with lanes side by side have in common, the narrowest first.
typedef struct walk {
  uint64_t bytes;  // of a strip; 0: none moves on regularly
  bool is_far;
  bool has_far_stores;
} walk;

static void add_access(walk *w, const growth *step, uint64_t bytes, bool is_store) {
  const bool is_far = step->is_unknown || step->amount >= FAR || step->amount <= -FAR;
  if (!step->is_regular || (!is_far && step->amount < APART && step->amount > -APART)) {
    return;
  }
  w->bytes = w->bytes == 0 || bytes < w->bytes ? bytes : w->bytes;
  w->is_far = w->is_far || is_far;
  w->has_far_stores = w->has_far_stores || (is_far && is_store);
}

// 1 as well where work-items part in the loop, or leave it, but for their ids: as `i < count` does,
// by which few strips part.
static unsigned factor_of_loop(const tn_shapes *shapes, int loop, unsigned width) {
  const tn_flow *flow = shapes->flow;
  const tn_block_list *blocks = &flow->loops[loop].blocks;
  walk w = {0};
  int values = 0;
  for (int k = 0; k < blocks->count; k++) {
    const int b = blocks->items[k];
    if (flow->blocks[b].loop != loop ||
        (shapes->is_divergent[b] &&
         !tn_shape_is_of_ids(shapes, LLVMGetCondition(flow->blocks[b].end)))) {
      return 1;
    }
    for (LLVMValueRef i = LLVMGetFirstInstruction(flow->blocks[b].block); i;
         i = LLVMGetNextInstruction(i)) {
      if (LLVMIsACallInst(i) && LLVMGetIntrinsicID(LLVMGetCalledValue(i)) == 0) {
        return 1;
      }
      values += tn_shape_of(shapes, i).kind == TN_SHAPE_VARYING ? 1 : 0;
      LLVMTypeRef type = NULL;
      LLVMValueRef pointer = pointer_of(shapes, i, &type);
      if (pointer) {
        looker l = {.shapes = shapes, .loop = loop, .left = LOOK_MAX};
        const growth step = growth_of(&l, pointer);
        add_access(&w, &step, LLVMABISizeOfType(shapes->layout, type) * width,
                   LLVMIsAStoreInst(i) != NULL);
      }
    }
  }
  const uint64_t wanted = w.has_far_stores ? FAR_STORES : w.is_far ? FAR_READS : APART_BYTES;
  return values <= VALUES_MAX && w.bytes != 0 && w.bytes < wanted ? (unsigned)(wanted / w.bytes)
                                                                  : 1;
}

unsigned tn_strided_factor(const tn_shapes *shapes, unsigned width) {
  enum { MOST = 8 };
  unsigned wanted = 1;
  for (int l = 0; l < shapes->flow->loop_count; l++) {
    const unsigned factor = factor_of_loop(shapes, l, width);
    wanted = factor > wanted ? factor : wanted;
  }
  unsigned power = 1;
  while (power * 2 <= wanted && power < MOST && width * power * 2 <= TN_WIDTH_MAX) {
    power *= 2;
  }
  return power;
}
