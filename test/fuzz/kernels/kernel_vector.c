// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl::vec in generated kernels. Elements of signed types are combined bit by bit only.
#include "fuzz/kernels/kernel_generator.h"

kernel_type pick_vector_type(generator *g) {
  static const uint8_t types[] = {TYPE_U8,  TYPE_U16, TYPE_U32, TYPE_U32,
                                  TYPE_I32, TYPE_U64, TYPE_F32, TYPE_F32};
  static const uint8_t widths[] = {2, 3, 4, 4, 8, 16};
  const kernel_type type = {types[pick(g, TN_COUNT(types))], widths[pick(g, TN_COUNT(widths))]};
  // Not larger than what a buffer's element is aligned to.
  return type_of(type)->size * type.width > 64 ? (kernel_type){type.scalar, 4} : type;
}

const variable *pick_vector(generator *g, kernel_type type) {
  for (uint32_t i = g->scope_count; i-- > 0;) {
    const variable *v = &g->scope[i];
    if (v->type.width != 0 && v->uniform >= g->needs &&
        type_of(v->type)->is_float == type_of(type)->is_float && chance(g, 60)) {
      return v;
    }
  }
  return NULL;
}

static const variable *vector_of_type(generator *g, kernel_type type) {
  for (uint32_t i = g->scope_count; i-- > 0;) {
    const variable *v = &g->scope[i];
    if (type_is_equal(v->type, type) && v->uniform >= g->needs && chance(g, 70)) {
      return v;
    }
  }
  return NULL;
}

static value gen_elements(generator *g, kernel_type type) {
  const kernel_type of = {type.scalar, 0};
  tree *kids[8];
  tn_buf form;
  tn_buf_init(&form, 256);
  tn_buf_add_format(&form, "%s(", type_name(g->arena, type));
  const uint32_t count = type.width > 8 || chance(g, 25) ? 1 : type.width;
  for (uint32_t i = 0; i < count; i++) {
    kids[i] = gen_value(g, of, 1).node;
    tn_buf_add_format(&form, i > 0 ? ", $%u" : "$%u", i);
  }
  tn_buf_add_text(&form, ")");
  tree *node = tree_node(g->arena, TREE_EXPRESSION, type, tn_arena_str(g->arena, tn_buf_str(&form)),
                         count, kids);
  tn_buf_deinit(&form);
  return with_full_range(node);
}

static value gen_swizzle(generator *g, kernel_type type) {
  const variable *from = NULL;
  for (uint32_t i = g->scope_count; i-- > 0 && !from;) {
    const variable *v = &g->scope[i];
    from = v->type.width != 0 && v->type.scalar == type.scalar && v->uniform >= g->needs ? v : NULL;
  }
  if (!from) {
    return gen_elements(g, type);
  }
  tn_buf form;
  tn_buf_init(&form, 256);
  tn_buf_add_format(&form, "%s($0.swizzle<", type_name(g->arena, type));
  for (uint32_t i = 0; i < type.width; i++) {
    tn_buf_add_format(&form, i > 0 ? ", %u" : "%u", pick(g, from->type.width));
  }
  tn_buf_add_text(&form, ">())");
  tree *node =
      expression(g, type, tn_arena_str(g->arena, tn_buf_str(&form)), use(g, from).node, NULL, NULL);
  tn_buf_deinit(&form);
  return with_full_range(node);
}

static value gen_vector_load(generator *g, kernel_type type) {
  const kernel_launch *l = &g->it->launch;
  for (uint32_t i = 0; i < l->buffer_count; i++) {
    if (g->plans[i].role == ROLE_INPUT && type_is_equal(l->buffers[i].type, type)) {
      return with_full_range(expression(g, type, tn_arena_format(g->arena, "a.b%u[$0]", i),
                                        gen_index(g, l->buffers[i].count), NULL, NULL));
    }
  }
  return gen_elements(g, type);
}

value gen_vector(generator *g, kernel_type type, int depth) {
  const type_traits *t = type_of(type);
  if (depth <= 0 || chance(g, 20)) {
    const variable *v = vector_of_type(g, type);
    return v ? use(g, v) : gen_elements(g, type);
  }
  const uint32_t kind = pick(g, 100);
  if (kind < 50) {
    static const char *const sums[] = {"($0 + $1)", "($0 - $1)", "($0 * $1)"};
    static const char *const bits[] = {"($0 & $1)", "($0 | $1)", "($0 ^ $1)"};
    const bool is_sum = t->is_float || (!t->is_signed && chance(g, 60));
    const char *form = is_sum ? sums[pick(g, 3)] : bits[pick(g, 3)];
    const value a = gen_vector(g, type, depth - 1);
    const kernel_type of = {type.scalar, 0};
    const value b = chance(g, 25) ? gen_value(g, of, 1) : gen_vector(g, type, depth - 1);
    return with_full_range(expression(g, type, form, a.node, b.node, NULL));
  }
  if (kind < 65) {
    return gen_swizzle(g, type);
  }
  if (kind < 80) {
    return gen_vector_load(g, type);
  }
  if (kind < 88 && !t->is_float) {
    return with_full_range(
        expression(g, type, "(~$0)", gen_vector(g, type, depth - 1).node, NULL, NULL));
  }
  if (kind < 94 && !t->is_float) {
    const value a = gen_vector(g, type, depth - 1);
    const value b = gen_vector(g, type, depth - 1);
    return with_full_range(expression(
        g, type, chance(g, 50) ? "sycl::min($0, $1)" : "sycl::max($0, $1)", a.node, b.node, NULL));
  }
  if (kind < 97) {
    static const uint8_t from[] = {TYPE_U8, TYPE_I16, TYPE_U32, TYPE_I32};
    const kernel_type other = {from[pick(g, TN_COUNT(from))], type.width};
    const char *form = tn_arena_format(g->arena, "$0.convert<%s>()", t->name);
    return with_full_range(expression(g, type, form, gen_elements(g, other).node, NULL, NULL));
  }
  return gen_elements(g, type);
}

void gen_vector_statement(generator *g, tree *block) {
  for (uint32_t i = g->scope_count; i-- > 0;) {
    const variable *v = &g->scope[i];
    if (v->type.width != 0 && v->is_mutable && chance(g, 60)) {
      const kernel_type of = {v->type.scalar, 0};
      tree *into = use(g, v).node;
      if (chance(g, 40)) {
        const kernel_type pair = {v->type.scalar, 2};
        const uint32_t first = pick(g, v->type.width - 1u);
        const char *form =
            tn_arena_format(g->arena, "\t$0.swizzle<%u, %u>() = $1;\n", first + 1, first);
        tree_add(g->arena, block, statement(g, form, into, gen_vector(g, pair, 1).node, NULL));
      } else {
        tree *index = gen_index(g, v->type.width);
        tree_add(g->arena, block,
                 statement(g, "\t$0[$1] = $2;\n", into, index, gen_value(g, of, 2).node));
      }
      return;
    }
  }
  declare(g, block, gen_vector(g, pick_vector_type(g), 2), true);
}
