// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to lower: variables whose addresses functions get when they run.
#ifndef TN_COMPILE_LOWER_VARIABLE_USES_H
#define TN_COMPILE_LOWER_VARIABLE_USES_H

#include "compile/module/module.h"

typedef struct tn_variable_address {
  // The variable's address in a function, of the variable's type, built where the function begins;
  // called once a function, with the builder there. NULL: no memory.
  LLVMValueRef (*begin)(void *user, LLVMBuilderRef builder, LLVMValueRef function);
  void (*loaded)(LLVMValueRef load);  // optional: each load from it, or from what is derived of it
  void *user;
  const char *what;  // for messages
} tn_variable_address;

// Replaces all uses of the variable, also by constants that are made of its address, and deletes
// it. UNSUPPORTED when something else has the address.
TN_MUST_USE tn_status tn_variable_replace(LLVMValueRef variable, const tn_variable_address *how,
                                          tn_diag *diag);

#endif
