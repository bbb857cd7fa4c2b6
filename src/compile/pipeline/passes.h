// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Steps of the compiler by their names, any of them in any order, as tests and people who write
// one want them (tenon-lower). The pipeline's own order is in *_pipeline.c.
#ifndef TN_COMPILE_PIPELINE_PASSES_H
#define TN_COMPILE_PIPELINE_PASSES_H

#include "base/arena.h"
#include "base/buf.h"

// A line of the table. Modules are the same before and after but for what is said.
typedef struct tn_pass_info {
  const char *name;
  const char *value;  // what may stand behind "name="; "" when nothing does
  const char *what;
  const char *needs;
  const char *keeps;
  const char *breaks;
} tn_pass_info;
size_t tn_pass_count(void);
tn_pass_info tn_pass_at(size_t index);

typedef struct tn_passes_params {
  tn_bytes module;   // bitcode, or LLVM's assembly language
  const char *name;  // for messages
  tn_str passes;     // "prepare,check,name-unit=7"
  bool as_text;      // the result as LLVM's assembly language
} tn_passes_params;
// Runs the passes and writes what is left; several modules, as split makes them, only as text, each
// behind a line "; piece N". Each module is verified after each pass. What the passes say (rules
// that are broken, lists of symbols) is appended to `messages`.
TN_MUST_USE tn_status tn_passes_run(const tn_passes_params *params, tn_buf *out, tn_buf *messages,
                                    tn_diag *diag);

#endif
