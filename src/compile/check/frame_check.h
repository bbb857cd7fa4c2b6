// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to compile/check: kernels whose variables are too large for a stack.
#ifndef TN_COMPILE_CHECK_FRAME_CHECK_H
#define TN_COMPILE_CHECK_FRAME_CHECK_H

#include "compile/check/report.h"

// Warns of kernels and SYCL_EXTERNAL functions that, with all they call, need more stack than the
// CPU's threads have by default. There is no recursion.
void tn_frame_check(const tn_reach *reach, tn_report *report);

#endif
