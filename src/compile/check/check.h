// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What device code may not do (docs/diagnostics.md), read off the IR.
#ifndef TN_COMPILE_CHECK_CHECK_H
#define TN_COMPILE_CHECK_CHECK_H

#include "compile/module/module.h"

// Violations of the rules for device code, in clang's form, appended to `messages`. BUILD_FAILED
// with a summary when there is one; `source` stands where no place is known.
TN_MUST_USE tn_status tn_check_unit(LLVMModuleRef module, const char *source,
                                          tn_arena *arena, tn_buf *messages, tn_diag *diag);
// The same for what only shows when units are linked: recursion through several of them.
TN_MUST_USE tn_status tn_check_linked(LLVMModuleRef module, const char *output,
                                            tn_arena *arena, tn_buf *messages, tn_diag *diag);

#endif
