// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nodes of a kernel, and their text.
#include "fuzz/kernels/kernel_tree.h"

static const type_traits traits[TYPE_COUNT] = {
    [TYPE_BOOL] = {"bool", 1, false, false},          [TYPE_I8] = {"signed char", 1, true, false},
    [TYPE_U8] = {"unsigned char", 1, false, false},   [TYPE_I16] = {"short", 2, true, false},
    [TYPE_U16] = {"unsigned short", 2, false, false}, [TYPE_I32] = {"int", 4, true, false},
    [TYPE_U32] = {"unsigned", 4, false, false},       [TYPE_I64] = {"long", 8, true, false},
    [TYPE_U64] = {"unsigned long", 8, false, false},  [TYPE_F32] = {"float", 4, true, true},
    [TYPE_F64] = {"double", 8, true, true},
};

const type_traits *type_of(kernel_type type) { return &traits[type.scalar]; }

bool type_is_equal(kernel_type a, kernel_type b) {
  return a.scalar == b.scalar && a.width == b.width;
}

const char *type_name(tn_arena *arena, kernel_type type) {
  if (type.width == 0) {
    return traits[type.scalar].name;
  }
  return tn_arena_format(arena, "sycl::vec<%s, %d>", traits[type.scalar].name, type.width);
}

tree *tree_node(tn_arena *arena, tree_kind kind, kernel_type type, const char *form, uint32_t count,
                tree *const *kids) {
  tree *node = tn_arena_alloc(arena, sizeof(*node));
  *node =
      (tree){.form = form, .count = count, .capacity = count, .type = type, .kind = (uint8_t)kind};
  node->kids = tn_arena_alloc_array(arena, count + 1, sizeof(tree *));
  for (uint32_t i = 0; i < count; i++) {
    node->kids[i] = kids[i];
  }
  return node;
}

tree *tree_block(tn_arena *arena) {
  return tree_node(arena, TREE_BLOCK, (kernel_type){0}, NULL, 0, NULL);
}

void tree_add(tn_arena *arena, tree *block, tree *statement) {
  if (block->count == block->capacity) {
    const uint32_t capacity = block->capacity * 2 + 4;
    tree **kids = tn_arena_alloc_array(arena, capacity, sizeof(tree *));
    for (uint32_t i = 0; i < block->count; i++) {
      kids[i] = block->kids[i];
    }
    block->kids = kids;
    block->capacity = capacity;
  }
  block->kids[block->count++] = statement;
}

static void print_indent(int indent, tn_buf *out) {
  for (int i = 0; i < indent; i++) {
    tn_buf_add_text(out, "  ");
  }
}

void tree_print(const tree *node, int indent, tn_buf *out) {
  if (node->kind == TREE_BLOCK) {
    for (uint32_t i = 0; i < node->count; i++) {
      if (node->kids[i]) {
        tree_print(node->kids[i], indent, out);
      }
    }
    return;
  }
  for (const char *at = node->form; *at; at++) {
    if (*at == '$') {
      const tree *kid = node->kids[*++at - '0'];
      tree_print(kid, indent + (kid->kind == TREE_BLOCK ? 1 : 0), out);
    } else if (*at == '%' && at[1] == 'v') {
      at++;
      tn_buf_add_format(out, "v%u", node->variable);
    } else if (*at == '\t') {
      print_indent(indent, out);
    } else {
      tn_buf_add_char(out, *at);
    }
  }
}

uint32_t tree_size(const tree *node) {
  uint32_t size = 1;
  for (uint32_t i = 0; i < node->count; i++) {
    size += node->kids[i] ? tree_size(node->kids[i]) : 0;
  }
  return size;
}

bool tree_is_closed(const tree *node, uint8_t *declared, uint32_t variable_count) {
  if (node->variable != 0 && !node->is_declaration && !declared[node->variable]) {
    return false;
  }
  for (uint32_t i = 0; i < node->count; i++) {
    if (node->kids[i] && !tree_is_closed(node->kids[i], declared, variable_count)) {
      return false;
    }
    // A loop's variable is seen in its body: it is declared between its first child and the rest.
    if (i == 0 && node->is_declaration) {
      declared[node->variable] = 1;
    }
  }
  if (node->is_declaration) {
    declared[node->variable] = 1;
  }
  return true;
}
