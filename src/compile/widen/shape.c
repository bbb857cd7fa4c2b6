// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A fixed point from "all the same" upwards.
#include "compile/widen/shape.h"

static const tn_shape uniform_shape = {.kind = TN_SHAPE_LINEAR, .is_exact = true};
static const tn_shape varying_shape = {.kind = TN_SHAPE_VARYING};

static tn_shape linear(int64_t stride, bool is_exact) {
  return (tn_shape){.kind = TN_SHAPE_LINEAR, .stride = stride, .is_exact = is_exact || stride == 0};
}

static tn_shape *find(const tn_shapes *shapes, LLVMValueRef value) {
  const intptr_t at = (intptr_t)tn_map_find(&shapes->values, TN_POINTER_KEY(value));
  return at == 0 ? NULL : &shapes->all[at - 1];
}

tn_shape tn_shape_of(const tn_shapes *shapes, LLVMValueRef value) {
  if (LLVMIsAInstruction(value)) {
    const tn_shape *shape = find(shapes, value);
    return shape ? *shape : varying_shape;
  }
  if (LLVMIsAArgument(value)) {
    LLVMValueRef function = LLVMGetParamParent(value);
    return value == LLVMGetParam(function, TN_ITEM_X) ? linear(1, true) : uniform_shape;
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
  return linear(a.stride, a.is_exact && b.is_exact);
}

bool tn_shape_sides(const tn_flow *flow, int branch, uint8_t *left, uint8_t *right) {
  const tn_flow_block *b = &flow->blocks[branch];
  const int stop = b->ipdom;
  memset(left, 0, (size_t)flow->count);
  memset(right, 0, (size_t)flow->count);
  if (stop == TN_FLOW_NONE || stop <= branch || flow->blocks[stop].loop != b->loop) {
    return false;
  }
  tn_flow_reach(flow, b->succ[0], stop, branch, left);
  tn_flow_reach(flow, b->succ[1], stop, branch, right);
  for (int i = 0; i < flow->count; i++) {
    if (!left[i] && !right[i]) {
      continue;
    }
    if ((left[i] && right[i]) || i <= branch) {
      return false;
    }
    const uint8_t *side = left[i] ? left : right;
    for (int p = 0; p < flow->blocks[i].pred_count; p++) {
      const int pred = flow->blocks[i].pred[p];
      if (pred != branch && !side[pred]) {
        return false;
      }
    }
  }
  return true;
}

// Integers.

static bool get_constant(LLVMValueRef value, int64_t *out) {
  if (!LLVMIsAConstantInt(value) || LLVMGetIntTypeWidth(LLVMTypeOf(value)) > 64) {
    return false;
  }
  *out = LLVMConstIntGetSExtValue(value);
  return true;
}

// Ids are told apart from other numbers by how they grow. An id that is made narrow and wide again
// stays what it is: no strip lies across a multiple of 2^31 (compile/lower sees to that).
static bool is_id(tn_shape shape) {
  return shape.kind == TN_SHAPE_LINEAR && shape.is_exact && shape.stride == 1;
}

// `(int)id` and `(unsigned)id` as LLVM writes them on 64 bits.
static bool shape_of_narrowed(const tn_shapes *shapes, LLVMValueRef i, LLVMOpcode opcode,
                              tn_shape *out) {
  int64_t right = 0;
  int64_t left = 0;
  LLVMValueRef from = LLVMGetOperand(i, 0);
  if (LLVMGetIntTypeWidth(LLVMTypeOf(i)) != 64 || !get_constant(LLVMGetOperand(i, 1), &right)) {
    return false;
  }
  if (opcode == LLVMAnd && (right == UINT32_MAX || right == INT32_MAX) &&
      is_id(tn_shape_of(shapes, from))) {
    *out = linear(1, true);
    return true;
  }
  if ((opcode != LLVMAShr && opcode != LLVMLShr) || !LLVMIsABinaryOperator(from) ||
      LLVMGetInstructionOpcode(from) != LLVMShl || !get_constant(LLVMGetOperand(from, 1), &left) ||
      left != 32 || right < 0 || right > 32 ||
      !is_id(tn_shape_of(shapes, LLVMGetOperand(from, 0)))) {
    return false;
  }
  *out = linear((int64_t)1 << (left - right), true);
  return true;
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
  if (LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMIntegerTypeKind) {
    return varying_shape;
  }
  if (shape_of_narrowed(shapes, i, opcode, &narrowed)) {
    return narrowed;
  }
  if (a.kind == TN_SHAPE_VARYING || b.kind == TN_SHAPE_VARYING) {
    return varying_shape;
  }
  int64_t factor = 0;
  const bool is_wide = LLVMGetIntTypeWidth(LLVMTypeOf(i)) >= 64;
  switch (opcode) {
    case LLVMAdd:
      return linear(a.stride + b.stride, is_wide || LLVMGetNSW(i) || LLVMGetNUW(i));
    case LLVMSub:
      return linear(a.stride - b.stride, is_wide || LLVMGetNSW(i) || LLVMGetNUW(i));
    case LLVMMul:
      if (get_constant(LLVMGetOperand(i, 1), &factor)) {
        return linear(a.stride * factor, is_wide || LLVMGetNSW(i) || LLVMGetNUW(i));
      }
      return varying_shape;
    case LLVMShl:
      if (get_constant(LLVMGetOperand(i, 1), &factor) && factor >= 0 && factor < 32) {
        return linear(a.stride * ((int64_t)1 << factor), is_wide || LLVMGetNSW(i) || LLVMGetNUW(i));
      }
      return varying_shape;
    case LLVMOr:
      return LLVMGetIsDisjoint(i) ? linear(a.stride + b.stride, true) : varying_shape;
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
      if (!get_constant(LLVMGetOperand(i, k), &field)) {
        return varying_shape;
      }
      type = LLVMStructGetTypeAtIndex(type, (unsigned)field);
    } else {
      type = LLVMGetElementType(type);
      size = (int64_t)LLVMABISizeOfType(shapes->layout, type);
    }
    // A narrow index is made 64 bits wide first.
    if (index.stride != 0 && !index.is_exact &&
        LLVMGetIntTypeWidth(LLVMTypeOf(LLVMGetOperand(i, k))) < 64) {
      return varying_shape;
    }
    total.stride += index.stride * size;
  }
  return linear(total.stride, true);
}

static tn_shape shape_of_cast(const tn_shapes *shapes, LLVMValueRef i, LLVMOpcode opcode) {
  const tn_shape a = tn_shape_of(shapes, LLVMGetOperand(i, 0));
  if (a.kind != TN_SHAPE_LINEAR || a.stride == 0) {
    return a;
  }
  switch (opcode) {
    case LLVMSExt:
    case LLVMZExt:
      return a.is_exact ? a : varying_shape;
    case LLVMTrunc:
      return linear(a.stride, (is_id(a) || (a.is_exact && LLVMGetNSW(i))) &&
                                  LLVMGetIntTypeWidth(LLVMTypeOf(i)) >= 32);
    case LLVMPtrToInt:
    case LLVMIntToPtr:
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
      return linear(1, true);
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
      return linear(1, true);  // replaced below: the size of one
    case LLVMGetElementPtr:
      return shape_of_gep(shapes, i);
    case LLVMSelect:
      return shape_of_select(shapes, i);
    case LLVMCall:
      return shape_of_call(shapes, i);
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
      return varying_shape;
    case LLVMFreeze:
      return tn_shape_of(shapes, LLVMGetOperand(i, 0));
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

static int64_t alloca_stride(const tn_shapes *shapes, LLVMValueRef i) {
  LLVMTypeRef type = LLVMGetAllocatedType(i);
  const uint64_t align = LLVMGetAlignment(i);
  int64_t count = 1;
  (void)get_constant(LLVMGetOperand(i, 0), &count);
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
        now = linear(alloca_stride(shapes, i), true);
      }
      now = join(*old, now);
      changed = changed || now.kind != old->kind || now.stride != old->stride ||
                now.is_exact != old->is_exact;
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

static void part(tn_shapes *shapes, int block) {
  tn_flow *flow = shapes->flow;
  const tn_flow_block *b = &flow->blocks[block];
  uint8_t *left = tn_arena_alloc_array(flow->arena, (size_t)flow->count + 1, 1);
  uint8_t *right = tn_arena_alloc_array(flow->arena, (size_t)flow->count + 1, 1);
  shapes->is_divergent[block] = 1;
  if (!left || !right) {
    memset(shapes->joins, 1, (size_t)flow->count);
    return;
  }
  tn_flow_reach(flow, b->succ[0], b->ipdom, block, left);
  tn_flow_reach(flow, b->succ[1], b->ipdom, block, right);
  for (int i = 0; i < flow->count; i++) {
    if ((left[i] && right[i]) || i == b->ipdom) {
      shapes->joins[i] = 1;
    }
  }
}

// A branch that is the same for all stays a branch only when its sides are apart.
static bool is_parting(const tn_shapes *shapes, int block) {
  tn_flow *flow = shapes->flow;
  const tn_flow_block *b = &flow->blocks[block];
  const tn_shape condition = tn_shape_of(shapes, LLVMGetCondition(b->end));
  if (condition.kind == TN_SHAPE_UNKNOWN) {
    return false;
  }
  if (!tn_shape_is_uniform(condition)) {
    return true;
  }
  if (exits_loop(flow, block)) {
    return false;
  }
  uint8_t *left = tn_arena_alloc_array(flow->arena, (size_t)flow->count + 1, 1);
  uint8_t *right = tn_arena_alloc_array(flow->arena, (size_t)flow->count + 1, 1);
  return !left || !right || !tn_shape_sides(flow, block, left, right);
}

static bool is_parting_loop(const tn_shapes *shapes, int loop) {
  const tn_flow *flow = shapes->flow;
  const tn_flow_loop *l = &flow->loops[loop];
  for (int i = 0; i < flow->count; i++) {
    const tn_flow_block *b = &flow->blocks[i];
    bool exits = false;
    for (int s = 0; l->has[i] && s < b->succ_count; s++) {
      exits = exits || !l->has[b->succ[s]];
    }
    if (exits &&
        (shapes->is_divergent[i] || b->loop != loop || !tn_flow_dominates(flow, i, l->latch))) {
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

bool tn_shapes_init(tn_shapes *shapes, tn_flow *flow, LLVMValueRef function) {
  *shapes = (tn_shapes){.flow = flow};
  tn_map_init(&shapes->values);
  shapes->layout = LLVMGetModuleDataLayout(LLVMGetGlobalParent(function));
  int total = 0;
  for (int b = 0; b < flow->count; b++) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(flow->blocks[b].block); i;
         i = LLVMGetNextInstruction(i)) {
      total++;
    }
  }
  shapes->all = tn_arena_alloc_array(flow->arena, (size_t)total + 1, sizeof(*shapes->all));
  shapes->is_divergent = tn_arena_alloc_array(flow->arena, (size_t)flow->count + 1, 1);
  shapes->joins = tn_arena_alloc_array(flow->arena, (size_t)flow->count + 1, 1);
  shapes->is_loop_divergent = tn_arena_alloc_array(flow->arena, (size_t)flow->count + 1, 1);
  if (!shapes->all || !shapes->is_divergent || !shapes->joins || !shapes->is_loop_divergent) {
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
  do {
    while (step(shapes)) {
    }
  } while (step_flow(shapes));
  for (int i = 0; i < shapes->count; i++) {
    if (shapes->all[i].kind == TN_SHAPE_UNKNOWN) {
      shapes->all[i] = uniform_shape;
    }
  }
  return true;
}

void tn_shapes_deinit(tn_shapes *shapes) { tn_map_deinit(&shapes->values); }
