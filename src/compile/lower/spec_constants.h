// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to lower: the variables that device code reads for specialization constants.
#ifndef TN_COMPILE_LOWER_SPEC_CONSTANTS_H
#define TN_COMPILE_LOWER_SPEC_CONSTANTS_H

#include "compile/module/module.h"

// Gives the variable of an id that is const but not constexpr its default, from the id's own
// variable; it becomes another one then. BUILD_FAILED when the id is initialized at run time.
TN_MUST_USE tn_status tn_spec_copy_default(LLVMValueRef *variable, tn_diag *diag);
// Gives such a variable its final symbol, mergeable over all units: that of its type, with the
// unit's id where it has no linkage. Its value is unknown to LLVM from here on.
TN_MUST_USE tn_status tn_spec_name(LLVMValueRef variable, uint64_t unit_id, tn_diag *diag);
// Whether it has its final symbol.
bool tn_spec_is_named(LLVMValueRef global);


// Takes out the volatile reads that the headers leave so that a constant counts as read although
// nobody wants its value. Before code is made: they keep loops from becoming vectors.
void tn_spec_drop_marks(LLVMModuleRef module);

#endif
