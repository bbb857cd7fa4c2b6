// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to lower: arguments of classes that are not copied as bytes.
#ifndef TN_COMPILE_LOWER_BY_REFERENCE_H
#define TN_COMPILE_LOWER_BY_REFERENCE_H

#include "compile/module/module.h"

// Clang's notes of such parameters are in `annotations`, the entries of llvm.global.annotations.
// Afterwards functions and calls have the address of the caller's object.
TN_MUST_USE tn_status tn_by_reference_apply(LLVMModuleRef module, LLVMValueRef annotations,
                                            tn_arena *arena, tn_diag *diag);

#endif
