// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to compile/emit: arithmetic of integers of any width up to 128 bits, with those of 8, 16,
// 32 and 64 bits that SPIR-V has. The instructions are put where the builder is.
#ifndef TN_COMPILE_EMIT_SPIRV_PARTS_H
#define TN_COMPILE_EMIT_SPIRV_PARTS_H

#include "compile/module/module.h"

enum { TN_PARTS_WORD = 64, TN_PARTS_VECTOR_MAX = 64 };

// A number of N bits, in one integer or, where N is over 64, in two of 64 bits. The bits above N
// are zero. Vectors have one part.
typedef struct tn_parts {
  unsigned width;  // N; of integers that SPIR-V has, too
  LLVMValueRef low;
  LLVMValueRef high;  // NULL up to 64 bits
} tn_parts;

typedef struct tn_parts_job {
  LLVMContextRef context;
  LLVMBuilderRef builder;
  LLVMTypeRef word;  // of 64 bits
} tn_parts_job;

// Bits of an integer, or of the elements of a vector of integers; 0 for other types.
unsigned tn_parts_width_of(LLVMTypeRef type);
// Whether SPIR-V lacks such integers.
bool tn_parts_is_odd_width(unsigned width);
// Whether a type has such integers in it.
bool tn_parts_is_odd(LLVMTypeRef type);
// Integers of `width` bits, as many as `like` has.
LLVMTypeRef tn_parts_type_like(const tn_parts_job *job, LLVMTypeRef like, unsigned width);
// Bits of the part of an integer of up to 64 bits.
unsigned tn_parts_width_for(unsigned width);
LLVMTypeRef tn_parts_type_for(const tn_parts_job *job, LLVMTypeRef type);
// An integer, or a vector of the same ones.
LLVMValueRef tn_parts_number(LLVMTypeRef type, uint64_t value);
// Without a sign.
LLVMValueRef tn_parts_resize(const tn_parts_job *job, LLVMValueRef value, LLVMTypeRef type);
LLVMValueRef tn_parts_word_number(const tn_parts_job *job, uint64_t value);
// Clears the bits above the width.
tn_parts tn_parts_masked(const tn_parts_job *job, tn_parts p);
// The number with its sign in all bits of its parts.
tn_parts tn_parts_with_sign(const tn_parts_job *job, tn_parts p);
tn_parts tn_parts_add(const tn_parts_job *job, tn_parts a, tn_parts b);
tn_parts tn_parts_subtract(const tn_parts_job *job, tn_parts a, tn_parts b);
tn_parts tn_parts_multiply(const tn_parts_job *job, tn_parts a, tn_parts b);
// and, or, xor.
tn_parts tn_parts_bitwise(const tn_parts_job *job, LLVMOpcode op, tn_parts a, tn_parts b);
// shl, lshr, ashr.
tn_parts tn_parts_shift(const tn_parts_job *job, LLVMOpcode op, tn_parts a, tn_parts by);
// A truth value.
LLVMValueRef tn_parts_compare(const tn_parts_job *job, LLVMIntPredicate predicate, tn_parts a,
                              tn_parts b);
tn_parts tn_parts_choose(const tn_parts_job *job, LLVMValueRef condition, tn_parts a, tn_parts b);
// A number, with its sign in its parts where that counts, as an integer of another width.
tn_parts tn_parts_convert(const tn_parts_job *job, tn_parts from, LLVMTypeRef type, bool has_sign);
// Adds a number of `size` bits at bit `at` of parts of 64 bits.
void tn_parts_put_bits(const tn_parts_job *job, tn_parts *p, LLVMValueRef bits, unsigned at,
                       unsigned size);
// `size` bits from bit `at` on.
LLVMValueRef tn_parts_get_bits(const tn_parts_job *job, tn_parts p, unsigned at, unsigned size);
// Zero, in parts of 64 bits for tn_parts_put_bits.
tn_parts tn_parts_no_bits(const tn_parts_job *job, unsigned width);
// The same in the part that such a width has.
tn_parts tn_parts_in_type_for(const tn_parts_job *job, tn_parts p);

#endif
