// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How generated kernels use memory: indices, guarded and plain loads, stores to the work-item's own
// elements, atomic operations, private arrays.
#include "fuzz/kernels/kernel_generator.h"

static bool is_power_of_two(uint32_t n) { return (n & (n - 1)) == 0; }

tree *gen_index(generator *g, uint32_t count) {
  const kernel_type is_int = scalar(TYPE_I32);
  for (int tries = 0; tries < 6; tries++) {
    const variable *v = pick_variable(g, false);
    if (v && v->low >= 0 && v->high < count) {
      return use(g, v).node;
    }
    // A constant further, as far as the range allows.
    if (v && type_of(v->type)->size >= 4 && v->high - v->low < count && v->high < count + 64 &&
        v->low >= -64) {
      const wide low = -v->low;
      const wide high = (wide)count - 1 - v->high;
      const int by = (int)low + (int)pick(g, (uint32_t)(high - low + 1));
      return expression(g, v->type, tn_arena_format(g->arena, "($0 + (%d))", by), use(g, v).node,
                        NULL, NULL);
    }
  }
  const kernel_type type = pick_integer_type(g);
  const value v = gen_value(g, type, 2);
  if (is_power_of_two(count) && chance(g, 60)) {
    return expression(g, is_int, tn_arena_format(g->arena, "($0 & %u)", count - 1), v.node, NULL,
                      NULL);
  }
  const char *word = chance(g, 50) ? "unsigned" : "unsigned long";
  return expression(g, is_int, tn_arena_format(g->arena, "((%s)$0 %% %uu)", word, count), v.node,
                    NULL, NULL);
}

static int pick_input(generator *g, bool is_float) {
  const kernel_launch *l = &g->it->launch;
  for (int tries = 0; tries < 8; tries++) {
    const uint32_t i = pick(g, l->buffer_count);
    if (g->plans[i].role == ROLE_INPUT && type_of(l->buffers[i].type)->is_float == is_float) {
      return (int)i;
    }
  }
  return -1;
}

static int pick_role(generator *g, buffer_role role) {
  for (int tries = 0; tries < 8; tries++) {
    const uint32_t i = pick(g, g->it->launch.buffer_count);
    if (g->plans[i].role == role) {
      return (int)i;
    }
  }
  return -1;
}

// What an index is made from: mostly an id, so that neighbors read neighbors.
static const variable *pick_place(generator *g) {
  for (int tries = 0; tries < 8 && g->scope_count > 0 && chance(g, 80); tries++) {
    const variable *v = &g->scope[pick(g, g->scope_count)];
    if (v->id == 0 && v->uniform == UNIFORM_ITEM && v->uniform >= g->needs &&
        !type_of(v->type)->is_float && v->type.scalar != TYPE_BOOL) {
      return v;
    }
  }
  return pick_variable(g, false);
}

// How an element of a buffer is written, with "@" for its index.
static const char *element_form(generator *g, uint32_t buffer) {
  const kernel_buffer *b = &g->it->launch.buffers[buffer];
  if (b->type.width == 0) {
    return tn_arena_format(g->arena, "a.b%u[@]", buffer);
  }
  return tn_arena_format(g->arena, "a.b%u[@][%u]", buffer, pick(g, b->type.width));
}

static const char *put_index(generator *g, const char *form, const char *index) {
  const char *at = strchr(form, '@');
  return tn_arena_format(g->arena, "%.*s%s%s", (int)(at - form), form, index, at + 1);
}

static value range_of_buffer(const kernel_buffer *b, tree *node) {
  return type_of(b->type)->is_float ? with_full_range(node) : with_range(node, b->low, b->high);
}

// The index of a guarded access: a leaf a little displaced, in a type in which that may wrap or
// not.
static const char *guarded_index(generator *g, const variable *v, bool *out_is_signed) {
  const int by = random_between(&g->random, -4, 4);
  const bool stays = v->low > -(1 << 28) && v->high < 1 << 28;
  *out_is_signed = true;
  switch (pick(g, 8)) {
    case 0:
      *out_is_signed = false;
      return tn_arena_format(g->arena, "((unsigned)$0 + %uu)", (unsigned)by);
    case 1:
      *out_is_signed = false;
      return tn_arena_format(g->arena, "((unsigned long)$0 - %dul)", by < 0 ? -by : by);
    case 2:
      return tn_arena_format(g->arena, "(short)$0");
    case 3:
      *out_is_signed = false;
      return "(unsigned char)$0";
    case 4:
      return "(signed char)$0";
    case 5:
      return stays ? tn_arena_format(g->arena, "((long)$0 + (%d))", by) : "(int)$0";
    default:
      break;
  }
  return stays ? tn_arena_format(g->arena, "((int)$0 * %d + (%d))",
                                 random_between(&g->random, -1, 1) * 2 + 1 - (by & 2), by)
               : "(int)$0";
}

static const char *guard_form(generator *g, const char *index, bool is_signed, uint32_t count) {
  // The bound as an argument that the compiler does not know.
  const kernel_launch *l = &g->it->launch;
  const bool is_argument = chance(g, 50) && l->scalars[0].value <= count;
  const char *bound = is_argument ? "a.s0" : tn_arena_format(g->arena, "%u", count);
  if (!is_signed) {
    return tn_arena_format(g->arena, "%s < (unsigned)%s", index, bound);
  }
  switch (pick(g, 3)) {
    case 0:
      return tn_arena_format(g->arena, "%s >= 0 && %s < %s", index, index, bound);
    case 1:
      return tn_arena_format(g->arena, "%s < %s && %s >= 0", index, bound, index);
    default:
      return tn_arena_format(g->arena, "(unsigned long)%s < (unsigned long)%s", index, bound);
  }
}

static value guarded_load(generator *g, uint32_t buffer, kernel_type type) {
  const kernel_buffer *b = &g->it->launch.buffers[buffer];
  const variable *v = pick_place(g);
  if (!v) {
    return gen_constant(g, type);
  }
  bool is_signed = false;
  const char *index = guarded_index(g, v, &is_signed);
  const char *guard = guard_form(g, index, is_signed, b->count);
  const char *load = put_index(g, element_form(g, buffer), index);
  const kernel_type of = {b->type.scalar, 0};
  const char *form = tn_arena_format(g->arena, "(%s ? %s : $1)", guard, load);
  const value other = gen_constant(g, of);
  tree *node = expression(g, of, form, use(g, v).node, other.node, NULL);
  return convert(g, with_full_range(node), type);
}

tree *gen_guarded_condition(generator *g) {
  const kernel_type is_bool = scalar(TYPE_BOOL);
  const int buffer = pick_input(g, chance(g, 20));
  const variable *v = pick_place(g);
  if (buffer < 0 || !v) {
    return expression(g, is_bool, chance(g, 50) ? "true" : "false", NULL, NULL, NULL);
  }
  const kernel_buffer *b = &g->it->launch.buffers[buffer];
  bool is_signed = false;
  const char *index = guarded_index(g, v, &is_signed);
  const char *load = put_index(g, element_form(g, (uint32_t)buffer), index);
  const char *guard = guard_form(g, index, is_signed, b->count);
  static const char *const forms[] = {"(%s && %s < $1)", "(!(%s) || %s > $1)", "(%s && %s != $1)"};
  const value other = gen_value(g, (kernel_type){b->type.scalar, 0}, 1);
  return expression(g, is_bool, tn_arena_format(g->arena, forms[pick(g, 3)], guard, load),
                    use(g, v).node, other.node, NULL);
}

// The work-item's own element of a buffer that it writes as well.
static bool own_element(generator *g, kernel_type type, value *out) {
  const int buffer = g->is_function || g->needs > UNIFORM_ITEM ? -1 : pick_role(g, ROLE_OWNED);
  const kernel_buffer *b = buffer < 0 ? NULL : &g->it->launch.buffers[buffer];
  if (!b || b->type.width != 0 || type_of(b->type)->is_float != type_of(type)->is_float) {
    return false;
  }
  const uint32_t elements = g->plans[buffer].elements;
  const char *form = tn_arena_format(g->arena, "a.b%d[%s]", buffer, own_index(g, (uint32_t)buffer));
  tree *node = expression(g, b->type, form, gen_index(g, elements), NULL, NULL);
  *out = convert(g, with_full_range(node), type);
  return true;
}

value gen_load(generator *g, kernel_type type) {
  value own;
  if (chance(g, 12) && own_element(g, type, &own)) {
    return own;
  }
  const int buffer = pick_input(g, type_of(type)->is_float);
  if (buffer < 0) {
    return gen_constant(g, type);
  }
  if (chance(g, 45)) {
    return guarded_load(g, (uint32_t)buffer, type);
  }
  const kernel_buffer *b = &g->it->launch.buffers[buffer];
  const char *form = put_index(g, element_form(g, (uint32_t)buffer), "$0");
  tree *node =
      expression(g, (kernel_type){b->type.scalar, 0}, form, gen_index(g, b->count), NULL, NULL);
  return convert(g, range_of_buffer(b, node), type);
}

const char *own_index(const generator *g, uint32_t buffer) {
  const uint32_t n = g->item_count;
  const uint32_t e = g->plans[buffer].elements;
  switch (g->plans[buffer].order) {
    case 0:
      return tn_arena_format(g->arena, "gid * %u + $0", e);
    case 1:
      return tn_arena_format(g->arena, "%u - gid - $0", n - 1);
    case 2:
      return tn_arena_format(g->arena, "gid + $0 * %u", n);
    case 3:
      return tn_arena_format(g->arena, "(int)gid * %u + $0", e);
    case 4:
      return tn_arena_format(g->arena, "%u + (int)$0 - (int)gid * %u", (n - 1) * e, e);
    default:
      return tn_arena_format(g->arena, "(unsigned)gid + (unsigned)$0 * %uu", n);
  }
}

// Not-a-number has many forms, of which none is promised: it is not stored.
static value comparable(generator *g, tree *block, value v) {
  if (!type_of(v.node->type)->is_float || v.node->type.width != 0) {
    return v;
  }
  const variable *held = declare(g, block, v, false);
  const char *form =
      held->type.scalar == TYPE_F32 ? "($0 == $0 ? $0 : 0.0f)" : "($0 == $0 ? $0 : 0.0)";
  return with_full_range(expression(g, held->type, form, use(g, held).node, NULL, NULL));
}

static void gen_store(generator *g, tree *block, uint32_t buffer) {
  const kernel_buffer *b = &g->it->launch.buffers[buffer];
  const kernel_type type = {b->type.scalar, 0};
  const uint32_t elements = g->plans[buffer].elements;
  tree *n = elements > 1 ? gen_index(g, elements) : constant_of(g, scalar(TYPE_I32), 0).node;
  const char *index = own_index(g, buffer);
  if (b->type.width != 0) {
    const value v = gen_vector(g, b->type, 3);
    const bool is_float = type_of(b->type)->is_float;
    if (!is_float) {
      tree_add(g->arena, block,
               statement(g, tn_arena_format(g->arena, "\ta.b%u[%s] = $1;\n", buffer, index), n,
                         v.node, NULL));
    }
    return;
  }
  const value v = comparable(g, block, gen_value(g, type, 3));
  const bool is_sum = type_of(type)->size < 4 || !type_of(type)->is_signed;
  const char *op = is_sum && chance(g, 30)                     ? "+="
                   : chance(g, 20) && !type_of(type)->is_float ? "^="
                                                               : "=";
  tree_add(g->arena, block,
           statement(g, tn_arena_format(g->arena, "\ta.b%u[%s] %s $1;\n", buffer, index, op), n,
                     v.node, NULL));
}

static void gen_atomic(generator *g, tree *block, uint32_t buffer) {
  static const char *const operations[] = {"fetch_add", "fetch_sub", "fetch_min", "fetch_max",
                                           "fetch_and", "fetch_or",  "fetch_xor"};
  const kernel_buffer *b = &g->it->launch.buffers[buffer];
  const value v = gen_value(g, b->type, 3);
  // Sums of one buffer are both additions and subtractions.
  const uint32_t operation =
      g->plans[buffer].operation < 2 ? pick(g, 2) : g->plans[buffer].operation;
  const char *form = tn_arena_format(
      g->arena,
      "\tsycl::atomic_ref<%s, sycl::memory_order::relaxed, sycl::memory_scope::device, "
      "sycl::access::address_space::global_space>(a.b%u[$0]).%s($1);\n",
      type_of(b->type)->name, buffer, operations[operation]);
  tree_add(g->arena, block, statement(g, form, gen_index(g, b->count), v.node, NULL));
}

static void gen_array(generator *g, tree *block) {
  if (g->array_count == ARRAY_MAXIMUM || g->array_count > 2) {
    return;
  }
  const kernel_type type = pick_scalar_type(g);
  const uint32_t count = 2u << pick(g, 4);
  const value v = gen_value(g, type, 2);
  tree *array =
      statement(g, tn_arena_format(g->arena, "\t%s %%v[%u] = {$0};\n", type_of(type)->name, count),
                v.node, NULL, NULL);
  array->variable = ++g->it->variable_count;
  array->is_declaration = true;
  tree_add(g->arena, block, array);
  g->arrays[g->array_count++] = (private_array){array->variable, type, count};
  if (chance(g, 60)) {
    tree *fill = tree_block(g->arena);
    const uint32_t mark = g->scope_count;
    const value i = {expression(g, scalar(TYPE_I32), "i", NULL, NULL, NULL), 0, count - 1};
    const value e = convert(g, i, type);
    const value rest = gen_value(g, type, 2);
    tree *assign =
        statement(g, tn_arena_format(g->arena, "\t%%v[i] = (%s)($0 + $1);\n", type_of(type)->name),
                  e.node, rest.node, NULL);
    if (type_of(type)->size < 4 || !type_of(type)->is_signed || type_of(type)->is_float) {
      assign->variable = array->variable;
      tree_add(g->arena, fill, assign);
      tree_add(g->arena, block,
               statement(
                   g, tn_arena_format(g->arena, "\tfor (int i = 0; i < %u; ++i) {\n$0\t}\n", count),
                   fill, NULL, NULL));
    }
    g->scope_count = mark;
  }
}

// A structure of the work-item's own. Its members are variables as others.
static void gen_record(generator *g, tree *block) {
  static const char *const names[] = {"%v.a", "%v.b", "%v.c", "%v.d"};
  static const uint8_t types[] = {TYPE_I32, TYPE_I16, TYPE_U64, TYPE_F32};
  tree *kids[4];
  for (int i = 0; i < 4; i++) {
    kids[i] = gen_value(g, scalar(types[i]), 2).node;
  }
  tree *node = tree_node(g->arena, TREE_STATEMENT, (kernel_type){0},
                         "\trecord %v = {$0, $1, $2, $3};\n", 4, kids);
  node->variable = ++g->it->variable_count;
  node->is_declaration = true;
  tree_add(g->arena, block, node);
  for (int i = 0; i < 4 && g->scope_count < SCOPE_MAXIMUM; i++) {
    const kernel_type type = scalar(types[i]);
    g->scope[g->scope_count++] = (variable){node->variable,  names[i],     type, type_low(type),
                                            type_high(type), UNIFORM_ITEM, true};
  }
}

// One of two structures, by what the work-item finds.
static void gen_record_choice(generator *g, tree *block) {
  const variable *found[2] = {NULL, NULL};
  for (uint32_t i = g->scope_count; i-- > 0;) {
    const variable *v = &g->scope[i];
    if (v->id != 0 && strcmp(v->form, "%v.a") == 0) {
      found[found[0] ? 1 : 0] = v;
    }
  }
  if (!found[1]) {
    gen_record(g, block);
    return;
  }
  const bool is_copy = chance(g, 30);
  const char *form = is_copy ? "\t$0 = ($1 ? %v : $0);\n" : "\t($1 ? %v : $0).b = $2;\n";
  tree *other = expression(g, (kernel_type){0}, "%v", NULL, NULL, NULL);
  other->variable = found[0]->id;
  tree *node = statement(g, form, other, gen_condition(g, 2),
                         is_copy ? NULL : gen_value(g, scalar(TYPE_I16), 2).node);
  node->variable = found[1]->id;
  tree_add(g->arena, block, node);
}

static void gen_array_store(generator *g, tree *block) {
  const private_array *array = &g->arrays[pick(g, g->array_count)];
  const value v = gen_value(g, array->type, 3);
  tree *assign = statement(g, "\t%v[$0] = $1;\n", gen_index(g, array->count), v.node, NULL);
  assign->variable = array->id;
  tree_add(g->arena, block, assign);
}

// The index as a variable of its own, and what it guards.
static void gen_guarded(generator *g, tree *block) {
  const int buffer = pick_input(g, chance(g, 30));
  const variable *from = pick_place(g);
  if (buffer < 0 || !from) {
    return;
  }
  const kernel_buffer *b = &g->it->launch.buffers[buffer];
  static const uint8_t types[] = {TYPE_I32, TYPE_I32, TYPE_I32, TYPE_U32,
                                  TYPE_I64, TYPE_U64, TYPE_I16, TYPE_U16};
  const kernel_type type = scalar(types[pick(g, TN_COUNT(types))]);
  bool is_signed = false;
  const char *form = guarded_index(g, from, &is_signed);
  tree *index =
      expression(g, type, tn_arena_format(g->arena, "(%s)(%s)", type_of(type)->name, form),
                 use(g, from).node, NULL, NULL);
  const variable *v = declare(g, block, with_full_range(index), false);
  const variable held = *v;
  const kernel_type of = {b->type.scalar, 0};
  const variable *result = declare(g, block, gen_constant(g, of), true);
  tree *into = use(g, result).node;
  const uint32_t mark = g->scope_count;
  const char *guard = guard_form(g, "$0", type_of(type)->is_signed, b->count);
  variable narrow = held;
  narrow.low = 0;
  narrow.high = b->count - 1;
  if (g->scope_count < SCOPE_MAXIMUM) {
    g->scope[g->scope_count++] = narrow;
  }
  tree *body = tree_block(g->arena);
  tree *load = expression(g, of, put_index(g, element_form(g, (uint32_t)buffer), "$0"),
                          use(g, &narrow).node, NULL, NULL);
  tree_add(g->arena, body, statement(g, "\t$0 = $1;\n", into, load, NULL));
  if (g->depth < 3 && chance(g, 30)) {
    const uint8_t together = g->together;
    g->together = UNIFORM_ITEM;
    const uint32_t arrays = g->array_count;
    g->depth++;
    gen_statement(g, body);
    g->depth--;
    g->array_count = arrays;
    g->together = together;
  }
  g->scope_count = mark;
  tree_add(g->arena, block,
           statement(g, tn_arena_format(g->arena, "\tif (%s) {\n$1\t}\n", guard),
                     use(g, &held).node, body, NULL));
}

// A stencil: neighbors along a row, guarded in a loop.
static void gen_stencil(generator *g, tree *block) {
  const int buffer = pick_input(g, false);
  const variable *from = pick_place(g);
  if (buffer < 0 || !from || from->low < -(1 << 20) || from->high > 1 << 20) {
    return;
  }
  const kernel_buffer *b = &g->it->launch.buffers[buffer];
  static const char *const types[] = {"int", "long", "unsigned", "unsigned long"};
  const uint32_t which = pick(g, 4);
  const variable *sum = declare(g, block, gen_constant(g, scalar(TYPE_U32)), true);
  const int low = random_between(&g->random, -3, 0);
  const int high = random_between(&g->random, 0, 3);
  const char *form = tn_arena_format(
      g->arena,
      "\tfor (int i = %d; i <= %d; ++i) {\n\t  const %s j = (%s)$0 + (%s)(i * %d);\n"
      "\t  if (%sj < %s) {\n\t    $1 += (unsigned)%s;\n\t  }\n\t}\n",
      low, high, types[which], types[which], types[which], 1 + (int)pick(g, 3),
      which < 2 ? "j >= 0 && " : "", tn_arena_format(g->arena, "%u", b->count),
      put_index(g, element_form(g, (uint32_t)buffer), "j"));
  tree_add(g->arena, block, statement(g, form, use(g, from).node, use(g, sum).node, NULL));
}

// A neighbor in a matrix, guarded in both directions.
static void gen_matrix(generator *g, tree *block) {
  const int buffer = pick_input(g, false);
  const kernel_launch *l = &g->it->launch;
  if (buffer < 0 || g->is_function || l->buffers[buffer].count < 4) {
    return;
  }
  const kernel_buffer *b = &l->buffers[buffer];
  const uint32_t width = 2 + pick(g, b->count / 2 - 1);
  const uint32_t height = b->count / width;
  static const char *const types[] = {"int", "long", "unsigned", "short"};
  const char *type = types[pick(g, 4)];
  // In one dimension a row after the other.
  const char *row = l->dims > 1 ? "y" : tn_arena_format(g->arena, "x / %u", width);
  const char *column = l->dims > 1 ? "x" : tn_arena_format(g->arena, "x %% %u", width);
  const variable *sum = declare(g, block, gen_constant(g, scalar(TYPE_U64)), true);
  const char *form = tn_arena_format(
      g->arena,
      "\t{\n\t  const %s xx = (%s)(%s + (%d)), yy = (%s)(%s + (%d));\n"
      "\t  if (xx >= 0 && xx < %u && yy >= 0 && yy < %u) {\n"
      "\t    $0 += (unsigned long)%s;\n\t  }\n\t}\n",
      type, type, column, random_between(&g->random, -2, 2), type, row,
      random_between(&g->random, -2, 2), width, height,
      put_index(g, element_form(g, (uint32_t)buffer),
                tn_arena_format(g->arena, chance(g, 70) ? "yy * %u + xx" : "xx + yy * %u", width)));
  tree_add(g->arena, block, statement(g, form, use(g, sum).node, NULL, NULL));
}

// Elements of a matrix in steps, each of which finds its row and column by division: by a constant,
// a power of two perhaps, or by a number that the compiler does not know.
static void gen_walk(generator *g, tree *block) {
  const int buffer = pick_input(g, false);
  const variable *from = pick_place(g);
  if (buffer < 0 || !from || from->low < 0 || from->high > 1 << 20) {
    return;
  }
  const kernel_launch *l = &g->it->launch;
  const kernel_buffer *b = &l->buffers[buffer];
  const bool is_argument = !g->is_function && l->scalars[0].value > 0 && chance(g, 50);
  const uint32_t width = is_argument     ? (uint32_t)l->scalars[0].value
                         : chance(g, 30) ? 1u << pick(g, 7)
                                         : 1 + pick(g, b->count);
  const char *by = is_argument ? "a.s0" : tn_arena_format(g->arena, "%u", width);
  static const char *const types[] = {"int", "long", "unsigned", "unsigned long"};
  const char *type = types[pick(g, 4)];
  const variable *sum = declare(g, block, gen_constant(g, scalar(TYPE_U64)), true);
  const char *form = tn_arena_format(
      g->arena,
      "\t{\n\t  %s n = (%s)$0;\n\t  for (int i = 0; i < %u && n < %u; ++i, n += %u) {\n"
      "\t    const %s row = n / (%s)%s, column = n %% (%s)%s;\n"
      "\t    $1 += (unsigned long)%s * 3 + (unsigned long)row;\n\t  }\n\t}\n",
      type, type, 1 + pick(g, 9), b->count, 1 + pick(g, b->count), type, type, by, type, by,
      put_index(g, element_form(g, (uint32_t)buffer),
                tn_arena_format(g->arena, "row * %u + column", 1 + pick(g, width))));
  tree_add(g->arena, block, statement(g, form, use(g, from).node, use(g, sum).node, NULL));
}

// A pointer to an element, followed where it is one.
static void gen_pointer(generator *g, tree *block) {
  const int buffer = pick_input(g, chance(g, 30));
  const variable *v = pick_place(g);
  if (buffer < 0 || !v || g->it->launch.buffers[buffer].type.width != 0) {
    return;
  }
  const kernel_buffer *b = &g->it->launch.buffers[buffer];
  bool is_signed = false;
  const char *index = guarded_index(g, v, &is_signed);
  const char *form = tn_arena_format(
      g->arena,
      "\t%s %%v = $1;\n\tif (%s) {\n\t  const %s *p = a.b%d + %s;\n"
      "\t  for (int i = 0; i < %d && p != a.b%d + %u; ++i) {\n\t    %%v = *p++;\n\t  }\n\t}\n",
      type_of(b->type)->name, guard_form(g, index, is_signed, b->count), type_of(b->type)->name,
      buffer, index, random_between(&g->random, 1, 4), buffer, b->count);
  tree *node = statement(g, form, use(g, v).node, gen_constant(g, b->type).node, NULL);
  node->variable = ++g->it->variable_count;
  node->is_declaration = true;
  tree_add(g->arena, block, node);
  if (g->scope_count < SCOPE_MAXIMUM) {
    g->scope[g->scope_count++] = (variable){
        node->variable, "%v", b->type, type_low(b->type), type_high(b->type), UNIFORM_ITEM, true};
  }
}

void gen_memory_statement(generator *g, tree *block) {
  if (chance(g, 8)) {
    gen_matrix(g, block);
    return;
  }
  if (chance(g, 8)) {
    gen_walk(g, block);
    return;
  }
  if (chance(g, 8)) {
    gen_pointer(g, block);
    return;
  }
  if (chance(g, 8)) {
    gen_record_choice(g, block);
    return;
  }
  const uint32_t kind = pick(g, 100);
  const int owned = g->is_function ? -1 : pick_role(g, ROLE_OWNED);
  const int atomic = g->is_function ? -1 : pick_role(g, ROLE_ATOMIC);
  if (kind < 30) {
    gen_guarded(g, block);
  } else if (kind < 65) {
    if (owned >= 0) {
      gen_store(g, block, (uint32_t)owned);
    }
  } else if (kind < 75) {
    if (atomic >= 0) {
      gen_atomic(g, block, (uint32_t)atomic);
    }
  } else if (kind < 82) {
    gen_array(g, block);
  } else if (kind < 90) {
    if (g->array_count > 0) {
      gen_array_store(g, block);
    }
  } else {
    gen_stencil(g, block);
  }
}
