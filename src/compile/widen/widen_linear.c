// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values that grow by the same amount from lane to lane, computed for lane 0 only.
//
// Lane 0 may be masked off, or hold poison where the lanes that count do not: flags (nsw, nuw,
// nneg, inbounds) promise nothing about it. So its number is computed modulo 2^n, without them;
// and where lanes become wider than their type, which only the flags allow, from a companion of 64
// bits that is lane 0's number as it would be without wrapping: -2, not 4294967294, for an index
// that is not negative in any lane that is used.
#include "compile/widen/lanes.h"

static bool is_narrow_integer(LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) < 64;
}

static LLVMValueRef to_i64(tn_widener *w, LLVMValueRef scalar, bool is_signed) {
  LLVMTypeRef i64 = LLVMInt64TypeInContext(w->context);
  if (!is_narrow_integer(scalar)) {
    return scalar;
  }
  return is_signed ? LLVMBuildSExt(w->builder, scalar, i64, "")
                   : LLVMBuildZExt(w->builder, scalar, i64, "");
}

LLVMValueRef tn_lanes_extended(tn_widener *w, LLVMValueRef value, tn_exact exact) {
  const tn_lanes lanes = tn_lanes_get(w, value);
  LLVMValueRef companion = lanes.extended[exact == TN_EXACT_UNSIGNED];
  if (companion || !is_narrow_integer(value) ||
      tn_shape_value_is_uniform(&w->shapes, value)) {
    return companion ? companion
                     : to_i64(w, tn_lanes_scalar(w, value), exact == TN_EXACT_SIGNED);
  }
  tn_widen_fail(w, "a number is made wider that may wrap");
  return LLVMGetPoison(LLVMInt64TypeInContext(w->context));
}

static bool has_uniform_operands(const tn_widener *w, LLVMValueRef i) {
  const int count = LLVMGetNumOperands(i);
  for (int k = 0; k < count; k++) {
    if (!tn_shape_value_is_uniform(&w->shapes, LLVMGetOperand(i, (unsigned)k))) {
      return false;
    }
  }
  return true;
}

static LLVMValueRef operand(tn_widener *w, LLVMValueRef i, unsigned k) {
  return tn_lanes_scalar(w, LLVMGetOperand(i, k));
}

// Lane 0's address; narrow indices are made 64 bits wide by hand.
static LLVMValueRef build_gep(tn_widener *w, LLVMValueRef i) {
  LLVMValueRef gep = tn_widen_clone(w, i);
  LLVMBasicBlockRef here = LLVMGetInsertBlock(w->builder);
  const int count = LLVMGetNumOperands(i);
  LLVMGEPSetNoWrapFlags(gep, 0);
  LLVMPositionBuilderBefore(w->builder, gep);
  for (int k = 1; k < count; k++) {
    LLVMValueRef index = LLVMGetOperand(i, (unsigned)k);
    if (!tn_shape_value_is_uniform(&w->shapes, index) && is_narrow_integer(index)) {
      LLVMSetOperand(gep, (unsigned)k, tn_lanes_extended(w, index, TN_EXACT_SIGNED));
    }
  }
  LLVMPositionBuilderAtEnd(w->builder, here);
  return gep;
}

// `id << 32 >> right`.
static LLVMValueRef build_narrowed(tn_widener *w, LLVMValueRef i) {
  LLVMValueRef id = tn_shape_narrowed_id(&w->shapes, i);
  LLVMValueRef left = LLVMConstInt(LLVMTypeOf(i), 32, 0);
  LLVMValueRef shifted = LLVMBuildShl(w->builder, tn_lanes_scalar(w, id), left, "");
  return LLVMBuildBinOp(w->builder, LLVMGetInstructionOpcode(i), shifted, LLVMGetOperand(i, 1), "");
}

// Which companion gives the lanes of a cast their bits.
static tn_exact exact_of_extension(const tn_widener *w, LLVMValueRef i) {
  const tn_shape from = tn_shape_of(&w->shapes, LLVMGetOperand(i, 0));
  const bool is_signed = LLVMGetInstructionOpcode(i) == LLVMSExt ||
                         (LLVMGetNNeg(i) && (from.exact & TN_EXACT_SIGNED));
  return is_signed ? TN_EXACT_SIGNED : TN_EXACT_UNSIGNED;
}

static LLVMValueRef build_extension(tn_widener *w, LLVMValueRef i) {
  LLVMValueRef wide = tn_lanes_extended(w, LLVMGetOperand(i, 0), exact_of_extension(w, i));
  return is_narrow_integer(i) ? LLVMBuildTrunc(w->builder, wide, LLVMTypeOf(i), "") : wide;
}

static LLVMValueRef build_scalar(tn_widener *w, LLVMValueRef i) {
  const LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
  if (tn_shape_is_assumed(&w->shapes, i)) {
    return LLVMBuildBinOp(w->builder, opcode, operand(w, i, 0), operand(w, i, 1), "");
  }
  switch (opcode) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
    case LLVMAnd:
      return LLVMBuildBinOp(w->builder, opcode, operand(w, i, 0), operand(w, i, 1), "");
    case LLVMOr:
      // Disjoint bits: a sum, which lane 0 must be as well.
      return LLVMBuildAdd(w->builder, operand(w, i, 0), operand(w, i, 1), "");
    case LLVMAShr:
    case LLVMLShr:
      return build_narrowed(w, i);
    case LLVMSExt:
    case LLVMZExt:
      return build_extension(w, i);
    case LLVMTrunc:
      return LLVMBuildTrunc(w->builder, operand(w, i, 0), LLVMTypeOf(i), "");
    case LLVMGetElementPtr:
      return build_gep(w, i);
    default:
      return tn_widen_clone(w, i);
  }
}

static LLVMValueRef extended_operand(tn_widener *w, LLVMValueRef i, unsigned k, tn_exact exact) {
  return tn_lanes_extended(w, LLVMGetOperand(i, k), exact);
}

// The companion of `scalar`, lane 0's number of `i`, whose lanes are `exact`.
static LLVMValueRef build_companion(tn_widener *w, LLVMValueRef i, LLVMValueRef scalar,
                                    tn_exact exact) {
  const LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
  if (tn_shape_of(&w->shapes, i).is_id) {
    return to_i64(w, scalar, exact == TN_EXACT_SIGNED);
  }
  if (tn_shape_is_assumed(&w->shapes, i)) {
    return to_i64(w, scalar, false);
  }
  switch (opcode) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
    case LLVMOr:
      return LLVMBuildBinOp(w->builder, opcode == LLVMOr ? LLVMAdd : opcode,
                            extended_operand(w, i, 0, exact), extended_operand(w, i, 1, exact), "");
    case LLVMSExt:
    case LLVMZExt:
      return extended_operand(w, i, 0, exact_of_extension(w, i));
    case LLVMTrunc:
      return extended_operand(w, i, 0, exact);
    case LLVMSelect:
      return LLVMBuildSelect(w->builder, operand(w, i, 0), extended_operand(w, i, 1, exact),
                             extended_operand(w, i, 2, exact), "");
    default:
      tn_widen_fail(w, "a number has no wider form");
      return LLVMGetPoison(LLVMInt64TypeInContext(w->context));
  }
}

void tn_widen_linear(tn_widener *w, LLVMValueRef i) {
  const tn_shape shape = tn_shape_of(&w->shapes, i);
  if (tn_shape_is_uniform(shape) && has_uniform_operands(w, i)) {
    tn_lanes_set(w, i, tn_lanes_from_scalar(tn_widen_clone(w, i), 0));
    return;
  }
  tn_lanes lanes = tn_lanes_from_scalar(build_scalar(w, i), shape.stride);
  for (unsigned k = 0; k < 2 && shape.stride != 0 && is_narrow_integer(i); k++) {
    const tn_exact exact = k == 0 ? TN_EXACT_SIGNED : TN_EXACT_UNSIGNED;
    if (shape.exact & exact) {
      lanes.extended[k] = build_companion(w, i, lanes.scalar, exact);
    }
  }
  tn_lanes_set(w, i, lanes);
}
