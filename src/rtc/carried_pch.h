// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to rtc: precompiled headers of <sycl/sycl.hpp>, by the options they were made with. Those
// of each target's usual options are made when Tenon is built and lie beside the library; others
// are made when they are asked for a second time.
#ifndef TN_RTC_CARRIED_PCH_H
#define TN_RTC_CARRIED_PCH_H

#include "rtc/carried_headers.h"

// The words that a precompiled header depends on: `run`'s without macros, folders of headers,
// warnings and debug information. False when some of them need the source's own.
bool tn_carried_pch_words(const tn_clang_run *run, tn_arena *arena, tn_list *out);
// The header's bytes for these words, which stay; empty when there is none yet. Any thread.
tn_bytes tn_carried_pch_get(const tn_list *words, const tn_carried_options *options);

#endif
