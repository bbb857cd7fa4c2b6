// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A fixed point from "all the same" upwards.
#include "compile/widen/shape.h"

// Strides beyond this say nothing about order: the lanes' sums would not fit into 64 bits.
enum { TN_STRIDE_BITS_MAX = 48 };

static const tn_shape uniform_shape = {.kind = TN_SHAPE_LINEAR, .exact = TN_EXACT_BOTH};
static const tn_shape varying_shape = {.kind = TN_SHAPE_VARYING};

static tn_shape linear(int64_t stride, unsigned exact) {
  const int64_t limit = (int64_t)1 << TN_STRIDE_BITS_MAX;
  const bool fits = stride < limit && stride > -limit;
  return (tn_shape){.kind = TN_SHAPE_LINEAR,
                    .stride = stride,
                    .exact = (uint8_t)(stride == 0 ? TN_EXACT_BOTH
                                       : fits      ? exact
                                                   : 0)};
}

static tn_shape small(int64_t stride) {
  tn_shape shape = linear(stride, TN_EXACT_BOTH);
  shape.is_small = true;
  return shape;
}

static tn_shape id_with_stride(int64_t stride) {
  tn_shape shape = small(stride);
  shape.is_id = true;
  return shape;
}

// Strides are numbers modulo 2^64, as addresses are.
static int64_t add_strides(int64_t a, int64_t b) { return (int64_t)((uint64_t)a + (uint64_t)b); }
static int64_t scale_stride(int64_t a, int64_t by) { return (int64_t)((uint64_t)a * (uint64_t)by); }

static tn_shape *find(const tn_shapes *shapes, LLVMValueRef value) {
  const intptr_t at = (intptr_t)tn_map_find(&shapes->values, TN_POINTER_KEY(value));
  return at == 0 ? NULL : &shapes->all[at - 1];
}

static bool is_id_param(LLVMValueRef function, LLVMValueRef value) {
  return value == LLVMGetParam(function, TN_ITEM_X) || value == LLVMGetParam(function, TN_ITEM_Y) ||
         value == LLVMGetParam(function, TN_ITEM_Z);
}

tn_shape tn_shape_of(const tn_shapes *shapes, LLVMValueRef value) {
  if (LLVMIsAInstruction(value)) {
    const tn_shape *shape = find(shapes, value);
    return shape ? *shape : varying_shape;
  }
  if (LLVMIsAArgument(value)) {
    LLVMValueRef function = LLVMGetParamParent(value);
    if (shapes->is_folded && is_id_param(function, value)) {
      return varying_shape;
    }
    return value == LLVMGetParam(function, TN_ITEM_X) ? id_with_stride(1) : uniform_shape;
  }
  return uniform_shape;
}

bool tn_shape_value_is_uniform(const tn_shapes *shapes, LLVMValueRef value) {
  return tn_shape_is_uniform(tn_shape_of(shapes, value));
}

static tn_shape join(tn_shape a, tn_shape b) {
  if (a.kind == TN_SHAPE_UNKNOWN) {
    return b;
  }
  if (b.kind == TN_SHAPE_UNKNOWN) {
    return a;
  }
  if (a.kind == TN_SHAPE_VARYING || b.kind == TN_SHAPE_VARYING || a.stride != b.stride) {
    return varying_shape;
  }
  tn_shape both = linear(a.stride, a.exact & b.exact);
  both.is_id = a.is_id && b.is_id;
  both.is_small = a.is_small && b.is_small;
  return both;
}

// Integers.

bool tn_get_constant(LLVMValueRef value, int64_t *out) {
  if (!LLVMIsAConstantInt(value) || LLVMGetIntTypeWidth(LLVMTypeOf(value)) > 64) {
    return false;
  }
  *out = LLVMConstIntGetSExtValue(value);
  return true;
}

unsigned tn_low_bits(LLVMValueRef mask) {
  int64_t constant = 0;
  if (!tn_get_constant(mask, &constant) || constant <= 0) {
    return 0;
  }
  const uint64_t bits = (uint64_t)constant;
  return (bits & (bits + 1)) == 0 ? (unsigned)__builtin_popcountll(bits) : 0;
}

// Numbers that are the same in all lanes and count work-items: fields of the group, and sums and
// products of those, with constants up to `most`.
static bool is_count(LLVMValueRef value, int64_t most, int depth) {
  int64_t constant = 0;
  if (tn_get_constant(value, &constant)) {
    return constant >= 0 && constant <= most;
  }
  if (LLVMIsAArgument(value)) {
    LLVMValueRef function = LLVMGetParamParent(value);
    return value == LLVMGetParam(function, TN_ITEM_Y) || value == LLVMGetParam(function, TN_ITEM_Z);
  }
  if (depth == 0 || !LLVMIsAInstruction(value)) {
    return false;
  }
  switch (LLVMGetInstructionOpcode(value)) {
    case LLVMAdd:
    case LLVMMul:
      return is_count(LLVMGetOperand(value, 0), most, depth - 1) &&
             is_count(LLVMGetOperand(value, 1), most, depth - 1);
    case LLVMShl:
      return tn_get_constant(LLVMGetOperand(value, 1), &constant) && constant >= 0 &&
             constant < 24 && most >> constant != 0 &&
             is_count(LLVMGetOperand(value, 0), most, depth - 1);
    case LLVMLoad: {
      LLVMValueRef from = LLVMGetOperand(value, 0);
      while (LLVMIsAGetElementPtrInst(from)) {
        from = LLVMGetOperand(from, 0);
      }
      return LLVMIsAArgument(from) && from == LLVMGetParam(LLVMGetParamParent(from), TN_ITEM_GROUP);
    }
    default:
      return false;
  }
}

enum { TN_COUNT_DEPTH = 8, TN_COUNT_CONSTANT_MAX = 1 << 24 };

// `(int)id` and `(unsigned)id` as LLVM writes them on 64 bits. An id that is made narrow and wide
// again stays what it is: no strip lies across a multiple of 2^31 (compile/lower sees to that).
static bool shape_of_narrowed(const tn_shapes *shapes, LLVMValueRef i, LLVMOpcode opcode,
                              tn_shape *out) {
  int64_t right = 0;
  LLVMValueRef from = LLVMGetOperand(i, 0);
  if (LLVMGetIntTypeWidth(LLVMTypeOf(i)) != 64 || !tn_get_constant(LLVMGetOperand(i, 1), &right)) {
    return false;
  }
  if (opcode == LLVMAnd && (right == UINT32_MAX || right == INT32_MAX) &&
      tn_shape_of(shapes, from).is_id) {
    *out = id_with_stride(1);
    return true;
  }
  LLVMValueRef id = tn_shape_narrowed_id(shapes, i);
  if (!id || (opcode != LLVMAShr && opcode != LLVMLShr)) {
    return false;
  }
  *out = linear((int64_t)1 << (32 - right), opcode == LLVMAShr ? TN_EXACT_SIGNED : TN_EXACT_BOTH);
  return true;
}

LLVMValueRef tn_shape_narrowed_id(const tn_shapes *shapes, LLVMValueRef shift) {
  int64_t right = 0;
  int64_t left = 0;
  LLVMValueRef from = LLVMGetOperand(shift, 0);
  const bool is_narrowed = tn_get_constant(LLVMGetOperand(shift, 1), &right) && right >= 0 &&
                           right <= 32 && LLVMIsABinaryOperator(from) &&
                           LLVMGetInstructionOpcode(from) == LLVMShl &&
                           tn_get_constant(LLVMGetOperand(from, 1), &left) && left == 32 &&
                           tn_shape_of(shapes, LLVMGetOperand(from, 0)).is_id;
  return is_narrowed ? LLVMGetOperand(from, 0) : NULL;
}

// What the flags of an operation on exact numbers promise for its result.
static unsigned exact_of_flags(LLVMValueRef i, tn_shape a, tn_shape b) {
  const unsigned flags =
      (LLVMGetNSW(i) ? TN_EXACT_SIGNED : 0u) | (LLVMGetNUW(i) ? TN_EXACT_UNSIGNED : 0u);
  return flags & a.exact & b.exact;
}

// An id and a count make a linear id; with a constant lanes may lie on both sides of a multiple of
// 2^31, but 64 bits hold whatever a loop adds to an id.
static tn_shape shape_of_add(LLVMValueRef i, tn_shape a, tn_shape b) {
  const unsigned count = tn_shape_is_uniform(b) ? 1 : 0;
  const tn_shape other = count == 1 ? a : b;
  LLVMValueRef added = LLVMGetOperand(i, count);
  tn_shape sum = linear(add_strides(a.stride, b.stride), exact_of_flags(i, a, b));
  if (LLVMGetIntTypeWidth(LLVMTypeOf(i)) == 64 && other.is_small &&
      is_count(added, TN_COUNT_CONSTANT_MAX, TN_COUNT_DEPTH)) {
    sum = small(sum.stride);
    sum.is_id = other.is_id && is_count(added, 0, TN_COUNT_DEPTH);
  }
  return sum;
}

// `factor` as a number with and without a sign is the same, or the unsigned promise is lost.
static tn_shape shape_of_product(LLVMValueRef i, tn_shape a, int64_t factor) {
  const unsigned exact = exact_of_flags(i, a, uniform_shape);
  return linear(scale_stride(a.stride, factor),
                factor < 0 ? exact & ~(unsigned)TN_EXACT_UNSIGNED : exact);
}

static tn_shape shape_of_binary(const tn_shapes *shapes, LLVMValueRef i, LLVMOpcode opcode) {
  const tn_shape a = tn_shape_of(shapes, LLVMGetOperand(i, 0));
  const tn_shape b = tn_shape_of(shapes, LLVMGetOperand(i, 1));
  if (a.kind == TN_SHAPE_UNKNOWN || b.kind == TN_SHAPE_UNKNOWN) {
    return (tn_shape){0};
  }
  if (tn_shape_is_uniform(a) && tn_shape_is_uniform(b)) {
    return uniform_shape;
  }
  tn_shape narrowed;
  if (LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMIntegerTypeKind ||
      LLVMGetIntTypeWidth(LLVMTypeOf(i)) > 64) {
    return varying_shape;
  }
  if (shape_of_narrowed(shapes, i, opcode, &narrowed)) {
    return narrowed;
  }
  if (tn_shape_is_assumed(shapes, i)) {
    return tn_is_rest(opcode) ? small(a.stride) : uniform_shape;
  }
  if (a.kind == TN_SHAPE_VARYING || b.kind == TN_SHAPE_VARYING) {
    return varying_shape;
  }
  int64_t factor = 0;
  const bool has_factor = tn_get_constant(LLVMGetOperand(i, 1), &factor);
  switch (opcode) {
    case LLVMAdd:
      return shape_of_add(i, a, b);
    case LLVMSub:
      return linear(add_strides(a.stride, scale_stride(b.stride, -1)), exact_of_flags(i, a, b));
    case LLVMMul:
      return has_factor ? shape_of_product(i, a, factor) : varying_shape;
    case LLVMShl:
      return has_factor && factor >= 0 && factor < 32 &&
                     (unsigned)factor < LLVMGetIntTypeWidth(LLVMTypeOf(i))
                 ? shape_of_product(i, a, (int64_t)1 << factor)
                 : varying_shape;
    case LLVMOr:
      return LLVMGetIsDisjoint(i) ? linear(add_strides(a.stride, b.stride), a.exact & b.exact)
                                  : varying_shape;
    default:
      return varying_shape;
  }
}

static tn_shape shape_of_gep(const tn_shapes *shapes, LLVMValueRef i) {
  tn_shape total = tn_shape_of(shapes, LLVMGetOperand(i, 0));
  LLVMTypeRef type = LLVMGetGEPSourceElementType(i);
  const unsigned count = (unsigned)LLVMGetNumOperands(i);
  for (unsigned k = 1; k < count; k++) {
    const tn_shape index = tn_shape_of(shapes, LLVMGetOperand(i, k));
    if (index.kind == TN_SHAPE_UNKNOWN || total.kind == TN_SHAPE_UNKNOWN) {
      return (tn_shape){0};
    }
    if (index.kind == TN_SHAPE_VARYING || total.kind == TN_SHAPE_VARYING) {
      return varying_shape;
    }
    int64_t size = 0;
    if (k == 1) {
      size = (int64_t)LLVMABISizeOfType(shapes->layout, type);
    } else if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
      int64_t field = 0;
      if (!tn_get_constant(LLVMGetOperand(i, k), &field)) {
        return varying_shape;
      }
      type = LLVMStructGetTypeAtIndex(type, (unsigned)field);
    } else {
      type = LLVMGetElementType(type);
      size = (int64_t)LLVMABISizeOfType(shapes->layout, type);
    }
    // A narrow index is made 64 bits wide first.
    if (index.stride != 0 && !(index.exact & TN_EXACT_SIGNED) &&
        LLVMGetIntTypeWidth(LLVMTypeOf(LLVMGetOperand(i, k))) < 64) {
      return varying_shape;
    }
    total.stride = add_strides(total.stride, scale_stride(index.stride, size));
  }
  return linear(total.stride, 0);
}

static unsigned bits_of(LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  return LLVMGetTypeKind(type) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type) : 64;
}

static tn_shape shape_of_trunc(LLVMValueRef i, tn_shape a) {
  if (a.is_id && bits_of(i) >= 32) {
    return a;
  }
  const bool is_widest = bits_of(LLVMGetOperand(i, 0)) == 64;
  const unsigned known = is_widest ? TN_EXACT_BOTH : a.exact;
  const unsigned flags =
      (LLVMGetNSW(i) ? TN_EXACT_SIGNED : 0u) | (LLVMGetNUW(i) ? TN_EXACT_UNSIGNED : 0u);
  return linear(a.stride, known & flags);
}

// Numbers of 64 bits are linear modulo 2^64, which is all that addresses need.
static tn_shape shape_of_cast(const tn_shapes *shapes, LLVMValueRef i, LLVMOpcode opcode) {
  const tn_shape a = tn_shape_of(shapes, LLVMGetOperand(i, 0));
  if (a.kind != TN_SHAPE_LINEAR || tn_shape_is_uniform(a)) {
    return a;
  }
  if (bits_of(i) > 64 || bits_of(LLVMGetOperand(i, 0)) > 64) {
    return varying_shape;
  }
  tn_shape wide = a;
  switch (opcode) {
    case LLVMSExt:
      wide.exact = TN_EXACT_SIGNED | (a.is_id ? TN_EXACT_UNSIGNED : 0u);
      return a.exact & TN_EXACT_SIGNED ? wide : varying_shape;
    case LLVMZExt:
      wide.exact = TN_EXACT_BOTH;
      wide.is_small = true;
      return a.exact & TN_EXACT_UNSIGNED || (LLVMGetNNeg(i) && a.exact) ? wide : varying_shape;
    case LLVMTrunc:
      return shape_of_trunc(i, a);
    case LLVMPtrToInt:
      return linear(a.stride, 0);
    case LLVMIntToPtr:
      return bits_of(LLVMGetOperand(i, 0)) == 64 ? linear(a.stride, 0) : varying_shape;
    case LLVMAddrSpaceCast:
      return a;
    case LLVMBitCast:
      return LLVMTypeOf(i) == LLVMTypeOf(LLVMGetOperand(i, 0)) ? a : varying_shape;
    default:
      return varying_shape;
  }
}

static bool has_fn_attribute(LLVMValueRef call, const char *name) {
  const unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  LLVMValueRef called = LLVMGetCalledValue(call);
  return LLVMGetCallSiteEnumAttribute(call, TN_ON_FUNCTION, kind) ||
         (LLVMIsAFunction(called) && LLVMGetEnumAttributeAtIndex(called, TN_ON_FUNCTION, kind));
}

// memory(none), as LLVM writes it down: no bits.
static bool reads_no_memory(LLVMValueRef call) {
  const unsigned kind = LLVMGetEnumAttributeKindForName("memory", 6);
  LLVMAttributeRef at_call = LLVMGetCallSiteEnumAttribute(call, TN_ON_FUNCTION, kind);
  LLVMValueRef called = LLVMGetCalledValue(call);
  LLVMAttributeRef at_function =
      LLVMIsAFunction(called) ? LLVMGetEnumAttributeAtIndex(called, TN_ON_FUNCTION, kind) : NULL;
  return (at_call && LLVMGetEnumAttributeValue(at_call) == 0) ||
         (at_function && LLVMGetEnumAttributeValue(at_function) == 0);
}

bool tn_call_is_pure(LLVMValueRef call) {
  return reads_no_memory(call) && has_fn_attribute(call, "willreturn") &&
         has_fn_attribute(call, "nounwind") && !has_fn_attribute(call, "convergent");
}

bool tn_call_is_speculatable(LLVMValueRef call) {
  return tn_call_is_pure(call) && LLVMIsAFunction(LLVMGetCalledValue(call)) &&
         LLVMGetIntrinsicID(LLVMGetCalledValue(call)) != 0 &&
         has_fn_attribute(call, "speculatable");
}

static bool has_uniform_operands(const tn_shapes *shapes, LLVMValueRef i, bool *known) {
  const int count = LLVMGetNumOperands(i);
  bool uniform = true;
  *known = true;
  for (int k = 0; k < count; k++) {
    const tn_shape shape = tn_shape_of(shapes, LLVMGetOperand(i, (unsigned)k));
    *known = *known && shape.kind != TN_SHAPE_UNKNOWN;
    uniform = uniform && tn_shape_is_uniform(shape);
  }
  return uniform;
}

static tn_shape shape_of_operands(const tn_shapes *shapes, LLVMValueRef i) {
  bool known = false;
  const bool uniform = has_uniform_operands(shapes, i, &known);
  return !known ? (tn_shape){0} : uniform ? uniform_shape : varying_shape;
}

static tn_shape shape_of_call(const tn_shapes *shapes, LLVMValueRef i) {
  switch (tn_group_op_of(i)) {
    case TN_GROUP_OP_LANE:
      return id_with_stride(1);
    case TN_GROUP_OP_SHUFFLE: {
      const tn_shape id = tn_shape_of(shapes, LLVMGetOperand(i, 2));
      return id.kind == TN_SHAPE_UNKNOWN ? id
             : tn_shape_is_uniform(id)   ? uniform_shape
                                         : varying_shape;
    }
    case TN_GROUP_OP_NONE:
      return tn_call_is_pure(i) ? shape_of_operands(shapes, i) : varying_shape;
    default:
      return uniform_shape;
  }
}

static tn_shape shape_of_select(const tn_shapes *shapes, LLVMValueRef i) {
  const tn_shape condition = tn_shape_of(shapes, LLVMGetOperand(i, 0));
  if (condition.kind == TN_SHAPE_UNKNOWN || !tn_shape_is_uniform(condition)) {
    return condition.kind == TN_SHAPE_UNKNOWN ? condition : varying_shape;
  }
  return join(tn_shape_of(shapes, LLVMGetOperand(i, 1)), tn_shape_of(shapes, LLVMGetOperand(i, 2)));
}

static tn_shape shape_of_phi(const tn_shapes *shapes, LLVMValueRef i, int block) {
  if (shapes->joins[block]) {
    return varying_shape;
  }
  tn_shape shape = {0};
  for (unsigned k = 0; k < LLVMCountIncoming(i); k++) {
    LLVMValueRef value = LLVMGetIncomingValue(i, k);
    if (!LLVMIsUndef(value) && !LLVMIsPoison(value)) {
      shape = join(shape, tn_shape_of(shapes, value));
    }
  }
  // Only undefined values: any will do.
  return shape;
}

static tn_shape compute(const tn_shapes *shapes, LLVMValueRef i, int block) {
  const LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
  switch (opcode) {
    case LLVMPHI:
      return shape_of_phi(shapes, i, block);
    case LLVMAlloca:
      return linear(1, 0);  // replaced below: the size of one
    case LLVMGetElementPtr:
      return shape_of_gep(shapes, i);
    case LLVMSelect:
      return shape_of_select(shapes, i);
    case LLVMCall:
      return shape_of_call(shapes, i);
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
      return varying_shape;
    case LLVMFreeze: {
      // Where a promise was broken there is a number now.
      tn_shape shape = tn_shape_of(shapes, LLVMGetOperand(i, 0));
      shape.exact = tn_shape_is_uniform(shape) || shape.is_id ? shape.exact : 0;
      return shape;
    }
    default:
      break;
  }
  if (LLVMIsABinaryOperator(i)) {
    return shape_of_binary(shapes, i, opcode);
  }
  if (LLVMIsACastInst(i)) {
    return shape_of_cast(shapes, i, opcode);
  }
  return shape_of_operands(shapes, i);
}

// Memory.

bool tn_is_constant_memory(LLVMValueRef pointer) {
  while (LLVMIsAGetElementPtrInst(pointer)) {
    pointer = LLVMGetOperand(pointer, 0);
  }
  return LLVMIsAArgument(pointer);
}

int tn_shape_side_by_side(const tn_shapes *shapes, LLVMTypeRef type, LLVMValueRef pointer) {
  const tn_shape shape = tn_shape_of(shapes, pointer);
  if (shape.kind != TN_SHAPE_LINEAR) {
    return 0;
  }
  const int64_t size = (int64_t)LLVMABISizeOfType(shapes->layout, type);
  if (LLVMSizeOfTypeInBits(shapes->layout, type) != (uint64_t)size * 8) {
    return 0;
  }
  return shape.stride == size ? 1 : shape.stride == -size ? -1 : 0;
}

bool tn_has_gather_and_scatter(const tn_shapes *shapes, unsigned vector_bytes, LLVMTypeRef type) {
  return vector_bytes >= 64 && LLVMABISizeOfType(shapes->layout, type) >= 4;
}

static int64_t alloca_stride(const tn_shapes *shapes, LLVMValueRef i) {
  LLVMTypeRef type = LLVMGetAllocatedType(i);
  const uint64_t align = LLVMGetAlignment(i);
  int64_t count = 1;
  (void)tn_get_constant(LLVMGetOperand(i, 0), &count);
  const uint64_t size = LLVMABISizeOfType(shapes->layout, type) * (uint64_t)count;
  return (int64_t)tn_size_align((size_t)size, (size_t)(align ? align : 1));
}

static bool step(tn_shapes *shapes) {
  bool changed = false;
  for (int b = 0; b < shapes->flow->count; b++) {
    LLVMBasicBlockRef block = shapes->flow->blocks[b].block;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
      tn_shape *old = find(shapes, i);
      if (!old || old->kind == TN_SHAPE_VARYING) {
        continue;
      }
      tn_shape now = compute(shapes, i, b);
      if (LLVMIsAAllocaInst(i)) {
        now = linear(alloca_stride(shapes, i), 0);
      }
      now = join(*old, now);
      changed = changed || now.kind != old->kind || now.stride != old->stride ||
                now.exact != old->exact || now.is_id != old->is_id || now.is_small != old->is_small;
      *old = now;
    }
  }
  return changed;
}

// Control flow.

static bool exits_loop(const tn_flow *flow, int block) {
  const tn_flow_block *b = &flow->blocks[block];
  return b->loop != TN_FLOW_NONE && (!tn_flow_in_loop(flow, b->loop, b->succ[0]) ||
                                     !tn_flow_in_loop(flow, b->loop, b->succ[1]));
}

enum { TN_SIDE_LEFT = 1, TN_SIDE_RIGHT = 2 };

static void reach(tn_shapes *shapes, int block, int stop, uint8_t side) {
  if (block == stop || (shapes->sides[block] & side)) {
    return;
  }
  if (shapes->sides[block] == 0) {
    shapes->reached[shapes->reached_count++] = block;
  }
  shapes->sides[block] |= side;
  shapes->work[shapes->work_count++] = block;
}

// The blocks that each side of a two-way branch comes to before the branch's post-dominator,
// without going back in a loop: `reached`, and `sides` of each. In reverse post-order only a
// latch's edge leads to a lower number.
static void find_sides(tn_shapes *shapes, int branch) {
  const tn_flow_block *b = &shapes->flow->blocks[branch];
  for (int s = 0; s < 2; s++) {
    const uint8_t side = s == 0 ? TN_SIDE_LEFT : TN_SIDE_RIGHT;
    reach(shapes, b->succ[s], b->ipdom, side);
    while (shapes->work_count > 0) {
      const int from = shapes->work[--shapes->work_count];
      const tn_flow_block *at = &shapes->flow->blocks[from];
      for (int k = 0; k < at->succ_count; k++) {
        if (at->succ[k] > from) {
          reach(shapes, at->succ[k], b->ipdom, side);
        }
      }
    }
  }
}

static void forget_sides(tn_shapes *shapes) {
  for (int i = 0; i < shapes->reached_count; i++) {
    shapes->sides[shapes->reached[i]] = 0;
  }
  shapes->reached_count = 0;
}

// Whether the sides of a branch have no block in common and are entered through the branch only.
static bool are_sides_apart(tn_shapes *shapes, int branch) {
  const tn_flow *flow = shapes->flow;
  const tn_flow_block *b = &flow->blocks[branch];
  if (b->ipdom == TN_FLOW_NONE || b->ipdom <= branch || flow->blocks[b->ipdom].loop != b->loop) {
    return false;
  }
  find_sides(shapes, branch);
  bool are_apart = true;
  for (int i = 0; i < shapes->reached_count && are_apart; i++) {
    const int at = shapes->reached[i];
    const tn_flow_block *to = &flow->blocks[at];
    const uint8_t side = shapes->sides[at];
    are_apart = side != (TN_SIDE_LEFT | TN_SIDE_RIGHT) && at > branch;
    for (int p = 0; p < to->pred_count && are_apart; p++) {
      are_apart = to->pred[p] == branch || shapes->sides[to->pred[p]] == side;
    }
  }
  forget_sides(shapes);
  return are_apart;
}

// That follows from the blocks alone: it is found once.
static tn_sides sides_of(tn_shapes *shapes, int branch) {
  uint8_t *known = &shapes->are_apart[branch];
  if (*known == TN_SIDES_UNKNOWN) {
    *known = are_sides_apart(shapes, branch) ? TN_SIDES_APART : TN_SIDES_MEET;
  }
  return (tn_sides)*known;
}

bool tn_shape_sides(tn_shapes *shapes, int branch, tn_block_list sides[2]) {
  if (sides_of(shapes, branch) != TN_SIDES_APART) {
    return false;
  }
  find_sides(shapes, branch);
  bool ok = true;
  for (int s = 0; s < 2; s++) {
    int count = 0;
    for (int i = 0; i < shapes->reached_count; i++) {
      if (shapes->sides[shapes->reached[i]] == (s == 0 ? TN_SIDE_LEFT : TN_SIDE_RIGHT)) {
        shapes->work[count++] = shapes->reached[i];
      }
    }
    ok = ok && tn_block_list_sort(shapes->flow->arena, shapes->work, count, &sides[s]);
  }
  forget_sides(shapes);
  return ok;
}

static void part(tn_shapes *shapes, int block) {
  shapes->is_divergent[block] = 1;
  find_sides(shapes, block);
  for (int i = 0; i < shapes->reached_count; i++) {
    if (shapes->sides[shapes->reached[i]] == (TN_SIDE_LEFT | TN_SIDE_RIGHT)) {
      shapes->joins[shapes->reached[i]] = 1;
    }
  }
  if (shapes->flow->blocks[block].ipdom != TN_FLOW_NONE) {
    shapes->joins[shapes->flow->blocks[block].ipdom] = 1;
  }
  forget_sides(shapes);
}

// A branch that is the same for all stays a branch only when its sides are apart. A condition that
// is not known yet is looked at again: none is left in the end (see decide_unknown).
static bool is_parting(tn_shapes *shapes, int block) {
  const tn_shape condition = tn_shape_of(shapes, LLVMGetCondition(shapes->flow->blocks[block].end));
  if (condition.kind == TN_SHAPE_UNKNOWN) {
    return false;
  }
  if (!tn_shape_is_uniform(condition)) {
    return true;
  }
  if (exits_loop(shapes->flow, block)) {
    return false;
  }
  return sides_of(shapes, block) == TN_SIDES_MEET;
}

static bool is_parting_loop(const tn_shapes *shapes, int loop) {
  const tn_flow *flow = shapes->flow;
  const tn_flow_loop *l = &flow->loops[loop];
  for (int i = 0; i < l->exiting.count; i++) {
    const int at = l->exiting.items[i];
    if (shapes->is_divergent[at] || flow->blocks[at].loop != loop ||
        !tn_flow_dominates(flow, at, l->latch)) {
      return true;
    }
  }
  return false;
}

static bool step_flow(tn_shapes *shapes) {
  bool changed = false;
  for (int b = 0; b < shapes->flow->count; b++) {
    if (shapes->flow->blocks[b].succ_count == 2 && !shapes->is_divergent[b] &&
        is_parting(shapes, b)) {
      part(shapes, b);
      changed = true;
    }
  }
  for (int l = 0; l < shapes->flow->loop_count; l++) {
    if (!shapes->is_loop_divergent[l] && is_parting_loop(shapes, l)) {
      shapes->is_loop_divergent[l] = 1;
      shapes->joins[shapes->flow->loops[l].exit] = 1;
      changed = true;
    }
  }
  return changed;
}

// What has no shape in the end is made of undefined values, or of itself: any number will do, so
// one for all lanes. Branches on it are then looked at as on other such numbers: their sides may
// meet.
static bool decide_unknown(tn_shapes *shapes) {
  bool changed = false;
  for (int i = 0; i < shapes->count; i++) {
    if (shapes->all[i].kind == TN_SHAPE_UNKNOWN) {
      shapes->all[i] = uniform_shape;
      changed = true;
    }
  }
  return changed;
}

static bool allocate(tn_shapes *shapes, int instruction_count) {
  tn_arena *arena = shapes->flow->arena;
  const size_t total = (size_t)shapes->flow->count + 1;
  shapes->all = tn_arena_alloc_array(arena, (size_t)instruction_count + 1, sizeof(*shapes->all));
  shapes->is_divergent = tn_arena_alloc_array(arena, total, 1);
  shapes->joins = tn_arena_alloc_array(arena, total, 1);
  shapes->is_loop_divergent = tn_arena_alloc_array(arena, total, 1);
  shapes->are_apart = tn_arena_alloc_array(arena, total, 1);
  shapes->sides = tn_arena_alloc_array(arena, total, 1);
  shapes->reached = tn_arena_alloc_array(arena, total, sizeof(int));
  shapes->work = tn_arena_alloc_array(arena, total, sizeof(int));
  return shapes->all && shapes->is_divergent && shapes->joins && shapes->is_loop_divergent &&
         shapes->are_apart && shapes->sides && shapes->reached && shapes->work;
}

bool tn_shapes_init(tn_shapes *shapes, tn_flow *flow, LLVMValueRef function, bool is_folded) {
  *shapes = (tn_shapes){.flow = flow, .is_folded = is_folded};
  tn_map_init(&shapes->values);
  tn_map_init(&shapes->assumed);
  shapes->layout = LLVMGetModuleDataLayout(LLVMGetGlobalParent(function));
  int total = 0;
  for (int b = 0; b < flow->count; b++) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(flow->blocks[b].block); i;
         i = LLVMGetNextInstruction(i)) {
      total++;
    }
  }
  if (!allocate(shapes, total)) {
    return false;
  }
  for (int b = 0; b < flow->count; b++) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(flow->blocks[b].block); i;
         i = LLVMGetNextInstruction(i)) {
      if (!tn_map_set(&shapes->values, TN_POINTER_KEY(i), (void *)(intptr_t)(++shapes->count))) {
        flow->arena->failed = true;
        return false;
      }
    }
  }
  tn_shapes_find(shapes);
  return true;
}

void tn_shapes_find(tn_shapes *shapes) {
  memset(shapes->all, 0, (size_t)shapes->count * sizeof(*shapes->all));
  memset(shapes->is_divergent, 0, (size_t)shapes->flow->count);
  memset(shapes->joins, 0, (size_t)shapes->flow->count);
  memset(shapes->is_loop_divergent, 0, (size_t)shapes->flow->count);
  do {
    do {
      while (step(shapes)) {
      }
    } while (step_flow(shapes));
  } while (decide_unknown(shapes));
}

void tn_shapes_deinit(tn_shapes *shapes) {
  tn_map_deinit(&shapes->values);
  tn_map_deinit(&shapes->assumed);
}

// Looks at `left` values at most: some are used more than once.
static bool is_of_ids(const tn_shapes *shapes, LLVMValueRef condition, int *left) {
  if (--*left < 0) {
    return false;
  }
  if (LLVMIsAICmpInst(condition)) {
    return tn_shape_of(shapes, LLVMGetOperand(condition, 0)).kind == TN_SHAPE_LINEAR &&
           tn_shape_of(shapes, LLVMGetOperand(condition, 1)).kind == TN_SHAPE_LINEAR;
  }
  if (!LLVMIsABinaryOperator(condition) && !LLVMIsASelectInst(condition)) {
    return tn_shape_value_is_uniform(shapes, condition);
  }
  const int count = LLVMGetNumOperands(condition);
  bool are_all = true;
  for (int k = 0; k < count && are_all; k++) {
    are_all = is_of_ids(shapes, LLVMGetOperand(condition, (unsigned)k), left);
  }
  return are_all;
}

bool tn_shape_is_of_ids(const tn_shapes *shapes, LLVMValueRef condition) {
  int left = 64;
  return is_of_ids(shapes, condition, &left);
}
