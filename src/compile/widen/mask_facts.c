// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is known of masks without a look at each lane: whether any, and whether every lane is in
// them. Where that is two numbers compared, a strip's guard costs no vectors.
#include "compile/widen/lanes.h"

static LLVMValueRef reduce_mask(tn_widener *w, const char *reduction, LLVMValueRef mask) {
  LLVMTypeRef type = LLVMTypeOf(mask);
  return tn_widen_intrinsic(w, reduction, &type, 1, &mask, 1);
}

static tn_mask_facts facts_of(const tn_widener *w, LLVMValueRef mask) {
  const tn_mask_facts *facts = tn_map_find(&w->facts, TN_POINTER_KEY(mask));
  return facts ? *facts : (tn_mask_facts){0};
}

static void note(tn_widener *w, LLVMValueRef mask, LLVMValueRef any, LLVMValueRef every) {
  if ((!any && !every) || LLVMIsConstant(mask)) {
    return;
  }
  tn_mask_facts *facts = tn_widen_alloc(w, 1, sizeof(*facts));
  if (facts) {
    *facts = (tn_mask_facts){.any = any, .every = every};
    if (!tn_map_set(&w->facts, TN_POINTER_KEY(mask), facts)) {
      tn_widen_fail(w, "there is no memory");
    }
  }
}

static LLVMValueRef build_not(tn_widener *w, LLVMValueRef bit) {
  return bit ? LLVMBuildNot(w->builder, bit, "") : NULL;
}

static void note_inverse(tn_widener *w, LLVMValueRef inverse, tn_mask_facts facts) {
  note(w, inverse, build_not(w, facts.every), build_not(w, facts.any));
}

LLVMValueRef tn_mask_not(tn_widener *w, LLVMValueRef mask) {
  LLVMValueRef inverse = LLVMBuildNot(w->builder, mask, "");
  note_inverse(w, inverse, facts_of(w, mask));
  return inverse;
}

LLVMValueRef tn_mask_any(tn_widener *w, LLVMValueRef mask) {
  if (!mask) {
    return LLVMConstInt(LLVMInt1TypeInContext(w->context), 1, 0);
  }
  LLVMValueRef any = facts_of(w, mask).any;
  return any ? any : reduce_mask(w, "llvm.vector.reduce.or", mask);
}

LLVMValueRef tn_mask_every(tn_widener *w, LLVMValueRef mask) {
  if (!mask) {
    return LLVMConstInt(LLVMInt1TypeInContext(w->context), 1, 0);
  }
  LLVMValueRef every = facts_of(w, mask).every;
  return every ? every : reduce_mask(w, "llvm.vector.reduce.and", mask);
}

static LLVMIntPredicate predicate_swapped(LLVMIntPredicate predicate) {
  switch (predicate) {
    case LLVMIntULT:
      return LLVMIntUGT;
    case LLVMIntULE:
      return LLVMIntUGE;
    case LLVMIntUGT:
      return LLVMIntULT;
    case LLVMIntUGE:
      return LLVMIntULE;
    case LLVMIntSLT:
      return LLVMIntSGT;
    case LLVMIntSLE:
      return LLVMIntSGE;
    case LLVMIntSGT:
      return LLVMIntSLT;
    case LLVMIntSGE:
      return LLVMIntSLE;
    default:
      return predicate;
  }
}

void tn_mask_note_compare(tn_widener *w, LLVMValueRef i, LLVMValueRef vector) {
  LLVMValueRef up = LLVMGetOperand(i, 0);
  LLVMValueRef same = LLVMGetOperand(i, 1);
  LLVMIntPredicate predicate = LLVMGetICmpPredicate(i);
  if (tn_shape_value_is_uniform(&w->shapes, up)) {
    LLVMValueRef other = up;
    up = same;
    same = other;
    predicate = predicate_swapped(predicate);
  }
  const tn_shape shape = tn_shape_of(&w->shapes, up);
  const unsigned exact = predicate >= LLVMIntSGT ? TN_EXACT_SIGNED : TN_EXACT_UNSIGNED;
  if (shape.kind != TN_SHAPE_LINEAR || shape.stride <= 0 || !(shape.exact & exact) ||
      !tn_shape_value_is_uniform(&w->shapes, same) ||
      LLVMGetTypeKind(LLVMTypeOf(up)) != LLVMIntegerTypeKind) {
    return;
  }
  LLVMValueRef first = tn_lanes_at(w, up, 0);
  LLVMValueRef last = tn_lanes_at(w, up, w->width - 1);
  LLVMValueRef bound = tn_lanes_scalar(w, same);
  LLVMValueRef at_first = LLVMBuildICmp(w->builder, predicate, first, bound, "");
  LLVMValueRef at_last = LLVMBuildICmp(w->builder, predicate, last, bound, "");
  switch (predicate) {
    case LLVMIntULT:
    case LLVMIntULE:
    case LLVMIntSLT:
    case LLVMIntSLE:
      note(w, vector, at_first, at_last);
      break;
    case LLVMIntUGT:
    case LLVMIntUGE:
    case LLVMIntSGT:
    case LLVMIntSGE:
      note(w, vector, at_last, at_first);
      break;
    default:
      break;
  }
}

// Of one of the two that are combined.
static tn_mask_facts facts_of_part(tn_widener *w, LLVMValueRef part) {
  if (tn_shape_value_is_uniform(&w->shapes, part)) {
    LLVMValueRef scalar = tn_lanes_scalar(w, part);
    return (tn_mask_facts){scalar, scalar};
  }
  return facts_of(w, tn_lanes_vector(w, part));
}

static bool is_constant_bit(LLVMValueRef value, bool bit) {
  return LLVMIsAConstantInt(value) && (LLVMConstIntGetZExtValue(value) != 0) == bit;
}

bool tn_condition_parts(LLVMValueRef value, bool both, LLVMValueRef parts[2]) {
  const bool is_select = LLVMIsASelectInst(value) != NULL;
  const LLVMOpcode opcode = both ? LLVMAnd : LLVMOr;
  if (!is_select && !(LLVMIsABinaryOperator(value) && LLVMGetInstructionOpcode(value) == opcode)) {
    return false;
  }
  parts[0] = LLVMGetOperand(value, 0);
  parts[1] = LLVMGetOperand(value, is_select && !both ? 2 : 1);
  LLVMValueRef other = is_select ? LLVMGetOperand(value, both ? 2 : 1) : NULL;
  return !is_select || (LLVMIsAConstantInt(other) && LLVMConstIntGetZExtValue(other) == !both);
}

// The second part may be poison where the first one decides.
static LLVMValueRef combine(tn_widener *w, LLVMValueRef a, LLVMValueRef b, bool is_and) {
  if (!a || !b) {
    return NULL;
  }
  LLVMValueRef decided = LLVMConstInt(LLVMTypeOf(a), is_and ? 0 : 1, 0);
  return is_and ? LLVMBuildSelect(w->builder, a, b, decided, "")
                : LLVMBuildSelect(w->builder, a, decided, b, "");
}

static bool note_pair(tn_widener *w, LLVMValueRef i, LLVMValueRef vector, bool is_and) {
  LLVMValueRef parts[2];
  if (!tn_condition_parts(i, is_and, parts)) {
    return false;
  }
  const tn_mask_facts a = facts_of_part(w, parts[0]);
  const tn_mask_facts b = facts_of_part(w, parts[1]);
  if (is_and) {
    note(w, vector, NULL, combine(w, a.every, b.every, true));
  } else {
    note(w, vector, combine(w, a.any, b.any, false), NULL);
  }
  return true;
}

void tn_mask_note_combined(tn_widener *w, LLVMValueRef i, LLVMValueRef vector) {
  LLVMTypeRef type = LLVMTypeOf(i);
  if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(type) != 1) {
    return;
  }
  const bool is_pair = note_pair(w, i, vector, true) || note_pair(w, i, vector, false);
  if (!is_pair && LLVMIsABinaryOperator(i) && LLVMGetInstructionOpcode(i) == LLVMXor &&
      is_constant_bit(LLVMGetOperand(i, 1), true)) {
    note_inverse(w, vector, facts_of_part(w, LLVMGetOperand(i, 0)));
  }
}
