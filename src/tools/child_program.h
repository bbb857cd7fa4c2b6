// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What programs that the libraries start have in common: bitcode on standard input, and on standard
// output an answer, or "error <status> <text>".
#ifndef TN_TOOLS_CHILD_PROGRAM_H
#define TN_TOOLS_CHILD_PROGRAM_H

#include "base/base.h"
#include "tenon/compiler.h"

// No core dump, and an end after `seconds` of computing.
void tn_child_limit(unsigned seconds);
// The table of the compiler library at `path`, of this version.
TN_MUST_USE tn_status tn_child_compiler(const char *path, const tn_compiler **out, tn_diag *diag);
// Standard input as a whole: tn_free(*out_data).
TN_MUST_USE tn_status tn_child_input(char **out_data, size_t *out_size, tn_diag *diag);
// Writes the error if there is one, and ends the process.
_Noreturn void tn_child_end(tn_status status, const tn_diag *diag);

#endif
