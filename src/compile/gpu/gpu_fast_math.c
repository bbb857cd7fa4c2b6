// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of floats that may be approximate, as an NVIDIA GPU's instructions.
// needs: mathematics by C's and LLVM's names.  keeps: calls that have to be exact.  breaks:
// nothing. Source: CUDA C++ Programming Guide, "Intrinsic Functions": what -use_fast_math makes of
// each.
#include "compile/gpu/gpu_math.h"

enum { NAME_MAX_SIZE = 64 };

typedef enum fast_form {
  OF_ANGLE,    // the instruction itself
  TANGENT,     // sine / cosine
  EXPONENT,    // 2 ** (x * factor)
  LOGARITHM,   // log2(x) * factor
  POWER,       // 2 ** (y * log2(x))
  TWO_ANGLES,  // sine and cosine through pointers
} fast_form;

typedef struct fast_row {
  const char *name;  // in C, for double; float's ends in f
  fast_form form;
  const char *instruction;
  double factor;
} fast_row;

static const fast_row rows[] = {
    {"sin", OF_ANGLE, "sin", 0},
    {"cos", OF_ANGLE, "cos", 0},
    {"tan", TANGENT, NULL, 0},
    {"exp2", EXPONENT, NULL, 1},
    {"exp", EXPONENT, NULL, 1.4426950408889634},
    {"exp10", EXPONENT, NULL, 3.3219280948873623},
    {"log2", LOGARITHM, NULL, 1},
    {"log", LOGARITHM, NULL, 0.69314718055994531},
    {"log10", LOGARITHM, NULL, 0.30102999566398120},
    {"pow", POWER, NULL, 0},
    {"sincos", TWO_ANGLES, NULL, 0},
};

static const fast_row *row_of(LLVMValueRef function) {
  const tn_str name = tn_value_name(function);
  const bool is_intrinsic = tn_str_has_prefix(name, TN_STR_LIT("llvm."));
  tn_str base = is_intrinsic ? tn_str_slice(name, 5, SIZE_MAX) : name;
  if (is_intrinsic) {
    base = tn_str_slice(base, 0, tn_str_find_char(base, '.'));
  } else if (base.size > 0 && base.data[base.size - 1] == 'f') {
    base = tn_str_slice(base, 0, base.size - 1);
  } else {
    return NULL;
  }
  for (size_t i = 0; i < TN_COUNT(rows); ++i) {
    if (tn_str_equals(base, tn_str_from(rows[i].name))) {
      return &rows[i];
    }
  }
  return NULL;
}

// Of a float, or of a half, which is computed as one.
static bool is_of_float(LLVMValueRef function) {
  const LLVMTypeKind kind = LLVMCountParams(function) > 0
                                ? LLVMGetTypeKind(LLVMTypeOf(LLVMGetParam(function, 0)))
                                : LLVMVoidTypeKind;
  return kind == LLVMFloatTypeKind || kind == LLVMHalfTypeKind || kind == LLVMBFloatTypeKind;
}

static LLVMValueRef caller_of(LLVMValueRef call) {
  return LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
}

static bool may_approximate(LLVMValueRef call) {
  const tn_str wish = tn_function_attr(caller_of(call), TN_ATTR_GPU_TRANSCENDENTALS);
  if (wish.size > 0) {
    return tn_str_equals(wish, TN_STR_LIT(TN_GPU_FAST));
  }
  if (LLVMCanValueUseFastMathFlags(call)) {
    return (LLVMGetFastMathFlags(call) & LLVMFastMathApproxFunc) != 0;
  }
  // sincosf returns nothing that could have flags; -ffast-math says so of the function, too.
  return tn_str_equals(tn_function_attr(caller_of(call), "no-nans-fp-math"), TN_STR_LIT("true"));
}

// Where one call's instructions go.
typedef struct fast_call {
  LLVMModuleRef module;
  LLVMBuilderRef builder;
  LLVMTypeRef f32;
  bool flushes;  // floats too small to be normal are zeros
} fast_call;

// "llvm.nvvm.ex2.approx.ftz.f32" of "ex2" and "f32".
static LLVMValueRef build(const fast_call *to, const char *instruction, const char *suffix,
                          LLVMValueRef x) {
  tn_buf name;
  tn_buf_init(&name, NAME_MAX_SIZE);
  tn_buf_add_format(&name, "llvm.nvvm.%s.approx.%s%s", instruction, to->flushes ? "ftz." : "",
                    suffix);
  LLVMTypeRef f32 = to->f32;
  LLVMTypeRef type = LLVMFunctionType(f32, &f32, 1, 0);
  LLVMValueRef function = LLVMGetNamedFunction(to->module, tn_buf_text(&name));
  if (!function) {
    function = LLVMAddFunction(to->module, tn_buf_text(&name), type);
  }
  tn_buf_deinit(&name);
  return LLVMBuildCall2(to->builder, type, function, &x, 1, "");
}

static LLVMValueRef build_multiply(const fast_call *to, LLVMValueRef x, double factor) {
  return factor == 1 ? x : LLVMBuildFMul(to->builder, x, LLVMConstReal(to->f32, factor), "");
}

static LLVMValueRef operand(const fast_call *to, LLVMValueRef call, unsigned index) {
  LLVMValueRef x = LLVMGetOperand(call, index);
  return LLVMTypeOf(x) == to->f32 ? x : LLVMBuildFPExt(to->builder, x, to->f32, "");
}

// C's function writes both through pointers, LLVM's gives both back; NULL for C's.
static LLVMValueRef build_pair(const fast_call *to, LLVMValueRef call, LLVMValueRef x) {
  LLVMTypeRef type = LLVMTypeOf(call);
  LLVMValueRef values[2] = {build(to, "sin", "f", x), build(to, "cos", "f", x)};
  const bool is_value = LLVMGetTypeKind(type) == LLVMStructTypeKind;
  LLVMValueRef pair = is_value ? LLVMGetUndef(type) : NULL;
  for (unsigned i = 0; i < 2; ++i) {
    if (!is_value) {
      LLVMBuildStore(to->builder, values[i], LLVMGetOperand(call, i + 1));
      continue;
    }
    LLVMTypeRef own = LLVMStructGetTypeAtIndex(type, i);
    LLVMValueRef value =
        own == to->f32 ? values[i] : LLVMBuildFPTrunc(to->builder, values[i], own, "");
    pair = LLVMBuildInsertValue(to->builder, pair, value, i, "");
  }
  return pair;
}

// NULL when the result is not a value.
static LLVMValueRef build_form(const fast_call *to, const fast_row *row, LLVMValueRef call) {
  LLVMValueRef x = operand(to, call, 0);
  switch (row->form) {
    case OF_ANGLE:
      return build(to, row->instruction, "f", x);
    case TANGENT: {
      LLVMValueRef quotient =
          LLVMBuildFDiv(to->builder, build(to, "sin", "f", x), build(to, "cos", "f", x), "");
      LLVMSetFastMathFlags(quotient, LLVMFastMathApproxFunc);
      return quotient;
    }
    case EXPONENT:
      return build(to, "ex2", "f32", build_multiply(to, x, row->factor));
    case LOGARITHM:
      return build_multiply(to, build(to, "lg2", "f", x), row->factor);
    case POWER:
      return build(to, "ex2", "f32",
                   LLVMBuildFMul(to->builder, operand(to, call, 1), build(to, "lg2", "f", x), ""));
    case TWO_ANGLES:
      return build_pair(to, call, x);
  }
  return NULL;
}

static void replace_call(LLVMModuleRef module, const fast_row *row, LLVMValueRef call) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  fast_call to = {.module = module,
                  .builder = LLVMCreateBuilderInContext(context),
                  .f32 = LLVMFloatTypeInContext(context),
                  .flushes = tn_function_flushes_floats(caller_of(call))};
  LLVMPositionBuilderBefore(to.builder, call);
  LLVMValueRef result = build_form(&to, row, call);
  if (result) {
    LLVMTypeRef type = LLVMTypeOf(call);
    LLVMReplaceAllUsesWith(
        call, LLVMTypeOf(result) == type ? result : LLVMBuildFPTrunc(to.builder, result, type, ""));
  }
  LLVMInstructionEraseFromParent(call);
  LLVMDisposeBuilder(to.builder);
}

void tn_gpu_fast_math(LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    const bool is_known = !tn_function_is_defined(f) && !tn_function_is_external(f);
    const fast_row *row = is_known && is_of_float(f) ? row_of(f) : NULL;
    for (LLVMUseRef use = row ? LLVMGetFirstUse(f) : NULL; use;) {
      LLVMValueRef user = LLVMGetUser(use);
      use = LLVMGetNextUse(use);
      if (LLVMIsACallInst(user) && LLVMGetCalledValue(user) == f && may_approximate(user)) {
        replace_call(module, row, user);
      }
    }
  }
}
