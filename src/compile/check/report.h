// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to compile/check: violations in clang's form, each once, with the way from the kernel.
#ifndef TN_COMPILE_CHECK_REPORT_H
#define TN_COMPILE_CHECK_REPORT_H

#include "compile/reach/reach.h"

typedef struct tn_report {
  tn_arena *arena;       // borrowed
  tn_buf *out;           // borrowed
  const char *fallback;  // file named where no place is known; borrowed
  tn_map seen;           // owned: error lines written
  size_t count;          // violations, also those that are no longer written
  size_t warning_count;
  char *first;  // the first one's sentence, in the arena
} tn_report;

void tn_report_init(tn_report *report, tn_arena *arena, tn_buf *out, const char *fallback);
void tn_report_deinit(tn_report *report);
// "<place>: error: '<function>' <what>" and the notes. `instruction` lies in the node's function.
void tn_report_add(tn_report *report, const tn_reach_node *node, LLVMValueRef instruction,
                   const char *format, ...) TN_PRINTF(4, 5);
// The same as a warning, which fails nothing.
void tn_report_warn(tn_report *report, const tn_reach_node *node, LLVMValueRef instruction,
                    const char *format, ...) TN_PRINTF(4, 5);
// A warning with a way of its own: the first step's function does it at `site`, each later one
// calls the one before. The notes name all but the first; `note` says what there is to the last.
typedef struct tn_report_step {
  LLVMValueRef function;
  LLVMValueRef site;
} tn_report_step;
void tn_report_warn_way(tn_report *report, const tn_report_step *steps, size_t count,
                        const char *note, const char *format, ...) TN_PRINTF(5, 6);
// A warning about something that is in no function.
void tn_report_warn_at(tn_report *report, tn_place place, const char *format, ...) TN_PRINTF(3, 4);
// An error about a function's declaration, with a note that names the function.
void tn_report_add_at(tn_report *report, tn_place place, LLVMValueRef function, const char *format,
                      ...) TN_PRINTF(4, 5);
// The name of a function for people; of the arena.
const char *tn_report_name(tn_report *report, LLVMValueRef function);
// BUILD_FAILED when anything was reported: with the error's line when it is the only one (the text
// has it already), else with the number of errors. Closes the text.
TN_MUST_USE tn_status tn_report_finish(tn_report *report, tn_diag *diag);

#endif
