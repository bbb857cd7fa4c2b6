// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls: what a sub-group does together, LLVM's functions on vectors, mathematics, and the rest
// lane by lane.
#include "compile/widen/lanes.h"
#include "tenon/cpu_kernel.h"

#include <stdio.h>

typedef struct op_name {
  const char *name;
  tn_group_op op;
} op_name;

// In the order of looking: a name that is part of another comes after it.
static const op_name op_names[] = {
    {"__spirv_ControlBarrier", TN_GROUP_OP_BARRIER},
    {"__spirv_GroupNonUniformShuffle", TN_GROUP_OP_SHUFFLE},
    {"__tenon_sub_group_ballot", TN_GROUP_OP_BALLOT},
    {"__spirv_BuiltInSubgroupLocalInvocationId", TN_GROUP_OP_LANE},
    {"__spirv_BuiltInSubgroupMaxSize", TN_GROUP_OP_MAX_COUNT},
    {"__spirv_BuiltInSubgroupSize", TN_GROUP_OP_COUNT},
    {"__spirv_BuiltInNumSubgroups", TN_GROUP_OP_GROUPS},
    {"__spirv_BuiltInSubgroupId", TN_GROUP_OP_ID},
};

tn_group_op tn_group_op_of_name(tn_str name) {
  if (tn_str_find(name, TN_STR_LIT("__spirv_")) == SIZE_MAX &&
      tn_str_find(name, TN_STR_LIT("__tenon_")) == SIZE_MAX) {
    return TN_GROUP_OP_NONE;
  }
  for (size_t i = 0; i < TN_COUNT(op_names); i++) {
    if (tn_str_find(name, tn_str_from(op_names[i].name)) != SIZE_MAX) {
      return op_names[i].op;
    }
  }
  return TN_GROUP_OP_NONE;
}

tn_group_op tn_group_op_of(LLVMValueRef call) {
  if (!LLVMIsACallInst(call)) {
    return TN_GROUP_OP_NONE;
  }
  LLVMValueRef called = LLVMGetCalledValue(call);
  return LLVMIsAFunction(called) ? tn_group_op_of_name(tn_value_name(called)) : TN_GROUP_OP_NONE;
}

enum { TN_SCOPE_SUB_GROUP = 3 };

bool tn_group_op_is_group_barrier(LLVMValueRef call) {
  if (tn_group_op_of(call) != TN_GROUP_OP_BARRIER) {
    return false;
  }
  LLVMValueRef scope = LLVMGetOperand(call, 0);
  return !LLVMIsAConstantInt(scope) || LLVMConstIntGetZExtValue(scope) < TN_SCOPE_SUB_GROUP;
}

// Sub-groups.

static LLVMValueRef i32_constant(tn_widener *w, uint64_t value) {
  return LLVMConstInt(LLVMInt32TypeInContext(w->context), value, 0);
}

LLVMValueRef tn_widen_local_size(tn_widener *w, unsigned dimension) {
  return tn_group_field(w->builder, w->out, LLVMInt64TypeInContext(w->context),
                        offsetof(tn_cpu_group, local_size) + dimension * sizeof(uint64_t), "");
}

// Sub-groups of `count` work-items, the last of which may be smaller.
static LLVMValueRef groups_of(tn_widener *w, LLVMValueRef count) {
  LLVMTypeRef i64 = LLVMInt64TypeInContext(w->context);
  LLVMValueRef more = LLVMBuildAdd(w->builder, count, LLVMConstInt(i64, w->width - 1, 0), "");
  return LLVMBuildUDiv(w->builder, more, LLVMConstInt(i64, w->width, 0), "");
}

// Sub-groups along the fastest dimension.
static LLVMValueRef groups_in_row(tn_widener *w) { return groups_of(w, tn_widen_local_size(w, 0)); }

// Of a folded strip, y and z are 0.
static LLVMValueRef group_id(tn_widener *w) {
  LLVMTypeRef i64 = LLVMInt64TypeInContext(w->context);
  LLVMValueRef row =
      LLVMBuildMul(w->builder, LLVMGetParam(w->out, TN_ITEM_Z), tn_widen_local_size(w, 1), "");
  row = LLVMBuildAdd(w->builder, row, LLVMGetParam(w->out, TN_ITEM_Y), "");
  LLVMValueRef in_row = LLVMBuildUDiv(w->builder, LLVMGetParam(w->out, TN_ITEM_X),
                                      LLVMConstInt(i64, w->width, 0), "");
  return LLVMBuildAdd(w->builder, LLVMBuildMul(w->builder, row, groups_in_row(w), ""), in_row, "");
}

static LLVMValueRef group_total(tn_widener *w) {
  LLVMValueRef rows =
      LLVMBuildMul(w->builder, tn_widen_local_size(w, 1), tn_widen_local_size(w, 2), "");
  return w->is_folded ? groups_of(w, LLVMBuildMul(w->builder, tn_widen_local_size(w, 0), rows, ""))
                      : LLVMBuildMul(w->builder, groups_in_row(w), rows, "");
}

static LLVMValueRef to_i32(tn_widener *w, LLVMValueRef value) {
  return LLVMBuildTrunc(w->builder, value, LLVMInt32TypeInContext(w->context), "");
}

// Lanes that ask for one that is not there get any value, but never one from outside the vector.
static LLVMValueRef clamp_id(tn_widener *w, LLVMValueRef id) {
  return LLVMBuildAnd(w->builder, id, i32_constant(w, w->width - 1), "");
}

#define PERMUTE_PREFIX "__tenon_permute "

bool tn_is_permute(LLVMValueRef function) {
  return tn_str_has_prefix(tn_value_name(function), TN_STR_LIT(PERMUTE_PREFIX));
}

bool tn_permute_order(LLVMValueRef ids, LLVMValueRef *out_order) {
  if (!LLVMIsConstant(ids)) {
    return false;
  }
  const unsigned lanes = LLVMGetVectorSize(LLVMTypeOf(ids));
  LLVMTypeRef element = LLVMGetElementType(LLVMTypeOf(ids));
  for (unsigned l = 0; l < lanes; l++) {
    LLVMValueRef id = LLVMGetAggregateElement(ids, l);
    if (id && LLVMIsAConstantInt(id)) {
      out_order[l] = LLVMConstInt(element, LLVMConstIntGetZExtValue(id) & (lanes - 1), false);
    } else if (id && LLVMIsUndef(id)) {  // or poison: the lane is masked off
      out_order[l] = LLVMGetPoison(element);
    } else {
      return false;
    }
  }
  return true;
}

// vector[ids], lane by lane. Which lanes those are is often known after optimizing alone, where
// loops over distances were unrolled: until then it is a call.
static LLVMValueRef permute(tn_widener *w, LLVMValueRef vector, LLVMValueRef ids) {
  LLVMValueRef order[TN_WIDTH_MAX];
  if (tn_permute_order(ids, order)) {
    return LLVMBuildShuffleVector(w->builder, vector, LLVMGetPoison(LLVMTypeOf(vector)),
                                  LLVMConstVector(order, w->width), "");
  }
  LLVMTypeRef params[2] = {LLVMTypeOf(vector), LLVMTypeOf(ids)};
  LLVMTypeRef type = LLVMFunctionType(params[0], params, 2, false);
  char *vector_name = LLVMPrintTypeToString(params[0]);
  char name[64];
  (void)snprintf(name, sizeof(name), PERMUTE_PREFIX "%s", vector_name);
  LLVMDisposeMessage(vector_name);
  LLVMValueRef function = LLVMGetNamedFunction(w->module, name);
  if (!function) {
    function = LLVMAddFunction(w->module, name, type);
    static const char *const attributes[] = {"memory",     "nounwind", "willreturn", "nofree",
                                             "nocallback", "nosync",   "speculatable"};
    for (size_t a = 0; a < TN_COUNT(attributes); a++) {
      tn_function_add_enum(function, attributes[a]);
    }
  }
  LLVMValueRef arguments[2] = {vector, ids};
  return LLVMBuildCall2(w->builder, type, function, arguments, 2, "");
}

static tn_lanes shuffle(tn_widener *w, LLVMValueRef i) {
  LLVMValueRef value = LLVMGetOperand(i, 1);
  LLVMValueRef id = LLVMGetOperand(i, 2);
  if (tn_shape_value_is_uniform(&w->shapes, value) && tn_shape_value_is_uniform(&w->shapes, id)) {
    return tn_lanes_from_scalar(tn_lanes_scalar(w, value), 0);
  }
  LLVMValueRef vector = tn_lanes_vector(w, value);
  if (tn_shape_value_is_uniform(&w->shapes, id)) {
    LLVMValueRef at = clamp_id(w, tn_lanes_scalar(w, id));
    return tn_lanes_from_scalar(LLVMBuildExtractElement(w->builder, vector, at, ""), 0);
  }
  return tn_lanes_from_vector(permute(w, vector, tn_lanes_vector(w, id)));
}

static LLVMValueRef ballot(tn_widener *w, LLVMValueRef i, LLVMValueRef mask) {
  LLVMTypeRef i64 = LLVMInt64TypeInContext(w->context);
  LLVMValueRef votes = tn_lanes_vector(w, LLVMGetOperand(i, 0));
  LLVMTypeRef bits = LLVMIntTypeInContext(w->context, w->width);
  LLVMValueRef packed = LLVMBuildBitCast(w->builder, tn_mask_and(w, mask, votes), bits, "");
  return w->width < 64 ? LLVMBuildZExt(w->builder, packed, i64, "") : packed;
}

static void widen_group_op(tn_widener *w, LLVMValueRef i, tn_group_op op, LLVMValueRef mask) {
  tn_lanes result = {0};
  switch (op) {
    case TN_GROUP_OP_BARRIER:
      // Lanes go together: a sub-group's barrier is only for the eyes of the compiler.
      if (tn_group_op_is_group_barrier(i)) {
        (void)tn_widen_clone(w, i);
      }
      return;
    case TN_GROUP_OP_SHUFFLE:
      result = shuffle(w, i);
      break;
    case TN_GROUP_OP_BALLOT:
      result.scalar = ballot(w, i, mask);
      break;
    case TN_GROUP_OP_LANE:
      result = tn_lanes_from_scalar(i32_constant(w, 0), 1);
      result.extended[0] = LLVMConstInt(LLVMInt64TypeInContext(w->context), 0, 0);
      result.extended[1] = result.extended[0];
      break;
    case TN_GROUP_OP_MAX_COUNT:
      result.scalar = i32_constant(w, w->width);
      break;
    case TN_GROUP_OP_COUNT:
      result.scalar =
          w->is_full ? i32_constant(w, w->width) : to_i32(w, LLVMGetParam(w->out, TN_STRIP_COUNT));
      break;
    case TN_GROUP_OP_GROUPS:
      result.scalar = to_i32(w, group_total(w));
      break;
    case TN_GROUP_OP_ID:
      result.scalar = to_i32(w, group_id(w));
      break;
    case TN_GROUP_OP_NONE:
      break;
  }
  tn_lanes_set(w, i, result);
}

// LLVM's functions.

typedef struct vector_intrinsic {
  const char *name;
  uint8_t scalar_arguments;  // bit k: argument k stays one for all
  int8_t second_type;        // of the overload: -1 none, else the argument with that type;
                             // -2: argument 0 has the only one
} vector_intrinsic;

static const vector_intrinsic vector_intrinsics[] = {
    {"llvm.fabs", 0, -1},      {"llvm.sqrt", 0, -1},       {"llvm.fma", 0, -1},
    {"llvm.fmuladd", 0, -1},   {"llvm.floor", 0, -1},      {"llvm.ceil", 0, -1},
    {"llvm.trunc", 0, -1},     {"llvm.rint", 0, -1},       {"llvm.nearbyint", 0, -1},
    {"llvm.round", 0, -1},     {"llvm.roundeven", 0, -1},  {"llvm.copysign", 0, -1},
    {"llvm.minnum", 0, -1},    {"llvm.maxnum", 0, -1},     {"llvm.minimum", 0, -1},
    {"llvm.maximum", 0, -1},   {"llvm.minimumnum", 0, -1}, {"llvm.maximumnum", 0, -1},
    {"llvm.ctpop", 0, -1},     {"llvm.ctlz", 2, -1},       {"llvm.cttz", 2, -1},
    {"llvm.bswap", 0, -1},     {"llvm.bitreverse", 0, -1}, {"llvm.smin", 0, -1},
    {"llvm.smax", 0, -1},      {"llvm.umin", 0, -1},       {"llvm.umax", 0, -1},
    {"llvm.abs", 2, -1},       {"llvm.sadd.sat", 0, -1},   {"llvm.ssub.sat", 0, -1},
    {"llvm.uadd.sat", 0, -1},  {"llvm.usub.sat", 0, -1},   {"llvm.fshl", 0, -1},
    {"llvm.fshr", 0, -1},      {"llvm.sin", 0, -1},        {"llvm.cos", 0, -1},
    {"llvm.tan", 0, -1},       {"llvm.exp", 0, -1},        {"llvm.exp2", 0, -1},
    {"llvm.exp10", 0, -1},     {"llvm.log", 0, -1},        {"llvm.log2", 0, -1},
    {"llvm.log10", 0, -1},     {"llvm.pow", 0, -1},        {"llvm.fptosi.sat", 0, 0},
    {"llvm.fptoui.sat", 0, 0}, {"llvm.ldexp", 0, 1},       {"llvm.scmp", 0, 0},
    {"llvm.ucmp", 0, 0},       {"llvm.is.fpclass", 2, -2}, {"llvm.canonicalize", 0, -1},
};

static const vector_intrinsic *find_intrinsic(unsigned id) {
  for (size_t k = 0; k < TN_COUNT(vector_intrinsics) && id != 0; k++) {
    const char *name = vector_intrinsics[k].name;
    if (LLVMLookupIntrinsicID(name, strlen(name)) == id) {
      return &vector_intrinsics[k];
    }
  }
  return NULL;
}

// LLVM's builder computes instructions on constants, but not its functions; and places to take a
// lane from are only a permutation when they are constant.
static LLVMValueRef fold_pair(tn_widener *w, const char *name, LLVMValueRef a, LLVMValueRef b) {
  LLVMTypeRef element = LLVMGetElementType(LLVMTypeOf(a));
  LLVMValueRef all[TN_WIDTH_MAX];
  for (unsigned l = 0; l < w->width; l++) {
    LLVMValueRef x = LLVMGetAggregateElement(a, l);
    LLVMValueRef y = LLVMGetAggregateElement(b, l);
    if (!x || !y || !LLVMIsAConstantInt(x) || !LLVMIsAConstantInt(y)) {
      return NULL;
    }
    const uint64_t p = LLVMConstIntGetZExtValue(x);
    const uint64_t q = LLVMConstIntGetZExtValue(y);
    if (strcmp(name, "llvm.usub.sat") == 0) {
      all[l] = LLVMConstInt(element, p > q ? p - q : 0, 0);
    } else if (strcmp(name, "llvm.umin") == 0) {
      all[l] = p < q ? x : y;
    } else if (strcmp(name, "llvm.umax") == 0) {
      all[l] = p > q ? x : y;
    } else {
      return NULL;
    }
  }
  return LLVMConstVector(all, w->width);
}

static LLVMValueRef fold_constants(tn_widener *w, const char *name, LLVMValueRef *arguments,
                                   unsigned count) {
  const bool is_constant =
      count == 2 && LLVMIsConstant(arguments[0]) && LLVMIsConstant(arguments[1]) &&
      LLVMGetTypeKind(LLVMTypeOf(arguments[0])) == LLVMVectorTypeKind &&
      LLVMTypeOf(arguments[0]) == LLVMTypeOf(arguments[1]) &&
      LLVMGetTypeKind(LLVMGetElementType(LLVMTypeOf(arguments[0]))) == LLVMIntegerTypeKind;
  return is_constant ? fold_pair(w, name, arguments[0], arguments[1]) : NULL;
}

static bool widen_intrinsic(tn_widener *w, LLVMValueRef i) {
  const vector_intrinsic *known = find_intrinsic(LLVMGetIntrinsicID(LLVMGetCalledValue(i)));
  const unsigned count = LLVMGetNumArgOperands(i);
  if (!known || count > 4 || !tn_lanes_has_vector(LLVMTypeOf(i)) ||
      !tn_lanes_has_vector(LLVMTypeOf(LLVMGetOperand(i, 0)))) {
    return false;
  }
  LLVMValueRef arguments[4];
  for (unsigned k = 0; k < count; k++) {
    LLVMValueRef argument = LLVMGetOperand(i, k);
    arguments[k] =
        (known->scalar_arguments >> k & 1) != 0 ? argument : tn_lanes_vector(w, argument);
  }
  LLVMValueRef folded = fold_constants(w, known->name, arguments, count);
  if (folded) {
    tn_lanes_set(w, i, tn_lanes_from_vector(folded));
    return true;
  }
  LLVMTypeRef types[2] = {tn_lanes_vector_type(w, LLVMTypeOf(i)), NULL};
  if (known->second_type >= 0) {
    types[1] = LLVMTypeOf(arguments[known->second_type]);
  } else if (known->second_type == -2) {
    types[0] = LLVMTypeOf(arguments[0]);
  }
  LLVMValueRef result =
      tn_widen_intrinsic(w, known->name, types, known->second_type >= 0 ? 2 : 1, arguments, count);
  if (LLVMCanValueUseFastMathFlags(i) && LLVMCanValueUseFastMathFlags(result)) {
    LLVMSetFastMathFlags(result, LLVMGetFastMathFlags(i));
  }
  tn_lanes_set(w, i, tn_lanes_from_vector(result));
  return true;
}

// Of a call that is done although no lane may come to it.
static void drop_promises(LLVMValueRef call) {
  const unsigned kind = LLVMGetEnumAttributeKindForName("noundef", 7);
  for (unsigned k = 0; k <= LLVMGetNumArgOperands(call); k++) {
    LLVMRemoveCallSiteEnumAttribute(call, k, kind);
  }
}

// Memory that all lanes fill alike is filled once.
static bool is_same_in_all_lanes(const tn_widener *w, LLVMValueRef i) {
  enum { TO, FROM, SIZE, IS_VOLATILE };
  return LLVMIsAMemIntrinsic(i) && LLVMIsNull(LLVMGetOperand(i, IS_VOLATILE)) &&
         tn_shape_value_is_uniform(&w->shapes, LLVMGetOperand(i, TO)) &&
         tn_shape_value_is_uniform(&w->shapes, LLVMGetOperand(i, FROM)) &&
         tn_shape_value_is_uniform(&w->shapes, LLVMGetOperand(i, SIZE));
}

void tn_widen_call(tn_widener *w, LLVMValueRef i, LLVMValueRef mask) {
  const tn_group_op op = tn_group_op_of(i);
  if (op != TN_GROUP_OP_NONE) {
    widen_group_op(w, i, op, mask);
    return;
  }
  const bool is_pure = tn_call_is_pure(i);
  const tn_shape shape = tn_shape_of(&w->shapes, i);
  if (is_pure && tn_shape_is_uniform(shape)) {
    LLVMValueRef clone = tn_widen_clone(w, i);
    if (mask) {
      drop_promises(clone);
    }
    tn_lanes_set(w, i, tn_lanes_from_scalar(clone, 0));
    return;
  }
  if (is_same_in_all_lanes(w, i)) {
    (void)tn_widen_clone(w, i);
    return;
  }
  if (tn_widen_math(w, i) || widen_intrinsic(w, i)) {
    return;
  }
  tn_explain_apart(w->remarks, i);
  tn_widen_each_lane(w, i, tn_call_is_speculatable(i) ? NULL : mask);
}
