// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A whole kernel: its launch, its buffers and who may use them how, its functions, its body.
#include "fuzz/kernels/kernel_generator.h"

static void choose_launch(generator *g) {
  static const uint32_t groups[] = {1, 4, 7, 8, 16, 20, 32, 33, 48, 64, 96};
  static const uint32_t sub_groups[] = {0, 4, 8, 16, 32, 64};  // what the CPU device has
  kernel_launch *l = &g->it->launch;
  l->dims = chance(g, 70) ? 1 : chance(g, 70) ? 2 : 3;
  l->is_nd = chance(g, 60);
  l->sub_group = sub_groups[pick(g, TN_COUNT(sub_groups))];
  const uint32_t most = l->dims == 1 ? 96 : l->dims == 2 ? 20 : 8;
  for (uint32_t i = 0; i < 3; i++) {
    l->global[i] = l->local[i] = 1;
  }
  g->item_count = g->group_size = 1;
  for (uint32_t i = 0; i < l->dims; i++) {
    uint32_t n = groups[pick(g, TN_COUNT(groups))];
    n = n > most ? most : n;
    n = i + 1 < l->dims && n > 8 ? 1 + pick(g, 4) : n;
    const uint32_t times = 1 + pick(g, l->dims == 1 ? 5 : 3);
    l->local[i] = n;
    l->global[i] = l->is_nd ? n * times : n * times + pick(g, 4);
    g->item_count *= l->global[i];
    g->group_size *= n;
  }
  // Which work-items are in which sub-group is the driver's choice elsewhere.
  if (g->is_portable && (l->dims > 1 || !l->is_nd || l->sub_group == 0 ||
                         l->local[0] % l->sub_group != 0)) {
    l->sub_group = 0;
  }
}

static void add_buffer(generator *g, kernel_type type, uint32_t count, buffer_role role) {
  kernel_launch *l = &g->it->launch;
  kernel_buffer *b = &l->buffers[l->buffer_count];
  *b = (kernel_buffer){.type = type,
                       .count = count,
                       .seed = random_u64(&g->random) >> 32,
                       .is_written = role != ROLE_INPUT};
  const wide low = type_low(type);
  const wide high = type_high(type);
  static const int bounds[] = {1, 3, 10, 100, 127, 1000, 30000};
  const int bound = bounds[pick(g, TN_COUNT(bounds))];
  if (type_of(type)->is_float || chance(g, 60)) {
    b->low = chance(g, 50) || low == 0 ? 0 : -(int64_t)(-low < bound ? -low : bound);
    b->high = (int64_t)(high < bound ? high : bound);
  } else {
    b->low = (int64_t)low;
    b->high = (int64_t)(high > INT64_MAX ? INT64_MAX : high);
  }
  g->plans[l->buffer_count++].role = (uint8_t)role;
}

static void choose_buffers(generator *g) {
  static const uint32_t counts[] = {1, 5, 16, 33, 64, 100, 128, 256, 301};
  const int inputs = random_between(&g->random, 1, 3);
  for (int i = 0; i < inputs; i++) {
    const bool is_vector = i > 0 && chance(g, 20);
    const kernel_type type = is_vector ? pick_vector_type(g) : pick_scalar_type(g);
    // Mostly as many as there are work-items, so that guards at the ends matter.
    const uint32_t count = chance(g, 60) ? g->item_count : counts[pick(g, TN_COUNT(counts))];
    add_buffer(g, type.scalar == TYPE_BOOL ? scalar(TYPE_I32) : type, count, ROLE_INPUT);
  }
  const int owned = random_between(&g->random, 1, 2);
  for (int i = 0; i < owned; i++) {
    kernel_type picked = chance(g, 15) ? pick_vector_type(g) : pick_scalar_type(g);
    // The fourth element of three is nobody's, and may become anything.
    picked.width = picked.width == 3 ? 4 : picked.width;
    const kernel_type type = picked.scalar == TYPE_BOOL ? scalar(TYPE_U8) : picked;
    buffer_plan *plan = &g->plans[g->it->launch.buffer_count];
    plan->order = pick(g, 6);
    plan->elements = plan->order == 1 || type.width != 0 ? 1 : 1u << pick(g, 3);
    add_buffer(g, type, g->item_count * plan->elements, ROLE_OWNED);
  }
  if (chance(g, 40)) {
    static const uint8_t types[] = {TYPE_I32, TYPE_U32, TYPE_I64, TYPE_U64};
    g->plans[g->it->launch.buffer_count].operation = 1 + pick(g, 6);
    add_buffer(g, scalar(types[pick(g, TN_COUNT(types))]), 1 + pick(g, 40), ROLE_ATOMIC);
  }
}

// Scalar 0 is a bound of indices.
static void choose_scalars(generator *g) {
  kernel_launch *l = &g->it->launch;
  const uint32_t bounded = l->buffers[pick(g, l->buffer_count)].count;
  l->scalars[l->scalar_count++] =
      (kernel_scalar){scalar(TYPE_I32), bounded - (bounded > 3 ? pick(g, 3) : 0)};
  const int more = random_between(&g->random, 0, 2);
  for (int i = 0; i < more; i++) {
    const kernel_type type = pick_scalar_type(g);
    const kernel_type of = type.scalar == TYPE_BOOL ? scalar(TYPE_U32) : type;
    const int number = random_between(&g->random, type_of(of)->is_signed ? -100 : 0, 100);
    l->scalars[l->scalar_count++] = (kernel_scalar){of, number};
  }
}

static void choose_locals(generator *g) {
  kernel_launch *l = &g->it->launch;
  const int count = l->is_nd && chance(g, 60) ? random_between(&g->random, 1, 2) : 0;
  for (int i = 0; i < count; i++) {
    const kernel_type type = pick_scalar_type(g);
    l->locals[l->local_count++] = (kernel_local){type, g->group_size * (1 + pick(g, 2))};
  }
}

static void add_variable(generator *g, const char *form, scalar_type type, wide low, wide high,
                         uniformity uniform) {
  g->scope[g->scope_count++] =
      (variable){0, form, scalar(type), low, high, (uint8_t)uniform, false};
}

static void add_line(generator *g, const char *form) {
  tree *node = statement(g, form, NULL, NULL, NULL);
  node->kind = TREE_FIXED;
  tree_add(g->arena, g->it->body, node);
}

static void add_scalars(generator *g) {
  static const char *const names[] = {"a.s0", "a.s1", "a.s2", "a.s3"};
  const kernel_launch *l = &g->it->launch;
  for (uint32_t i = 0; i < l->scalar_count; i++) {
    add_variable(g, names[i], (scalar_type)l->scalars[i].type.scalar, l->scalars[i].value,
                 l->scalars[i].value, UNIFORM_GROUP);
  }
}

static void add_ids(generator *g) {
  static const char *const names[] = {"x", "y", "z"};
  const kernel_launch *l = &g->it->launch;
  const bool is_nd = l->is_nd;
  add_line(g, is_nd          ? "\tconst unsigned long gid = it.get_global_linear_id();\n"
              : l->dims == 1 ? "\tconst unsigned long gid = it[0];\n"
                             : "\tconst unsigned long gid = it.get_linear_id();\n");
  add_variable(g, "gid", TYPE_U64, 0, g->item_count - 1, UNIFORM_ITEM);
  for (uint32_t i = 0; i < l->dims; i++) {
    const uint32_t dim = l->dims - 1 - i;
    add_line(g, tn_arena_format(g->arena,
                                is_nd ? "\tconst int %s = (int)it.get_global_id(%u);\n"
                                      : "\tconst int %s = (int)it.get_id(%u);\n",
                                names[i], dim));
    add_variable(g, names[i], TYPE_I32, 0, l->global[dim] - 1, UNIFORM_ITEM);
  }
  if (is_nd) {
    add_line(g, "\tconst int lid = (int)it.get_local_linear_id();\n");
    add_variable(g, "lid", TYPE_I32, 0, g->group_size - 1, UNIFORM_ITEM);
    add_line(g, "\tconst unsigned wid = (unsigned)it.get_group_linear_id();\n");
    add_variable(g, "wid", TYPE_U32, 0, g->item_count / g->group_size - 1, UNIFORM_GROUP);
  }
  for (uint32_t i = 0; i < l->local_count; i++) {
    const uint32_t each = l->locals[i].count / g->group_size;
    add_line(g, tn_arena_format(g->arena,
                                "\tfor (int i = 0; i < %u; ++i) {\n\t  l%u[lid * %u + i] "
                                "= 0;\n\t}\n",
                                each, i, each));
  }
  if (l->local_count > 0) {
    add_line(g, "\tsycl::group_barrier(it.get_group());\n");
  }
  if (is_nd && l->sub_group != 0) {
    add_line(g, "\tconst int sid = (int)it.get_sub_group().get_local_linear_id();\n");
    add_line(g, "\tconst int ssize = (int)it.get_sub_group().get_local_linear_range();\n");
    add_variable(g, "sid", TYPE_I32, 0, l->sub_group - 1, UNIFORM_ITEM);
    add_line(g, "\tconst unsigned sgid = (unsigned)it.get_sub_group().get_group_linear_id();\n");
    add_variable(g, "sgid", TYPE_U32, 0, 1023, UNIFORM_SUB_GROUP);
    add_variable(g, "ssize", TYPE_I32, 1, l->sub_group, UNIFORM_SUB_GROUP);
  }
}

// Each owned buffer is written once more, so that what was computed is seen.
static void add_results(generator *g) {
  const kernel_launch *l = &g->it->launch;
  for (uint32_t i = 0; i < l->buffer_count; i++) {
    if (g->plans[i].role != ROLE_OWNED || l->buffers[i].type.width != 0) {
      continue;
    }
    tree *sum = constant_of(g, scalar(TYPE_U64), 0).node;
    for (uint32_t n = g->scope_count, taken = 0; n-- > 0 && taken < 8;) {
      const variable *v = &g->scope[n];
      if (v->id != 0 && v->type.width == 0 && !type_of(v->type)->is_float) {
        tree *both = expression(g, scalar(TYPE_U64), "($0 * 31ul + (unsigned long)$1)", sum,
                                use(g, v).node, NULL);
        sum = both;
        taken++;
      }
    }
    const kernel_type type = l->buffers[i].type;
    const char *form =
        tn_arena_format(g->arena,
                        type_of(type)->is_float ? "\ta.b%u[%s] += (%s)($1 & 1023ul);\n"
                                                : "\ta.b%u[%s] ^= (%s)$1;\n",
                        i, own_index(g, i), type_of(type)->name);
    tree_add(g->arena, g->it->body,
             statement(g, form, constant_of(g, scalar(TYPE_I32), 0).node, sum, NULL));
  }
}

kernel_case *kernel_generate(tn_arena *arena, uint64_t seed, uint64_t index, bool is_portable) {
  kernel_case *it = tn_arena_alloc(arena, sizeof(*it));
  *it = (kernel_case){.seed = seed, .index = index};
  it->functions = tree_block(arena);
  it->body = tree_block(arena);
  generator *g = tn_arena_alloc(arena, sizeof(*g));
  *g = (generator){
      .random = random_stream(seed, index), .arena = arena, .it = it, .is_portable = is_portable};
  choose_launch(g);
  choose_buffers(g);
  choose_scalars(g);
  choose_locals(g);
  add_scalars(g);
  const int helpers = chance(g, 40) ? random_between(&g->random, 1, KERNEL_FUNCTIONS) : 0;
  for (int i = 0; i < helpers; i++) {
    gen_helper(g);
  }
  add_ids(g);
  g->together = g->it->launch.is_nd ? UNIFORM_GROUP : UNIFORM_ITEM;
  g->budget = random_between(&g->random, 3, 22);
  const int statements = random_between(&g->random, 2, 9);
  for (int i = 0; i < statements; i++) {
    // From here on nobody waits for others, and may end.
    if (chance(g, 10)) {
      g->together = UNIFORM_ITEM;
      g->can_return = true;
    }
    gen_statement(g, it->body);
  }
  add_results(g);
  return it;
}
