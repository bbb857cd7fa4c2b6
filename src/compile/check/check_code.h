// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to compile/check: the rules for device code that single instructions break.
#ifndef TN_COMPILE_CHECK_CHECK_CODE_H
#define TN_COMPILE_CHECK_CHECK_CODE_H

#include "compile/check/report.h"

typedef struct tn_rules {
  tn_report report;
  unsigned tbaa_kind;
  unsigned nonnull_kind;
  unsigned align_kind;
  bool is_for_cpu;  // the module's target is the host's
  bool is_for_nvidia;
} tn_rules;

void tn_check_instruction(tn_rules *rules, const tn_reach_node *node, LLVMValueRef instruction);

// A load of a pointer to a virtual table.
bool tn_check_is_vtable_load(const tn_rules *rules, LLVMValueRef value);

// What the function object of a kernel holds: references, `this` of the host, virtual bases.
// `load` is a load instruction.
void tn_check_held(tn_rules *rules, const tn_reach_node *node, LLVMValueRef load);

#endif
