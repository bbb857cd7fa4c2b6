// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to compile/check: whether functions with [[sycl::device_has]] keep to their list.
#ifndef TN_COMPILE_CHECK_ASPECT_CHECK_H
#define TN_COMPILE_CHECK_ASPECT_CHECK_H

#include "compile/check/report.h"

// Warns where one does not, and gives each function what it and all that it reaches declare
// (TN_ATTR_DECLARED). In a unit as clang made it; `reach` was walked.
TN_MUST_USE tn_status tn_aspect_check(tn_reach *reach, tn_report *report, tn_diag *diag);

#endif
