// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel as a tree: what is generated, printed as text, and cut down while it still fails.
//
// A node is a form and its children: "($0 + $1)". In a form $n is a child, %v the number of the
// variable that the node declares or names, a tab a line's indentation. Nothing else is known about
// the language here, so that the generator may add a construct with one line.
#ifndef TN_TEST_FUZZ_KERNELS_KERNEL_TREE_H
#define TN_TEST_FUZZ_KERNELS_KERNEL_TREE_H

#include "base/arena.h"
#include "base/buf.h"

typedef enum scalar_type {
  TYPE_BOOL,
  TYPE_I8,
  TYPE_U8,
  TYPE_I16,
  TYPE_U16,
  TYPE_I32,
  TYPE_U32,
  TYPE_I64,
  TYPE_U64,
  TYPE_F32,
  TYPE_F64,
  TYPE_COUNT
} scalar_type;

// The number of elements of a sycl::vec, or 0.
typedef struct kernel_type {
  uint8_t scalar;  // scalar_type
  uint8_t width;
} kernel_type;

typedef enum tree_kind {
  TREE_EXPRESSION,
  TREE_STATEMENT,
  TREE_BLOCK,  // its children are statements
  TREE_FIXED,  // neither removed nor replaced; its children may be
} tree_kind;

enum { TREE_CHILDREN = 6 };

typedef struct tree {
  const char *form;    // static or the arena's; NULL of a block
  struct tree **kids;  // NULL entries of a block were removed
  uint32_t count;
  uint32_t capacity;
  uint32_t variable;  // 0: none
  kernel_type type;
  uint8_t kind;         // tree_kind
  bool is_declaration;  // `variable` is visible in what follows
} tree;

typedef struct type_traits {
  const char *name;
  uint8_t size;
  bool is_signed;
  bool is_float;
} type_traits;
const type_traits *type_of(kernel_type type);
bool type_is_equal(kernel_type a, kernel_type b);
// "int", "sycl::vec<int, 4>"; in the arena when it is none of the static ones.
const char *type_name(tn_arena *arena, kernel_type type);

tree *tree_node(tn_arena *arena, tree_kind kind, kernel_type type, const char *form, uint32_t count,
                tree *const *kids);
tree *tree_block(tn_arena *arena);
void tree_add(tn_arena *arena, tree *block, tree *statement);
void tree_print(const tree *node, int indent, tn_buf *out);
uint32_t tree_size(const tree *node);
// Whether each variable that is named was declared before, by the order of the text.
bool tree_is_closed(const tree *node, uint8_t *declared, uint32_t variable_count);

#endif
