// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to compile/check: what only the source tells.
#ifndef TN_COMPILE_CHECK_SOURCE_SCAN_H
#define TN_COMPILE_CHECK_SOURCE_SCAN_H

#include "compile/check/report.h"

// Warns of try blocks in functions of device code, which clang drops.
void tn_source_scan(const tn_reach *reach, tn_report *report);

#endif
