// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to lower: variables of type work_group_static, of which each work-group has one.
#ifndef TN_COMPILE_LOWER_GROUP_STATICS_H
#define TN_COMPILE_LOWER_GROUP_STATICS_H

#include "compile/module/module.h"

// Of a unit straight from clang: they get the symbol that tells them from all others.
TN_MUST_USE tn_status tn_group_statics_mark(LLVMModuleRef module, tn_arena *arena, tn_diag *diag);

#endif
