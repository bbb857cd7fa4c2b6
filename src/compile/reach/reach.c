// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Walks from kernels and SYCL_EXTERNAL functions over all that they call or mention.
#include "compile/reach/reach.h"


enum { TN_REACH_CONSTANT_DEPTH = 200 };

void tn_reach_init(tn_reach *reach, tn_arena *arena) {
  *reach = (tn_reach){.arena = arena};
  tn_map_init(&reach->by_value);
}

void tn_reach_deinit(tn_reach *reach) { tn_map_deinit(&reach->by_value); }

LLVMValueRef tn_reach_function_of(LLVMValueRef value) {
  for (int i = 0; value && LLVMIsAGlobalAlias(value) && i < 16; ++i) {
    value = LLVMAliasGetAliasee(value);
  }
  return value ? LLVMIsAFunction(value) : NULL;
}

static tn_reach_node *find_or_add(tn_reach *reach, LLVMValueRef function, tn_reach_node *parent,
                                  LLVMValueRef site) {
  tn_reach_node *node = tn_map_find(&reach->by_value, TN_POINTER_KEY(function));
  if (node) {
    return node;
  }
  node = tn_arena_alloc(reach->arena, sizeof(*node));
  if (!node || !tn_list_add(&reach->nodes, reach->arena, node) ||
      !tn_map_set(&reach->by_value, TN_POINTER_KEY(function), node)) {
    reach->out_of_memory = true;
    return NULL;
  }
  *node = (tn_reach_node){.function = function, .parent = parent, .site = site};
  node->edges_end = &node->edges;
  return node;
}

static void add_edge(tn_reach *reach, tn_reach_node *from, tn_reach_node *to, LLVMValueRef site,
                     bool is_call) {
  tn_reach_edge *edge = tn_arena_alloc(reach->arena, sizeof(*edge));
  if (!edge) {
    reach->out_of_memory = true;
    return;
  }
  *edge = (tn_reach_edge){.to = to, .site = site, .is_call = is_call};
  *from->edges_end = edge;
  from->edges_end = &edge->next;
}

// One instruction of one function, while its operands are looked through.
typedef struct walk_site {
  tn_reach *reach;
  tn_reach_node *node;
  LLVMValueRef instruction;
  tn_map seen;  // constants of this instruction that were entered
} walk_site;

static void visit_global(walk_site *site, LLVMValueRef value, bool is_callee) {
  tn_reach *reach = site->reach;
  LLVMValueRef function = tn_reach_function_of(value);
  if (reach->visit) {
    reach->visit(reach->user, site->node, site->instruction, function ? function : value,
                 is_callee);
  }
  if (!function || !tn_function_is_defined(function)) {
    return;
  }
  tn_reach_node *to = find_or_add(reach, function, site->node, site->instruction);
  if (to) {
    add_edge(reach, site->node, to, site->instruction, is_callee);
  }
}

static void visit_constant(walk_site *site, LLVMValueRef value, int depth) {
  if (LLVMIsAFunction(value) || LLVMIsAGlobalAlias(value)) {
    visit_global(site, value, false);
    return;
  }
  LLVMValueRef variable = LLVMIsAGlobalVariable(value);
  const int count = variable ? 0 : LLVMGetNumOperands(value);
  if ((!variable && count == 0) || depth == TN_REACH_CONSTANT_DEPTH ||
      tn_map_find(&site->seen, TN_POINTER_KEY(value))) {
    return;
  }
  if (!tn_map_set(&site->seen, TN_POINTER_KEY(value), value)) {
    site->reach->out_of_memory = true;
    return;
  }
  if (variable) {
    visit_global(site, value, false);
    LLVMValueRef initializer = LLVMGetInitializer(variable);
    if (initializer && LLVMIsGlobalConstant(variable)) {
      visit_constant(site, initializer, depth + 1);
    }
    return;
  }
  for (int i = 0; i < count; ++i) {
    LLVMValueRef operand = LLVMGetOperand(value, (unsigned)i);
    if (operand && LLVMIsAConstant(operand)) {
      visit_constant(site, operand, depth + 1);
    }
  }
}

// A call through a pointer that can only be to known functions is a call of each.
static void visit_known(walk_site *site, LLVMValueRef callee) {
  tn_callees known;
  tn_callees_find(callee, &known);
  for (size_t i = 0; known.is_complete && i < known.count; ++i) {
    LLVMValueRef function = known.functions[i];
    tn_reach_node *to = tn_function_is_defined(function)
                            ? find_or_add(site->reach, function, site->node, site->instruction)
                            : NULL;
    if (to) {
      add_edge(site->reach, site->node, to, site->instruction, true);
    }
  }
}

static void visit_instruction(tn_reach *reach, tn_reach_node *node, LLVMValueRef instruction) {
  if (reach->visit_instruction) {
    reach->visit_instruction(reach->user, node, instruction);
  }
  walk_site site = {.reach = reach, .node = node, .instruction = instruction};
  tn_map_init(&site.seen);
  int count = LLVMGetNumOperands(instruction);
  if (LLVMIsACallInst(instruction) || LLVMIsAInvokeInst(instruction)) {
    LLVMValueRef callee = LLVMGetCalledValue(instruction);
    if (callee && (LLVMIsAFunction(callee) || LLVMIsAGlobalAlias(callee))) {
      visit_global(&site, callee, true);
    } else if (callee && !LLVMIsAInlineAsm(callee)) {
      visit_known(&site, callee);
    }
    count -= 1;
  }
  for (int i = 0; i < count; ++i) {
    LLVMValueRef operand = LLVMGetOperand(instruction, (unsigned)i);
    if (operand && LLVMIsAConstant(operand)) {
      visit_constant(&site, operand, 0);
    }
  }
  tn_map_deinit(&site.seen);
}

static void walk_function(tn_reach *reach, tn_reach_node *node) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(node->function); block;
       block = LLVMGetNextBasicBlock(block)) {
    for (LLVMValueRef instruction = LLVMGetFirstInstruction(block); instruction;
         instruction = LLVMGetNextInstruction(instruction)) {
      visit_instruction(reach, node, instruction);
    }
  }
}

tn_status tn_reach_walk(tn_reach *reach, LLVMModuleRef module, tn_diag *diag) {
  size_t walked = 0;
  // What a kernel reaches is told from the kernel, even if it could be called from elsewhere.
  for (int kernels = 1; kernels >= 0; --kernels) {
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
      const bool is_root = kernels ? tn_function_is_kernel(f)
                                   : tn_function_is_external(f) && tn_function_is_defined(f);
      if (is_root) {
        find_or_add(reach, f, NULL, NULL);
      }
    }
    for (; walked < reach->nodes.count && !reach->out_of_memory; ++walked) {
      walk_function(reach, reach->nodes.items[walked]);
    }
  }
  if (reach->out_of_memory) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to walk the device code's calls");
  }
  return TN_OK;
}
