// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One instruction of the item function in the wide one: once where it is the same for all lanes,
// on vectors, or lane by lane.
#include "compile/widen/rows.h"
#include "tenon/cpu_kernel.h"

LLVMValueRef tn_widen_clone(tn_widener *w, LLVMValueRef i) {
  LLVMValueRef clone = LLVMInstructionClone(i);
  const int count = LLVMGetNumOperands(i);
  for (int k = 0; k < count; k++) {
    LLVMValueRef operand = LLVMGetOperand(i, (unsigned)k);
    if (LLVMIsAInstruction(operand) || LLVMIsAArgument(operand)) {
      LLVMSetOperand(clone, (unsigned)k, tn_lanes_scalar(w, operand));
    }
  }
  LLVMInsertIntoBuilder(w->builder, clone);
  return clone;
}

enum { TN_REREAD_DEPTH = 6, TN_REREAD_DISTANCE = 32 };

// Whether memory may change between two instructions of a block.
static bool is_written_between(LLVMValueRef from, LLVMValueRef to) {
  int distance = 0;
  for (LLVMValueRef i = LLVMGetNextInstruction(from); i != to; i = LLVMGetNextInstruction(i)) {
    if (!i || ++distance > TN_REREAD_DISTANCE || LLVMIsAStoreInst(i) || LLVMIsAAtomicRMWInst(i) ||
        LLVMIsAAtomicCmpXchgInst(i) || LLVMIsAFenceInst(i) ||
        (LLVMIsACallInst(i) && !tn_call_is_pure(i))) {
      return true;
    }
  }
  return false;
}

// Whether it is cheaper to read `value` from memory again for one lane than to take it out of a
// vector: a load of neighbours just before `user`, and light arithmetic on it.
static bool can_reread(tn_widener *w, LLVMValueRef value, LLVMValueRef user, int depth) {
  if (tn_shape_of(&w->shapes, value).kind == TN_SHAPE_LINEAR) {
    return true;
  }
  if (!LLVMIsAInstruction(value) || depth >= TN_REREAD_DEPTH ||
      LLVMGetInstructionParent(value) != LLVMGetInstructionParent(user)) {
    return false;
  }
  if (LLVMIsALoadInst(value)) {
    return !LLVMGetVolatile(value) && LLVMGetOrdering(value) == LLVMAtomicOrderingNotAtomic &&
           tn_shape_of(&w->shapes, LLVMGetOperand(value, 0)).kind == TN_SHAPE_LINEAR &&
           !is_written_between(value, user);
  }
  const LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
  if (!LLVMIsAGetElementPtrInst(value) && opcode != LLVMZExt && opcode != LLVMSExt &&
      opcode != LLVMTrunc && opcode != LLVMAdd && opcode != LLVMAnd && opcode != LLVMShl &&
      opcode != LLVMLShr) {
    return false;
  }
  const int count = LLVMGetNumOperands(value);
  for (int k = 0; k < count; k++) {
    if (!can_reread(w, LLVMGetOperand(value, (unsigned)k), user, depth + 1)) {
      return false;
    }
  }
  return true;
}

static LLVMValueRef reread(tn_widener *w, LLVMValueRef value, unsigned lane) {
  if (tn_shape_of(&w->shapes, value).kind == TN_SHAPE_LINEAR) {
    return tn_lanes_at(w, value, lane);
  }
  LLVMValueRef clone = LLVMInstructionClone(value);
  const int count = LLVMGetNumOperands(value);
  for (int k = 0; k < count; k++) {
    LLVMSetOperand(clone, (unsigned)k, reread(w, LLVMGetOperand(value, (unsigned)k), lane));
  }
  LLVMInsertIntoBuilder(w->builder, clone);
  return clone;
}

// Only lanes that are there may read.
static LLVMValueRef operand_lane(tn_widener *w, LLVMValueRef i, unsigned operand, unsigned lane) {
  LLVMValueRef value = LLVMGetOperand(i, operand);
  return w->may_reread && can_reread(w, value, i, 0) ? reread(w, value, lane)
                                                     : tn_lanes_at(w, value, lane);
}

static LLVMValueRef clone_lane(tn_widener *w, LLVMValueRef i, unsigned lane) {
  LLVMValueRef clone = LLVMInstructionClone(i);
  const int count = LLVMGetNumOperands(i);
  for (int k = 0; k < count; k++) {
    LLVMValueRef operand = LLVMGetOperand(i, (unsigned)k);
    if (LLVMIsAInstruction(operand) || LLVMIsAArgument(operand)) {
      LLVMSetOperand(clone, (unsigned)k, operand_lane(w, i, (unsigned)k, lane));
    }
  }
  LLVMInsertIntoBuilder(w->builder, clone);
  return clone;
}

static LLVMValueRef build_lane(tn_widener *w, LLVMValueRef i, unsigned lane) {
  if (LLVMIsAAtomicRMWInst(i) && tn_widen_is_group_memory(LLVMGetOperand(i, 0))) {
    return tn_widen_plain_atomic(w, i, operand_lane(w, i, 0, lane), operand_lane(w, i, 1, lane));
  }
  return clone_lane(w, i, lane);
}

// Lanes by a number that is only known when they run: vectors are read and written in memory, since
// processors have no instruction for an element at such a place.

// Numbers of other than 8, 16, 32 and 64 bits, truth values among them, are stored wider.
static LLVMTypeRef stored_type(tn_widener *w, LLVMTypeRef type) {
  if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind) {
    return type;
  }
  unsigned bits = 8;
  while (bits < LLVMGetIntTypeWidth(type)) {
    bits *= 2;
  }
  return LLVMIntTypeInContext(w->context, bits);
}

static LLVMValueRef lane_address(tn_widener *w, LLVMTypeRef type, LLVMValueRef memory,
                                 LLVMValueRef lane) {
  LLVMValueRef index = LLVMBuildZExt(w->builder, lane, LLVMInt64TypeInContext(w->context), "");
  return LLVMBuildInBoundsGEP2(w->builder, stored_type(w, type), memory, &index, 1, "");
}

// Where the operand's lanes lie, when they are a vector; else NULL.
static LLVMValueRef operand_memory(tn_widener *w, LLVMValueRef value, unsigned slot) {
  if (!LLVMIsAInstruction(value) && !LLVMIsAArgument(value)) {
    return NULL;
  }
  const tn_lanes lanes = tn_lanes_get(w, value);
  if (lanes.scalar) {
    return NULL;
  }
  LLVMTypeRef type = LLVMTypeOf(value);
  LLVMValueRef vector = tn_lanes_to_vector(w, &lanes, type);
  LLVMValueRef memory = tn_widen_scratch(w, slot);
  if (stored_type(w, type) != type) {
    vector = LLVMBuildZExt(w->builder, vector, tn_lanes_vector_type(w, stored_type(w, type)), "");
  }
  LLVMBuildStore(w->builder, vector, memory);
  return memory;
}

static LLVMValueRef at_lane(tn_widener *w, LLVMValueRef value, LLVMValueRef memory,
                            LLVMValueRef lane) {
  LLVMTypeRef type = LLVMTypeOf(value);
  if (memory) {
    LLVMTypeRef stored = stored_type(w, type);
    LLVMValueRef element =
        LLVMBuildLoad2(w->builder, stored, lane_address(w, type, memory, lane), "");
    return stored == type ? element : LLVMBuildTrunc(w->builder, element, type, "");
  }
  const tn_lanes lanes = tn_lanes_get(w, value);
  if (lanes.stride == 0) {
    return lanes.scalar;
  }
  const bool is_pointer = LLVMGetTypeKind(type) == LLVMPointerTypeKind;
  LLVMTypeRef wide = is_pointer ? LLVMInt64TypeInContext(w->context) : type;
  LLVMValueRef number = LLVMGetIntTypeWidth(wide) < 32 ? LLVMBuildTrunc(w->builder, lane, wide, "")
                                                       : LLVMBuildZExt(w->builder, lane, wide, "");
  LLVMValueRef distance =
      LLVMBuildMul(w->builder, number, LLVMConstInt(wide, (uint64_t)lanes.stride, 1), "");
  return is_pointer ? LLVMBuildGEP2(w->builder, LLVMInt8TypeInContext(w->context), lanes.scalar,
                                    &distance, 1, "")
                    : LLVMBuildAdd(w->builder, lanes.scalar, distance, "");
}

static LLVMValueRef build_at_lane(tn_widener *w, LLVMValueRef i, LLVMValueRef *memory,
                                  LLVMValueRef lane) {
  if (LLVMIsAAtomicRMWInst(i) && tn_widen_is_group_memory(LLVMGetOperand(i, 0))) {
    LLVMValueRef pointer = at_lane(w, LLVMGetOperand(i, 0), memory[0], lane);
    return tn_widen_plain_atomic(w, i, pointer, at_lane(w, LLVMGetOperand(i, 1), memory[1], lane));
  }
  LLVMValueRef clone = LLVMInstructionClone(i);
  const int count = LLVMGetNumOperands(i);
  for (int k = 0; k < count; k++) {
    LLVMValueRef operand = LLVMGetOperand(i, (unsigned)k);
    if (LLVMIsAInstruction(operand) || LLVMIsAArgument(operand)) {
      LLVMSetOperand(clone, (unsigned)k, at_lane(w, operand, memory[k], lane));
    }
  }
  LLVMInsertIntoBuilder(w->builder, clone);
  return clone;
}

static bool has_vector_or_none(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMVoidTypeKind || tn_lanes_has_vector(type);
}

static bool can_loop(LLVMValueRef i) {
  bool can = has_vector_or_none(LLVMTypeOf(i));
  const int count = LLVMGetNumOperands(i);
  for (int k = 0; k < count && can; k++) {
    LLVMValueRef operand = LLVMGetOperand(i, (unsigned)k);
    can = (!LLVMIsAInstruction(operand) && !LLVMIsAArgument(operand)) ||
          tn_lanes_has_vector(LLVMTypeOf(operand));
  }
  return can;
}

// A loop over the lanes in the mask, the lowest first: one copy of the code for all of them.
static void loop_over_lanes(tn_widener *w, LLVMValueRef i, LLVMValueRef mask) {
  LLVMTypeRef type = LLVMTypeOf(i);
  LLVMTypeRef i32 = LLVMInt32TypeInContext(w->context);
  LLVMTypeRef bits = LLVMIntTypeInContext(w->context, w->width);
  const bool has_value = LLVMGetTypeKind(type) != LLVMVoidTypeKind;
  const int count = LLVMGetNumOperands(i);
  LLVMValueRef *memory = tn_widen_alloc(w, (size_t)count + 1, sizeof(*memory));
  if (!memory) {
    return;
  }
  for (int k = 0; k < count; k++) {
    memory[k] = operand_memory(w, LLVMGetOperand(i, (unsigned)k), (unsigned)k + 1);
  }
  LLVMValueRef values = has_value ? tn_widen_scratch(w, 0) : NULL;
  LLVMValueRef zero = LLVMConstInt(bits, 0, 0);
  LLVMValueRef all = LLVMBuildBitCast(w->builder, mask, bits, "");
  LLVMBasicBlockRef before = LLVMGetInsertBlock(w->builder);
  LLVMBasicBlockRef body = tn_widen_block(w, "lane");
  LLVMBasicBlockRef done = tn_widen_block(w, "lanes");
  LLVMBuildCondBr(w->builder, LLVMBuildICmp(w->builder, LLVMIntNE, all, zero, ""), body, done);
  LLVMPositionBuilderAtEnd(w->builder, body);
  LLVMValueRef left = LLVMBuildPhi(w->builder, bits, "left");
  LLVMAddIncoming(left, &all, &before, 1);
  LLVMValueRef arguments[2] = {left, LLVMConstInt(LLVMInt1TypeInContext(w->context), 1, 0)};
  LLVMValueRef lowest = tn_widen_intrinsic(w, "llvm.cttz", &bits, 1, arguments, 2);
  LLVMValueRef lane = w->width < 32   ? LLVMBuildZExt(w->builder, lowest, i32, "")
                      : w->width > 32 ? LLVMBuildTrunc(w->builder, lowest, i32, "")
                                      : lowest;
  LLVMValueRef value = build_at_lane(w, i, memory, lane);
  if (has_value) {
    LLVMTypeRef stored = stored_type(w, type);
    value = stored == type ? value : LLVMBuildZExt(w->builder, value, stored, "");
    LLVMBuildStore(w->builder, value, lane_address(w, type, values, lane));
  }
  LLVMValueRef rest = LLVMBuildAnd(
      w->builder, left, LLVMBuildSub(w->builder, left, LLVMConstInt(bits, 1, 0), ""), "");
  LLVMBasicBlockRef end = LLVMGetInsertBlock(w->builder);
  LLVMAddIncoming(left, &rest, &end, 1);
  LLVMValueRef is_left = LLVMBuildICmp(w->builder, LLVMIntNE, rest, zero, "");
  tn_loop_keep(LLVMBuildCondBr(w->builder, is_left, body, done));
  LLVMPositionBuilderAtEnd(w->builder, done);
  if (has_value) {
    LLVMTypeRef vector = tn_lanes_vector_type(w, type);
    LLVMTypeRef stored = tn_lanes_vector_type(w, stored_type(w, type));
    LLVMValueRef result = LLVMBuildLoad2(w->builder, stored, values, "");
    result = stored == vector ? result : LLVMBuildTrunc(w->builder, result, vector, "");
    tn_lanes_set(w, i, tn_lanes_from_vector(result));
  }
}

// One lane in a block of its own, which is skipped when the work-item is not there.
static LLVMValueRef build_guarded_lane(tn_widener *w, LLVMValueRef i, LLVMValueRef mask,
                                       unsigned lane) {
  LLVMValueRef is_there = LLVMBuildExtractElement(
      w->builder, mask, LLVMConstInt(LLVMInt32TypeInContext(w->context), lane, 0), "");
  LLVMBasicBlockRef before = LLVMGetInsertBlock(w->builder);
  LLVMBasicBlockRef body = tn_widen_block(w, "lane");
  LLVMBasicBlockRef next = tn_widen_block(w, "next");
  LLVMBuildCondBr(w->builder, is_there, body, next);
  LLVMPositionBuilderAtEnd(w->builder, body);
  LLVMValueRef value = build_lane(w, i, lane);
  LLVMBasicBlockRef after = LLVMGetInsertBlock(w->builder);
  LLVMBuildBr(w->builder, next);
  LLVMPositionBuilderAtEnd(w->builder, next);
  if (LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMVoidTypeKind) {
    return value;
  }
  LLVMValueRef phi = LLVMBuildPhi(w->builder, LLVMTypeOf(i), "");
  LLVMAddIncoming(phi, (LLVMValueRef[]){value, LLVMGetPoison(LLVMTypeOf(i))},
                  (LLVMBasicBlockRef[]){after, before}, 2);
  return phi;
}

void tn_widen_each_lane(tn_widener *w, LLVMValueRef i, LLVMValueRef mask) {
  if (LLVMIsAMemIntrinsic(i)) {
    mask = tn_mask_or_all(w, mask);  // a copy for each lane is more code, and not faster
  }
  if (mask && w->width <= 64 && can_loop(i)) {
    loop_over_lanes(w, i, mask);
    return;
  }
  const bool has_value = LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMVoidTypeKind;
  tn_lanes lanes = {.lanes = tn_widen_alloc(w, w->width, sizeof(LLVMValueRef))};
  w->may_reread = mask || !w->mask[tn_flow_index(&w->flow, LLVMGetInstructionParent(i))];
  for (unsigned l = 0; l < w->width && lanes.lanes; l++) {
    lanes.lanes[l] = mask ? build_guarded_lane(w, i, mask, l) : build_lane(w, i, l);
  }
  if (!has_value || !lanes.lanes) {
    return;
  }
  if (tn_lanes_has_vector(LLVMTypeOf(i))) {
    tn_lanes_set(w, i, tn_lanes_from_vector(tn_lanes_to_vector(w, &lanes, LLVMTypeOf(i))));
  } else {
    tn_lanes_set(w, i, lanes);
  }
}

static void copy_flags(LLVMValueRef from, LLVMValueRef to) {
  if (!LLVMIsAInstruction(to)) {
    return;
  }
  switch (LLVMGetInstructionOpcode(from)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
      LLVMSetNSW(to, LLVMGetNSW(from));
      LLVMSetNUW(to, LLVMGetNUW(from));
      break;
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMLShr:
    case LLVMAShr:
      LLVMSetExact(to, LLVMGetExact(from));
      break;
    case LLVMOr:
      LLVMSetIsDisjoint(to, LLVMGetIsDisjoint(from));
      break;
    case LLVMZExt:
    case LLVMUIToFP:
      LLVMSetNNeg(to, LLVMGetNNeg(from));
      break;
    default:
      break;
  }
  if (LLVMCanValueUseFastMathFlags(from) && LLVMCanValueUseFastMathFlags(to)) {
    LLVMSetFastMathFlags(to, LLVMGetFastMathFlags(from));
  }
}

static bool may_trap(LLVMValueRef i) {
  LLVMValueRef by = LLVMGetOperand(i, 1);
  return tn_is_integer_division(LLVMGetInstructionOpcode(i)) &&
         (!LLVMIsAConstantInt(by) || LLVMIsNull(by) || LLVMConstIntGetSExtValue(by) == -1);
}

static LLVMValueRef widen_binary(tn_widener *w, LLVMValueRef i, LLVMValueRef mask) {
  LLVMValueRef left = tn_lanes_vector(w, LLVMGetOperand(i, 0));
  LLVMValueRef right = tn_lanes_vector(w, LLVMGetOperand(i, 1));
  if (mask && may_trap(i)) {
    // Work-items that are not there must not divide by zero, nor the least number by -1.
    LLVMValueRef one = tn_lanes_splat(w, LLVMConstInt(LLVMTypeOf(i), 1, 0));
    right = LLVMBuildSelect(w->builder, mask, right, one, "");
  }
  return LLVMBuildBinOp(w->builder, LLVMGetInstructionOpcode(i), left, right, "");
}

static LLVMValueRef widen_gep(tn_widener *w, LLVMValueRef i) {
  LLVMValueRef indices[16];
  const unsigned count = (unsigned)LLVMGetNumOperands(i) - 1;
  if (count > TN_COUNT(indices)) {
    tn_widen_fail(w, "an address has too many parts");
    return LLVMGetPoison(tn_lanes_vector_type(w, LLVMTypeOf(i)));
  }
  for (unsigned k = 0; k < count; k++) {
    LLVMValueRef index = LLVMGetOperand(i, k + 1);
    indices[k] = tn_shape_value_is_uniform(&w->shapes, index) ? tn_lanes_scalar(w, index)
                                                              : tn_lanes_vector(w, index);
  }
  LLVMValueRef base = LLVMGetOperand(i, 0);
  bool has_vector = !tn_shape_value_is_uniform(&w->shapes, base);
  for (unsigned k = 0; k < count; k++) {
    has_vector = has_vector || LLVMGetTypeKind(LLVMTypeOf(indices[k])) == LLVMVectorTypeKind;
  }
  LLVMValueRef from = tn_shape_value_is_uniform(&w->shapes, base) && has_vector
                          ? tn_lanes_scalar(w, base)
                          : tn_lanes_vector(w, base);
  LLVMValueRef gep =
      LLVMBuildGEP2(w->builder, LLVMGetGEPSourceElementType(i), from, indices, count, "");
  if (LLVMIsAGetElementPtrInst(gep)) {
    LLVMGEPSetNoWrapFlags(gep, LLVMGEPGetNoWrapFlags(i));
  }
  return gep;
}

static LLVMValueRef widen_select(tn_widener *w, LLVMValueRef i) {
  LLVMValueRef condition = LLVMGetOperand(i, 0);
  LLVMValueRef chosen = tn_shape_value_is_uniform(&w->shapes, condition)
                            ? tn_lanes_scalar(w, condition)
                            : tn_lanes_vector(w, condition);
  return LLVMBuildSelect(w->builder, chosen, tn_lanes_vector(w, LLVMGetOperand(i, 1)),
                         tn_lanes_vector(w, LLVMGetOperand(i, 2)), "");
}

// NULL when there is no such thing for vectors.
static LLVMValueRef widen_vector(tn_widener *w, LLVMValueRef i, LLVMValueRef mask) {
  const LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
  if (!tn_lanes_has_vector(LLVMTypeOf(i))) {
    return NULL;
  }
  if (LLVMIsABinaryOperator(i)) {
    LLVMValueRef result = widen_binary(w, i, mask);
    if (!mask) {
      tn_mask_note_combined(w, i, result);
    }
    return result;
  }
  if (LLVMIsACastInst(i)) {
    LLVMValueRef from = LLVMGetOperand(i, 0);
    if (!tn_lanes_has_vector(LLVMTypeOf(from))) {
      return NULL;
    }
    return LLVMBuildCast(w->builder, opcode, tn_lanes_vector(w, from),
                         tn_lanes_vector_type(w, LLVMTypeOf(i)), "");
  }
  switch (opcode) {
    case LLVMFNeg:
      return LLVMBuildFNeg(w->builder, tn_lanes_vector(w, LLVMGetOperand(i, 0)), "");
    case LLVMFreeze:
      return LLVMBuildFreeze(w->builder, tn_lanes_vector(w, LLVMGetOperand(i, 0)), "");
    case LLVMICmp:
    case LLVMFCmp:
      if (!tn_lanes_has_vector(LLVMTypeOf(LLVMGetOperand(i, 0)))) {
        return NULL;
      }
      if (opcode == LLVMICmp) {
        LLVMValueRef result = LLVMBuildICmp(w->builder, LLVMGetICmpPredicate(i),
                                            tn_lanes_vector(w, LLVMGetOperand(i, 0)),
                                            tn_lanes_vector(w, LLVMGetOperand(i, 1)), "");
        if (!mask) {
          tn_mask_note_compare(w, i, result);
        }
        return result;
      }
      return LLVMBuildFCmp(w->builder, LLVMGetFCmpPredicate(i),
                           tn_lanes_vector(w, LLVMGetOperand(i, 0)),
                           tn_lanes_vector(w, LLVMGetOperand(i, 1)), "");
    case LLVMSelect: {
      LLVMValueRef result = widen_select(w, i);
      if (!mask) {
        tn_mask_note_combined(w, i, result);
      }
      return result;
    }
    case LLVMGetElementPtr:
      return widen_gep(w, i);
    default:
      return NULL;
  }
}

static void widen_alloca(tn_widener *w, LLVMValueRef i) {
  const tn_shape shape = tn_shape_of(&w->shapes, i);
  LLVMBasicBlockRef here = LLVMGetInsertBlock(w->builder);
  LLVMPositionBuilderAtEnd(w->builder, w->entry);
  LLVMTypeRef bytes =
      LLVMArrayType2(LLVMInt8TypeInContext(w->context), (uint64_t)shape.stride * w->width);
  LLVMValueRef memory = LLVMBuildAlloca(w->builder, bytes, "private");
  const unsigned align = LLVMGetAlignment(i);
  LLVMSetAlignment(memory, align > 64 ? align : 64);
  LLVMPositionBuilderAtEnd(w->builder, here);
  tn_lanes_set(w, i, tn_lanes_from_scalar(memory, shape.stride));
}

// The bytes that are there for sure, whoever asks.
static uint64_t known_bytes(const tn_shapes *shapes, LLVMValueRef memory) {
  uint64_t bytes = 0;
  if (LLVMIsAGlobalVariable(memory)) {
    return LLVMIsDeclaration(memory)
               ? 0
               : LLVMABISizeOfType(shapes->layout, LLVMGlobalGetValueType(memory));
  }
  if (!LLVMIsAArgument(memory)) {
    return 0;
  }
  LLVMValueRef item = LLVMGetParamParent(memory);
  if (memory == LLVMGetParam(item, TN_ITEM_GROUP)) {
    return sizeof(tn_cpu_group);
  }
  return memory == LLVMGetParam(item, TN_ITEM_ARGS) &&
                 tn_str_to_u64(tn_function_attr(item, TN_ATTR_ARG_SIZE), &bytes)
             ? bytes
             : 0;
}

bool tn_is_always_readable(const tn_shapes *shapes, LLVMValueRef load) {
  LLVMValueRef pointer = LLVMGetOperand(load, 0);
  uint64_t offset = 0;
  while (LLVMIsAGetElementPtrInst(pointer)) {
    if (!tn_gep_add_offset(shapes->layout, pointer, &offset)) {
      return false;
    }
    pointer = LLVMGetOperand(pointer, 0);
  }
  const uint64_t bytes = known_bytes(shapes, pointer);
  const uint64_t size = LLVMStoreSizeOfType(shapes->layout, LLVMTypeOf(load));
  return size <= bytes && offset <= bytes - size;
}

// Whether a load can be done although no lane comes to it: from memory that is there, at a place
// that is known where the load is. What another block computes may not have been, when that was
// passed by because no lane goes there; and an index may be any number.
static bool can_load_always(const tn_widener *w, LLVMValueRef load) {
  LLVMBasicBlockRef here = LLVMGetInstructionParent(load);
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(here));
  for (LLVMValueRef pointer = LLVMGetOperand(load, 0); LLVMIsAGetElementPtrInst(pointer);
       pointer = LLVMGetOperand(pointer, 0)) {
    LLVMBasicBlockRef block = LLVMGetInstructionParent(pointer);
    if (block != here && block != entry) {
      return false;
    }
  }
  return tn_is_always_readable(&w->shapes, load);
}

bool tn_widen_is_harmless(tn_widener *w, LLVMValueRef i) {
  const bool is_plain = tn_shape_of(&w->shapes, i).kind == TN_SHAPE_LINEAR;
  switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad:
      return !LLVMGetVolatile(i) && LLVMGetOrdering(i) == LLVMAtomicOrderingNotAtomic &&
             tn_lanes_has_vector(LLVMTypeOf(i)) &&
             (!tn_shape_value_is_uniform(&w->shapes, LLVMGetOperand(i, 0)) ||
              can_load_always(w, i));
    case LLVMStore:
      return !LLVMGetVolatile(i) && LLVMGetOrdering(i) == LLVMAtomicOrderingNotAtomic &&
             tn_lanes_has_vector(LLVMTypeOf(LLVMGetOperand(i, 0))) &&
             !tn_shape_value_is_uniform(&w->shapes, LLVMGetOperand(i, 1));
    case LLVMCall: {
      const tn_group_op op = tn_group_op_of(i);
      return op != TN_GROUP_OP_NONE
                 ? op != TN_GROUP_OP_BARRIER
                 : tn_call_is_pure(i) && (!is_plain || tn_call_is_speculatable(i));
    }
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem:
      return !is_plain || !may_trap(i);
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
    case LLVMFence:
      return false;
    default:
      return true;
  }
}

static bool is_dropped(LLVMValueRef i) {
  if (!LLVMIsACallInst(i)) {
    return false;
  }
  const tn_str name = tn_value_name(LLVMGetCalledValue(i));
  return tn_str_has_prefix(name, TN_STR_LIT("llvm.lifetime.")) ||
         tn_str_has_prefix(name, TN_STR_LIT("llvm.assume")) ||
         tn_str_has_prefix(name, TN_STR_LIT("llvm.experimental.noalias.scope")) ||
         tn_str_has_prefix(name, TN_STR_LIT("llvm.dbg."));
}

static LLVMValueRef widen_with_flags(tn_widener *w, LLVMValueRef i, LLVMValueRef mask) {
  LLVMValueRef vector = widen_vector(w, i, mask);
  if (vector) {
    copy_flags(i, vector);
  }
  return vector;
}

void tn_widen_instruction(tn_widener *w, LLVMValueRef i, int block) {
  LLVMValueRef mask = w->mask[block];
  const tn_shape shape = tn_shape_of(&w->shapes, i);
  const LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
  if (is_dropped(i)) {
    return;
  }
  switch (opcode) {
    case LLVMAlloca:
      widen_alloca(w, i);
      return;
    case LLVMCall:
      tn_widen_call(w, i, mask);
      return;
    case LLVMLoad:
    case LLVMStore:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
      tn_widen_memory(w, i, mask);
      return;
    case LLVMFence:
      (void)tn_widen_clone(w, i);
      return;
    default:
      break;
  }
  if (shape.kind == TN_SHAPE_LINEAR) {
    tn_widen_linear(w, i);
    return;
  }
  if (!mask && tn_widen_in_row(w, i, widen_with_flags)) {
    return;
  }
  LLVMValueRef vector = widen_with_flags(w, i, mask);
  if (vector) {
    if (may_trap(i)) {
      tn_explain_apart(w->remarks, i);  // LLVM takes it apart
    }
    tn_lanes_set(w, i, tn_lanes_from_vector(vector));
    tn_widen_note_wrapped(w, i);
  } else {
    tn_explain_apart(w->remarks, i);
    tn_widen_each_lane(w, i, tn_is_integer_division(opcode) ? mask : NULL);
  }
}
