// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to lower: the variables that device code reads for specialization constants.
#ifndef TN_COMPILE_LOWER_SPEC_CONSTANTS_H
#define TN_COMPILE_LOWER_SPEC_CONSTANTS_H

#include "compile/module/module.h"

// As clang's device pass leaves one: sycl::detail::spec_constant<id>::value.
bool tn_spec_is_variable(LLVMValueRef global);
// Gives such a variable its final symbol, mergeable over all units: that of its type, with the
// unit's id where it has no linkage. Its value is unknown to LLVM from here on.
TN_MUST_USE tn_status tn_spec_name(LLVMValueRef variable, uint64_t unit_id, tn_diag *diag);
// Whether it has its final symbol.
bool tn_spec_is_named(LLVMValueRef global);

// The function that native code has the buffer's address from (cpu_ids.c).
#define TN_SPEC_BUFFER_FUNCTION "__tenon_spec_constants"

#endif
