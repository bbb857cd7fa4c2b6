// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// [[sycl::device_has(…)]] promises that a function needs no other aspects of the optional features.
// needs: a prepared unit.  keeps: everything.  breaks: nothing.
#include "compile/check/aspect_check.h"

#include "compile/lower/lower.h"
#include "image/image.h"

enum { TN_WAY_MAX = 64 };

typedef struct checker {
  tn_reach *reach;
  tn_report *report;
  tn_map types;
  tn_map from;  // node → edge that it was found by, of one search
} checker;

static bool declares(const tn_reach_node *node, uint64_t aspect) {
  return (tn_aspects_read(tn_function_attr(node->function, TN_ATTR_DEVICE_HAS)) & aspect) != 0;
}

// The first instruction that needs the aspect; NULL when none does by itself. Space for a variable
// says less than what is done with it.
static LLVMValueRef first_use(checker *c, const tn_reach_node *node, uint64_t aspect) {
  LLVMValueRef space = NULL;
  if ((node->uses & aspect) == 0) {
    return NULL;
  }
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(node->function); block;
       block = LLVMGetNextBasicBlock(block)) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
      if ((tn_aspects_of_instruction(&c->types, i) & aspect) == 0) {
        continue;
      }
      if (!LLVMIsAAllocaInst(i)) {
        return i;
      }
      space = space ? space : i;
    }
  }
  return space;
}

typedef struct found_by {
  tn_reach_node *node;  // the caller
  LLVMValueRef site;
} found_by;

// The nearest function on from `root` that has the aspect itself; NULL when there is no memory.
static tn_reach_node *find_user(checker *c, tn_reach_node *root, uint64_t aspect, tn_list *queue) {
  tn_arena *arena = c->reach->arena;
  found_by *none = tn_arena_alloc(arena, sizeof(*none));
  if (!none || !tn_map_set(&c->from, TN_POINTER_KEY(root), none) ||
      !tn_list_add(queue, arena, root)) {
    return NULL;
  }
  *none = (found_by){NULL, NULL};
  for (size_t i = 0; i < queue->count; ++i) {
    tn_reach_node *node = queue->items[i];
    if ((node->uses & aspect) != 0 &&
        (first_use(c, node, aspect) || (node != root && declares(node, aspect)))) {
      return node;
    }
    for (const tn_reach_edge *edge = node->edges; edge; edge = edge->next) {
      tn_reach_node *to = edge->to;
      if ((to->needs & aspect) == 0 || tn_map_find(&c->from, TN_POINTER_KEY(to))) {
        continue;
      }
      found_by *from = tn_arena_alloc(arena, sizeof(*from));
      if (!from || !tn_map_set(&c->from, TN_POINTER_KEY(to), from) ||
          !tn_list_add(queue, arena, to)) {
        return NULL;
      }
      *from = (found_by){node, edge->site};
    }
  }
  return NULL;
}

static const char *aspect_name(checker *c, uint32_t number) {
  const char *name = tn_aspect_name(number);
  return name ? name : tn_arena_format(c->reach->arena, "%u", number);
}

static void report_way(checker *c, tn_reach_node *root, tn_reach_node *user, uint32_t number) {
  const uint64_t aspect = (uint64_t)1 << number;
  tn_report_step steps[TN_WAY_MAX] = {{user->function, first_use(c, user, aspect)}};
  size_t count = 1;
  const bool is_declared = !steps[0].site;
  for (tn_reach_node *node = user; node != root && count < TN_WAY_MAX; ++count) {
    const found_by *from = tn_map_find(&c->from, TN_POINTER_KEY(node));
    steps[count] = (tn_report_step){from->node->function, from->site};
    node = from->node;
  }
  const char *name = aspect_name(c, number);
  const char *root_name = tn_report_name(c->report, root->function);
  const char *note = tn_arena_format(c->reach->arena, "'%s' has its device_has here", root_name);
  const bool is_own = user == root;
  tn_report_warn_way(c->report, steps, count, note ? note : "device_has",
                     "%s aspect::%s, which %s%s%s does not list",
                     is_declared ? "declares" : "needs", name ? name : "?",
                     is_own ? "its device_has" : "the device_has of '", is_own ? "" : root_name,
                     is_own ? "" : "'");
}

static tn_status check_aspect(checker *c, tn_reach_node *root, uint32_t number, tn_diag *diag) {
  tn_list queue = {0};
  tn_map_init(&c->from);
  tn_reach_node *user = find_user(c, root, (uint64_t)1 << number, &queue);
  if (user) {
    report_way(c, root, user, number);
  }
  tn_map_deinit(&c->from);
  return user ? TN_OK : TN_FAIL(diag, OUT_OF_MEMORY, "no memory to check what kernels need");
}

static tn_status check_function(checker *c, tn_reach_node *node, tn_diag *diag) {
  const tn_str own = tn_function_attr(node->function, TN_ATTR_DEVICE_HAS);
  if (own.size == 0) {
    return TN_OK;
  }
  const uint64_t missing = node->needs & ~tn_aspects_read(own);
  for (uint32_t number = 0; number < 64; ++number) {
    if ((missing >> number & 1) != 0) {
      TN_TRY(check_aspect(c, node, number, diag));
    }
  }
  return TN_OK;
}

// Only what is declared: what the code uses is seen in the code that is left in the end.
static tn_status keep_declared(tn_reach *reach, tn_diag *diag) {
  for (size_t i = 0; i < reach->nodes.count; ++i) {
    tn_reach_node *node = reach->nodes.items[i];
    node->uses = 0;
  }
  tn_aspects_spread(reach);
  for (size_t i = 0; i < reach->nodes.count; ++i) {
    const tn_reach_node *node = reach->nodes.items[i];
    const char *text = node->needs != 0 ? tn_aspects_text(reach->arena, node->needs) : "";
    if (!text) {
      return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to note what kernels need");
    }
    if (text[0] != '\0') {
      tn_function_set_attr(node->function, TN_ATTR_DECLARED, text);
    }
  }
  return TN_OK;
}

static bool has_declaration(const tn_reach *reach) {
  for (size_t i = 0; i < reach->nodes.count; ++i) {
    const tn_reach_node *node = reach->nodes.items[i];
    if (tn_function_attr(node->function, TN_ATTR_DEVICE_HAS).size > 0) {
      return true;
    }
  }
  return false;
}

static void scan(checker *c) {
  for (size_t i = 0; i < c->reach->nodes.count; ++i) {
    tn_reach_node *node = c->reach->nodes.items[i];
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(node->function); block;
         block = LLVMGetNextBasicBlock(block)) {
      for (LLVMValueRef k = LLVMGetFirstInstruction(block); k; k = LLVMGetNextInstruction(k)) {
        node->uses |= tn_aspects_of_instruction(&c->types, k);
      }
    }
  }
}

tn_status tn_aspect_check(tn_reach *reach, tn_report *report, tn_diag *diag) {
  if (!has_declaration(reach)) {
    return TN_OK;
  }
  checker c = {.reach = reach, .report = report};
  tn_map_init(&c.types);
  scan(&c);
  tn_aspects_spread(reach);
  tn_status status = TN_OK;
  for (size_t i = 0; status == TN_OK && i < reach->nodes.count; ++i) {
    status = check_function(&c, reach->nodes.items[i], diag);
  }
  tn_map_deinit(&c.types);
  return status == TN_OK ? keep_declared(reach, diag) : status;
}
