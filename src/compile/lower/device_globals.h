// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to lower: variables of device code that each device has one of.
#ifndef TN_COMPILE_LOWER_DEVICE_GLOBALS_H
#define TN_COMPILE_LOWER_DEVICE_GLOBALS_H

#include "compile/module/module.h"

// Of a unit straight from clang: variables of type device_global, or marked TN_DEVICE_GLOBAL in C,
// get the symbol that tells them from all others. BUILD_FAILED for those that cannot be one.
TN_MUST_USE tn_status tn_globals_mark(LLVMModuleRef module, tn_arena *arena, tn_diag *diag);
// Puts a prefix before the symbol of a variable that device code may change.
TN_MUST_USE tn_status tn_global_rename(LLVMValueRef global, const char *prefix, tn_arena *arena,
                                       tn_diag *diag);
// Gives a marked variable its final linkage: mergeable over all units, or, where it has none, with
// the unit's id in its symbol. Its value is unknown to LLVM from here on.
TN_MUST_USE tn_status tn_global_settle(LLVMValueRef variable, uint64_t unit_id, tn_diag *diag);

#endif
