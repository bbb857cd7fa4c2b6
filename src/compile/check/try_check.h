// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to compile/check: try blocks, which device code does not have.
#ifndef TN_COMPILE_CHECK_TRY_CHECK_H
#define TN_COMPILE_CHECK_TRY_CHECK_H

#include "compile/check/report.h"

// Warns of try blocks in functions of device code, whose handlers clang drops.
void tn_try_check(const tn_reach *reach, tn_report *report);

#endif
