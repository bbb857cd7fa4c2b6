// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Statements of generated kernels: variables, branches, loops, early ends, functions.
#include "fuzz/kernels/kernel_generator.h"

const variable *declare_as(generator *g, tree *block, const char *form, value v, bool is_mutable,
                           uniformity uniform) {
  tree *node = statement(g, form, v.node, NULL, NULL);
  node->variable = ++g->it->variable_count;
  node->is_declaration = true;
  tree_add(g->arena, block, node);
  if (g->scope_count == SCOPE_MAXIMUM) {
    g->scope_count--;
  }
  variable *made = &g->scope[g->scope_count++];
  *made =
      (variable){node->variable, "%v", v.node->type, v.low, v.high, (uint8_t)uniform, is_mutable};
  if (is_mutable) {
    made->low = type_low(made->type);
    made->high = type_high(made->type);
  }
  return made;
}

const variable *declare(generator *g, tree *block, value v, bool is_mutable) {
  const char *form = tn_arena_format(g->arena, "\t%s%s %%v = $0;\n", is_mutable ? "" : "const ",
                                     type_name(g->arena, v.node->type));
  return declare_as(g, block, form, v, is_mutable, (uniformity)(is_mutable ? 0 : g->needs));
}

// What is declared in a block ends with it.
tree *gen_block(generator *g, int statements) {
  tree *block = tree_block(g->arena);
  const uint32_t scope = g->scope_count;
  const uint32_t arrays = g->array_count;
  g->depth++;
  for (int i = 0; i < statements; i++) {
    gen_statement(g, block);
  }
  g->depth--;
  g->scope_count = scope;
  g->array_count = arrays;
  return block;
}

// A block that only some of those who come here may reach.
static tree *gen_diverging(generator *g, int statements) {
  const uint8_t together = g->together;
  g->together = UNIFORM_ITEM;
  tree *block = gen_block(g, statements);
  g->together = together;
  return block;
}

// A condition that all of a group agree about, where one can be had: then they stay together.
static tree *gen_branch_condition(generator *g, uint8_t *out_together) {
  *out_together = UNIFORM_ITEM;
  if (g->together == UNIFORM_ITEM || chance(g, 50)) {
    return gen_condition(g, 3);
  }
  const bool has_sub_groups = g->it->launch.sub_group != 0;
  g->needs = *out_together =
      has_sub_groups && chance(g, 40) ? (uint8_t)UNIFORM_SUB_GROUP : g->together;
  tree *condition = gen_condition(g, 2);
  g->needs = UNIFORM_ITEM;
  return condition;
}

static void gen_if(generator *g, tree *block) {
  const uint8_t before = g->together;
  uint8_t together;
  tree *condition = gen_branch_condition(g, &together);
  g->together = together < before ? together : before;
  tree *first = gen_block(g, random_between(&g->random, 1, 3));
  tree *second = chance(g, 45) ? gen_block(g, random_between(&g->random, 1, 3)) : NULL;
  g->together = before;
  tree_add(g->arena, block,
           statement(g, second ? "\tif ($0) {\n$1\t} else {\n$2\t}\n" : "\tif ($0) {\n$1\t}\n",
                     condition, first, second));
}

static void gen_switch(generator *g, tree *block) {
  const value selector = gen_value(g, pick_integer_type(g), 2);
  const bool could_break = g->can_break;
  g->can_break = false;
  tree *kids[4];
  kids[0] = selector.node;
  tn_buf form;
  tn_buf_init(&form, 512);
  const int cases = random_between(&g->random, 2, 3);
  tn_buf_add_text(&form, "\tswitch ((int)($0 & 3)) {\n");
  for (int i = 0; i < cases; i++) {
    kids[i + 1] = gen_diverging(g, random_between(&g->random, 1, 2));
    if (i == cases - 1) {
      tn_buf_add_format(&form, "\tdefault: {\n$%d\t}\n", i + 1);
    } else {
      tn_buf_add_format(&form, "\tcase %d: {\n$%d\t}%s\n", i, i + 1,
                        chance(g, 75) ? " break;" : " [[fallthrough]];");
    }
  }
  tn_buf_add_text(&form, "\t}\n");
  tree_add(g->arena, block,
           tree_node(g->arena, TREE_STATEMENT, (kernel_type){0},
                     tn_arena_str(g->arena, tn_buf_str(&form)), (uint32_t)cases + 1, kids));
  tn_buf_deinit(&form);
  g->can_break = could_break;
}

// At most `trips` turns whatever the bound is.
static tree *loop_bound(generator *g, bool is_uniform, int *out_trips) {
  const int trips = 1 << random_between(&g->random, 1, 3);
  *out_trips = trips;
  if (is_uniform && (g->together == UNIFORM_ITEM || chance(g, 60))) {
    const int n = random_between(&g->random, 1, trips);
    return expression(g, scalar(TYPE_I32), tn_arena_format(g->arena, "%d", n), NULL, NULL, NULL);
  }
  g->needs = is_uniform ? g->together : (uint8_t)UNIFORM_ITEM;
  const value v = gen_value(g, pick_integer_type(g), 2);
  g->needs = UNIFORM_ITEM;
  return expression(g, scalar(TYPE_I32), tn_arena_format(g->arena, "(int)($0 & %d)", trips - 1),
                    v.node, NULL, NULL);
}

static void gen_loop(generator *g, tree *block) {
  static const char *const forms[] = {
      "\tfor (int %v = 0; %v < $0; ++%v) {\n$1\t}\n",
      "\tfor (int %v = $0 - 1; %v >= 0; --%v) {\n$1\t}\n",
      "\tfor (unsigned %v = 0; %v < (unsigned)$0; %v += 1) {\n$1\t}\n",
      "\tfor (long %v = 0; %v < $0; %v += 2) {\n$1\t}\n",
      "\tfor (unsigned char %v = 0; %v < $0; %v++) {\n$1\t}\n",
      "\tfor (unsigned long %v = 0; %v != (unsigned long)$0; ++%v) {\n$1\t}\n"};
  static const uint8_t types[] = {TYPE_I32, TYPE_I32, TYPE_U32, TYPE_I64, TYPE_U8, TYPE_U64};
  const uint8_t before = g->together;
  const bool could_break = g->can_break;
  const bool is_together = before > UNIFORM_ITEM && chance(g, 60);
  g->together = is_together ? before : UNIFORM_ITEM;
  g->can_break = !is_together;
  // What the body changes must not be in the bound of a loop that ends by it.
  uint32_t kind = pick(g, TN_COUNT(forms));
  int trips = 0;
  tree *bound = loop_bound(g, is_together || chance(g, 30), &trips);
  if (kind == 5 && bound->count > 0) {
    kind = 0;
  }
  const uint32_t mark = g->scope_count;
  tree *kids[] = {bound, NULL};
  tree *node = tree_node(g->arena, TREE_STATEMENT, (kernel_type){0}, forms[kind], 2, kids);
  node->variable = ++g->it->variable_count;
  node->is_declaration = true;
  if (g->scope_count < SCOPE_MAXIMUM) {
    g->scope[g->scope_count++] = (variable){node->variable,
                                            "%v",
                                            scalar(types[kind]),
                                            0,
                                            trips,
                                            is_together ? g->together : (uint8_t)UNIFORM_ITEM,
                                            false};
  }
  g->loop_depth++;
  tree *body = gen_block(g, random_between(&g->random, 1, 4));
  g->loop_depth--;
  g->scope_count = mark;
  node->kids[1] = body;
  g->together = before;
  g->can_break = could_break;
  tree_add(g->arena, block, node);
}

// A loop that ends by what happens inside only.
static void gen_endless_loop(generator *g, tree *block) {
  const bool could_break = g->can_break;
  g->can_break = true;
  g->loop_depth++;
  tree *first = gen_diverging(g, random_between(&g->random, 1, 2));
  tree *second = gen_diverging(g, random_between(&g->random, 1, 2));
  g->loop_depth--;
  g->can_break = could_break;
  const char *form =
      tn_arena_format(g->arena,
                      "\tfor (int %%v = 0;; ++%%v) {\n\t  if (%%v >= %d) {\n\t    break;\n\t  }\n$1"
                      "\t  if ($0) {\n\t    %s;\n\t  }\n$2\t}\n",
                      random_between(&g->random, 1, 7),
                      chance(g, 60)    ? "break"
                      : g->is_function ? "return 0"
                                       : "continue");
  tree *node = statement(g, form, gen_condition(g, 3), first, second);
  node->variable = ++g->it->variable_count;
  node->is_declaration = true;
  tree_add(g->arena, block, node);
}

static void gen_do_loop(generator *g, tree *block) {
  if (chance(g, 35)) {
    gen_endless_loop(g, block);
    return;
  }
  const bool could_break = g->can_break;
  g->can_break = true;
  g->loop_depth++;
  tree *body = gen_diverging(g, random_between(&g->random, 1, 3));
  g->loop_depth--;
  g->can_break = could_break;
  const char *form = tn_arena_format(
      g->arena,
      chance(g, 50) ? "\t{\n\t  int %%v = 0;\n\t  do {\n$1\t  } while (++%%v < %d && $0);\n\t}\n"
                    : "\t{\n\t  int %%v = 0;\n\t  while ($0 && ++%%v < %d) {\n$1\t  }\n\t}\n",
      random_between(&g->random, 2, 9));
  tree *node = statement(g, form, gen_condition(g, 2), body, NULL);
  node->variable = ++g->it->variable_count;
  node->is_declaration = true;
  tree_add(g->arena, block, node);
}

static void gen_assignment(generator *g, tree *block) {
  for (int tries = 0; tries < 10 && g->scope_count > 0; tries++) {
    const variable *v = &g->scope[pick(g, g->scope_count)];
    if (!v->is_mutable || v->type.width != 0) {
      continue;
    }
    const type_traits *t = type_of(v->type);
    const value e = gen_value(g, v->type, 3);
    const bool wraps =
        t->is_float || (v->type.scalar != TYPE_BOOL && (t->size < 4 || !t->is_signed));
    static const char *const ops[] = {"+=", "-=", "*=", "="};
    const char *op = wraps && chance(g, 50) ? ops[pick(g, t->size == 2 ? 2 : 4)] : "=";
    tree_add(
        g->arena, block,
        statement(g, tn_arena_format(g->arena, "\t$0 %s $1;\n", op), use(g, v).node, e.node, NULL));
    return;
  }
  declare(g, block, gen_value(g, pick_scalar_type(g), 3), true);
}

static void gen_jump(generator *g, tree *block) {
  tree *condition = gen_condition(g, 3);
  if (g->can_break && chance(g, 75)) {
    tree_add(g->arena, block,
             statement(g,
                       chance(g, 50) ? "\tif ($0) {\n\t  break;\n\t}\n"
                                     : "\tif ($0) {\n\t  continue;\n\t}\n",
                       condition, NULL, NULL));
  } else if (g->can_return && g->is_function) {
    const value v = gen_value(g, g->result, 2);
    tree_add(g->arena, block,
             statement(g, "\tif ($0) {\n\t  return $1;\n\t}\n", condition, v.node, NULL));
  } else if (g->can_return && g->together == UNIFORM_ITEM && chance(g, 40)) {
    tree_add(g->arena, block,
             statement(g, "\tif ($0) {\n\t  return;\n\t}\n", condition, NULL, NULL));
  }
}

// A function chosen at run time, of those with the same type.
static void gen_pointer_call(generator *g, tree *block) {
  if (g->is_portable || g->is_function || g->helper_count < 2) {
    return;
  }
  const helper *first = &g->helpers[0];
  const helper *second = &g->helpers[1];
  const char *form =
      tn_arena_format(g->arena, "\t%s (*const %%v)(const args &, int, int) = $0 ? &f%u : &f%u;\n",
                      type_of(first->result)->name, first->id, second->id);
  tree *pointer = statement(g, form, gen_condition(g, 2), NULL, NULL);
  pointer->variable = ++g->it->variable_count;
  pointer->is_declaration = true;
  tree_add(g->arena, block, pointer);
  const value a = gen_value(g, scalar(TYPE_I32), 2);
  const value b = gen_value(g, scalar(TYPE_I32), 2);
  tree *call = expression(g, first->result, "%v(a, $0, $1)", a.node, b.node, NULL);
  call->variable = pointer->variable;
  declare(g, block, with_full_range(call), false);
}

void gen_statement(generator *g, tree *block) {
  if (g->budget-- <= 0) {
    gen_assignment(g, block);
    return;
  }
  if (g->together > UNIFORM_ITEM && chance(g, 35) && gen_group_statement(g, block)) {
    return;
  }
  const bool is_deep = g->depth > 4;
  const uint32_t kind = pick(g, 100);
  if (kind < 12) {
    declare(g, block, gen_value(g, pick_scalar_type(g), 3), false);
  } else if (kind < 17) {
    declare(g, block, gen_value(g, pick_scalar_type(g), 3), true);
  } else if (kind < 29) {
    gen_assignment(g, block);
  } else if (kind < 42 && !is_deep) {
    gen_if(g, block);
  } else if (kind < 46 && !is_deep) {
    gen_switch(g, block);
  } else if (kind < 52 && !is_deep && g->loop_depth < 2) {
    gen_loop(g, block);
  } else if (kind < 55 && !is_deep && g->loop_depth < 2) {
    gen_do_loop(g, block);
  } else if (kind < 60) {
    gen_jump(g, block);
  } else if (kind < 62) {
    gen_pointer_call(g, block);
  } else if (kind < 66) {
    gen_vector_statement(g, block);
  } else {
    gen_memory_statement(g, block);
  }
}

// A function of numbers. The first two of a kernel have one type, so that a pointer fits both.
void gen_helper(generator *g) {
  generator inner = *g;
  const bool is_first = g->helper_count < 2;
  helper h = {
      .id = g->helper_count,
      .result = is_first && g->helper_count == 1 ? g->helpers[0].result : pick_scalar_type(g),
      .parameter_count = is_first ? 2 : 1 + pick(g, 3)};
  inner.random = (kernel_random){random_u64(&g->random)};
  inner.scope_count = 0;
  inner.array_count = 0;
  inner.is_function = true;
  inner.can_return = true;
  inner.can_break = false;
  inner.together = UNIFORM_ITEM;
  inner.result = h.result;
  inner.budget = random_between(&g->random, 2, 8);
  tn_buf form;
  tn_buf_init(&form, 512);
  tn_buf_add_format(&form, "%s %s f%u(const args &a",
                    chance(g, 40) ? "[[gnu::noinline]] inline" : "inline", type_of(h.result)->name,
                    h.id);
  for (uint32_t i = 0; i < h.parameter_count; i++) {
    h.parameters[i] = is_first ? scalar(TYPE_I32) : pick_scalar_type(g);
    const char *name = tn_arena_format(g->arena, "p%u", i);
    tn_buf_add_format(&form, ", %s %s", type_of(h.parameters[i])->name, name);
    inner.scope[inner.scope_count++] = (variable){0,
                                                  name,
                                                  h.parameters[i],
                                                  type_low(h.parameters[i]),
                                                  type_high(h.parameters[i]),
                                                  UNIFORM_ITEM,
                                                  false};
  }
  tn_buf_add_text(&form, ") {\n$0  return $1;\n}\n");
  tree *body = gen_block(&inner, random_between(&g->random, 1, 4));
  const value result = gen_value(&inner, h.result, 3);
  tree *function = statement(g, tn_arena_str(g->arena, tn_buf_str(&form)), body, result.node, NULL);
  tn_buf_deinit(&form);
  tree_add(g->arena, g->it->functions, function);
  g->helpers[g->helper_count++] = h;
}
