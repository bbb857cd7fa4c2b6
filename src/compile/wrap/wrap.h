// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A fat binary → a host object that registers itself: the descriptor `__tenon_module` (hidden), a
// constructor and destructor of priority 101, and a marker symbol for each export.
#ifndef TN_COMPILE_WRAP_WRAP_H
#define TN_COMPILE_WRAP_WRAP_H

#include "base/arena.h"
#include "base/buf.h"

typedef struct tn_wrap_params {
  tn_bytes fatbin;     // may be empty: then the module has no device code of its own
  const char *triple;  // host triple; NULL = this machine's default
  const char *module_symbol;  // of the descriptor; NULL = __tenon_module
} tn_wrap_params;
TN_MUST_USE tn_status tn_wrap_emit(const tn_wrap_params *params, tn_buf *out_object, tn_diag *diag);
// An object with functions that give NULL, by their symbols (const char *).
TN_MUST_USE tn_status tn_wrap_emit_nulls(const tn_list *symbols, tn_buf *out_object,
                                         tn_diag *diag);
// The triple of this machine's host code, appended to `out`.
void tn_wrap_host_triple(tn_buf *out);

#endif
