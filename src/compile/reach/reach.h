// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to compile/lower: which functions device code reaches, and how.
#ifndef TN_COMPILE_REACH_REACH_H
#define TN_COMPILE_REACH_REACH_H

#include "base/map.h"
#include "compile/module/module.h"

typedef struct tn_reach_node tn_reach_node;

typedef struct tn_reach_edge {
  tn_reach_node *to;
  LLVMValueRef site;           // the instruction
  bool is_call;                // direct, or through a pointer that is known; else it is mentioned
  struct tn_reach_edge *next;  // of the same caller, in order
} tn_reach_edge;

struct tn_reach_node {
  LLVMValueRef function;
  tn_reach_node *parent;  // on a shortest way from a root; NULL for a root
  LLVMValueRef site;      // the parent's instruction that leads here; NULL for a root
  tn_reach_edge *edges;   // to defined functions
  tn_reach_edge **edges_end;
  uint32_t state;  // for the search for cycles
  uint64_t uses;   // aspects, by the function's own code (aspects.c)
  uint64_t needs;  // those, and all that it reaches
  uint64_t frame_size;  // of the function's variables (frame_check.c)
  uint64_t stack_size;  // with the largest chain of calls below it
};

// Everything lives in `arena`; nodes are in breadth-first order: kernels and what they need, then
// SYCL_EXTERNAL functions that no kernel needs, and what they need.
typedef struct tn_reach {
  tn_arena *arena;  // borrowed
  tn_map by_value;  // owned
  tn_list nodes;
  bool out_of_memory;
  // Called for each global value that an instruction mentions, directly or through constants.
  void (*visit)(void *user, tn_reach_node *node, LLVMValueRef instruction, LLVMValueRef value,
                bool is_callee);
  // Called for each instruction.
  void (*visit_instruction)(void *user, tn_reach_node *node, LLVMValueRef instruction);
  void *user;
} tn_reach;

void tn_reach_init(tn_reach *reach, tn_arena *arena);
void tn_reach_deinit(tn_reach *reach);
// With the callbacks set, walks all that the module's kernels and SYCL_EXTERNAL functions reach.
TN_MUST_USE tn_status tn_reach_walk(tn_reach *reach, LLVMModuleRef module, tn_diag *diag);
// The function behind a callee: through aliases. NULL when it is none.
LLVMValueRef tn_reach_function_of(LLVMValueRef value);

// What a function pointer points to, where the code around it says so.
enum { TN_CALLEES_MAX = 32 };
typedef struct tn_callees {
  LLVMValueRef functions[TN_CALLEES_MAX];
  size_t count;
  bool is_complete;  // it can be no other function
} tn_callees;

// `callee` is the called value of an instruction. Looks through constants and constant tables,
// variables of the function, and parameters whose callers are all in the module.
void tn_callees_find(LLVMValueRef callee, tn_callees *out);

// The value that a variable of the function always holds, where that is so, for a load of it; the
// value itself for everything else.
LLVMValueRef tn_value_through_slot(LLVMValueRef value);

#endif
