// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integers of widths that SPIR-V does not have: LLVM's optimizer makes them (sums of 33 and 65 bits
// out of loops, masks of 7 bits), and its back end for SPIR-V takes them for the next wider type
// without clearing the bits above.
// needs: the module as it goes to the back end.  keeps: what is computed.  breaks: nothing.
#include "base/map.h"
#include "compile/emit/emit.h"
#include "compile/emit/spirv_parts.h"

enum { WORD = TN_PARTS_WORD, WIDEST = 128, PLACE_MAX = 1 << 12 };

typedef struct rewriting {
  LLVMModuleRef module;
  tn_parts_job job;
  LLVMValueRef at;  // the builder is before it
  tn_arena arena;
  tn_map values;  // tn_parts of each instruction that was rewritten
  tn_list old;    // those instructions, and what took their results
  tn_diag *diag;
  tn_status status;  // the first failure
} rewriting;

static void fail(rewriting *r, LLVMValueRef instruction, const char *what) {
  if (r->status != TN_OK) {
    return;
  }
  tn_buf place;
  tn_buf_init(&place, PLACE_MAX);
  const tn_place at = LLVMIsAInstruction(instruction) ? tn_place_of_instruction(instruction)
                                                      : (tn_place){.line = 0};
  tn_place_write(&place, at, NULL);
  const tn_str text = {(const char *)place.data, place.size};
  char *type = LLVMPrintTypeToString(LLVMTypeOf(instruction));
  r->status = TN_FAIL(r->diag, BUILD_FAILED,
                      "%.*s%s (its type is %s); SPIR-V has integers of 8, 16, 32 and 64 bits",
                      TN_STR_ARG(text), what, type);
  LLVMDisposeMessage(type);
  tn_buf_deinit(&place);
}

static void fail_memory(rewriting *r) {
  if (r->status == TN_OK) {
    r->status = TN_FAIL(r->diag, OUT_OF_MEMORY, "no memory to rewrite integers");
  }
}

static tn_parts value_of(rewriting *r, LLVMValueRef value);
static void go_to(rewriting *r, LLVMValueRef instruction);

static tn_parts constant_parts(rewriting *r, LLVMValueRef constant) {
  LLVMTypeRef type = LLVMTypeOf(constant);
  LLVMTypeRef to = tn_parts_type_for(&r->job, type);
  tn_parts p = {.width = tn_parts_width_of(type), .low = LLVMConstNull(to)};
  if (p.width > WORD) {
    p.high = LLVMConstNull(to);
  }
  if (LLVMIsUndef(constant) || LLVMIsNull(constant)) {
    return p;
  }
  if (LLVMIsAConstantInt(constant)) {
    if (p.high) {
      LLVMValueRef by = LLVMConstInt(type, WORD, 0);
      p.low = LLVMConstTrunc(constant, to);
      p.high =
          LLVMBuildTrunc(r->job.builder, LLVMBuildLShr(r->job.builder, constant, by, ""), to, "");
    } else {
      p.low = LLVMConstInt(to, LLVMConstIntGetZExtValue(constant), 0);
    }
    return p;
  }
  const unsigned count = LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetVectorSize(type) : 0;
  LLVMValueRef all[64];
  for (unsigned i = 0; i < count && i < TN_COUNT(all); ++i) {
    LLVMValueRef element = LLVMGetAggregateElement(constant, i);
    all[i] = element && (LLVMIsUndef(element) || LLVMIsAConstantInt(element))
                 ? constant_parts(r, element).low
                 : NULL;
    if (!all[i]) {
      fail(r, constant, "a constant that is computed");
      return p;
    }
  }
  if (count == 0 || count > TN_COUNT(all)) {
    fail(r, constant, "a constant that is computed");
    return p;
  }
  p.low = LLVMConstVector(all, count);
  return p;
}

static tn_parts divide(rewriting *r, LLVMValueRef instruction, LLVMOpcode op, tn_parts a,
                       tn_parts b) {
  if (a.high) {
    fail(r, instruction, "a division of integers of more than 64 bits");
    return a;
  }
  const bool has_sign = op == LLVMSDiv || op == LLVMSRem;
  const tn_parts x = has_sign ? tn_parts_with_sign(&r->job, a) : a;
  const tn_parts y = has_sign ? tn_parts_with_sign(&r->job, b) : b;
  const tn_parts p = {.width = a.width,
                      .low = LLVMBuildBinOp(r->job.builder, op, x.low, y.low, "")};
  return tn_parts_masked(&r->job, p);
}

static tn_parts binary(rewriting *r, LLVMValueRef instruction, LLVMOpcode op) {
  const tn_parts a = value_of(r, LLVMGetOperand(instruction, 0));
  const tn_parts b = value_of(r, LLVMGetOperand(instruction, 1));
  switch (op) {
    case LLVMAdd:
      return tn_parts_add(&r->job, a, b);
    case LLVMSub:
      return tn_parts_subtract(&r->job, a, b);
    case LLVMMul:
      return tn_parts_multiply(&r->job, a, b);
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
      return tn_parts_bitwise(&r->job, op, a, b);
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
      return tn_parts_shift(&r->job, op, a, b);
    default:
      return divide(r, instruction, op, a, b);
  }
}

static bool is_supported_width(rewriting *r, LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  const bool is_vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
  if (tn_parts_width_of(type) == 0) {
    fail(r, value, "a structure with such an integer");
  } else if (tn_parts_width_of(type) > (is_vector ? WORD : WIDEST)) {
    fail(r, value, "an integer too wide to be computed");
  } else if (is_vector && LLVMGetVectorSize(type) > WORD) {
    fail(r, value, "a vector too long to be computed");
  } else {
    return true;
  }
  return false;
}

// A piece of an integer in memory: 8, 4, 2 or 1 bytes.
static unsigned piece_size(unsigned rest) {
  return rest >= 8 ? 8 : rest >= 4 ? 4 : rest >= 2 ? 2 : 1;
}

static LLVMValueRef piece_address(const rewriting *r, LLVMValueRef pointer, unsigned at) {
  LLVMValueRef index = tn_parts_word_number(&r->job, at);
  return at == 0 ? pointer
                 : LLVMBuildGEP2(r->job.builder, LLVMInt8TypeInContext(r->job.context), pointer,
                                 &index, 1, "");
}

static unsigned piece_alignment(LLVMValueRef access, unsigned at) {
  unsigned alignment = LLVMGetAlignment(access);
  while (alignment > 1 && at % alignment != 0) {
    alignment /= 2;
  }
  return alignment;
}

static bool is_plain_access(rewriting *r, LLVMValueRef access, LLVMTypeRef type) {
  if (LLVMGetVolatile(access) || LLVMGetOrdering(access) != LLVMAtomicOrderingNotAtomic) {
    fail(r, access, "a volatile or atomic access to such an integer");
  } else if (LLVMGetTypeKind(type) == LLVMVectorTypeKind) {
    fail(r, access, "vectors of such integers in memory");
  } else {
    return true;
  }
  return false;
}

static tn_parts load(rewriting *r, LLVMValueRef instruction) {
  const unsigned width = tn_parts_width_of(LLVMTypeOf(instruction));
  const unsigned bytes = (width + 7) / 8;
  tn_parts p = tn_parts_no_bits(&r->job, width);
  if (!is_plain_access(r, instruction, LLVMTypeOf(instruction))) {
    return tn_parts_in_type_for(&r->job, p);
  }
  for (unsigned at = 0; at < bytes;) {
    const unsigned size = piece_size(bytes - at);
    LLVMValueRef piece =
        LLVMBuildLoad2(r->job.builder, LLVMIntTypeInContext(r->job.context, size * 8),
                       piece_address(r, LLVMGetOperand(instruction, 0), at), "");
    LLVMSetAlignment(piece, piece_alignment(instruction, at));
    tn_parts_put_bits(&r->job, &p, piece, at * 8, size * 8);
    at += size;
  }
  return tn_parts_masked(&r->job, tn_parts_in_type_for(&r->job, p));
}

static void store(rewriting *r, LLVMValueRef instruction) {
  LLVMValueRef value = LLVMGetOperand(instruction, 0);
  if (!is_plain_access(r, instruction, LLVMTypeOf(value))) {
    return;
  }
  const tn_parts p = value_of(r, value);
  const unsigned bytes = (p.width + 7) / 8;
  for (unsigned at = 0; at < bytes;) {
    const unsigned size = piece_size(bytes - at);
    LLVMValueRef piece =
        LLVMBuildStore(r->job.builder, tn_parts_get_bits(&r->job, p, at * 8, size * 8),
                       piece_address(r, LLVMGetOperand(instruction, 1), at));
    LLVMSetAlignment(piece, piece_alignment(instruction, at));
    at += size;
  }
}

// Bits of the elements that a vector has in an integer's place; 0 for what is no such vector.
static unsigned element_bits(LLVMTypeRef type) {
  if (LLVMGetTypeKind(type) != LLVMVectorTypeKind) {
    return 0;
  }
  switch (LLVMGetTypeKind(LLVMGetElementType(type))) {
    case LLVMIntegerTypeKind:
      return tn_parts_is_odd(type) ? 0 : LLVMGetIntTypeWidth(LLVMGetElementType(type));
    case LLVMHalfTypeKind:
    case LLVMBFloatTypeKind:
      return 16;
    case LLVMFloatTypeKind:
      return 32;
    case LLVMDoubleTypeKind:
      return 64;
    default:
      return 0;
  }
}

// A vector's bits as one integer.
static tn_parts from_vector(rewriting *r, LLVMValueRef instruction) {
  LLVMValueRef vector = LLVMGetOperand(instruction, 0);
  LLVMTypeRef type = LLVMTypeOf(vector);
  const unsigned bits = element_bits(type);
  tn_parts p = tn_parts_no_bits(&r->job, tn_parts_width_of(LLVMTypeOf(instruction)));
  if (bits == 0 || LLVMGetTypeKind(LLVMTypeOf(instruction)) == LLVMVectorTypeKind) {
    fail(r, instruction, "other bits taken for such an integer");
    return value_of(r, LLVMGetUndef(LLVMTypeOf(instruction)));
  }
  LLVMValueRef integers =
      LLVMBuildBitCast(r->job.builder, vector, tn_parts_type_like(&r->job, type, bits), "");
  for (unsigned i = 0; i < LLVMGetVectorSize(type); ++i) {
    tn_parts_put_bits(
        &r->job, &p,
        LLVMBuildExtractElement(r->job.builder, integers, tn_parts_word_number(&r->job, i), ""),
        i * bits, bits);
  }
  return tn_parts_in_type_for(&r->job, p);
}

// An integer's bits as a vector, whose type SPIR-V has.
static LLVMValueRef to_vector(rewriting *r, LLVMValueRef instruction) {
  LLVMTypeRef type = LLVMTypeOf(instruction);
  LLVMValueRef from = LLVMGetOperand(instruction, 0);
  const unsigned bits = element_bits(type);
  if (bits == 0 || LLVMGetTypeKind(LLVMTypeOf(from)) == LLVMVectorTypeKind) {
    fail(r, instruction, "such an integer's bits taken for something else");
    return LLVMGetUndef(type);
  }
  const tn_parts p = value_of(r, from);
  LLVMValueRef vector = LLVMGetUndef(tn_parts_type_like(&r->job, type, bits));
  for (unsigned i = 0; i < LLVMGetVectorSize(type); ++i) {
    vector = LLVMBuildInsertElement(r->job.builder, vector,
                                    tn_parts_get_bits(&r->job, p, i * bits, bits),
                                    tn_parts_word_number(&r->job, i), "");
  }
  return LLVMBuildBitCast(r->job.builder, vector, type, "");
}

static LLVMValueRef call_unary(const rewriting *r, const char *name, LLVMValueRef value,
                               LLVMValueRef second) {
  LLVMTypeRef type = LLVMTypeOf(value);
  LLVMValueRef function =
      LLVMGetIntrinsicDeclaration(r->module, LLVMLookupIntrinsicID(name, strlen(name)), &type, 1);
  LLVMValueRef arguments[] = {value, second};
  return LLVMBuildCall2(r->job.builder, LLVMGlobalGetValueType(function), function, arguments,
                        second ? 2 : 1, "");
}

static bool is_intrinsic(LLVMValueRef call, const char *name) {
  return tn_str_has_prefix(tn_value_name(LLVMGetCalledValue(call)), tn_str_from(name));
}

// Bits are counted and turned round in the part's type, whose bits above are zero.
static tn_parts count_bits(rewriting *r, LLVMValueRef call, tn_parts a) {
  LLVMTypeRef type = LLVMTypeOf(a.low);
  LLVMValueRef above = tn_parts_number(type, tn_parts_width_of(type) - a.width);
  LLVMValueRef no = LLVMConstInt(LLVMInt1TypeInContext(r->job.context), 0, 0);
  tn_parts p = {.width = a.width};
  if (is_intrinsic(call, "llvm.ctpop.")) {
    p.low = call_unary(r, "llvm.ctpop", a.low, NULL);
  } else if (is_intrinsic(call, "llvm.ctlz.")) {
    p.low = LLVMBuildSub(r->job.builder, call_unary(r, "llvm.ctlz", a.low, no), above, "");
  } else if (is_intrinsic(call, "llvm.cttz.")) {
    LLVMValueRef end = tn_parts_number(type, UINT64_C(1) << a.width);
    p.low = call_unary(r, "llvm.cttz", LLVMBuildOr(r->job.builder, a.low, end, ""), no);
  } else {
    const char *name = is_intrinsic(call, "llvm.bswap.") ? "llvm.bswap" : "llvm.bitreverse";
    p.low = LLVMBuildLShr(r->job.builder, call_unary(r, name, a.low, NULL), above, "");
  }
  return p;
}

// The upper or lower N bits of two numbers, shifted as one.
static tn_parts funnel(rewriting *r, LLVMValueRef call, tn_parts a, tn_parts b) {
  LLVMBuilderRef build = r->job.builder;
  const tn_parts by = value_of(r, LLVMGetOperand(call, 2));
  LLVMTypeRef type = LLVMTypeOf(a.low);
  LLVMValueRef one = tn_parts_number(type, 1);
  LLVMValueRef amount = LLVMBuildURem(build, by.low, tn_parts_number(type, a.width), "");
  LLVMValueRef rest = LLVMBuildSub(build, tn_parts_number(type, a.width - 1), amount, "");
  tn_parts p = {.width = a.width};
  if (is_intrinsic(call, "llvm.fshl.")) {
    LLVMValueRef from_low = LLVMBuildLShr(build, LLVMBuildLShr(build, b.low, one, ""), rest, "");
    p.low = LLVMBuildOr(build, LLVMBuildShl(build, a.low, amount, ""), from_low, "");
  } else {
    LLVMValueRef from_high = LLVMBuildShl(build, LLVMBuildShl(build, a.low, one, ""), rest, "");
    p.low = LLVMBuildOr(build, LLVMBuildLShr(build, b.low, amount, ""), from_high, "");
  }
  return tn_parts_masked(&r->job, p);
}

static tn_parts intrinsic(rewriting *r, LLVMValueRef call) {
  static const struct {
    const char *name;
    LLVMIntPredicate takes_first;
  } choices[] = {{"llvm.umin.", LLVMIntULT},
                 {"llvm.umax.", LLVMIntUGT},
                 {"llvm.smin.", LLVMIntSLT},
                 {"llvm.smax.", LLVMIntSGT}};
  static const char *const counts[] = {"llvm.ctpop.", "llvm.ctlz.", "llvm.cttz.", "llvm.bswap.",
                                       "llvm.bitreverse."};
  const tn_parts nothing = constant_parts(r, LLVMGetUndef(LLVMTypeOf(call)));
  if (!LLVMIsAFunction(LLVMGetCalledValue(call)) || LLVMGetNumArgOperands(call) == 0 ||
      LLVMTypeOf(LLVMGetOperand(call, 0)) != LLVMTypeOf(call)) {
    fail(r, call, "a function that returns such an integer");
    return nothing;
  }
  const tn_parts a = value_of(r, LLVMGetOperand(call, 0));
  for (size_t i = 0; i < TN_COUNT(choices); ++i) {
    if (is_intrinsic(call, choices[i].name)) {
      const tn_parts b = value_of(r, LLVMGetOperand(call, 1));
      return tn_parts_choose(&r->job, tn_parts_compare(&r->job, choices[i].takes_first, a, b), a,
                             b);
    }
  }
  for (size_t i = 0; i < TN_COUNT(counts); ++i) {
    if (is_intrinsic(call, counts[i]) && !a.high) {
      return count_bits(r, call, a);
    }
  }
  if (is_intrinsic(call, "llvm.abs.")) {
    const tn_parts zero = constant_parts(r, LLVMConstNull(LLVMTypeOf(call)));
    return tn_parts_choose(&r->job, tn_parts_compare(&r->job, LLVMIntSLT, a, zero),
                           tn_parts_subtract(&r->job, zero, a), a);
  }
  if ((is_intrinsic(call, "llvm.fshl.") || is_intrinsic(call, "llvm.fshr.")) && !a.high) {
    return funnel(r, call, a, value_of(r, LLVMGetOperand(call, 1)));
  }
  fail(r, call, "a function that returns such an integer");
  return nothing;
}

static tn_parts from_float(rewriting *r, LLVMValueRef instruction, LLVMOpcode op) {
  LLVMTypeRef type = LLVMTypeOf(instruction);
  const tn_parts p = {.width = tn_parts_width_of(type),
                      .low = LLVMBuildCast(r->job.builder, op, LLVMGetOperand(instruction, 0),
                                           tn_parts_type_for(&r->job, type), "")};
  if (p.width > WORD) {
    fail(r, instruction, "a float converted to such an integer");
    return constant_parts(r, LLVMGetUndef(type));
  }
  return tn_parts_masked(&r->job, p);
}

static tn_parts element(rewriting *r, LLVMValueRef instruction, LLVMOpcode op) {
  const tn_parts a = value_of(r, LLVMGetOperand(instruction, 0));
  tn_parts p = {.width = a.width};
  if (op == LLVMExtractElement) {
    p.low = LLVMBuildExtractElement(r->job.builder, a.low, LLVMGetOperand(instruction, 1), "");
  } else if (op == LLVMInsertElement) {
    const tn_parts b = value_of(r, LLVMGetOperand(instruction, 1));
    p.low =
        LLVMBuildInsertElement(r->job.builder, a.low, b.low, LLVMGetOperand(instruction, 2), "");
  } else {
    const tn_parts b = value_of(r, LLVMGetOperand(instruction, 1));
    LLVMValueRef all[64];
    const unsigned count = LLVMGetNumMaskElements(instruction);
    LLVMTypeRef index = LLVMInt32TypeInContext(r->job.context);
    for (unsigned i = 0; i < count && i < TN_COUNT(all); ++i) {
      const int from = LLVMGetMaskValue(instruction, i);
      all[i] = from == LLVMGetUndefMaskElem() ? LLVMGetUndef(index)
                                              : LLVMConstInt(index, (unsigned)from, 0);
    }
    p.low = LLVMBuildShuffleVector(r->job.builder, a.low, b.low, LLVMConstVector(all, count), "");
  }
  return p;
}

static tn_parts rewrite(rewriting *r, LLVMValueRef instruction) {
  const LLVMOpcode op = LLVMGetInstructionOpcode(instruction);
  LLVMTypeRef type = LLVMTypeOf(instruction);
  LLVMValueRef first = LLVMGetNumOperands(instruction) > 0 ? LLVMGetOperand(instruction, 0) : NULL;
  switch (op) {
    case LLVMTrunc:
    case LLVMZExt:
      return tn_parts_convert(&r->job, value_of(r, first), type, false);
    case LLVMSExt:
      return tn_parts_convert(&r->job, tn_parts_with_sign(&r->job, value_of(r, first)), type, true);
    case LLVMFPToUI:
    case LLVMFPToSI:
      return from_float(r, instruction, op);
    case LLVMPtrToInt: {
      const tn_parts address = {WORD, LLVMBuildPtrToInt(r->job.builder, first, r->job.word, ""),
                                NULL};
      return tn_parts_convert(&r->job, address, type, false);
    }
    case LLVMBitCast:
      return from_vector(r, instruction);
    case LLVMSelect:
      return tn_parts_choose(&r->job, first, value_of(r, LLVMGetOperand(instruction, 1)),
                             value_of(r, LLVMGetOperand(instruction, 2)));
    case LLVMFreeze: {
      tn_parts p = value_of(r, first);
      p.low = LLVMBuildFreeze(r->job.builder, p.low, "");
      p.high = p.high ? LLVMBuildFreeze(r->job.builder, p.high, "") : NULL;
      return p;
    }
    case LLVMExtractElement:
    case LLVMInsertElement:
    case LLVMShuffleVector:
      return element(r, instruction, op);
    case LLVMLoad:
      return load(r, instruction);
    case LLVMCall:
      return intrinsic(r, instruction);
    default:
      if (LLVMIsABinaryOperator(instruction)) {
        return binary(r, instruction, op);
      }
      fail(r, instruction, "an operation on such an integer that is not known here");
      return constant_parts(r, LLVMGetUndef(type));
  }
}

static bool remember(rewriting *r, LLVMValueRef value, tn_parts p) {
  tn_parts *kept = tn_map_find(&r->values, TN_POINTER_KEY(value));
  if (!kept) {
    kept = tn_arena_alloc(&r->arena, sizeof(*kept));
    if (!kept || !tn_map_set(&r->values, TN_POINTER_KEY(value), kept) ||
        !tn_list_add(&r->old, &r->arena, value)) {
      fail_memory(r);
      return false;
    }
  }
  *kept = p;
  return true;
}

// The tn_parts of an operand; an operand that SPIR-V has is its own part.
static tn_parts value_of(rewriting *r, LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  if (!tn_parts_is_odd(type)) {
    return (tn_parts){tn_parts_width_of(type), value, NULL};
  }
  const tn_parts *kept = tn_map_find(&r->values, TN_POINTER_KEY(value));
  if (kept) {
    return *kept;
  }
  if (!is_supported_width(r, value)) {
    return (tn_parts){.width = WORD, .low = tn_parts_word_number(&r->job, 0)};
  }
  if (LLVMIsAConstant(value)) {
    return constant_parts(r, value);
  }
  const tn_parts nothing = constant_parts(r, LLVMGetUndef(type));
  if (!LLVMIsAInstruction(value)) {
    fail(r, value, "a function with such a parameter");
    return nothing;
  }
  // A value in code that is not reached may be its own operand.
  if (!remember(r, value, nothing)) {
    return nothing;
  }
  LLVMValueRef resume = r->at;
  go_to(r, value);
  const tn_parts p = rewrite(r, value);
  if (resume) {
    go_to(r, resume);
  }
  return remember(r, value, p) ? p : nothing;
}

static void go_to(rewriting *r, LLVMValueRef instruction) {
  r->at = instruction;
  LLVMPositionBuilderBefore(r->job.builder, instruction);
}

// Phis come first: their operands may depend on them.
static void make_phi(rewriting *r, LLVMValueRef phi) {
  if (!is_supported_width(r, phi)) {
    return;
  }
  LLVMTypeRef type = tn_parts_type_for(&r->job, LLVMTypeOf(phi));
  go_to(r, phi);
  tn_parts p = {.width = tn_parts_width_of(LLVMTypeOf(phi)),
                .low = LLVMBuildPhi(r->job.builder, type, "")};
  p.high = p.width > WORD ? LLVMBuildPhi(r->job.builder, type, "") : NULL;
  (void)remember(r, phi, p);
}

static void fill_phi(rewriting *r, LLVMValueRef phi) {
  const tn_parts to = value_of(r, phi);
  for (unsigned i = 0; i < LLVMCountIncoming(phi) && r->status == TN_OK; ++i) {
    LLVMBasicBlockRef block = LLVMGetIncomingBlock(phi, i);
    go_to(r, LLVMGetBasicBlockTerminator(block));
    const tn_parts from = value_of(r, LLVMGetIncomingValue(phi, i));
    LLVMAddIncoming(to.low, (LLVMValueRef[]){from.low}, (LLVMBasicBlockRef[]){block}, 1);
    if (to.high) {
      LLVMAddIncoming(to.high, (LLVMValueRef[]){from.high}, (LLVMBasicBlockRef[]){block}, 1);
    }
  }
}

static void take_switch(rewriting *r, LLVMValueRef instruction) {
  const tn_parts on = value_of(r, LLVMGetOperand(instruction, 0));
  if (on.high) {
    fail(r, instruction, "a switch over an integer of more than 64 bits");
    return;
  }
  const unsigned count = LLVMGetNumSuccessors(instruction);
  LLVMValueRef made =
      LLVMBuildSwitch(r->job.builder, on.low, LLVMGetSwitchDefaultDest(instruction), count - 1);
  for (unsigned i = 1; i < count; ++i) {
    LLVMAddCase(made, value_of(r, LLVMGetSwitchCaseValue(instruction, i)).low,
                LLVMGetSuccessor(instruction, i));
  }
}

// An index of any width is one with a sign.
static void take_indices(rewriting *r, LLVMValueRef instruction) {
  for (int i = 0; i < LLVMGetNumOperands(instruction); ++i) {
    LLVMValueRef index = LLVMGetOperand(instruction, (unsigned)i);
    if (tn_parts_is_odd(LLVMTypeOf(index))) {
      const tn_parts p = tn_parts_with_sign(&r->job, value_of(r, index));
      LLVMTypeRef word = tn_parts_type_like(&r->job, LLVMTypeOf(index), WORD);
      LLVMSetOperand(instruction, (unsigned)i,
                     LLVMBuildIntCast2(r->job.builder, p.low, word, 1, ""));
    }
  }
}

// What takes such integers and gives something else, or nothing; NULL when the instruction stays.
static LLVMValueRef take(rewriting *r, LLVMValueRef instruction, bool *out_is_gone) {
  const LLVMOpcode op = LLVMGetInstructionOpcode(instruction);
  LLVMTypeRef type = LLVMTypeOf(instruction);
  LLVMValueRef first = LLVMGetOperand(instruction, 0);
  *out_is_gone = true;
  switch (op) {
    case LLVMTrunc:
    case LLVMZExt:
      return tn_parts_convert(&r->job, value_of(r, first), type, false).low;
    case LLVMSExt:
      return tn_parts_convert(&r->job, tn_parts_with_sign(&r->job, value_of(r, first)), type, true)
          .low;
    case LLVMICmp:
      return tn_parts_compare(&r->job, LLVMGetICmpPredicate(instruction), value_of(r, first),
                              value_of(r, LLVMGetOperand(instruction, 1)));
    case LLVMUIToFP:
    case LLVMSIToFP: {
      const tn_parts p =
          op == LLVMSIToFP ? tn_parts_with_sign(&r->job, value_of(r, first)) : value_of(r, first);
      if (p.high) {
        fail(r, instruction, "an integer of more than 64 bits converted to a float");
      }
      return LLVMBuildCast(r->job.builder, op, p.low, type, "");
    }
    case LLVMIntToPtr:
      return LLVMBuildIntToPtr(
          r->job.builder, tn_parts_resize(&r->job, value_of(r, first).low, r->job.word), type, "");
    case LLVMBitCast:
      return to_vector(r, instruction);
    case LLVMExtractElement:
    case LLVMInsertElement:
    case LLVMGetElementPtr:
      if (op == LLVMExtractElement && tn_parts_is_odd(LLVMTypeOf(first))) {
        break;
      }
      take_indices(r, instruction);
      *out_is_gone = false;
      return NULL;
    case LLVMStore:
      store(r, instruction);
      return NULL;
    case LLVMSwitch:
      take_switch(r, instruction);
      return NULL;
    default:
      break;
  }
  fail(r, instruction, "an operation that takes such an integer and is not known here");
  *out_is_gone = false;
  return NULL;
}

static bool takes_odd(LLVMValueRef instruction) {
  const int count = LLVMGetNumOperands(instruction);
  for (int i = 0; i < count; ++i) {
    if (tn_parts_is_odd(LLVMTypeOf(LLVMGetOperand(instruction, (unsigned)i)))) {
      return true;
    }
  }
  return false;
}

static void rewrite_instruction(rewriting *r, LLVMValueRef instruction) {
  if (tn_parts_is_odd(LLVMTypeOf(instruction))) {
    (void)value_of(r, instruction);
    return;
  }
  if (!takes_odd(instruction)) {
    return;
  }
  bool is_gone = false;
  go_to(r, instruction);
  LLVMValueRef made = take(r, instruction, &is_gone);
  if (made) {
    LLVMReplaceAllUsesWith(instruction, made);
  }
  if (is_gone && !tn_list_add(&r->old, &r->arena, instruction)) {
    fail_memory(r);
  }
}

static bool has_odd(LLVMValueRef function) {
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
      if (tn_parts_is_odd(LLVMTypeOf(i)) || takes_odd(i)) {
        return true;
      }
    }
  }
  return false;
}

static void for_each(rewriting *r, LLVMValueRef function, bool of_phis,
                     void (*visit)(rewriting *r, LLVMValueRef instruction)) {
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && r->status == TN_OK;) {
      LLVMValueRef next = LLVMGetNextInstruction(i);
      const bool is_odd_phi = LLVMIsAPHINode(i) && tn_parts_is_odd(LLVMTypeOf(i));
      if (is_odd_phi == of_phis) {
        visit(r, i);
      }
      i = next;
    }
  }
}

static void rewrite_function(rewriting *r, LLVMValueRef function) {
  r->at = NULL;  // an instruction of the function before, which is gone
  for_each(r, function, true, make_phi);
  for_each(r, function, false, rewrite_instruction);
  for_each(r, function, true, fill_phi);
  for (size_t i = 0; i < r->old.count; ++i) {
    LLVMValueRef old = r->old.items[i];
    if (LLVMGetTypeKind(LLVMTypeOf(old)) != LLVMVoidTypeKind) {
      LLVMReplaceAllUsesWith(old, LLVMGetPoison(LLVMTypeOf(old)));
    }
  }
  for (size_t i = 0; i < r->old.count; ++i) {
    LLVMInstructionEraseFromParent(r->old.items[i]);
  }
  r->old.count = 0;
  tn_map_deinit(&r->values);
  tn_map_init(&r->values);
}

// The result and whether it is wrong, as LLVM's {iN, i1}: with a sign it is when the operands'
// signs say so; a product is looked at in twice the bits.
static LLVMValueRef overflow_of(rewriting *r, LLVMValueRef call, tn_str op, bool has_sign,
                                LLVMValueRef *out_result) {
  LLVMBuilderRef build = r->job.builder;
  LLVMValueRef a = LLVMGetOperand(call, 0);
  LLVMValueRef b = LLVMGetOperand(call, 1);
  LLVMTypeRef type = LLVMTypeOf(a);
  LLVMValueRef zero = LLVMConstNull(type);
  if (tn_str_equals(op, TN_STR_LIT("mul"))) {
    const unsigned width = tn_parts_width_of(type);
    LLVMTypeRef twice = tn_parts_type_like(&r->job, type, width * 2);
    LLVMValueRef wide = LLVMBuildMul(build, LLVMBuildIntCast2(build, a, twice, has_sign, ""),
                                     LLVMBuildIntCast2(build, b, twice, has_sign, ""), "");
    *out_result = LLVMBuildTrunc(build, wide, type, "");
    return LLVMBuildICmp(build, LLVMIntNE,
                         LLVMBuildIntCast2(build, *out_result, twice, has_sign, ""), wide, "");
  }
  const bool is_add = tn_str_equals(op, TN_STR_LIT("add"));
  *out_result = is_add ? LLVMBuildAdd(build, a, b, "") : LLVMBuildSub(build, a, b, "");
  if (!has_sign) {
    return is_add ? LLVMBuildICmp(build, LLVMIntULT, *out_result, a, "")
                  : LLVMBuildICmp(build, LLVMIntULT, a, b, "");
  }
  LLVMValueRef changed = LLVMBuildXor(build, *out_result, a, "");
  LLVMValueRef other = LLVMBuildXor(build, is_add ? *out_result : a, b, "");
  return LLVMBuildICmp(build, LLVMIntSLT, LLVMBuildAnd(build, changed, other, ""), zero, "");
}

static void expand_overflow(rewriting *r, LLVMValueRef call, tn_str op, bool has_sign) {
  LLVMValueRef result = NULL;
  go_to(r, call);
  LLVMValueRef is_wrong = overflow_of(r, call, op, has_sign, &result);
  for (LLVMUseRef use = LLVMGetFirstUse(call); use;) {
    LLVMValueRef user = LLVMGetUser(use);
    use = LLVMGetNextUse(use);
    if (LLVMIsAExtractValueInst(user)) {
      LLVMReplaceAllUsesWith(user, LLVMGetIndices(user)[0] == 0 ? result : is_wrong);
      LLVMInstructionEraseFromParent(user);
    }
  }
  if (LLVMGetFirstUse(call)) {
    LLVMValueRef both =
        LLVMBuildInsertValue(r->job.builder, LLVMGetUndef(LLVMTypeOf(call)), result, 0, "");
    LLVMReplaceAllUsesWith(call, LLVMBuildInsertValue(r->job.builder, both, is_wrong, 1, ""));
  }
  LLVMInstructionEraseFromParent(call);
}

// SPIR-V has sums with a carry, which drivers for processors lack; other overflows it has not.
static void expand_overflows(rewriting *r) {
  const tn_str prefix = TN_STR_LIT("llvm.");
  for (LLVMValueRef f = LLVMGetFirstFunction(r->module); f; f = LLVMGetNextFunction(f)) {
    const tn_str name = tn_value_name(f);
    if (!tn_str_has_prefix(name, prefix) ||
        !tn_str_has_prefix(tn_str_slice(name, prefix.size + 4, SIZE_MAX),
                           TN_STR_LIT(".with.overflow."))) {
      continue;
    }
    const bool has_sign = name.data[prefix.size] == 's';
    const tn_str op = tn_str_slice(name, prefix.size + 1, 3);
    for (LLVMUseRef use = LLVMGetFirstUse(f); use;) {
      LLVMValueRef call = LLVMGetUser(use);
      use = LLVMGetNextUse(use);
      if (LLVMIsACallInst(call)) {
        expand_overflow(r, call, op, has_sign);
      }
    }
  }
}

tn_status tn_emit_spirv_integers(LLVMModuleRef module, tn_diag *diag) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  rewriting r = {.module = module,
                 .job = {.context = context,
                         .builder = LLVMCreateBuilderInContext(context),
                         .word = LLVMInt64TypeInContext(context)},
                 .diag = diag};
  tn_arena_init(&r.arena);
  tn_map_init(&r.values);
  expand_overflows(&r);
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f && r.status == TN_OK;
       f = LLVMGetNextFunction(f)) {
    if (tn_function_is_defined(f) && has_odd(f)) {
      rewrite_function(&r, f);
    }
  }
  tn_map_deinit(&r.values);
  tn_arena_deinit(&r.arena);
  LLVMDisposeBuilder(r.job.builder);
  return r.status;
}
