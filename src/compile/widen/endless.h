// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to compile/widen.
#ifndef TN_COMPILE_WIDEN_ENDLESS_H
#define TN_COMPILE_WIDEN_ENDLESS_H

#include "compile/module/module.h"

TN_MUST_USE tn_status tn_endless_loops_open(LLVMModuleRef module, tn_diag *diag);

#endif
