// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to rtc: the headers that this library carries, and how a source is compiled with them:
// without the host's standard library when it needs none, from precompiled headers where there are.
#ifndef TN_RTC_CARRIED_HEADERS_H
#define TN_RTC_CARRIED_HEADERS_H

#include "compile/clang/clang.h"

// What tn_pass_params.include_dir is to be in sources that are compiled with them.
#define TN_CARRIED_INCLUDE_DIR "/tenon/include"
// The carried file that precompiled headers are made of.
#define TN_CARRIED_PRECOMPILED "/tenon/precompiled.hpp"

// All of them, under /tenon; static.
const tn_clang_file *tn_carried_files(size_t *out_count);
// Changes when any of them changes.
uint64_t tn_carried_version(void);
// Whether `#include <name>` finds one.
bool tn_carried_has(tn_str name);

typedef struct tn_carried_options {
  bool auto_pch;           // precompile what the source includes first, and keep it in memory
  const char *pch_folder;  // not NULL: the same, kept in this folder as well
} tn_carried_options;

// As the functions of compile/clang. `run` is the caller's: words as tn_frontend_device_args makes
// them, with TN_CARRIED_INCLUDE_DIR; files[0] is the source, and the carried ones are not among
// them; no precompiled header. A source that includes no standard header but those that Tenon
// carries is compiled without the host's. What fails so is compiled again with the host's: `end` is
// called anew then, and `log` and `result` tell of that run alone. A print tells which headers it
// was with.
TN_MUST_USE tn_status tn_carried_compile(const tn_clang_run *run, const tn_carried_options *options,
                                         tn_buf *out_bitcode, tn_buf *log, tn_clang_result *result,
                                         tn_diag *diag);
TN_MUST_USE tn_status tn_carried_print(const tn_clang_run *run, const tn_carried_options *options,
                                       tn_buf *log, tn_clang_result *result, tn_diag *diag);
TN_MUST_USE tn_status tn_carried_preprocess(const tn_clang_run *run, tn_buf *out, tn_buf *log,
                                            tn_clang_result *result, tn_diag *diag);

#endif
