// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the generator's files share: the state of one kernel's generation, and values with the
// range that they are known to be in.
//
// Invariant: for every work-item that evaluates an expression, its value lies in the range noted
// for it. Ranges decide where signed arithmetic stays plain, what may index a buffer, and what may
// be divided by. A guard narrows the range of its variable in what it guards, as the compiler does.
#ifndef TN_TEST_FUZZ_KERNELS_KERNEL_GENERATOR_H
#define TN_TEST_FUZZ_KERNELS_KERNEL_GENERATOR_H

#include "fuzz/kernels/kernel_case.h"

__extension__ typedef __int128 wide;

// Who has the same value of a variable, and who reaches a statement together.
typedef enum uniformity { UNIFORM_ITEM, UNIFORM_SUB_GROUP, UNIFORM_GROUP } uniformity;

typedef struct variable {
  uint32_t id;       // 0: an argument
  const char *form;  // how it is named
  kernel_type type;
  wide low;
  wide high;
  uint8_t uniform;  // uniformity
  bool is_mutable;
} variable;

// An array that every work-item has of its own.
typedef struct private_array {
  uint32_t id;
  kernel_type type;
  uint32_t count;  // a power of two
} private_array;

typedef struct helper {
  uint32_t id;
  kernel_type result;
  kernel_type parameters[3];
  uint32_t parameter_count;
} helper;

// How buffers and local arrays may be used.
typedef enum buffer_role {
  ROLE_INPUT,   // read anywhere
  ROLE_OWNED,   // each work-item reads and writes its own elements
  ROLE_ATOMIC,  // changed by one operation, by all, and read by none
} buffer_role;

typedef struct buffer_plan {
  uint8_t role;
  uint32_t elements;   // of each work-item, of owned ones
  uint32_t order;      // which element is whose: see own_index
  uint32_t operation;  // of atomic ones
} buffer_plan;

enum { SCOPE_MAXIMUM = 512, ARRAY_MAXIMUM = 8 };

typedef struct generator {
  kernel_random random;
  tn_arena *arena;
  kernel_case *it;
  variable scope[SCOPE_MAXIMUM];
  uint32_t scope_count;
  private_array arrays[ARRAY_MAXIMUM];
  uint32_t array_count;
  helper helpers[KERNEL_FUNCTIONS];
  uint32_t helper_count;
  buffer_plan plans[KERNEL_BUFFERS];
  // Local memory: whether each work-item uses its own element (else all may read any).
  bool local_is_own[KERNEL_LOCALS];
  uint32_t item_count;
  uint32_t group_size;
  int budget;  // statements left
  int depth;   // of nested statements
  int loop_depth;
  bool can_break;
  bool can_return;  // and what: a kernel nothing, a function its result
  bool is_function;
  bool is_portable;
  kernel_type result;
  uint8_t together;  // uniformity: who is sure to be here together
  uint8_t needs;     // uniformity that operands must have
} generator;

typedef struct value {
  tree *node;
  wide low;
  wide high;
} value;

static inline bool chance(generator *g, uint32_t percent) {
  return random_percent(&g->random, percent);
}
static inline uint32_t pick(generator *g, uint32_t bound) {
  return random_below(&g->random, bound);
}
static inline kernel_type scalar(scalar_type s) { return (kernel_type){(uint8_t)s, 0}; }

wide type_low(kernel_type type);
wide type_high(kernel_type type);
value with_range(tree *node, wide low, wide high);  // the type's where the range is larger
value with_full_range(tree *node);
tree *expression(generator *g, kernel_type type, const char *form, tree *a, tree *b, tree *c);
tree *statement(generator *g, const char *form, tree *a, tree *b, tree *c);

// Expressions: of the type, at most `depth` operators deep.
value gen_value(generator *g, kernel_type type, int depth);
value gen_constant(generator *g, kernel_type type);
value constant_of(generator *g, kernel_type type, wide number);
tree *gen_condition(generator *g, int depth);
value convert(generator *g, value v, kernel_type type);
// A variable as an expression.
value use(generator *g, const variable *v);
// One of the scope of an integer or floating point type, NULL when there is none.
const variable *pick_variable(generator *g, bool is_float);
kernel_type pick_scalar_type(generator *g);
kernel_type pick_integer_type(generator *g);
// An expression that lies in [0, count), of an integer type.
tree *gen_index(generator *g, uint32_t count);
// The element of an input buffer that a guarded variable names; NULL when it cannot.
value gen_load(generator *g, kernel_type type);
// A comparison with an element, where its index is inside: "x >= 0 && x < n && a.b0[x] < 3".
tree *gen_guarded_condition(generator *g);
value gen_vector(generator *g, kernel_type type, int depth);
kernel_type pick_vector_type(generator *g);
// A vector of the scope whose elements convert to the type; NULL when there is none.
const variable *pick_vector(generator *g, kernel_type type);
void gen_vector_statement(generator *g, tree *block);

// Statements.
tree *gen_block(generator *g, int statements);
// Declares a variable that is visible from here on, and adds its statement.
const variable *declare(generator *g, tree *block, value v, bool is_mutable);
const variable *declare_as(generator *g, tree *block, const char *form, value v, bool is_mutable,
                           uniformity uniform);
void gen_statement(generator *g, tree *block);
void gen_helper(generator *g);
// The index of the work-item's own element `n` (an expression) of an owned buffer.
const char *own_index(const generator *g, uint32_t buffer);
// Group functions, barriers and local memory; false when none is possible here.
bool gen_group_statement(generator *g, tree *block);
void gen_memory_statement(generator *g, tree *block);

#endif
