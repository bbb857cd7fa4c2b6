// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to compile/lower: what a function pointer points to, where the code around it says so.
#ifndef TN_COMPILE_LOWER_KNOWN_CALLEES_H
#define TN_COMPILE_LOWER_KNOWN_CALLEES_H

#include "compile/module/module.h"

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
