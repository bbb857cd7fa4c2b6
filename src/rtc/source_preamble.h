// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to rtc: precompiled headers of what sources begin with (--auto-pch,
// --persistent-auto-pch=): their first lines up to the last #include, whatever that includes.
#ifndef TN_RTC_SOURCE_PREAMBLE_H
#define TN_RTC_SOURCE_PREAMBLE_H

#include "compile/preamble/preamble.h"
#include "rtc/carried_headers.h"

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

#endif
