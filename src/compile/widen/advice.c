// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether a kernel is faster with a vector lane for each work-item than with its work-items one
// after the other, and how many vectors go side by side.
#include "compile/widen/explain.h"
#include "compile/widen/rounds.h"
#include "compile/widen/rows.h"
#include "compile/widen/strides.h"

// Values of a loop that need a vector register each, roughly; SIZE_MAX when it calls, has loops in
// it, work-items part in it and read or write memory, or each reads at an address of its own: that
// is work enough, and more rows at once than a set of the cache has lines push each other out.
typedef struct loop_load {
  size_t count;
  bool parts;  // work-items leave it one by one, or part in it
} loop_load;

static bool is_gather(const tn_shapes *shapes, LLVMValueRef i) {
  return LLVMIsALoadInst(i) && !tn_shape_value_is_uniform(shapes, LLVMGetOperand(i, 0)) &&
         tn_shape_side_by_side(shapes, LLVMTypeOf(i), LLVMGetOperand(i, 0)) == 0;
}

static loop_load load_of_loop(const tn_flow *flow, const tn_shapes *shapes, int loop) {
  loop_load load = {.parts = shapes->is_loop_divergent[loop] != 0};
  bool has_memory = false;
  for (int k = 0; k < flow->loops[loop].blocks.count; k++) {
    const int b = flow->loops[loop].blocks.items[k];
    load.parts = load.parts || shapes->is_divergent[b];
    if (flow->blocks[b].loop != loop) {
      return (loop_load){.count = SIZE_MAX};
    }
    for (LLVMValueRef i = LLVMGetFirstInstruction(flow->blocks[b].block); i;
         i = LLVMGetNextInstruction(i)) {
      const bool calls = LLVMIsACallInst(i) && LLVMGetIntrinsicID(LLVMGetCalledValue(i)) == 0;
      if (calls || is_gather(shapes, i)) {
        return (loop_load){.count = SIZE_MAX};
      }
      has_memory = has_memory || LLVMIsALoadInst(i) || LLVMIsAStoreInst(i);
      load.count += tn_shape_of(shapes, i).kind == TN_SHAPE_VARYING ? 1 : 0;
    }
  }
  return load.parts && has_memory ? (loop_load){.count = SIZE_MAX} : load;
}

// How many strips read a vector's bytes together, where a loop reads numbers narrower than a float:
// otherwise each strip would come back to the lines that the one before has just left.
static unsigned narrow_factor(const tn_flow *flow, const tn_shapes *shapes) {
  unsigned factor = 1;
  for (int b = 0; b < flow->count; b++) {
    if (flow->blocks[b].loop == TN_FLOW_NONE) {
      continue;
    }
    for (LLVMValueRef i = LLVMGetFirstInstruction(flow->blocks[b].block); i;
         i = LLVMGetNextInstruction(i)) {
      const tn_shape at = LLVMIsALoadInst(i) ? tn_shape_of(shapes, LLVMGetOperand(i, 0))
                                             : (tn_shape){.kind = TN_SHAPE_VARYING};
      if (at.kind == TN_SHAPE_LINEAR && (at.stride == 1 || at.stride == 2) &&
          LLVMABISizeOfType(shapes->layout, LLVMTypeOf(i)) == (uint64_t)at.stride) {
        const unsigned wanted = sizeof(float) / (unsigned)at.stride;
        factor = wanted > factor ? wanted : factor;
      }
    }
  }
  return factor;
}

// The loop with the most values decides among those that all leave together. Of one in which
// work-items part, two strips wait for each other, which pays where each would wait for its own
// results: where nothing but a short chain of computations is in it.
static unsigned busy_factor(const tn_flow *flow, const tn_shapes *shapes) {
  enum { CHAIN_MAX = 16 };
  size_t most = 0;
  bool parts = false;
  for (int l = 0; l < flow->loop_count; l++) {
    const loop_load load = load_of_loop(flow, shapes, l);
    if (load.count > most) {
      most = load.count;
      parts = load.parts;
    }
  }
  if (parts) {
    return most <= CHAIN_MAX ? 2 : 1;
  }
  return most == 0 || most > 8 ? 1 : most > 4 ? 2 : 4;
}

// Vectors side by side are one more form of the whole kernel, for the sake of its loops: not where
// most of it is outside of them.
enum { OUTSIDE_LOOPS_MAX = 128 };
static bool is_mostly_straight(const tn_flow *flow, const tn_shapes *shapes) {
  size_t count = 0;
  for (int b = 0; b < flow->count; b++) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(flow->blocks[b].block);
         i && flow->blocks[b].loop == TN_FLOW_NONE; i = LLVMGetNextInstruction(i)) {
      count += tn_shape_is_uniform(tn_shape_of(shapes, i)) ? 0 : 1;
    }
  }
  return count > OUTSIDE_LOOPS_MAX;
}

// Costs are throughput, in halves of a simple instruction.
enum {
  ONE = 2,
  DIVISION = 10,
  FUNCTION = 40,  // sin and the like, of a vector or of a number
  CALL = 20,      // of a function that is not inlined
  BRANCH = 6,     // on data: some are foretold wrong
  LANE = 6        // beside the load or store of a lane: its address, and the element, moved
};

typedef struct cost {
  uint64_t apart;     // of work-items one after the other
  uint64_t together;  // in lanes
} cost;

typedef struct estimate {
  const tn_flow *flow;
  const tn_shapes *shapes;
  const tn_widen_params *params;
} estimate;

static uint64_t vectors_of(const estimate *e, LLVMTypeRef type) {
  const uint64_t bytes =
      LLVMTypeIsSized(type) ? LLVMABISizeOfType(e->shapes->layout, type) * e->params->width : 0;
  const unsigned vector = e->params->vector_bytes != 0 ? e->params->vector_bytes : 1;
  return bytes <= vector ? 1 : (bytes + vector - 1) / vector;
}

// One lane after the other, each as the work-item alone, and what its element costs to move.
static cost lane_by_lane(const estimate *e, unsigned one, unsigned more) {
  const uint64_t width = e->params->width;
  return (cost){.apart = width * one, .together = width * (one + more)};
}

static cost in_lanes(const estimate *e, LLVMTypeRef type, unsigned one) {
  return (cost){.apart = (uint64_t)e->params->width * one, .together = vectors_of(e, type) * one};
}

static cost cost_of_access(const estimate *e, LLVMValueRef pointer, LLVMTypeRef type) {
  if (tn_shape_value_is_uniform(e->shapes, pointer)) {
    return (cost){.apart = (uint64_t)e->params->width * ONE, .together = ONE};
  }
  if (tn_shape_side_by_side(e->shapes, type, pointer) != 0) {
    return in_lanes(e, type, ONE);
  }
  // Gathers and scatters by hardware are no slower than their lanes one by one.
  const bool has_them = tn_has_gather_and_scatter(e->shapes, e->params->vector_bytes, type);
  return lane_by_lane(e, ONE, has_them ? 0 : LANE);
}

// A vector of each lane, turned, for as many rounds.
static cost cost_of_rounds(const estimate *e, LLVMTypeRef type) {
  const unsigned count =
      e->params->vector_bytes / (unsigned)LLVMABISizeOfType(e->shapes->layout, type);
  const cost apart = in_lanes(e, type, ONE);
  return (cost){.apart = apart.apart,
                .together = apart.together * (1 + (unsigned)__builtin_ctz(count))};
}

static cost cost_of_call(const estimate *e, LLVMValueRef i) {
  LLVMValueRef called = LLVMGetCalledValue(i);
  const bool is_number = LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMFloatTypeKind ||
                         LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMDoubleTypeKind;
  if (tn_group_op_of(i) != TN_GROUP_OP_NONE || LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMVoidTypeKind) {
    return (cost){0};
  }
  if (LLVMGetIntrinsicID(called) != 0) {
    return in_lanes(e, LLVMTypeOf(i), ONE);
  }
  return is_number ? in_lanes(e, LLVMTypeOf(i), FUNCTION) : lane_by_lane(e, CALL, LANE);
}

static cost cost_of_computation(const estimate *e, LLVMValueRef i) {
  const tn_shape shape = tn_shape_of(e->shapes, i);
  LLVMTypeRef type = LLVMIsACmpInst(i) ? LLVMTypeOf(LLVMGetOperand(i, 0)) : LLVMTypeOf(i);
  const LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
  // Part of an instruction for a number, but not for a vector.
  const bool is_free = opcode == LLVMGetElementPtr || opcode == LLVMSExt || opcode == LLVMZExt ||
                       opcode == LLVMBitCast;
  cost c = {0};
  if (opcode == LLVMFDiv || opcode == LLVMFRem) {
    c = in_lanes(e, type, DIVISION);
  } else if (tn_is_integer_division(opcode)) {
    c = lane_by_lane(e, DIVISION, LANE);
  } else {
    c = in_lanes(e, type, ONE);
  }
  c.apart = is_free ? 0 : c.apart;
  c.together = shape.kind == TN_SHAPE_LINEAR ? (is_free ? 0 : ONE) : c.together;
  return c;
}

static cost cost_of_branch(const estimate *e, int block) {
  const bool parts = e->shapes->is_divergent[block] != 0;
  return (cost){.apart = (uint64_t)e->params->width * (parts ? BRANCH : ONE),
                .together = parts ? 2 * ONE : ONE};
}

static cost cost_of(const estimate *e, int block, LLVMValueRef i) {
  if (LLVMIsAPHINode(i) || LLVMIsAReturnInst(i)) {
    return (cost){0};
  }
  if (LLVMIsABranchInst(i)) {
    return LLVMIsConditional(i) ? cost_of_branch(e, block) : (cost){0};
  }
  if (LLVMIsALoadInst(i) &&
      tn_rounds_have(e->shapes, i, e->params->width, e->params->vector_bytes)) {
    return cost_of_rounds(e, LLVMTypeOf(i));
  }
  if (LLVMIsALoadInst(i)) {
    return cost_of_access(e, LLVMGetOperand(i, 0), LLVMTypeOf(i));
  }
  if (LLVMIsAStoreInst(i)) {
    return cost_of_access(e, LLVMGetOperand(i, 1), LLVMTypeOf(LLVMGetOperand(i, 0)));
  }
  if (LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i)) {
    return lane_by_lane(e, CALL, LANE);
  }
  return LLVMIsACallInst(i) ? cost_of_call(e, i) : cost_of_computation(e, i);
}

static cost cost_of_all(const estimate *e) {
  cost sum = {0};
  for (int b = 0; b < e->flow->count; b++) {
    const unsigned shift = tn_flow_iteration_bits(e->flow, b);
    for (LLVMValueRef i = LLVMGetFirstInstruction(e->flow->blocks[b].block); i;
         i = LLVMGetNextInstruction(i)) {
      const cost c = cost_of(e, b, i);
      sum.apart += c.apart << shift;
      sum.together += c.together << shift;
    }
  }
  return sum;
}

tn_widen_advice tn_widen_advise(LLVMValueRef item, const tn_widen_params *params) {
  tn_arena arena;
  tn_arena_init(&arena);
  tn_flow flow;
  tn_shapes shapes;
  tn_widen_advice advice = {.is_worth = true, .factor = 1};
  const bool has_flow = tn_flow_init(&flow, item, &arena);
  if (has_flow && tn_shapes_init(&shapes, &flow, item, false)) {
    if (params->may_leave_rows) {
      tn_rows_assume(&shapes, params->width);
    }
    const unsigned narrow = narrow_factor(&flow, &shapes);
    const unsigned busy = busy_factor(&flow, &shapes);
    const unsigned strided = tn_strided_factor(&shapes, params->width);
    advice.factor = narrow > busy ? narrow : busy;
    advice.factor = strided > advice.factor ? strided : advice.factor;
    if (shapes.row_count != 0 || is_mostly_straight(&flow, &shapes)) {
      advice.factor = 1;
    }
    const cost all =
        cost_of_all(&(estimate){.flow = &flow, .shapes = &shapes, .params = params});
    advice.is_worth = all.together <= all.apart;
    advice.cost_apart = all.apart;
    advice.cost_together = all.together;
    if (!advice.is_worth) {
      tn_explain_costs(params->remarks, &shapes, params->vector_bytes);
    }
  }
  if (has_flow) {
    tn_shapes_deinit(&shapes);
  }
  tn_flow_deinit(&flow);
  tn_arena_deinit(&arena);
  return advice;
}
