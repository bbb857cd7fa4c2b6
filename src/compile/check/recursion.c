// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds cycles of calls: a depth-first walk with its stack in the arena.
// needs: a unit or linked units, before inlining.  keeps: everything.  breaks: nothing.
#include "compile/check/recursion.h"

enum { NODE_NEW = 0, NODE_OPEN = 1, NODE_DONE = 2 };

typedef struct frame {
  tn_reach_node *node;
  tn_reach_edge *next;
} frame;

static void report_edge(tn_report *report, const tn_reach_node *from, const tn_reach_edge *edge) {
  if (edge->to == from) {
    tn_report_add(report, from, edge->site, "calls itself; device code cannot recurse");
    return;
  }
  const char *callee = tn_demangle(report->arena, tn_value_name(edge->to->function));
  tn_report_add(report, from, edge->site,
                "calls '%s', which leads back to it; device code cannot recurse",
                callee ? callee : "?");
}

static void walk_from(tn_reach_node *root, frame *stack, tn_report *report) {
  size_t depth = 0;
  stack[depth++] = (frame){root, root->edges};
  root->state = NODE_OPEN;
  while (depth > 0) {
    frame *top = &stack[depth - 1];
    const tn_reach_edge *edge = top->next;
    if (!edge) {
      top->node->state = NODE_DONE;
      --depth;
      continue;
    }
    top->next = edge->next;
    if (!edge->is_call) {
      continue;
    }
    if (edge->to->state == NODE_OPEN) {
      report_edge(report, top->node, edge);
    } else if (edge->to->state == NODE_NEW) {
      edge->to->state = NODE_OPEN;
      stack[depth++] = (frame){edge->to, edge->to->edges};
    }
  }
}

bool tn_recursion_report(const tn_reach *reach, tn_report *report) {
  // A node is on the stack at most once.
  frame *stack = tn_arena_alloc_array(reach->arena, reach->nodes.count + 1, sizeof(frame));
  if (!stack) {
    return false;
  }
  for (size_t i = 0; i < reach->nodes.count; ++i) {
    tn_reach_node *node = reach->nodes.items[i];
    if (node->state == NODE_NEW) {
      walk_from(node, stack, report);
    }
  }
  return true;
}
