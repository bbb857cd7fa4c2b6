// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to rtc: compile_source and free_source_result of tenon/compiler.h, and what they share.
#ifndef TN_RTC_SOURCE_COMPILE_H
#define TN_RTC_SOURCE_COMPILE_H

#include "base/arena.h"
#include "base/buf.h"
#include "compile/clang/clang.h"
#include "tenon/compiler.h"

// The source and the files of the build lie in a folder that is in memory only; messages and
// __FILE__ are without it. Quoted names are then looked for where the process is.
#define TN_SOURCE_FOLDER "/tenon/source/"

// What a result's pointers point into: its `owner`.
typedef struct tn_source_owner {
  tn_arena arena;
  tn_buf log;
  tn_buf fatbin;
} tn_source_owner;

TN_MUST_USE tn_status tn_source_compile(const tn_source_params *params, tn_source_result *out,
                                        tn_diag *diag);
// The table's identify_source.
TN_MUST_USE tn_status tn_source_identify(const tn_source_params *params, tn_source_result *out,
                                         tn_diag *diag);
void tn_source_result_free(tn_source_result *result);  // NULL-safe

// The files from the disk among `inputs` (of tn_clang_input *), by content, and `misses` (of char
// *), with full paths, into the result.
TN_MUST_USE tn_status tn_source_inputs_read(const tn_list *inputs, const tn_list *misses,
                                            tn_arena *arena, tn_source_result *out, tn_diag *diag);

// The print of a build: that of the source, and all that counts besides. False when it has none.
bool tn_source_print_make(const tn_source_params *params, const tn_clang_result *clang,
                          uint8_t out[TN_BLAKE3_SIZE]);

// Adds Clang's messages to the log, with files of the build called as the caller calls them.
void tn_source_add_messages(tn_str text, tn_buf *log);
// The log's first error, which a person wants to read first, into a diagnosis of BUILD_FAILED; one
// in Tenon's headers by the kernel it is of. Without an error in the log the diagnosis stays.
void tn_source_tell_error(tn_str log, tn_diag *diag);

#endif
