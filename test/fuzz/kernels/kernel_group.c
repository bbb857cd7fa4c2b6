// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What work-items of generated kernels do together: group functions, sub-group functions, barriers
// and local memory. Only where all of the group, or sub-group, are sure to come.
#include "fuzz/kernels/kernel_generator.h"

static const char *group_name(const generator *g, bool is_sub_group) {
  return is_sub_group ? "it.get_sub_group()" : "it.get_group()";
  (void)g;
}

// Sums of integers wrap in unsigned types; of others they stay small, and so exact.
static value gen_operand(generator *g, kernel_type type, bool is_sum) {
  const value v = gen_value(g, type, 3);
  if (type_of(type)->is_float) {
    const value n = gen_value(g, scalar(TYPE_I32), 2);
    const char *form = tn_arena_format(g->arena, "((%s)($0 & 255))", type_of(type)->name);
    return with_full_range(expression(g, type, form, n.node, NULL, NULL));
  }
  if (!is_sum || !type_of(type)->is_signed) {
    return v;
  }
  return with_full_range(expression(g, type, "($0 & 65535)", v.node, NULL, NULL));
}

static value gen_reduction(generator *g, const char *group) {
  static const uint8_t types[] = {TYPE_I32, TYPE_U32, TYPE_I64, TYPE_U64, TYPE_F32, TYPE_F64};
  static const char *const operations[] = {"plus",    "minimum", "maximum",
                                           "bit_and", "bit_or",  "bit_xor"};
  const kernel_type type = scalar(types[pick(g, TN_COUNT(types))]);
  const uint32_t operation = pick(g, type_of(type)->is_float ? 3 : 6);
  const value v = gen_operand(g, type, operation == 0);
  const char *name = type_of(type)->name;
  const char *form;
  switch (pick(g, 3)) {
    case 0:
      form = tn_arena_format(g->arena, "sycl::reduce_over_group(%s, $0, sycl::%s<%s>())", group,
                             operations[operation], name);
      break;
    case 1:
      form = tn_arena_format(g->arena, "sycl::inclusive_scan_over_group(%s, $0, sycl::%s<%s>())",
                             group, operations[operation], name);
      break;
    default:
      form = tn_arena_format(g->arena,
                             "sycl::exclusive_scan_over_group(%s, $0, (%s)3, sycl::%s<%s>())",
                             group, name, operations[operation], name);
      break;
  }
  return with_full_range(expression(g, type, form, v.node, NULL, NULL));
}

static value gen_vote(generator *g, const char *group) {
  static const char *const votes[] = {"any", "all", "none"};
  tree *condition = gen_condition(g, 3);
  const char *form =
      tn_arena_format(g->arena, "sycl::%s_of_group(%s, $0)", votes[pick(g, 3)], group);
  return with_full_range(expression(g, scalar(TYPE_BOOL), form, condition, NULL, NULL));
}

static void gen_broadcast(generator *g, tree *block, bool is_sub_group, uniformity uniform) {
  const kernel_type type = pick_scalar_type(g);
  const value v = gen_value(g, type, 3);
  const char *name = type_of(type)->name;
  const char *form;
  if (is_sub_group) {
    form = tn_arena_format(g->arena,
                           "\tconst %s %%v = sycl::group_broadcast(it.get_sub_group(), $0, "
                           "%uu %% it.get_sub_group().get_local_linear_range());\n",
                           name, pick(g, 64));
  } else {
    form = tn_arena_format(g->arena,
                           "\tconst %s %%v = sycl::group_broadcast(it.get_group(), $0, "
                           "(size_t)%u);\n",
                           name, pick(g, g->group_size));
  }
  declare_as(g, block, form, v, false, uniform);
}

// What another work-item of the sub-group has; its own where there is no such work-item.
static void gen_shuffle(generator *g, tree *block) {
  static const char *const forms[] = {
      "\t%s %%v = sycl::shift_group_left(it.get_sub_group(), $0, %uu);\n"
      "\tif (sid + %u >= ssize) {\n\t  %%v = %u;\n\t}\n",
      "\t%s %%v = sycl::shift_group_right(it.get_sub_group(), $0, %uu);\n"
      "\tif (sid < %u) {\n\t  %%v = %u;\n\t}\n",
      "\t%s %%v = sycl::permute_group_by_xor(it.get_sub_group(), $0, %uu);\n"
      "\tif ((sid ^ %u) >= ssize) {\n\t  %%v = %u;\n\t}\n"};
  const kernel_type type = pick_scalar_type(g);
  if (type.scalar == TYPE_BOOL) {
    return;
  }
  const value v = gen_value(g, type, 3);
  const uint32_t kind = pick(g, 4);
  if (kind == 3) {
    tree *index = gen_value(g, scalar(TYPE_U32), 2).node;
    const char *form =
        tn_arena_format(g->arena,
                        "\tconst %s %%v = sycl::select_from_group(it.get_sub_group(), $0, "
                        "$1 %% (unsigned)ssize);\n",
                        type_of(type)->name);
    declare_as(g, block, form, v, false, UNIFORM_ITEM);
    tree *node = block->kids[block->count - 1];
    tree *const kids[] = {v.node, index};
    tree *with = tree_node(g->arena, TREE_STATEMENT, node->type, form, 2, kids);
    with->variable = node->variable;
    with->is_declaration = true;
    block->kids[block->count - 1] = with;
    return;
  }
  const uint32_t by = pick(g, g->it->launch.sub_group);
  const char *form =
      tn_arena_format(g->arena, forms[kind], type_of(type)->name, by, by, pick(g, 9));
  declare_as(g, block, form, v, true, UNIFORM_ITEM);
}

// Sums of all the group, from what the last barrier left. Some work-items only take part.
static void gen_local_atomics(generator *g, tree *block, uint32_t local, value v) {
  static const char *const operations[] = {"add", "min", "max", "and", "or", "xor"};
  const kernel_local *l = &g->it->launch.locals[local];
  const char *form = tn_arena_format(
      g->arena,
      "\tif ($2) {\n\t  sycl::atomic_ref<%s, sycl::memory_order::relaxed, "
      "sycl::memory_scope::work_group, sycl::access::address_space::local_space>(l%u[$1])"
      ".fetch_%s($0);\n\t}\n",
      type_of(l->type)->name, local, operations[pick(g, 6)]);
  tree_add(g->arena, block,
           statement(g, form, v.node, gen_index(g, l->count), gen_condition(g, 2)));
}

// Each work-item writes its own element; after a barrier all read any; and a barrier before the
// next write.
static bool gen_local(generator *g, tree *block) {
  const kernel_launch *l = &g->it->launch;
  if (l->local_count == 0 || g->together != UNIFORM_GROUP || g->is_function) {
    return false;
  }
  const uint32_t i = pick(g, l->local_count);
  const kernel_type type = l->locals[i].type;
  const uint32_t each = l->locals[i].count / g->group_size;
  const bool is_factor_first = chance(g, 50);
  const uint32_t offset = pick(g, each);
  const char *index = is_factor_first
                          ? tn_arena_format(g->arena, "lid * %u + %u", each, offset)
                          : tn_arena_format(g->arena, "%u + %u * lid", offset, each);
  static const char barrier[] = "\tsycl::group_barrier(it.get_group());\n";
  tree *wait = statement(g, barrier, NULL, NULL, NULL);
  wait->kind = TREE_FIXED;
  const value own = gen_value(g, type, 3);
  const bool is_atomic = !type_of(type)->is_float && type_of(type)->size >= 4 && chance(g, 40);
  if (is_atomic) {
    gen_local_atomics(g, block, i, own);
  } else {
    const char *form = tn_arena_format(g->arena, "\tl%u[%s] = $0;\n", i, index);
    tree_add(g->arena, block, statement(g, form, own.node, NULL, NULL));
  }
  tree_add(g->arena, block, wait);
  const int reads = random_between(&g->random, 1, 3);
  for (int n = 0; n < reads; n++) {
    tree *element = expression(g, type, tn_arena_format(g->arena, "l%u[$0]", i),
                               gen_index(g, l->locals[i].count), NULL, NULL);
    declare(g, block, with_full_range(element), false);
  }
  tree_add(g->arena, block, wait);
  return true;
}

// Operations whose result is the same in any order, and does not overflow, for all numbers.
static const char *pick_safe_operation(generator *g, kernel_type type) {
  static const char *const operations[] = {"minimum", "maximum", "bit_and",
                                           "bit_or",  "bit_xor", "plus"};
  return operations[pick(g, type_of(type)->is_float ? 2 : type_of(type)->is_signed ? 5 : 6)];
}

// A range of an input buffer, reduced or asked by all of the group.
static bool gen_joint_query(generator *g, tree *block, const char *group, uniformity uniform) {
  const kernel_launch *l = &g->it->launch;
  const uint32_t i = pick(g, l->buffer_count);
  const kernel_buffer *b = &l->buffers[i];
  if (g->plans[i].role != ROLE_INPUT || b->type.width != 0) {
    return false;
  }
  const char *name = type_of(b->type)->name;
  const uint32_t last = 1 + pick(g, b->count);
  const uint32_t first = pick(g, last);
  const char *range =
      tn_arena_format(g->arena, "%s, a.b%u + %u, a.b%u + %u", group, i, first, i, last);
  static const char *const queries[] = {"any", "all", "none"};
  if (chance(g, 30)) {
    const char *form = tn_arena_format(
        g->arena, "sycl::joint_%s_of(%s, [](%s e) { return e > (%s)%u; })", queries[pick(g, 3)],
        range, name, name, pick(g, 100));
    tree *node = expression(g, scalar(TYPE_BOOL), form, NULL, NULL, NULL);
    declare_as(g, block, "\tconst bool %v = $0;\n", with_full_range(node), false, uniform);
    return true;
  }
  const char *form = tn_arena_format(g->arena, "sycl::joint_reduce(%s, sycl::%s<%s>())", range,
                                     pick_safe_operation(g, b->type), name);
  const char *declaration = tn_arena_format(g->arena, "\tconst %s %%v = $0;\n", name);
  declare_as(g, block, declaration,
             with_full_range(expression(g, b->type, form, NULL, NULL, NULL)), false, uniform);
  return true;
}

// Local memory becomes the scan of itself, or of an input buffer of its type.
static bool gen_joint_scan(generator *g, tree *block) {
  const kernel_launch *l = &g->it->launch;
  if (l->local_count == 0 || g->together != UNIFORM_GROUP) {
    return false;
  }
  const uint32_t to = pick(g, l->local_count);
  const kernel_type type = l->locals[to].type;
  const char *name = type_of(type)->name;
  if (type.scalar == TYPE_BOOL) {
    return false;
  }
  uint32_t count = 1 + pick(g, l->locals[to].count);
  const char *from = tn_arena_format(g->arena, "&l%u[0]", to);
  for (uint32_t i = 0; i < l->buffer_count; i++) {
    if (g->plans[i].role == ROLE_INPUT && type_is_equal(l->buffers[i].type, type)) {
      from = tn_arena_format(g->arena, "a.b%u", i);
      count = count < l->buffers[i].count ? count : l->buffers[i].count;
    }
  }
  const char *operation = pick_safe_operation(g, type);
  const bool is_exclusive = chance(g, 50);
  // Without a first value an exclusive scan begins with the operation's identity.
  const char *first = is_exclusive ? tn_arena_format(g->arena, "(%s)5, ", name) : "";
  const char *form = tn_arena_format(
      g->arena, "\tsycl::joint_%s_scan(it.get_group(), %s, %s + %u, &l%u[0], %ssycl::%s<%s>());\n",
      is_exclusive ? "exclusive" : "inclusive", from, from, count, to, first, operation, name);
  static const char barrier[] = "\tsycl::group_barrier(it.get_group());\n";
  tree *wait = statement(g, barrier, NULL, NULL, NULL);
  wait->kind = TREE_FIXED;
  tree_add(g->arena, block, statement(g, form, NULL, NULL, NULL));
  tree_add(g->arena, block, wait);
  tree *element = expression(g, type, tn_arena_format(g->arena, "l%u[$0]", to),
                             gen_index(g, l->locals[to].count), NULL, NULL);
  declare(g, block, with_full_range(element), false);
  tree_add(g->arena, block, wait);
  return true;
}

bool gen_group_statement(generator *g, tree *block) {
  const kernel_launch *l = &g->it->launch;
  if (!l->is_nd || g->is_function) {
    return false;
  }
  const bool has_sub_groups = l->sub_group != 0;
  const bool is_sub_group = g->together == UNIFORM_SUB_GROUP || (has_sub_groups && chance(g, 60));
  if (is_sub_group && !has_sub_groups) {
    return false;
  }
  const char *group = group_name(g, is_sub_group);
  const uniformity uniform = is_sub_group ? UNIFORM_SUB_GROUP : UNIFORM_GROUP;
  switch (pick(g, 7)) {
    case 0: {
      const value v = gen_reduction(g, group);
      declare(g, block, v, false);
      return true;
    }
    case 1: {
      const value v = gen_vote(g, group);
      declare_as(g, block, "\tconst bool %v = $0;\n", v, false, uniform);
      return true;
    }
    case 2:
      gen_broadcast(g, block, is_sub_group, uniform);
      return true;
    case 3:
    case 4:
      if (has_sub_groups) {
        gen_shuffle(g, block);
        return true;
      }
      return gen_local(g, block);
    case 5:
      return chance(g, 50) ? gen_joint_query(g, block, group, uniform) : gen_joint_scan(g, block);
    default:
      return gen_local(g, block);
  }
}
