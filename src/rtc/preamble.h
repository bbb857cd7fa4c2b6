// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to rtc: precompiled headers of what sources begin with (--auto-pch,
// --persistent-auto-pch=): their first lines up to the last #include, whatever that includes.
#ifndef TN_RTC_PREAMBLE_H
#define TN_RTC_PREAMBLE_H

#include "rtc/carried_headers.h"

// The size of the lines at the text's beginning that are comments and directives, up to the last
// #include outside of all #if; 0 when there is none, or when they ask where they are.
size_t tn_preamble_size(tn_str text, size_t *out_include_count);

typedef struct tn_preamble tn_preamble;  // counted; immutable

// The precompiled header for the run's source, from memory, from the folder, or made; NULL when
// there is none: then the source is compiled as a whole. It holds for what the files have in them
// now. `log` gets a line when it cannot be kept in the folder. Any thread.
tn_preamble *tn_preamble_get(const tn_clang_run *run, const tn_carried_options *options,
                             tn_buf *log);
void tn_preamble_release(tn_preamble *preamble);  // NULL-safe
// The run with it; files and text are the arena's. False when there is no memory.
bool tn_preamble_apply(const tn_preamble *preamble, tn_clang_run *run, tn_arena *arena);
// After the run: what it was made of is what the result was made of, and messages about its lines
// are about the source's. False when there is no memory.
bool tn_preamble_complete(const tn_preamble *preamble, const tn_clang_run *run, tn_buf *log,
                          tn_clang_result *result);

// What is in a file of the folder. Views of the bytes; false for what is damaged or another's.
typedef struct tn_preamble_parts {
  tn_bytes header;
  tn_list inputs;  // of tn_clang_input *, by full paths
  tn_list misses;  // of char *
} tn_preamble_parts;
TN_MUST_USE bool tn_preamble_read(tn_bytes bytes, const uint8_t key[TN_BLAKE3_SIZE],
                                  tn_arena *arena, tn_preamble_parts *out);
void tn_preamble_write(const tn_preamble_parts *parts, const uint8_t key[TN_BLAKE3_SIZE],
                       tn_buf *out);

#endif
