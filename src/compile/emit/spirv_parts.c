// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic of integers of odd widths. Operations that may set bits above the width are followed
// by a mask, and operations that look at the sign move it up before.
#include "compile/emit/spirv_parts.h"

enum { WORD = TN_PARTS_WORD };

static LLVMTypeRef scalar_of(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type;
}

unsigned tn_parts_width_of(LLVMTypeRef type) {
  LLVMTypeRef scalar = scalar_of(type);
  return LLVMGetTypeKind(scalar) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(scalar) : 0;
}

bool tn_parts_is_odd_width(unsigned width) {
  return width != 0 && width != 1 && width != 8 && width != 16 && width != 32 && width != WORD;
}

bool tn_parts_is_odd(LLVMTypeRef type) {
  switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind:
    case LLVMVectorTypeKind:
      return tn_parts_is_odd_width(tn_parts_width_of(type));
    case LLVMStructTypeKind:
      for (unsigned i = 0; i < LLVMCountStructElementTypes(type); ++i) {
        if (tn_parts_is_odd(LLVMStructGetTypeAtIndex(type, i))) {
          return true;
        }
      }
      return false;
    case LLVMArrayTypeKind:
      return tn_parts_is_odd(LLVMGetElementType(type));
    default:
      return false;
  }
}

LLVMTypeRef tn_parts_type_like(const tn_parts_job *job, LLVMTypeRef like, unsigned width) {
  LLVMTypeRef scalar = LLVMIntTypeInContext(job->context, width);
  return LLVMGetTypeKind(like) == LLVMVectorTypeKind
             ? LLVMVectorType(scalar, LLVMGetVectorSize(like))
             : scalar;
}

unsigned tn_parts_width_for(unsigned width) {
  return width <= 8 ? 8 : width <= 16 ? 16 : width <= 32 ? 32 : WORD;
}

LLVMTypeRef tn_parts_type_for(const tn_parts_job *job, LLVMTypeRef type) {
  return tn_parts_type_like(job, type, tn_parts_width_for(tn_parts_width_of(type)));
}

LLVMValueRef tn_parts_number(LLVMTypeRef type, uint64_t value) {
  LLVMValueRef scalar = LLVMConstInt(scalar_of(type), value, 0);
  if (LLVMGetTypeKind(type) != LLVMVectorTypeKind) {
    return scalar;
  }
  LLVMValueRef all[TN_PARTS_VECTOR_MAX];
  const unsigned count = LLVMGetVectorSize(type);
  for (unsigned i = 0; i < count && i < TN_COUNT(all); ++i) {
    all[i] = scalar;
  }
  return LLVMConstVector(all, count < TN_COUNT(all) ? count : TN_COUNT(all));
}

// Clears the bits of `value` from `width` on.
static LLVMValueRef mask(const tn_parts_job *job, LLVMValueRef value, unsigned width) {
  LLVMTypeRef type = LLVMTypeOf(value);
  return width >= tn_parts_width_of(type)
             ? value
             : LLVMBuildAnd(job->builder, value, tn_parts_number(type, (UINT64_C(1) << width) - 1),
                            "");
}

// The same number with its sign in all bits above `width`.
static LLVMValueRef sign_from(const tn_parts_job *job, LLVMValueRef value, unsigned width) {
  LLVMTypeRef type = LLVMTypeOf(value);
  if (width >= tn_parts_width_of(type)) {
    return value;
  }
  LLVMValueRef by = tn_parts_number(type, tn_parts_width_of(type) - width);
  return LLVMBuildAShr(job->builder, LLVMBuildShl(job->builder, value, by, ""), by, "");
}

LLVMValueRef tn_parts_resize(const tn_parts_job *job, LLVMValueRef value, LLVMTypeRef type) {
  return LLVMBuildIntCast2(job->builder, value, type, 0, "");
}

LLVMValueRef tn_parts_word_number(const tn_parts_job *job, uint64_t value) {
  return LLVMConstInt(job->word, value, 0);
}

tn_parts tn_parts_masked(const tn_parts_job *job, tn_parts p) {
  if (p.high) {
    p.high = mask(job, p.high, p.width - WORD);
  } else {
    p.low = mask(job, p.low, p.width);
  }
  return p;
}

// The number with its sign in all bits of its tn_parts.
tn_parts tn_parts_with_sign(const tn_parts_job *job, tn_parts p) {
  if (p.high) {
    p.high = sign_from(job, p.high, p.width - WORD);
  } else {
    p.low = sign_from(job, p.low, p.width);
  }
  return p;
}

// a * b, the upper 64 bits of the 128.
static LLVMValueRef high_product(const tn_parts_job *job, LLVMValueRef a, LLVMValueRef b) {
  LLVMBuilderRef build = job->builder;
  LLVMValueRef half = tn_parts_word_number(job, 32);
  LLVMValueRef lower = tn_parts_word_number(job, UINT32_MAX);
  LLVMValueRef al = LLVMBuildAnd(build, a, lower, "");
  LLVMValueRef ah = LLVMBuildLShr(build, a, half, "");
  LLVMValueRef bl = LLVMBuildAnd(build, b, lower, "");
  LLVMValueRef bh = LLVMBuildLShr(build, b, half, "");
  LLVMValueRef low = LLVMBuildLShr(build, LLVMBuildMul(build, al, bl, ""), half, "");
  LLVMValueRef first = LLVMBuildAdd(build, LLVMBuildMul(build, ah, bl, ""), low, "");
  LLVMValueRef second = LLVMBuildAdd(build, LLVMBuildMul(build, al, bh, ""),
                                     LLVMBuildAnd(build, first, lower, ""), "");
  LLVMValueRef sum = LLVMBuildAdd(build, LLVMBuildMul(build, ah, bh, ""),
                                  LLVMBuildLShr(build, first, half, ""), "");
  return LLVMBuildAdd(build, sum, LLVMBuildLShr(build, second, half, ""), "");
}

tn_parts tn_parts_add(const tn_parts_job *job, tn_parts a, tn_parts b) {
  tn_parts p = {.width = a.width, .low = LLVMBuildAdd(job->builder, a.low, b.low, "")};
  if (a.high) {
    LLVMValueRef carry = LLVMBuildICmp(job->builder, LLVMIntULT, p.low, a.low, "");
    p.high = LLVMBuildAdd(job->builder, LLVMBuildAdd(job->builder, a.high, b.high, ""),
                          LLVMBuildZExt(job->builder, carry, job->word, ""), "");
  }
  return tn_parts_masked(job, p);
}

tn_parts tn_parts_subtract(const tn_parts_job *job, tn_parts a, tn_parts b) {
  tn_parts p = {.width = a.width, .low = LLVMBuildSub(job->builder, a.low, b.low, "")};
  if (a.high) {
    LLVMValueRef borrow = LLVMBuildICmp(job->builder, LLVMIntULT, a.low, b.low, "");
    p.high = LLVMBuildSub(job->builder, LLVMBuildSub(job->builder, a.high, b.high, ""),
                          LLVMBuildZExt(job->builder, borrow, job->word, ""), "");
  }
  return tn_parts_masked(job, p);
}

tn_parts tn_parts_multiply(const tn_parts_job *job, tn_parts a, tn_parts b) {
  tn_parts p = {.width = a.width, .low = LLVMBuildMul(job->builder, a.low, b.low, "")};
  if (a.high) {
    LLVMValueRef across = LLVMBuildAdd(job->builder, LLVMBuildMul(job->builder, a.high, b.low, ""),
                                       LLVMBuildMul(job->builder, a.low, b.high, ""), "");
    p.high = LLVMBuildAdd(job->builder, high_product(job, a.low, b.low), across, "");
  }
  return tn_parts_masked(job, p);
}

tn_parts tn_parts_bitwise(const tn_parts_job *job, LLVMOpcode op, tn_parts a, tn_parts b) {
  tn_parts p = {.width = a.width, .low = LLVMBuildBinOp(job->builder, op, a.low, b.low, "")};
  if (a.high) {
    p.high = LLVMBuildBinOp(job->builder, op, a.high, b.high, "");
  }
  return p;
}

// Shifts of two tn_parts, without a shift by 64.
static tn_parts shift_pair(const tn_parts_job *job, LLVMOpcode op, tn_parts a, LLVMValueRef by) {
  LLVMBuilderRef build = job->builder;
  LLVMValueRef one = tn_parts_word_number(job, 1);
  LLVMValueRef in_word = LLVMBuildAnd(build, by, tn_parts_word_number(job, WORD - 1), "");
  LLVMValueRef rest = LLVMBuildSub(build, tn_parts_word_number(job, WORD - 1), in_word, "");
  LLVMValueRef is_far = LLVMBuildICmp(build, LLVMIntUGE, by, tn_parts_word_number(job, WORD), "");
  tn_parts p = {.width = a.width};
  if (op == LLVMShl) {
    LLVMValueRef low = LLVMBuildShl(build, a.low, in_word, "");
    LLVMValueRef over = LLVMBuildLShr(build, LLVMBuildLShr(build, a.low, one, ""), rest, "");
    LLVMValueRef high = LLVMBuildOr(build, LLVMBuildShl(build, a.high, in_word, ""), over, "");
    p.low = LLVMBuildSelect(build, is_far, tn_parts_word_number(job, 0), low, "");
    p.high = LLVMBuildSelect(build, is_far, low, high, "");
  } else {
    const tn_parts from = op == LLVMAShr ? tn_parts_with_sign(job, a) : a;
    LLVMValueRef high = LLVMBuildBinOp(build, op, from.high, in_word, "");
    LLVMValueRef over = LLVMBuildShl(build, LLVMBuildShl(build, from.high, one, ""), rest, "");
    LLVMValueRef low = LLVMBuildOr(build, LLVMBuildLShr(build, from.low, in_word, ""), over, "");
    LLVMValueRef gone =
        op == LLVMAShr ? LLVMBuildAShr(build, from.high, tn_parts_word_number(job, WORD - 1), "")
                       : tn_parts_word_number(job, 0);
    p.low = LLVMBuildSelect(build, is_far, high, low, "");
    p.high = LLVMBuildSelect(build, is_far, gone, high, "");
  }
  return tn_parts_masked(job, p);
}

tn_parts tn_parts_shift(const tn_parts_job *job, LLVMOpcode op, tn_parts a, tn_parts by) {
  if (a.high) {
    return shift_pair(job, op, a, by.low);
  }
  const tn_parts from = op == LLVMAShr ? tn_parts_with_sign(job, a) : a;
  const tn_parts p = {.width = a.width,
                      .low = LLVMBuildBinOp(job->builder, op, from.low, by.low, "")};
  return tn_parts_masked(job, p);
}

LLVMValueRef tn_parts_compare(const tn_parts_job *job, LLVMIntPredicate predicate, tn_parts a,
                              tn_parts b) {
  LLVMBuilderRef build = job->builder;
  if (predicate >= LLVMIntSGT) {
    a = tn_parts_with_sign(job, a);
    b = tn_parts_with_sign(job, b);
  }
  if (!a.high) {
    return LLVMBuildICmp(build, predicate, a.low, b.low, "");
  }
  LLVMValueRef same = LLVMBuildICmp(build, LLVMIntEQ, a.high, b.high, "");
  if (predicate == LLVMIntEQ || predicate == LLVMIntNE) {
    LLVMValueRef equal =
        LLVMBuildAnd(build, same, LLVMBuildICmp(build, LLVMIntEQ, a.low, b.low, ""), "");
    return predicate == LLVMIntEQ ? equal : LLVMBuildNot(build, equal, "");
  }
  static const LLVMIntPredicate of_low[] = {[LLVMIntSGT - LLVMIntSGT] = LLVMIntUGT,
                                            [LLVMIntSGE - LLVMIntSGT] = LLVMIntUGE,
                                            [LLVMIntSLT - LLVMIntSGT] = LLVMIntULT,
                                            [LLVMIntSLE - LLVMIntSGT] = LLVMIntULE};
  const LLVMIntPredicate low = predicate >= LLVMIntSGT ? of_low[predicate - LLVMIntSGT] : predicate;
  return LLVMBuildSelect(build, same, LLVMBuildICmp(build, low, a.low, b.low, ""),
                         LLVMBuildICmp(build, predicate, a.high, b.high, ""), "");
}

tn_parts tn_parts_choose(const tn_parts_job *job, LLVMValueRef condition, tn_parts a, tn_parts b) {
  tn_parts p = {.width = a.width,
                .low = LLVMBuildSelect(job->builder, condition, a.low, b.low, "")};
  if (a.high) {
    p.high = LLVMBuildSelect(job->builder, condition, a.high, b.high, "");
  }
  return p;
}

// A number, with its sign in its tn_parts where that counts, as an integer of another width.
tn_parts tn_parts_convert(const tn_parts_job *job, tn_parts from, LLVMTypeRef type, bool has_sign) {
  const unsigned width = tn_parts_width_of(type);
  LLVMTypeRef to = tn_parts_is_odd_width(width) ? tn_parts_type_for(job, type) : type;
  tn_parts p = {.width = width};
  p.low = LLVMBuildIntCast2(job->builder, from.low, to, has_sign, "");
  if (width > WORD) {
    LLVMValueRef sign = LLVMBuildAShr(job->builder, p.low, tn_parts_word_number(job, WORD - 1), "");
    p.high = from.high ? from.high : has_sign ? sign : tn_parts_word_number(job, 0);
  }
  return tn_parts_is_odd_width(width) ? tn_parts_masked(job, p) : p;
}

void tn_parts_put_bits(const tn_parts_job *job, tn_parts *p, LLVMValueRef bits, unsigned at,
                       unsigned size) {
  LLVMBuilderRef build = job->builder;
  LLVMValueRef word = tn_parts_resize(job, bits, job->word);
  if (at < WORD) {
    LLVMValueRef shifted = LLVMBuildShl(build, word, tn_parts_word_number(job, at), "");
    p->low = LLVMBuildOr(build, p->low, shifted, "");
  }
  if (at + size > WORD && p->high) {
    LLVMValueRef shifted =
        at < WORD ? LLVMBuildLShr(build, word, tn_parts_word_number(job, WORD - at), "")
                  : LLVMBuildShl(build, word, tn_parts_word_number(job, at - WORD), "");
    p->high = LLVMBuildOr(build, p->high, shifted, "");
  }
}

LLVMValueRef tn_parts_get_bits(const tn_parts_job *job, tn_parts p, unsigned at, unsigned size) {
  LLVMBuilderRef build = job->builder;
  LLVMTypeRef type = LLVMIntTypeInContext(job->context, size);
  LLVMValueRef low = tn_parts_resize(job, p.low, job->word);
  if (at >= WORD) {
    return tn_parts_resize(
        job, LLVMBuildLShr(build, p.high, tn_parts_word_number(job, at - WORD), ""), type);
  }
  LLVMValueRef bits = LLVMBuildLShr(build, low, tn_parts_word_number(job, at), "");
  if (at + size > WORD && p.high) {
    LLVMValueRef above = LLVMBuildShl(build, p.high, tn_parts_word_number(job, WORD - at), "");
    bits = LLVMBuildOr(build, bits, above, "");
  }
  return tn_parts_resize(job, bits, type);
}

tn_parts tn_parts_no_bits(const tn_parts_job *job, unsigned width) {
  return (tn_parts){width, tn_parts_word_number(job, 0),
                    width > WORD ? tn_parts_word_number(job, 0) : NULL};
}

tn_parts tn_parts_in_type_for(const tn_parts_job *job, tn_parts p) {
  if (!p.high) {
    p.low = tn_parts_resize(job, p.low,
                            LLVMIntTypeInContext(job->context, tn_parts_width_for(p.width)));
  }
  return p;
}
