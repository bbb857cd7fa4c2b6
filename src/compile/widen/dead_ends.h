// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to compile/widen.
#ifndef TN_COMPILE_WIDEN_DEAD_ENDS_H
#define TN_COMPILE_WIDEN_DEAD_ENDS_H

#include "compile/module/module.h"

// Where loops have one exit, and before returns are merged: code of several blocks that never
// returns gets a return.
TN_MUST_USE tn_status tn_dead_ends_open(LLVMModuleRef module, tn_diag *diag);

// Afterwards: no block only leads to an unreachable.
void tn_dead_ends_part(LLVMModuleRef module);

#endif
