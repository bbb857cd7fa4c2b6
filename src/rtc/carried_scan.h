// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to rtc: what the text of a source tells of the headers it includes, without
// preprocessing.
#ifndef TN_RTC_CARRIED_SCAN_H
#define TN_RTC_CARRIED_SCAN_H

#include "rtc/carried_headers.h"

// False when an `#include <…>` of the run's files, active or not, names a header that neither they
// have nor Tenon carries, or when they ask which headers there are.
bool tn_carried_scan_is_lean(const tn_clang_run *run);
// Whether the first thing in the text is `#include <sycl/sycl.hpp>`, but for comments and
// standard headers.
bool tn_carried_scan_begins_with_sycl(tn_str text);

#endif
