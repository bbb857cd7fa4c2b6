// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What kernels need of a thread's stack, as far as their variables show it; compile/emit knows it
// better, but only when machine code is made, which may be on the user's machine.
// needs: a prepared unit, nothing simplified yet.  keeps: everything.  breaks: nothing.
#include "compile/check/frame_check.h"

#include "base/config.h"

#include <llvm-c/Target.h>

static uint64_t frame_of(LLVMValueRef function) {
  LLVMTargetDataRef layout = LLVMGetModuleDataLayout(LLVMGetGlobalParent(function));
  uint64_t size = 0;
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
      if (LLVMIsAAllocaInst(i) && LLVMIsAConstantInt(LLVMGetOperand(i, 0))) {
        uint64_t bytes = LLVMConstIntGetZExtValue(LLVMGetOperand(i, 0));
        if (__builtin_mul_overflow(bytes, LLVMABISizeOfType(layout, LLVMGetAllocatedType(i)),
                                   &bytes)) {
          bytes = UINT64_MAX;
        }
        size = tn_u64_add_capped(size, bytes);
      }
    }
  }
  return size;
}

// The callee whose chain is the largest; NULL when none has variables.
static tn_reach_node *largest_callee(const tn_reach_node *node) {
  tn_reach_node *largest = NULL;
  for (const tn_reach_edge *edge = node->edges; edge; edge = edge->next) {
    if (edge->is_call && edge->to->stack_size > (largest ? largest->stack_size : 0)) {
      largest = edge->to;
    }
  }
  return largest;
}

// Callees stand behind their callers as a rule, so that few rounds reach the end.
static void sum_up(const tn_reach *reach) {
  for (size_t i = 0; i < reach->nodes.count; i++) {
    tn_reach_node *node = reach->nodes.items[i];
    node->frame_size = frame_of(node->function);
    node->stack_size = node->frame_size;
  }
  bool has_changed = true;
  for (size_t round = 0; has_changed && round < reach->nodes.count; round++) {
    has_changed = false;
    for (size_t i = reach->nodes.count; i > 0; i--) {
      tn_reach_node *node = reach->nodes.items[i - 1];
      const tn_reach_node *callee = largest_callee(node);
      const uint64_t below = callee ? callee->stack_size : 0;
      const uint64_t size = tn_u64_add_capped(node->frame_size, below);
      has_changed = has_changed || size != node->stack_size;
      node->stack_size = size;
    }
  }
}

// The function with the largest frame in the largest chain: the one to change.
static const tn_reach_node *find_culprit(const tn_reach_node *root) {
  const tn_reach_node *culprit = root;
  for (const tn_reach_node *node = root; node; node = largest_callee(node)) {
    culprit = node->frame_size > culprit->frame_size ? node : culprit;
  }
  return culprit;
}

void tn_frame_check(const tn_reach *reach, tn_report *report) {
  const uint64_t available = TN_CPU_STACK_DEFAULT - TN_CPU_STACK_RESERVE;
  sum_up(reach);
  for (size_t i = 0; i < reach->nodes.count; i++) {
    const tn_reach_node *root = reach->nodes.items[i];
    if (root->parent || root->stack_size <= available) {
      continue;
    }
    const tn_reach_node *culprit = find_culprit(root);
    tn_report_warn(report, culprit, NULL,
                   "has variables of %llu bytes; with them a kernel needs %llu bytes of stack, and "
                   "the CPU's threads have %llu (TENON_CPU_STACK_SIZE)",
                   (unsigned long long)culprit->frame_size, (unsigned long long)root->stack_size,
                   (unsigned long long)available);
  }
}
