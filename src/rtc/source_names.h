// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to rtc: the end of a source, which makes the kernels of its functions, and which kernel
// each name stands for.
#ifndef TN_RTC_SOURCE_NAMES_H
#define TN_RTC_SOURCE_NAMES_H

#include "compile/clang/clang.h"
#include "tenon/compiler.h"

#include <llvm-c/Core.h>

// The functions that the source marks as kernels, in the order of the end's text.
typedef struct tn_source_end {
  const char *const *names;  // as registered; borrowed
  size_t name_count;
  tn_arena *arena;
  tn_list functions;  // of tn_clang_kernel *, copies
  bool *is_global;    // of each registered name, whether it is a device global's; the arena's
  bool failed;        // there was no memory
} tn_source_end;

// INVALID_ARGUMENT for names that can be no expression: empty, of several lines.
TN_MUST_USE tn_status tn_source_names_check(const char *const *names, size_t count, tn_diag *diag);
// tn_clang_run.end; `user` is a tn_source_end.
void tn_source_end_write(void *user, const tn_clang_kernel *kernels, size_t count, tn_buf *out);

// What the names stand for, read from the device pass's module: of each registered one, then of
// functions with C's linkage. Symbols are without a unit's id. INVALID_ARGUMENT for a registered
// name that is no kernel.
typedef struct tn_source_symbol {
  const char *name;
  const char *symbol;
} tn_source_symbol;
TN_MUST_USE tn_status tn_source_names_read(const tn_source_end *end, LLVMModuleRef module,
                                           tn_list *out, tn_diag *diag);

#endif
