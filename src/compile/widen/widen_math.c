// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mathematics on vectors, from the C library's vector part. The names are those of the vector
// function ABI: _ZGV <instructions> N <lanes> v… _ <function>.
#include "base/host_function.h"
#include "compile/widen/lanes.h"

#include <stdio.h>

typedef struct math_function {
  const char *name;       // of double's; float's ends in f
  const char *intrinsic;  // or NULL
  unsigned arguments;
} math_function;

// Their vector forms are at most 4 ulp off. Where SYCL's limit is lower and they were measured
// beyond (docs/accuracy.md), sycl:: computes the function itself: exp, and log and log10 of float.
static const math_function functions[] = {
    {"sin", "llvm.sin", 1},     {"cos", "llvm.cos", 1},     {"exp", "llvm.exp", 1},
    {"log", "llvm.log", 1},     {"pow", "llvm.pow", 2},     {"exp2", "llvm.exp2", 1},
    {"exp10", "llvm.exp10", 1}, {"log2", "llvm.log2", 1},   {"log10", "llvm.log10", 1},
    {"tan", "llvm.tan", 1},     {"asin", "llvm.asin", 1},   {"acos", "llvm.acos", 1},
    {"atan", "llvm.atan", 1},   {"atan2", "llvm.atan2", 2}, {"sinh", "llvm.sinh", 1},
    {"cosh", "llvm.cosh", 1},   {"tanh", "llvm.tanh", 1},   {"erf", NULL, 1},
    {"erfc", NULL, 1},          {"asinh", NULL, 1},         {"acosh", NULL, 1},
    {"atanh", NULL, 1},         {"expm1", NULL, 1},
};

static bool matches(const math_function *f, LLVMValueRef called, bool is_float) {
  const unsigned id = LLVMGetIntrinsicID(called);
  if (id != 0) {
    return f->intrinsic && LLVMLookupIntrinsicID(f->intrinsic, strlen(f->intrinsic)) == id;
  }
  const tn_str name = tn_value_name(called);
  const size_t size = strlen(f->name);
  return tn_str_has_prefix(name, tn_str_from(f->name)) &&
         (is_float ? name.size == size + 1 && name.data[size] == 'f' : name.size == size);
}

static const math_function *find(LLVMValueRef call, bool is_float) {
  LLVMValueRef called = LLVMGetCalledValue(call);
  if (!LLVMIsAFunction(called) || tn_function_is_defined(called)) {
    return NULL;
  }
  for (size_t k = 0; k < TN_COUNT(functions); k++) {
    if (LLVMGetNumArgOperands(call) == functions[k].arguments &&
        matches(&functions[k], called, is_float)) {
      return &functions[k];
    }
  }
  return NULL;
}

// 'e' has 64 bytes, 'd' 32, 'b' 16.
static char instructions_for(unsigned bytes) { return bytes == 64 ? 'e' : bytes == 32 ? 'd' : 'b'; }

static LLVMValueRef declare(tn_widener *w, const math_function *f, bool is_float, unsigned lanes) {
  const unsigned bytes = lanes * (is_float ? 4 : 8);
  char name[64];
  (void)snprintf(name, sizeof(name), "_ZGV%cN%uv%s_%s%s", instructions_for(bytes), lanes,
                 f->arguments == 2 ? "v" : "", f->name, is_float ? "f" : "");
  if (!tn_is_host_function(tn_str_from(name))) {
    return NULL;
  }
  LLVMValueRef function = LLVMGetNamedFunction(w->module, name);
  if (!function) {
    LLVMTypeRef element =
        is_float ? LLVMFloatTypeInContext(w->context) : LLVMDoubleTypeInContext(w->context);
    LLVMTypeRef type = LLVMVectorType(element, lanes);
    LLVMTypeRef params[2] = {type, type};
    function = LLVMAddFunction(w->module, name, LLVMFunctionType(type, params, f->arguments, 0));
    tn_function_add_enum(function, "nounwind");
    tn_function_add_enum(function, "willreturn");
    tn_function_add_enum(function, "nofree");
  }
  return function;
}

static LLVMValueRef part(tn_widener *w, LLVMValueRef vector, unsigned first, unsigned lanes) {
  if (lanes == w->width) {
    return vector;
  }
  LLVMValueRef order[TN_WIDTH_MAX];
  for (unsigned l = 0; l < lanes; l++) {
    order[l] = LLVMConstInt(LLVMInt32TypeInContext(w->context), first + l, 0);
  }
  return LLVMBuildShuffleVector(w->builder, vector, LLVMGetPoison(LLVMTypeOf(vector)),
                                LLVMConstVector(order, lanes), "");
}

// `whole` with the lanes of `piece` from `first` on.
static LLVMValueRef join(tn_widener *w, LLVMValueRef whole, LLVMValueRef piece, unsigned first,
                         unsigned lanes) {
  if (lanes == w->width) {
    return piece;
  }
  LLVMTypeRef i32 = LLVMInt32TypeInContext(w->context);
  LLVMValueRef wide[TN_WIDTH_MAX];
  LLVMValueRef order[TN_WIDTH_MAX];
  for (unsigned l = 0; l < w->width; l++) {
    wide[l] = l < lanes ? LLVMConstInt(i32, l, 0) : LLVMGetPoison(i32);
    const bool is_new = l >= first && l < first + lanes;
    order[l] = LLVMConstInt(i32, is_new ? w->width + l - first : l, 0);
  }
  LLVMValueRef spread = LLVMBuildShuffleVector(w->builder, piece, LLVMGetPoison(LLVMTypeOf(piece)),
                                               LLVMConstVector(wide, w->width), "");
  return LLVMBuildShuffleVector(w->builder, whole, spread, LLVMConstVector(order, w->width), "");
}

bool tn_widen_math(tn_widener *w, LLVMValueRef call) {
  const LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(call));
  const bool is_float = kind == LLVMFloatTypeKind;
  if ((!is_float && kind != LLVMDoubleTypeKind) || w->vector_bytes < 16) {
    return false;
  }
  const math_function *f = find(call, is_float);
  const unsigned most = w->vector_bytes / (is_float ? 4 : 8);
  const unsigned lanes = w->width < most ? w->width : most;
  LLVMValueRef function =
      f && lanes * (is_float ? 4u : 8u) >= 16 ? declare(w, f, is_float, lanes) : NULL;
  if (!function) {
    return false;
  }
  LLVMValueRef result = LLVMGetPoison(tn_lanes_vector_type(w, LLVMTypeOf(call)));
  LLVMValueRef arguments[2] = {NULL, NULL};
  for (unsigned k = 0; k < f->arguments; k++) {
    arguments[k] = tn_lanes_vector(w, LLVMGetOperand(call, k));
  }
  for (unsigned first = 0; first < w->width; first += lanes) {
    LLVMValueRef pieces[2] = {NULL, NULL};
    for (unsigned k = 0; k < f->arguments; k++) {
      pieces[k] = part(w, arguments[k], first, lanes);
    }
    LLVMValueRef piece = LLVMBuildCall2(w->builder, LLVMGlobalGetValueType(function), function,
                                        pieces, f->arguments, "");
    result = join(w, result, piece, first, lanes);
  }
  tn_lanes_set(w, call, tn_lanes_from_vector(result));
  return true;
}
