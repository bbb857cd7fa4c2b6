// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to rtc: the options of a build at run time, read: what Clang gets and what the link does.
#ifndef TN_RTC_SOURCE_OPTIONS_H
#define TN_RTC_SOURCE_OPTIONS_H

#include "compile/frontend/frontend.h"
#include "compile/pipeline/pipeline.h"

typedef struct tn_source_options {
  tn_args clang;         // in their order; strings are borrowed or the arena's
  tn_args tool_words;    // for the compiler of the target's machine code
  uint32_t opt_level;    // 0..3
  uint32_t sub_group_size;  // -fsycl-default-sub-group-size=; 0: the device's
  bool debug;            // debug information is wanted
  bool alone;            // -fno-sycl-rdc
  bool refuses_imports;  // -fno-sycl-allow-device-image-dependencies
  tn_split_mode split;
  const char *cuda_path;  // NULL without
  // --auto-pch and --persistent-auto-pch=: wishes for speed; the result is the same.
  bool auto_pch;
  const char *pch_folder;  // NULL without
} tn_source_options;

// What is read and by whom it was asked for.
typedef struct tn_source_words {
  const char *const *words;
  size_t count;
  uint32_t language;  // TN_LANGUAGE_…
} tn_source_words;

// Reads `words`; `target` gets the processor that options for its compiler name. What has no effect
// is told in `log`. INVALID_ARGUMENT, with the option's name, for what makes no sense at run time
// or would write files or load code. Options that nobody knows are left to Clang.
TN_MUST_USE tn_status tn_source_options_read(const tn_source_words *words, tn_arena *arena,
                                             tn_target *target, tn_source_options *out, tn_buf *log,
                                             tn_diag *diag);

// The rows of the table, for tests.
typedef struct tn_source_option_row {
  const char *spelling;
  bool is_joined;    // a value may follow in the same word
  bool is_separate;  // a value may follow in a word of its own
  bool is_refused;
} tn_source_option_row;
size_t tn_source_option_count(void);
tn_source_option_row tn_source_option_at(size_t index);

#endif
