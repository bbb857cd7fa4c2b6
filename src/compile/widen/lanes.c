// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the values of the item function are in the wide one.
#include "compile/widen/lanes.h"

void *tn_widen_alloc(tn_widener *w, size_t count, size_t size) {
  void *memory = tn_arena_alloc_array(w->arena, count + 1, size);
  if (!memory) {
    tn_widen_fail(w, "there is no memory");
  }
  return memory;
}

void tn_widen_fail(tn_widener *w, const char *why) {
  if (!w->failed) {
    w->failed = why;
  }
}

LLVMValueRef tn_widen_scratch(tn_widener *w, unsigned slot) {
  if (slot < TN_SCRATCH_SLOTS && w->scratch[slot]) {
    return w->scratch[slot];
  }
  LLVMBasicBlockRef here = LLVMGetInsertBlock(w->builder);
  LLVMPositionBuilderAtEnd(w->builder, w->entry);
  LLVMTypeRef type =
      LLVMArrayType2(LLVMInt8TypeInContext(w->context), (uint64_t)w->width * sizeof(uint64_t));
  LLVMValueRef memory = LLVMBuildAlloca(w->builder, type, "scratch");
  LLVMSetAlignment(memory, TN_SCRATCH_ALIGN);
  LLVMSetMetadata(memory,
                  LLVMGetMDKindIDInContext(w->context, TN_SCRATCH_MARK, strlen(TN_SCRATCH_MARK)),
                  LLVMMetadataAsValue(w->context, LLVMMDNodeInContext2(w->context, NULL, 0)));
  LLVMPositionBuilderAtEnd(w->builder, here);
  if (slot < TN_SCRATCH_SLOTS) {
    w->scratch[slot] = memory;
  }
  return memory;
}

bool tn_lanes_has_vector(LLVMTypeRef type) {
  switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind:
      return LLVMGetIntTypeWidth(type) <= 64;
    case LLVMHalfTypeKind:
    case LLVMBFloatTypeKind:
    case LLVMFloatTypeKind:
    case LLVMDoubleTypeKind:
    case LLVMPointerTypeKind:
      return true;
    default:
      return false;
  }
}

LLVMTypeRef tn_lanes_vector_type(const tn_widener *w, LLVMTypeRef type) {
  return LLVMVectorType(type, w->width);
}

LLVMTypeRef tn_lanes_mask_type(const tn_widener *w) {
  return LLVMVectorType(LLVMInt1TypeInContext(w->context), w->width);
}

tn_lanes tn_lanes_from_vector(LLVMValueRef vector) { return (tn_lanes){.vector = vector}; }

tn_lanes tn_lanes_from_scalar(LLVMValueRef scalar, int64_t stride) {
  return (tn_lanes){.scalar = scalar, .stride = stride};
}

void tn_lanes_set(tn_widener *w, LLVMValueRef value, tn_lanes lanes) {
  tn_lanes *kept = tn_map_find(&w->values, TN_POINTER_KEY(value));
  if (!kept) {
    kept = tn_widen_alloc(w, 1, sizeof(*kept));
    if (!kept || !tn_map_set(&w->values, TN_POINTER_KEY(value), kept)) {
      tn_widen_fail(w, "there is no memory");
      return;
    }
  }
  *kept = lanes;
}

tn_lanes tn_lanes_get(tn_widener *w, LLVMValueRef value) {
  if (!LLVMIsAInstruction(value) && !LLVMIsAArgument(value)) {
    return tn_lanes_from_scalar(value, 0);
  }
  const tn_lanes *lanes = tn_map_find(&w->values, TN_POINTER_KEY(value));
  if (!lanes) {
    tn_widen_fail(w, "a value is used before it is there");
    return tn_lanes_from_scalar(LLVMGetPoison(LLVMTypeOf(value)), 0);
  }
  return *lanes;
}

LLVMValueRef tn_constant_splat(LLVMValueRef constant, unsigned lanes) {
  LLVMValueRef all[TN_WIDTH_MAX];
  for (unsigned l = 0; l < lanes; l++) {
    all[l] = constant;
  }
  return LLVMConstVector(all, lanes);
}

LLVMValueRef tn_lanes_splat(tn_widener *w, LLVMValueRef scalar) {
  if (LLVMIsConstant(scalar)) {
    return tn_constant_splat(scalar, w->width);
  }
  LLVMTypeRef i32 = LLVMInt32TypeInContext(w->context);
  LLVMTypeRef type = tn_lanes_vector_type(w, LLVMTypeOf(scalar));
  LLVMValueRef one =
      LLVMBuildInsertElement(w->builder, LLVMGetPoison(type), scalar, LLVMConstInt(i32, 0, 0), "");
  return LLVMBuildShuffleVector(w->builder, one, LLVMGetPoison(type),
                                tn_constant_splat(LLVMConstInt(i32, 0, 0), w->width), "");
}

// Modulo 2^64, as addresses are: a stride may be any number.
static uint64_t distance_of(unsigned lane, int64_t stride) { return lane * (uint64_t)stride; }

LLVMValueRef tn_lanes_iota(const tn_widener *w, LLVMTypeRef integer, int64_t stride) {
  LLVMValueRef all[TN_WIDTH_MAX];
  for (unsigned l = 0; l < w->width; l++) {
    all[l] = LLVMConstInt(integer, distance_of(l, stride), 1);
  }
  return LLVMConstVector(all, w->width);
}

static LLVMValueRef linear_vector(tn_widener *w, LLVMValueRef scalar, int64_t stride) {
  LLVMTypeRef type = LLVMTypeOf(scalar);
  if (LLVMGetTypeKind(type) == LLVMPointerTypeKind) {
    LLVMValueRef offsets = tn_lanes_iota(w, LLVMInt64TypeInContext(w->context), stride);
    return LLVMBuildGEP2(w->builder, LLVMInt8TypeInContext(w->context), scalar, &offsets, 1, "");
  }
  return LLVMBuildAdd(w->builder, tn_lanes_splat(w, scalar), tn_lanes_iota(w, type, stride), "");
}

LLVMValueRef tn_lanes_to_vector(tn_widener *w, const tn_lanes *lanes, LLVMTypeRef type) {
  if (lanes->vector) {
    return lanes->vector;
  }
  if (lanes->scalar) {
    return lanes->stride == 0 ? tn_lanes_splat(w, lanes->scalar)
                              : linear_vector(w, lanes->scalar, lanes->stride);
  }
  LLVMTypeRef i32 = LLVMInt32TypeInContext(w->context);
  LLVMValueRef vector = LLVMGetPoison(tn_lanes_vector_type(w, type));
  for (unsigned l = 0; l < w->width && lanes->lanes; l++) {
    vector =
        LLVMBuildInsertElement(w->builder, vector, lanes->lanes[l], LLVMConstInt(i32, l, 0), "");
  }
  return vector;
}

LLVMValueRef tn_lanes_to_lane(tn_widener *w, const tn_lanes *lanes, unsigned lane) {
  if (lanes->lanes) {
    return lanes->lanes[lane];
  }
  if (lanes->vector) {
    return LLVMBuildExtractElement(w->builder, lanes->vector,
                                   LLVMConstInt(LLVMInt32TypeInContext(w->context), lane, 0), "");
  }
  if (lanes->stride == 0 || lane == 0) {
    return lanes->scalar;
  }
  LLVMTypeRef type = LLVMTypeOf(lanes->scalar);
  const uint64_t distance = distance_of(lane, lanes->stride);
  if (LLVMGetTypeKind(type) == LLVMPointerTypeKind) {
    LLVMValueRef offset = LLVMConstInt(LLVMInt64TypeInContext(w->context), distance, 1);
    return LLVMBuildGEP2(w->builder, LLVMInt8TypeInContext(w->context), lanes->scalar, &offset, 1,
                         "");
  }
  return LLVMBuildAdd(w->builder, lanes->scalar, LLVMConstInt(type, distance, 1), "");
}

LLVMValueRef tn_lanes_scalar(tn_widener *w, LLVMValueRef value) {
  const tn_lanes lanes = tn_lanes_get(w, value);
  return lanes.scalar ? lanes.scalar : tn_lanes_to_lane(w, &lanes, 0);
}

LLVMValueRef tn_lanes_vector(tn_widener *w, LLVMValueRef value) {
  const tn_lanes lanes = tn_lanes_get(w, value);
  return tn_lanes_to_vector(w, &lanes, LLVMTypeOf(value));
}

LLVMValueRef tn_lanes_at(tn_widener *w, LLVMValueRef value, unsigned lane) {
  const tn_lanes lanes = tn_lanes_get(w, value);
  return tn_lanes_to_lane(w, &lanes, lane);
}

// A lane that is not there may hold poison, which a plain `and` would let through.
LLVMValueRef tn_mask_and(tn_widener *w, LLVMValueRef mask, LLVMValueRef condition) {
  if (!mask) {
    return condition;
  }
  return LLVMBuildSelect(w->builder, mask, condition, LLVMConstNull(tn_lanes_mask_type(w)), "");
}

LLVMValueRef tn_mask_or_all(tn_widener *w, LLVMValueRef mask) {
  return mask ? mask : LLVMConstAllOnes(tn_lanes_mask_type(w));
}

LLVMValueRef tn_widen_intrinsic(tn_widener *w, const char *name, LLVMTypeRef *types, size_t count,
                                LLVMValueRef *arguments, unsigned argument_count) {
  const unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
  LLVMValueRef function = LLVMGetIntrinsicDeclaration(w->module, id, types, count);
  return LLVMBuildCall2(w->builder, LLVMGlobalGetValueType(function), function, arguments,
                        argument_count, "");
}

LLVMBasicBlockRef tn_widen_block(tn_widener *w, const char *name) {
  return LLVMAppendBasicBlockInContext(w->context, w->out, name);
}

tn_fork tn_fork_open(tn_widener *w, LLVMValueRef condition) {
  LLVMBasicBlockRef first = tn_widen_block(w, "side");
  tn_fork fork = {.other = tn_widen_block(w, "apart"), .join = tn_widen_block(w, "joined")};
  // Where no lane is, nothing may be known.
  LLVMBuildCondBr(w->builder, LLVMBuildFreeze(w->builder, condition, ""), first, fork.other);
  LLVMPositionBuilderAtEnd(w->builder, first);
  return fork;
}

LLVMBasicBlockRef tn_fork_turn(tn_widener *w, const tn_fork *fork) {
  LLVMBasicBlockRef end = LLVMGetInsertBlock(w->builder);
  LLVMBuildBr(w->builder, fork->join);
  LLVMPositionBuilderAtEnd(w->builder, fork->other);
  return end;
}

LLVMBasicBlockRef tn_fork_close(tn_widener *w, const tn_fork *fork) {
  LLVMBasicBlockRef end = LLVMGetInsertBlock(w->builder);
  LLVMBuildBr(w->builder, fork->join);
  LLVMPositionBuilderAtEnd(w->builder, fork->join);
  return end;
}

LLVMValueRef tn_fork_join(tn_widener *w, LLVMValueRef values[2], LLVMBasicBlockRef ends[2]) {
  LLVMValueRef joined = LLVMBuildPhi(w->builder, LLVMTypeOf(values[0]), "");
  LLVMAddIncoming(joined, values, ends, 2);
  return joined;
}
