// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Expressions of generated kernels. No work-item that evaluates one meets undefined behavior.
#include "fuzz/kernels/kernel_generator.h"

wide type_low(kernel_type type) {
  const type_traits *t = type_of(type);
  return t->is_signed ? -((wide)1 << (8 * t->size - 1)) : 0;
}

wide type_high(kernel_type type) {
  const type_traits *t = type_of(type);
  if (type.scalar == TYPE_BOOL) {
    return 1;
  }
  return ((wide)1 << (8 * t->size - (t->is_signed ? 1 : 0))) - 1;
}

value with_range(tree *node, wide low, wide high) {
  const bool fits = low >= type_low(node->type) && high <= type_high(node->type);
  return fits ? (value){node, low, high} : with_full_range(node);
}

value with_full_range(tree *node) {
  return (value){node, type_low(node->type), type_high(node->type)};
}

static tree *node_of(generator *g, tree_kind kind, kernel_type type, const char *form, tree *a,
                     tree *b, tree *c) {
  tree *const kids[] = {a, b, c};
  const uint32_t count = !a ? 0 : !b ? 1 : !c ? 2 : 3;
  return tree_node(g->arena, kind, type, form, count, kids);
}

tree *expression(generator *g, kernel_type type, const char *form, tree *a, tree *b, tree *c) {
  return node_of(g, TREE_EXPRESSION, type, form, a, b, c);
}

tree *statement(generator *g, const char *form, tree *a, tree *b, tree *c) {
  return node_of(g, TREE_STATEMENT, (kernel_type){0}, form, a, b, c);
}

static const char *number_form(generator *g, kernel_type type, long long n) {
  static const char *const forms[TYPE_COUNT] = {[TYPE_I8] = "((signed char)%lld)",
                                                [TYPE_U8] = "((unsigned char)%lld)",
                                                [TYPE_I16] = "((short)%lld)",
                                                [TYPE_U16] = "((unsigned short)%lld)",
                                                [TYPE_I32] = "%lld",
                                                [TYPE_U32] = "%lldu",
                                                [TYPE_I64] = "%lldl",
                                                [TYPE_U64] = "%lluul",
                                                [TYPE_F32] = "%lld.0f",
                                                [TYPE_F64] = "%lld.0"};
  if (type.scalar == TYPE_BOOL) {
    return n ? "true" : "false";
  }
  if (type.scalar == TYPE_I32 && n == INT32_MIN) {
    return "(-2147483647 - 1)";
  }
  if (type.scalar == TYPE_I64 && n == INT64_MIN) {
    return "(-9223372036854775807l - 1l)";
  }
  const char *text = tn_arena_format(g->arena, forms[type.scalar], n);
  return text[0] == '-' ? tn_arena_format(g->arena, "(%s)", text) : text;
}

value constant_of(generator *g, kernel_type type, wide number) {
  tree *node = expression(g, type, number_form(g, type, (long long)number), NULL, NULL, NULL);
  return with_range(node, number, number);
}

value gen_constant(generator *g, kernel_type type) {
  static const int small[] = {0, 1, 2, 3, 4, 5, 7, 8, 15, 16, 31, 32, 63, 64, 100, 127};
  const wide low = type_low(type);
  const wide high = type_high(type);
  wide n = small[pick(g, TN_COUNT(small))];
  if (type_of(type)->is_float) {
    n = chance(g, 30) ? -n : n;
    const char *form = tn_arena_format(g->arena, chance(g, 50) ? "%d.5%s" : "%d.0%s", (int)n,
                                       type.scalar == TYPE_F32 ? "f" : "");
    return with_full_range(expression(
        g, type, n < 0 ? tn_arena_format(g->arena, "(%s)", form) : form, NULL, NULL, NULL));
  }
  switch (pick(g, 6)) {
    case 0:
      n = low;
      break;
    case 1:
      n = high;
      break;
    case 2:
      n = -n;
      break;
    case 3:
      n = (wide)(random_u64(&g->random) >> pick(g, 64));
      break;
    default:
      break;
  }
  return constant_of(g, type, n < low || n > high ? (wide)pick(g, 2) : n);
}

kernel_type pick_integer_type(generator *g) {
  static const uint8_t types[] = {TYPE_I8,  TYPE_U8,  TYPE_I16, TYPE_U16, TYPE_I32, TYPE_I32,
                                  TYPE_I32, TYPE_U32, TYPE_U32, TYPE_I64, TYPE_I64, TYPE_U64};
  return scalar(types[pick(g, TN_COUNT(types))]);
}

kernel_type pick_scalar_type(generator *g) {
  if (chance(g, 22)) {
    return scalar(chance(g, 65) ? TYPE_F32 : TYPE_F64);
  }
  return chance(g, 5) ? scalar(TYPE_BOOL) : pick_integer_type(g);
}

value use(generator *g, const variable *v) {
  tree *node = expression(g, v->type, v->form, NULL, NULL, NULL);
  node->variable = v->id;
  return (value){node, v->low, v->high};
}

const variable *pick_variable(generator *g, bool is_float) {
  if (g->scope_count == 0) {
    return NULL;
  }
  for (int tries = 0; tries < 12; tries++) {
    // The newest half as often as not.
    uint32_t at = pick(g, g->scope_count);
    at = chance(g, 50) ? g->scope_count - 1 - at / 2 : at;
    const variable *v = &g->scope[at];
    if (v->type.width == 0 && type_of(v->type)->is_float == is_float && v->uniform >= g->needs) {
      return v;
    }
  }
  return NULL;
}

value convert(generator *g, value v, kernel_type type) {
  if (type_is_equal(v.node->type, type)) {
    return v;
  }
  const char *form = type.scalar == TYPE_BOOL ? "($0 != 0)" : NULL;
  if (!form) {
    form = tn_arena_format(g->arena, "((%s)$0)", type_of(type)->name);
  }
  tree *node = expression(g, type, form, v.node, NULL, NULL);
  if (type.scalar == TYPE_BOOL || type_of(type)->is_float) {
    return with_full_range(node);
  }
  return with_range(node, v.low, v.high);
}

static value leaf(generator *g, kernel_type type) {
  const variable *v = pick_variable(g, type_of(type)->is_float);
  if (!v || chance(g, 12)) {
    return gen_constant(g, type);
  }
  return convert(g, use(g, v), type);
}

// Sums and products: whether the range stays in what the operation is computed in decides.
static bool operate(char op, value a, value b, wide *low, wide *high) {
  const wide limit = (wide)1 << 62;
  if (a.low < -limit || a.high > limit || b.low < -limit || b.high > limit) {
    return false;
  }
  if (op == '+') {
    *low = a.low + b.low;
    *high = a.high + b.high;
  } else if (op == '-') {
    *low = a.low - b.high;
    *high = a.high - b.low;
  } else {
    const wide p[] = {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};
    *low = *high = p[0];
    for (int i = 1; i < 4; i++) {
      *low = p[i] < *low ? p[i] : *low;
      *high = p[i] > *high ? p[i] : *high;
    }
  }
  return true;
}

static value arithmetic(generator *g, kernel_type type, char op, value a, value b) {
  const type_traits *t = type_of(type);
  if (t->is_float) {
    return with_full_range(
        expression(g, type, tn_arena_format(g->arena, "($0 %c $1)", op), a.node, b.node, NULL));
  }
  // What the operands are promoted to.
  const kernel_type wider = t->size < 4 ? scalar(TYPE_I32) : type;
  wide low = 0;
  wide high = 0;
  const bool is_known = operate(op, a, b, &low, &high);
  const bool fits = is_known && low >= type_low(wider) && high <= type_high(wider);
  const char *form;
  if (!fits && type_of(wider)->is_signed) {
    const char *word = type_of(wider)->size == 8 ? "unsigned long" : "unsigned";
    form = tn_arena_format(g->arena, "((%s)((%s)$0 %c (%s)$1))", t->name, word, op, word);
  } else if (t->size < 4) {
    form = tn_arena_format(g->arena, "((%s)($0 %c $1))", t->name, op);
  } else {
    form = tn_arena_format(g->arena, "($0 %c $1)", op);
  }
  tree *node = expression(g, type, form, a.node, b.node, NULL);
  return fits ? with_range(node, low, high) : with_full_range(node);
}

static value gen_arithmetic(generator *g, kernel_type type, int depth) {
  static const char ops[] = "++---**";
  const char op = ops[pick(g, sizeof(ops) - 1)];
  const value a = gen_value(g, type, depth - 1);
  const value b = chance(g, 35) ? gen_constant(g, type) : gen_value(g, type, depth - 1);
  if (type_of(type)->is_float && chance(g, 12)) {
    return with_full_range(expression(g, type, "($0 / $1)", a.node, b.node, NULL));
  }
  return arithmetic(g, type, op, a, b);
}

static value gen_bits(generator *g, kernel_type type, int depth) {
  static const char ops[] = {'&', '|', '^'};
  const char op = ops[pick(g, 3)];
  const value a = gen_value(g, type, depth - 1);
  if (op == '&' && chance(g, 50)) {
    const wide mask = ((wide)1 << (1 + pick(g, 8u * type_of(type)->size - 1))) - 1;
    const wide high = type_high(type);
    const value m = constant_of(g, type, mask > high ? high : mask);
    const char *form = tn_arena_format(g->arena, "((%s)($0 & $1))", type_of(type)->name);
    return with_range(expression(g, type, form, a.node, m.node, NULL), 0, m.high);
  }
  const value b = gen_value(g, type, depth - 1);
  const char *form = tn_arena_format(g->arena, "((%s)($0 %c $1))", type_of(type)->name, op);
  return with_full_range(expression(g, type, form, a.node, b.node, NULL));
}

// Shifts left are of unsigned types, by less than the width of what they are computed in.
static value gen_shift(generator *g, kernel_type type, int depth) {
  const type_traits *t = type_of(type);
  const value a = gen_value(g, type, depth - 1);
  const kernel_type by_type = pick_integer_type(g);
  const value by = gen_value(g, by_type, depth - 1);
  const int mask = 8 * t->size - 1;
  const char *form;
  if (chance(g, 50)) {
    form = tn_arena_format(g->arena, "((%s)($0 >> ($1 & %d)))", t->name, mask);
  } else if (t->size == 8) {
    form = tn_arena_format(g->arena, "((%s)((unsigned long)$0 << ($1 & %d)))", t->name, mask);
  } else {
    form = tn_arena_format(g->arena, "((%s)((unsigned)$0 << ($1 & %d)))", t->name, mask);
  }
  return with_full_range(expression(g, type, form, a.node, by.node, NULL));
}

// A division that only some work-items may do. The divisor is a leaf: it is written twice.
static value gen_division(generator *g, kernel_type type, int depth) {
  const value a = gen_value(g, type, depth - 1);
  const value b = leaf(g, type);
  const char op = chance(g, 50) ? '/' : '%';
  const char *name = type_of(type)->name;
  if (chance(g, 30)) {
    const wide high = type_high(type) > 1000 ? 1000 : type_high(type);
    const value c = constant_of(g, type, 1 + (wide)pick(g, (uint32_t)high));
    const char *form = tn_arena_format(g->arena, "((%s)($0 %c $1))", name, op);
    tree *node = expression(g, type, form, a.node, c.node, NULL);
    if (op == '%') {
      return with_range(node, a.low < 0 ? -c.high + 1 : 0, c.high - 1);
    }
    return with_full_range(node);
  }
  const value other = leaf(g, type);
  const char *form = tn_arena_format(g->arena, "((%s)($1 > 0 ? $0 %c $1 : $2))", name, op);
  return with_full_range(expression(g, type, form, a.node, b.node, other.node));
}

static value hull(tree *node, value a, value b) {
  return with_range(node, a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high);
}

static value gen_choice(generator *g, kernel_type type, int depth) {
  tree *condition = gen_condition(g, depth - 1);
  const value a = gen_value(g, type, depth - 1);
  const value b = gen_value(g, type, depth - 1);
  tree *node = expression(g, type, "($0 ? $1 : $2)", condition, a.node, b.node);
  return type_of(type)->is_float ? with_full_range(node) : hull(node, a, b);
}

static value gen_unary(generator *g, kernel_type type, int depth) {
  const value a = gen_value(g, type, depth - 1);
  const type_traits *t = type_of(type);
  if (t->is_float) {
    return with_full_range(expression(g, type, "(-$0)", a.node, NULL, NULL));
  }
  if (chance(g, 50)) {
    const char *form = tn_arena_format(g->arena, "((%s)(~$0))", t->name);
    return with_full_range(expression(g, type, form, a.node, NULL, NULL));
  }
  return arithmetic(g, type, '-', constant_of(g, type, 0), a);
}

static value gen_integer_builtin(generator *g, kernel_type type, int depth) {
  static const char *const two[] = {"sycl::mul_hi",  "sycl::hadd",    "sycl::rhadd",
                                    "sycl::add_sat", "sycl::sub_sat", "sycl::rotate"};
  static const char *const one[] = {"sycl::popcount", "sycl::clz", "sycl::ctz"};
  const value a = gen_value(g, type, depth - 1);
  const uint32_t kind = pick(g, 5);
  if (kind == 0) {
    const char *form = tn_arena_format(g->arena, "%s($0)", one[pick(g, TN_COUNT(one))]);
    return with_range(expression(g, type, form, a.node, NULL, NULL), 0, 64);
  }
  const value b = gen_value(g, type, depth - 1);
  if (kind == 1) {
    const char *form = tn_arena_format(g->arena, "%s($0, $1)", two[pick(g, TN_COUNT(two))]);
    return with_full_range(expression(g, type, form, a.node, b.node, NULL));
  }
  const bool is_min = chance(g, 50);
  const char *form = is_min ? "sycl::min($0, $1)" : "sycl::max($0, $1)";
  tree *node = expression(g, type, form, a.node, b.node, NULL);
  const wide low = is_min == (a.low < b.low) ? a.low : b.low;
  const wide high = is_min == (a.high < b.high) ? a.high : b.high;
  return with_range(node, low, high);
}

static value gen_float_builtin(generator *g, kernel_type type, int depth) {
  static const char *const one[] = {"fabs", "floor", "ceil", "trunc", "rint", "sqrt"};
  const value a = gen_value(g, type, depth - 1);
  if (chance(g, 55)) {
    const char *form = tn_arena_format(g->arena, "sycl::%s($0)", one[pick(g, TN_COUNT(one))]);
    return with_full_range(expression(g, type, form, a.node, NULL, NULL));
  }
  const value b = leaf(g, type);
  if (chance(g, 30)) {
    const value c = gen_value(g, type, depth - 1);
    return with_full_range(expression(g, type, "sycl::fma($0, $1, $2)", a.node, b.node, c.node));
  }
  const value c = leaf(g, type);
  const char *form = chance(g, 50) ? "($0 < $1 ? $0 : $1)" : "($0 > $1 ? $0 : $1)";
  return with_full_range(expression(g, type, form, c.node, b.node, NULL));
}

// A conversion from a floating point number that is defined for those that come to it only.
static value gen_from_float(generator *g, kernel_type type) {
  const variable *v = pick_variable(g, true);
  if (!v) {
    return leaf(g, type);
  }
  const wide bound = type_high(type) < 1000 ? type_high(type) : 1000;
  const wide low = type_of(type)->is_signed ? -bound : 0;
  const char *form = tn_arena_format(g->arena, "($0 > %d.0f && $0 < %d.0f ? (%s)$0 : $1)", (int)low,
                                     (int)bound, type_of(type)->name);
  const value other = constant_of(g, type, 1);
  tree *node = expression(g, type, form, use(g, v).node, other.node, NULL);
  return with_range(node, low, bound);
}

static value gen_call(generator *g, kernel_type type, int depth) {
  if (g->is_function || g->helper_count == 0) {
    return leaf(g, type);
  }
  const helper *h = &g->helpers[pick(g, g->helper_count)];
  tree *kids[3];
  tn_buf form;
  tn_buf_init(&form, 256);
  tn_buf_add_format(&form, "f%u(a", h->id);
  for (uint32_t i = 0; i < h->parameter_count; i++) {
    kids[i] = gen_value(g, h->parameters[i], depth > 2 ? 1 : depth - 1).node;
    tn_buf_add_format(&form, ", $%u", i);
  }
  tn_buf_add_text(&form, ")");
  tree *node = tree_node(g->arena, TREE_EXPRESSION, h->result,
                         tn_arena_str(g->arena, tn_buf_str(&form)), h->parameter_count, kids);
  tn_buf_deinit(&form);
  if (type_of(h->result)->is_float != type_of(type)->is_float) {
    return type_of(type)->is_float ? convert(g, with_full_range(node), type) : leaf(g, type);
  }
  return convert(g, with_full_range(node), type);
}

static value gen_array_element(generator *g, kernel_type type) {
  const variable *vector = chance(g, 40) ? pick_vector(g, type) : NULL;
  if (vector) {
    const kernel_type of = {vector->type.scalar, 0};
    tree *node =
        expression(g, of, "$0[$1]", use(g, vector).node, gen_index(g, vector->type.width), NULL);
    return convert(g, with_full_range(node), type);
  }
  if (g->array_count == 0 || g->needs > UNIFORM_ITEM) {
    return leaf(g, type);
  }
  const private_array *array = &g->arrays[pick(g, g->array_count)];
  if (type_of(array->type)->is_float && !type_of(type)->is_float) {
    return leaf(g, type);
  }
  tree *node = expression(g, array->type, "%v[$0]", gen_index(g, array->count), NULL, NULL);
  node->variable = array->id;
  return convert(g, with_full_range(node), type);
}

static value gen_integer(generator *g, kernel_type type, int depth) {
  const uint32_t kind = pick(g, 100);
  if (kind < 30) {
    return gen_arithmetic(g, type, depth);
  }
  if (kind < 40) {
    return gen_bits(g, type, depth);
  }
  if (kind < 46) {
    return gen_shift(g, type, depth);
  }
  if (kind < 52) {
    return gen_division(g, type, depth);
  }
  if (kind < 58) {
    return gen_choice(g, type, depth);
  }
  if (kind < 62) {
    return gen_unary(g, type, depth);
  }
  if (kind < 69) {
    return gen_integer_builtin(g, type, depth);
  }
  if (kind < 80) {
    return gen_load(g, type);
  }
  if (kind < 83) {
    return gen_from_float(g, type);
  }
  if (kind < 87) {
    return gen_call(g, type, depth);
  }
  if (kind < 91) {
    return gen_array_element(g, type);
  }
  return convert(g, gen_value(g, pick_integer_type(g), depth - 1), type);
}

static value gen_float(generator *g, kernel_type type, int depth) {
  const uint32_t kind = pick(g, 100);
  if (kind < 40) {
    return gen_arithmetic(g, type, depth);
  }
  if (kind < 48) {
    return gen_choice(g, type, depth);
  }
  if (kind < 53) {
    return gen_unary(g, type, depth);
  }
  if (kind < 65) {
    return gen_float_builtin(g, type, depth);
  }
  if (kind < 80) {
    return gen_load(g, type);
  }
  if (kind < 85) {
    return gen_call(g, type, depth);
  }
  if (kind < 88) {
    return gen_array_element(g, type);
  }
  return convert(g, gen_value(g, pick_integer_type(g), depth - 1), type);
}

value gen_value(generator *g, kernel_type type, int depth) {
  if (type.width != 0) {
    return gen_vector(g, type, depth);
  }
  if (depth <= 0 || chance(g, 25)) {
    return leaf(g, type);
  }
  if (type.scalar == TYPE_BOOL) {
    return with_full_range(gen_condition(g, depth));
  }
  return type_of(type)->is_float ? gen_float(g, type, depth) : gen_integer(g, type, depth);
}

tree *gen_condition(generator *g, int depth) {
  static const char *const compares[] = {"($0 < $1)",       "($0 <= $1)", "($0 > $1)",
                                         "($0 >= $1)",      "($0 == $1)", "($0 != $1)",
                                         "(($0 & $1) == 0)"};
  const kernel_type is_bool = scalar(TYPE_BOOL);
  if (depth > 1 && chance(g, 35)) {
    tree *a = gen_condition(g, depth - 1);
    if (chance(g, 15)) {
      return expression(g, is_bool, "(!$0)", a, NULL, NULL);
    }
    tree *b = gen_condition(g, depth - 1);
    return expression(g, is_bool, chance(g, 50) ? "($0 && $1)" : "($0 || $1)", a, b, NULL);
  }
  if (chance(g, 12)) {
    return gen_guarded_condition(g);
  }
  const bool is_float = chance(g, 15);
  const kernel_type type = is_float ? scalar(TYPE_F32) : pick_integer_type(g);
  const value a = gen_value(g, type, depth > 2 ? 2 : depth - 1);
  const value b = chance(g, 50) ? gen_constant(g, type) : gen_value(g, type, depth - 2);
  return expression(g, is_bool, compares[pick(g, is_float ? 4 : 7)], a.node, b.node, NULL);
}
