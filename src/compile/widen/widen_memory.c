// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads and stores: once for all lanes, side by side as a vector, or gathered.
#include "compile/widen/rounds.h"
#include "tenon/cpu_kernel.h"

#include <stddef.h>

void tn_copy_access_metadata(LLVMValueRef from, LLVMValueRef to) {
  static const char *const kinds[] = {"tbaa", "alias.scope", "noalias", "nontemporal"};
  for (size_t k = 0; k < TN_COUNT(kinds); k++) {
    const unsigned kind = LLVMGetMDKindIDInContext(LLVMGetTypeContext(LLVMTypeOf(from)), kinds[k],
                                                   (unsigned)strlen(kinds[k]));
    LLVMValueRef node = LLVMGetMetadata(from, kind);
    if (node) {
      LLVMSetMetadata(to, kind, node);
    }
  }
}

static void set_align(tn_widener *w, LLVMValueRef call, unsigned argument, unsigned align) {
  const unsigned kind = LLVMGetEnumAttributeKindForName("align", 5);
  LLVMAddCallSiteAttribute(call, argument + 1,
                           LLVMCreateEnumAttribute(w->context, kind, align ? align : 1));
}

static bool is_simple(LLVMValueRef i, LLVMTypeRef type) {
  return !LLVMGetVolatile(i) && LLVMGetOrdering(i) == LLVMAtomicOrderingNotAtomic &&
         tn_lanes_has_vector(type) &&
         !(LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) % 8 != 0);
}

// Lanes that are side by side where no index wraps between them.
typedef struct wrapped {
  bool is_found;
  int direction;   // 0: they are one
  bool is_of_row;  // and it may be that they often are not
  LLVMValueRef scalar;
  LLVMValueRef fits;
} wrapped;

static wrapped get_wrapped(tn_widener *w, LLVMTypeRef type, LLVMValueRef pointer) {
  const tn_lanes lanes = tn_lanes_get(w, pointer);
  const int64_t size = (int64_t)LLVMABISizeOfType(w->shapes.layout, type);
  if (!lanes.wrapped || LLVMSizeOfTypeInBits(w->shapes.layout, type) != (uint64_t)size * 8 ||
      (lanes.stride != size && lanes.stride != -size && lanes.stride != 0)) {
    return (wrapped){0};
  }
  return (wrapped){.is_found = true,
                   .direction = lanes.stride > 0 ? 1 : lanes.stride < 0 ? -1 : 0,
                   .is_of_row = lanes.is_of_row,
                   .scalar = lanes.wrapped,
                   .fits = lanes.fits};
}

static LLVMValueRef reversed(tn_widener *w, LLVMValueRef vector) {
  LLVMTypeRef i32 = LLVMInt32TypeInContext(w->context);
  LLVMValueRef order[TN_WIDTH_MAX];
  for (unsigned l = 0; l < w->width; l++) {
    order[l] = LLVMConstInt(i32, w->width - 1 - l, 0);
  }
  return LLVMBuildShuffleVector(w->builder, vector, LLVMGetPoison(LLVMTypeOf(vector)),
                                LLVMConstVector(order, w->width), "");
}

// The lowest address of lanes side by side; `scalar` is lane 0's.
static LLVMValueRef first_address(tn_widener *w, LLVMTypeRef type, LLVMValueRef scalar,
                                  int direction) {
  if (direction > 0) {
    return scalar;
  }
  const int64_t back = -(int64_t)(w->width - 1);
  LLVMValueRef index = LLVMConstInt(LLVMInt64TypeInContext(w->context), (uint64_t)back, 1);
  return LLVMBuildGEP2(w->builder, type, scalar, &index, 1, "");
}

// The alignment of the first address of lanes side by side, which may be that of a lane that is
// masked off: what `i` promises holds for the others.
static unsigned shared_align(const tn_widener *w, LLVMValueRef i, LLVMTypeRef type) {
  const unsigned size = (unsigned)LLVMABISizeOfType(w->shapes.layout, type);
  const unsigned align = LLVMGetAlignment(i);
  return align < size ? align : size & (0u - size);
}

// Where the processor has no masks, a lane that is masked off reads memory that is always there.
static LLVMValueRef gather(tn_widener *w, LLVMValueRef i, LLVMValueRef mask) {
  LLVMTypeRef vector_type = tn_lanes_vector_type(w, LLVMTypeOf(i));
  LLVMValueRef addresses = tn_lanes_vector(w, LLVMGetOperand(i, 0));
  unsigned align = LLVMGetAlignment(i);
  if (mask && !tn_has_gather_and_scatter(&w->shapes, w->vector_bytes, LLVMTypeOf(i))) {
    LLVMValueRef scratch = tn_lanes_splat(w, tn_widen_scratch(w, 0));
    addresses = LLVMBuildSelect(w->builder, mask, addresses, scratch, "");
    align = align < TN_SCRATCH_ALIGN ? align : TN_SCRATCH_ALIGN;
    mask = NULL;
  }
  LLVMValueRef arguments[3] = {addresses, tn_mask_or_all(w, mask), LLVMGetPoison(vector_type)};
  LLVMTypeRef types[2] = {vector_type, LLVMTypeOf(addresses)};
  LLVMValueRef loaded = tn_widen_intrinsic(w, "llvm.masked.gather", types, 2, arguments, 3);
  set_align(w, loaded, 0, align);
  tn_copy_access_metadata(i, loaded);
  return loaded;
}

// `scalar` is lane 0's address.
static LLVMValueRef load_side_by_side(tn_widener *w, LLVMValueRef i, LLVMValueRef scalar,
                                      int direction, LLVMValueRef mask) {
  LLVMTypeRef type = LLVMTypeOf(i);
  LLVMTypeRef vector_type = tn_lanes_vector_type(w, type);
  LLVMValueRef address = first_address(w, type, scalar, direction);
  LLVMValueRef loaded = NULL;
  if (mask) {
    LLVMValueRef arguments[3] = {address, direction < 0 ? reversed(w, mask) : mask,
                                 LLVMGetPoison(vector_type)};
    LLVMTypeRef types[2] = {vector_type, LLVMTypeOf(address)};
    loaded = tn_widen_intrinsic(w, "llvm.masked.load", types, 2, arguments, 3);
    set_align(w, loaded, 0, shared_align(w, i, type));
  } else {
    loaded = LLVMBuildLoad2(w->builder, vector_type, address, "");
    LLVMSetAlignment(loaded, LLVMGetAlignment(i));
  }
  tn_copy_access_metadata(i, loaded);
  return direction < 0 ? reversed(w, loaded) : loaded;
}

// One for all lanes, of which there is one at least.
static LLVMValueRef load_shared(tn_widener *w, LLVMValueRef i, LLVMValueRef scalar,
                                LLVMValueRef mask) {
  LLVMValueRef loaded = LLVMBuildLoad2(w->builder, LLVMTypeOf(i), scalar, "");
  LLVMSetAlignment(loaded, LLVMGetAlignment(i));
  tn_copy_access_metadata(i, loaded);
  if (mask) {
    tn_load_drop_promises(loaded);
  }
  return tn_lanes_splat(w, loaded);
}

static LLVMValueRef load_wrapped(tn_widener *w, LLVMValueRef i, const wrapped *at,
                                 LLVMValueRef mask) {
  LLVMValueRef fits = at->fits;
  if (at->direction == 0 && mask) {
    fits = LLVMBuildAnd(w->builder, LLVMBuildFreeze(w->builder, fits, ""),
                        tn_mask_any(w, mask), "");
  }
  LLVMValueRef values[2];
  LLVMBasicBlockRef ends[2];
  tn_fork f = tn_fork_open(w, fits);
  values[0] = at->direction == 0 ? load_shared(w, i, at->scalar, mask)
                                 : load_side_by_side(w, i, at->scalar, at->direction, mask);
  ends[0] = tn_fork_turn(w, &f);
  if (at->is_of_row) {
    values[1] = gather(w, i, mask);
  } else {
    tn_widen_each_lane(w, i, tn_mask_or_all(w, mask));
    values[1] = tn_lanes_vector(w, i);
  }
  ends[1] = tn_fork_close(w, &f);
  return tn_fork_join(w, values, ends);
}

static void widen_load(tn_widener *w, LLVMValueRef i, LLVMValueRef mask) {
  LLVMTypeRef type = LLVMTypeOf(i);
  LLVMValueRef pointer = LLVMGetOperand(i, 0);
  if (tn_shape_value_is_uniform(&w->shapes, pointer)) {
    LLVMValueRef clone = tn_widen_clone(w, i);
    if (mask) {
      tn_load_drop_promises(clone);
    }
    tn_lanes_set(w, i, tn_lanes_from_scalar(clone, 0));
    return;
  }
  if (!is_simple(i, type)) {
    tn_explain_apart(w->remarks, i);
    tn_widen_each_lane(w, i, mask);
    return;
  }
  LLVMValueRef turned = tn_rounds_take(w, i);
  if (turned) {
    tn_lanes_set(w, i, tn_lanes_from_vector(turned));
    return;
  }
  const int direction = tn_shape_side_by_side(&w->shapes, type, pointer);
  const wrapped at = direction == 0 ? get_wrapped(w, type, pointer) : (wrapped){0};
  if (w->remarks && direction == 0 && !at.is_found &&
      !tn_rounds_have(&w->shapes, i, w->width, w->vector_bytes)) {
    tn_explain_access(w->remarks, &w->shapes, w->vector_bytes, i);
  }
  LLVMValueRef loaded =
      direction != 0 ? load_side_by_side(w, i, tn_lanes_scalar(w, pointer), direction, mask)
      : at.is_found  ? load_wrapped(w, i, &at, mask)
                     : gather(w, i, mask);
  tn_lanes_set(w, i, tn_lanes_from_vector(loaded));
}

static void scatter(tn_widener *w, LLVMValueRef i, LLVMValueRef mask) {
  LLVMValueRef arguments[3] = {tn_lanes_vector(w, LLVMGetOperand(i, 0)),
                               tn_lanes_vector(w, LLVMGetOperand(i, 1)), tn_mask_or_all(w, mask)};
  LLVMTypeRef types[2] = {LLVMTypeOf(arguments[0]), LLVMTypeOf(arguments[1])};
  LLVMValueRef stored = tn_widen_intrinsic(w, "llvm.masked.scatter", types, 2, arguments, 3);
  set_align(w, stored, 1, LLVMGetAlignment(i));
  tn_copy_access_metadata(i, stored);
}

// Without the instruction, code for each lane is worth its size where all lanes are there and few
// stores ask for it. A loop over the lanes in the mask is small.
static void store_apart(tn_widener *w, LLVMValueRef i, LLVMTypeRef type, LLVMValueRef mask) {
  enum { FEW = 8 };
  if (tn_has_gather_and_scatter(&w->shapes, w->vector_bytes, type)) {
    scatter(w, i, mask);
  } else if (w->scatter_count++ >= FEW) {
    tn_widen_each_lane(w, i, tn_mask_or_all(w, mask));
  } else if (!mask) {
    scatter(w, i, NULL);
  } else {
    tn_fork f = tn_fork_open(w, tn_mask_every(w, mask));
    scatter(w, i, NULL);
    (void)tn_fork_turn(w, &f);
    tn_widen_each_lane(w, i, mask);
    (void)tn_fork_close(w, &f);
  }
}

// `scalar` is lane 0's address.
static void store_side_by_side(tn_widener *w, LLVMValueRef i, LLVMValueRef scalar, int direction,
                               LLVMValueRef mask) {
  LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(i, 0));
  LLVMValueRef vector = tn_lanes_vector(w, LLVMGetOperand(i, 0));
  LLVMValueRef address = first_address(w, type, scalar, direction);
  LLVMValueRef stored = NULL;
  vector = direction < 0 ? reversed(w, vector) : vector;
  if (mask) {
    LLVMValueRef arguments[3] = {vector, address, direction < 0 ? reversed(w, mask) : mask};
    LLVMTypeRef types[2] = {LLVMTypeOf(vector), LLVMTypeOf(address)};
    stored = tn_widen_intrinsic(w, "llvm.masked.store", types, 2, arguments, 3);
    set_align(w, stored, 1, shared_align(w, i, type));
  } else {
    stored = LLVMBuildStore(w->builder, vector, address);
    LLVMSetAlignment(stored, LLVMGetAlignment(i));
  }
  tn_copy_access_metadata(i, stored);
}

static void widen_store(tn_widener *w, LLVMValueRef i, LLVMValueRef mask) {
  LLVMValueRef value = LLVMGetOperand(i, 0);
  LLVMValueRef pointer = LLVMGetOperand(i, 1);
  LLVMTypeRef type = LLVMTypeOf(value);
  if (tn_shape_value_is_uniform(&w->shapes, pointer) &&
      tn_shape_value_is_uniform(&w->shapes, value)) {
    (void)tn_widen_clone(w, i);
    return;
  }
  if (!is_simple(i, type)) {
    tn_explain_apart(w->remarks, i);
    tn_widen_each_lane(w, i, mask);
    return;
  }
  const int direction = tn_shape_side_by_side(&w->shapes, type, pointer);
  const wrapped at = direction == 0 ? get_wrapped(w, type, pointer) : (wrapped){0};
  if (direction != 0) {
    store_side_by_side(w, i, tn_lanes_scalar(w, pointer), direction, mask);
  } else if (at.direction == 0) {
    tn_explain_access(w->remarks, &w->shapes, w->vector_bytes, i);
    store_apart(w, i, type, mask);
  } else {
    tn_fork f = tn_fork_open(w, at.fits);
    store_side_by_side(w, i, at.scalar, at.direction, mask);
    (void)tn_fork_turn(w, &f);
    if (at.is_of_row) {
      store_apart(w, i, type, mask);
    } else {
      tn_widen_each_lane(w, i, tn_mask_or_all(w, mask));
    }
    (void)tn_fork_close(w, &f);
  }
}

// The address of tn_cpu_group.root, where groups on other threads wait.
static bool is_at_root(LLVMValueRef address) {
  LLVMValueRef offset = LLVMGetNumOperands(address) == 2 ? LLVMGetOperand(address, 1) : NULL;
  return offset && LLVMIsAConstantInt(offset) &&
         LLVMConstIntGetZExtValue(offset) == offsetof(tn_cpu_group, root);
}

// Only tn_cpu_group's fields are pointers that are read from it. What they lead to is the group's
// own, but for `root`.
bool tn_widen_is_group_memory(LLVMValueRef pointer) {
  for (int depth = 0; depth < 64; depth++) {
    if (LLVMIsAGetElementPtrInst(pointer) || LLVMIsACastInst(pointer)) {
      pointer = LLVMGetOperand(pointer, 0);
    } else if (LLVMIsALoadInst(pointer)) {
      LLVMValueRef from = LLVMGetOperand(pointer, 0);
      bool is_root = false;
      while (LLVMIsAGetElementPtrInst(from)) {
        is_root = is_root || is_at_root(from);
        from = LLVMGetOperand(from, 0);
      }
      return !is_root && LLVMIsAArgument(from) &&
             from == LLVMGetParam(LLVMGetParamParent(from), TN_ITEM_GROUP);
    } else {
      return LLVMIsAAllocaInst(pointer) != NULL;
    }
  }
  return false;
}

static LLVMValueRef combine(tn_widener *w, LLVMAtomicRMWBinOp op, LLVMValueRef old,
                            LLVMValueRef operand) {
  switch (op) {
    case LLVMAtomicRMWBinOpXchg:
      return operand;
    case LLVMAtomicRMWBinOpAdd:
      return LLVMBuildAdd(w->builder, old, operand, "");
    case LLVMAtomicRMWBinOpSub:
      return LLVMBuildSub(w->builder, old, operand, "");
    case LLVMAtomicRMWBinOpAnd:
      return LLVMBuildAnd(w->builder, old, operand, "");
    case LLVMAtomicRMWBinOpOr:
      return LLVMBuildOr(w->builder, old, operand, "");
    case LLVMAtomicRMWBinOpXor:
      return LLVMBuildXor(w->builder, old, operand, "");
    case LLVMAtomicRMWBinOpFAdd:
      return LLVMBuildFAdd(w->builder, old, operand, "");
    case LLVMAtomicRMWBinOpFSub:
      return LLVMBuildFSub(w->builder, old, operand, "");
    case LLVMAtomicRMWBinOpMax:
    case LLVMAtomicRMWBinOpMin:
    case LLVMAtomicRMWBinOpUMax:
    case LLVMAtomicRMWBinOpUMin: {
      const LLVMIntPredicate predicate = op == LLVMAtomicRMWBinOpMax    ? LLVMIntSGT
                                         : op == LLVMAtomicRMWBinOpMin  ? LLVMIntSLT
                                         : op == LLVMAtomicRMWBinOpUMax ? LLVMIntUGT
                                                                        : LLVMIntULT;
      return LLVMBuildSelect(w->builder, LLVMBuildICmp(w->builder, predicate, old, operand, ""),
                             old, operand, "");
    }
    default:
      return NULL;
  }
}

// One thread runs the work-group, so what others of it see is always whole.
LLVMValueRef tn_widen_plain_atomic(tn_widener *w, LLVMValueRef i, LLVMValueRef pointer,
                                   LLVMValueRef operand) {
  LLVMValueRef old = LLVMBuildLoad2(w->builder, LLVMTypeOf(i), pointer, "");
  LLVMValueRef now = combine(w, LLVMGetAtomicRMWBinOp(i), old, operand);
  if (!now) {
    LLVMValueRef clone = LLVMInstructionClone(i);
    LLVMSetOperand(clone, 0, pointer);
    LLVMSetOperand(clone, 1, operand);
    LLVMInsertIntoBuilder(w->builder, clone);
    return clone;
  }
  LLVMBuildStore(w->builder, now, pointer);
  return old;
}

// Additions of all lanes to one number that nobody reads back become one.
static bool widen_sum(tn_widener *w, LLVMValueRef i, LLVMValueRef mask) {
  if (!LLVMIsAAtomicRMWInst(i) || LLVMGetAtomicRMWBinOp(i) != LLVMAtomicRMWBinOpAdd ||
      LLVMGetFirstUse(i) || !tn_shape_value_is_uniform(&w->shapes, LLVMGetOperand(i, 0))) {
    return false;
  }
  LLVMValueRef vector = tn_lanes_vector(w, LLVMGetOperand(i, 1));
  LLVMTypeRef type = LLVMTypeOf(vector);
  if (mask) {
    vector = LLVMBuildSelect(w->builder, mask, vector, LLVMConstNull(type), "");
  }
  LLVMValueRef sum = tn_widen_intrinsic(w, "llvm.vector.reduce.add", &type, 1, &vector, 1);
  LLVMValueRef clone = LLVMInstructionClone(i);
  LLVMSetOperand(clone, 0, tn_lanes_scalar(w, LLVMGetOperand(i, 0)));
  LLVMSetOperand(clone, 1, sum);
  LLVMInsertIntoBuilder(w->builder, clone);
  return true;
}

void tn_widen_memory(tn_widener *w, LLVMValueRef i, LLVMValueRef mask) {
  if (LLVMIsALoadInst(i)) {
    widen_load(w, i, mask);
  } else if (LLVMIsAStoreInst(i)) {
    widen_store(w, i, mask);
  } else if (!widen_sum(w, i, mask)) {
    tn_explain_apart(w->remarks, i);
    tn_widen_each_lane(w, i, mask);
  }
}
