// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Addresses of lanes that are side by side unless an index of fewer than 64 bits wraps between
// them, `(unsigned)(id - 2)`, whose flags LLVM has folded away, or unless the strip lies across
// rows (rows.c). Beside the vector there are then lane 0's number and whether all lanes of the
// strip lie on its side, so that memory is accessed as a vector where they do, and lane by lane in
// the few strips where they do not.
#include "compile/widen/lanes.h"

// Lane 0's number, how lanes grow, and when (NULL: always).
typedef struct part {
  LLVMValueRef scalar;
  int64_t stride;
  LLVMValueRef fits;
  bool is_of_row;
} part;

static unsigned bits_of(LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  return LLVMGetTypeKind(type) == LLVMIntegerTypeKind   ? LLVMGetIntTypeWidth(type)
         : LLVMGetTypeKind(type) == LLVMPointerTypeKind ? 64
                                                        : 0;
}

static LLVMValueRef both(tn_widener *w, LLVMValueRef a, LLVMValueRef b) {
  return !a || a == b ? b : !b ? a : LLVMBuildAnd(w->builder, a, b, "");
}

// A number, modulo its bits, or an address.
static bool get_part(tn_widener *w, LLVMValueRef value, part *out) {
  const tn_shape shape = tn_shape_of(&w->shapes, value);
  if (bits_of(value) < 16 || bits_of(value) > 64) {
    return false;
  }
  if (shape.kind == TN_SHAPE_LINEAR) {
    *out = (part){.scalar = tn_lanes_scalar(w, value), .stride = shape.stride};
    return true;
  }
  const tn_lanes lanes = tn_lanes_get(w, value);
  *out = (part){.scalar = lanes.wrapped,
                .stride = lanes.stride,
                .fits = lanes.fits,
                .is_of_row = lanes.is_of_row};
  return lanes.wrapped != NULL;
}

// The low `bits` of a number that grows by `stride`, made 64 bits wide.
static bool narrow(tn_widener *w, LLVMValueRef scalar, int64_t stride, unsigned bits,
                   bool is_signed, part *out) {
  LLVMTypeRef type = LLVMIntTypeInContext(w->context, bits);
  LLVMTypeRef i64 = LLVMInt64TypeInContext(w->context);
  const int64_t limit = ((int64_t)1 << (bits < 16 ? 0 : bits - 2)) / (int64_t)w->width;
  if (bits < 16 || bits >= 64 || stride > limit || stride < -limit) {
    return false;
  }
  const int64_t last = stride * (int64_t)(w->width - 1);
  const uint64_t most = is_signed ? ((uint64_t)1 << (bits - 1)) - 1 : ((uint64_t)1 << bits) - 1;
  const uint64_t least = is_signed ? most + 1 : 0;  // of `bits` bits
  LLVMValueRef low =
      bits_of(scalar) == bits ? scalar : LLVMBuildTrunc(w->builder, scalar, type, "");
  // Lane 0 is at most as far as the last one still fits.
  LLVMValueRef bound =
      LLVMConstInt(type, last >= 0 ? most - (uint64_t)last : least + (uint64_t)-last, 0);
  const LLVMIntPredicate predicate =
      last >= 0 ? (is_signed ? LLVMIntSLE : LLVMIntULE) : (is_signed ? LLVMIntSGE : LLVMIntUGE);
  out->fits = LLVMBuildICmp(w->builder, predicate, low, bound, "");
  out->scalar =
      is_signed ? LLVMBuildSExt(w->builder, low, i64, "") : LLVMBuildZExt(w->builder, low, i64, "");
  out->stride = stride;
  return true;
}

static bool narrow_extended(tn_widener *w, LLVMValueRef from, bool is_signed, part *out) {
  part of;
  if (bits_of(from) >= 64 || !get_part(w, from, &of) ||
      !narrow(w, of.scalar, of.stride, bits_of(from), is_signed, out)) {
    return false;
  }
  out->fits = both(w, of.fits, out->fits);
  out->is_of_row = of.is_of_row;
  return true;
}

static bool narrow_masked(tn_widener *w, LLVMValueRef i, part *out) {
  part from;
  const unsigned bits = tn_low_bits(LLVMGetOperand(i, 1));
  if (bits == 0 || bits_of(i) != 64 || !get_part(w, LLVMGetOperand(i, 0), &from)) {
    return false;
  }
  const bool is_narrow = narrow(w, from.scalar, from.stride, bits, false, out);
  out->fits = is_narrow ? both(w, from.fits, out->fits) : NULL;
  out->is_of_row = from.is_of_row;
  return is_narrow;
}

// The sum that LLVM has made an `or`, as of a row's begin, a multiple of a power of two, and a
// column below that: as long as no lane reaches the lowest bit of the number that all share.
static bool disjoint(tn_widener *w, LLVMValueRef i, part *out) {
  part parts[2];
  if (!get_part(w, LLVMGetOperand(i, 0), &parts[0]) ||
      !get_part(w, LLVMGetOperand(i, 1), &parts[1])) {
    return false;
  }
  const part *same = parts[0].stride == 0 ? &parts[0] : &parts[1];
  const part *up = same == &parts[0] ? &parts[1] : &parts[0];
  if (same->stride != 0 || same->fits || up->stride <= 0) {
    return false;
  }
  LLVMTypeRef type = LLVMTypeOf(i);
  LLVMBuilderRef builder = w->builder;
  LLVMValueRef lowest =
      LLVMBuildAnd(builder, same->scalar, LLVMBuildNeg(builder, same->scalar, ""), "");
  LLVMValueRef most = LLVMBuildSub(builder, lowest, LLVMConstInt(type, 1, 0), "");
  LLVMValueRef ahead = LLVMConstInt(type, (uint64_t)up->stride * (w->width - 1), 0);
  LLVMValueRef last = LLVMBuildAdd(builder, up->scalar, ahead, "");
  LLVMValueRef fits = both(w, LLVMBuildICmp(builder, LLVMIntULE, up->scalar, most, ""),
                           LLVMBuildICmp(builder, LLVMIntULE, last, most, ""));
  *out = (part){.scalar = LLVMBuildOr(builder, same->scalar, up->scalar, ""),
                .stride = up->stride,
                .fits = both(w, up->fits, fits),
                .is_of_row = up->is_of_row};
  return true;
}

// `value << left >> right`.
static bool narrow_shifted(tn_widener *w, LLVMValueRef i, part *out) {
  LLVMValueRef from = LLVMGetOperand(i, 0);
  int64_t right = 0;
  int64_t left = 0;
  if (!LLVMIsABinaryOperator(from) || LLVMGetInstructionOpcode(from) != LLVMShl ||
      !tn_get_constant(LLVMGetOperand(from, 1), &left) ||
      !tn_get_constant(LLVMGetOperand(i, 1), &right) || left < 1 || left > 48 || right < 0 ||
      right > left) {
    return false;
  }
  LLVMValueRef value = LLVMGetOperand(from, 0);
  const tn_shape shape = tn_shape_of(&w->shapes, value);
  if (shape.kind != TN_SHAPE_LINEAR ||
      LLVMGetInstructionParent(from) != LLVMGetInstructionParent(i) ||
      !narrow(w, tn_lanes_scalar(w, value), shape.stride, (unsigned)(64 - left),
              LLVMGetInstructionOpcode(i) == LLVMAShr, out)) {
    return false;
  }
  const uint64_t scale = (uint64_t)1 << (left - right);
  out->scalar = LLVMBuildMul(w->builder, out->scalar, LLVMConstInt(LLVMTypeOf(i), scale, 0), "");
  out->stride = (int64_t)((uint64_t)out->stride * scale);
  return true;
}

static bool combine(tn_widener *w, LLVMValueRef i, LLVMOpcode opcode, part *out) {
  part a;
  part b;
  if (!get_part(w, LLVMGetOperand(i, 0), &a) || !get_part(w, LLVMGetOperand(i, 1), &b)) {
    return false;
  }
  int64_t by = 0;
  const bool is_known = tn_get_constant(LLVMGetOperand(i, 1), &by);
  uint64_t stride = (uint64_t)a.stride;
  switch (opcode) {
    case LLVMAdd:
      stride += (uint64_t)b.stride;
      break;
    case LLVMSub:
      stride -= (uint64_t)b.stride;
      break;
    case LLVMMul:
      stride *= (uint64_t)by;
      break;
    default:
      stride <<= by & 63;
      break;
  }
  const bool is_sum = opcode == LLVMAdd || opcode == LLVMSub;
  if (a.stride == 0 && b.stride == 0) {
    stride = 0;
  } else if (!is_sum && (!is_known || by < 0 || by > INT32_MAX)) {
    return false;
  }
  *out = (part){.scalar = LLVMBuildBinOp(w->builder, opcode, a.scalar, b.scalar, ""),
                .stride = (int64_t)stride,
                .fits = both(w, a.fits, b.fits),
                .is_of_row = a.is_of_row || b.is_of_row};
  return out->fits != NULL;
}

static bool truncated(tn_widener *w, LLVMValueRef i, part *out) {
  if (bits_of(i) < 16 || !get_part(w, LLVMGetOperand(i, 0), out)) {
    return false;
  }
  out->scalar = LLVMBuildTrunc(w->builder, out->scalar, LLVMTypeOf(i), "");
  return out->fits != NULL;
}

// One index and a base: what LLVM's passes leave.
static bool address(tn_widener *w, LLVMValueRef gep, part *out) {
  LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
  LLVMValueRef index = LLVMGetOperand(gep, 1);
  part base;
  part at;
  if (LLVMGetNumOperands(gep) != 2 || !get_part(w, LLVMGetOperand(gep, 0), &base) ||
      !(bits_of(index) == 64 ? get_part(w, index, &at) : narrow_extended(w, index, true, &at))) {
    return false;
  }
  const uint64_t size = LLVMABISizeOfType(w->shapes.layout, type);
  out->scalar = LLVMBuildGEP2(w->builder, type, base.scalar, &at.scalar, 1, "");
  out->stride = (int64_t)((uint64_t)base.stride + (uint64_t)at.stride * size);
  out->fits = both(w, base.fits, at.fits);
  out->is_of_row = base.is_of_row || at.is_of_row;
  return out->fits != NULL;
}

void tn_widen_note_wrapped(tn_widener *w, LLVMValueRef i) {
  const LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
  part found = {0};
  bool is_found = false;
  const bool is_wide = bits_of(i) == 64;
  switch (opcode) {
    case LLVMSExt:
    case LLVMZExt:
      is_found = is_wide && narrow_extended(w, LLVMGetOperand(i, 0), opcode == LLVMSExt, &found);
      break;
    case LLVMAnd:
      is_found = narrow_masked(w, i, &found);
      break;
    case LLVMOr:
      is_found = is_wide && disjoint(w, i, &found);
      break;
    case LLVMAShr:
    case LLVMLShr:
      is_found = is_wide && narrow_shifted(w, i, &found);
      break;
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
      is_found = combine(w, i, opcode, &found);
      break;
    case LLVMTrunc:
      is_found = truncated(w, i, &found);
      break;
    case LLVMGetElementPtr:
      is_found = address(w, i, &found);
      break;
    default:
      break;
  }
  if (is_found) {
    tn_lanes lanes = tn_lanes_get(w, i);
    lanes.wrapped = found.scalar;
    lanes.stride = found.stride;
    lanes.fits = found.fits;
    lanes.is_of_row = found.is_of_row;
    tn_lanes_set(w, i, lanes);
  }
}
