// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to compile/check: what only the source tells.
#ifndef TN_COMPILE_CHECK_SOURCE_SCAN_H
#define TN_COMPILE_CHECK_SOURCE_SCAN_H

#include "compile/check/report.h"

// Warns of attributes [[sycl::…]] that do not exist, in the files that have device code, headers of
// SYCL and C++ aside: clang knows no attribute of that scope, so that its warning is off
// (kernel_attributes.hpp). And of try blocks in functions of device code, which clang drops.
void tn_source_scan(const tn_reach *reach, tn_report *report);

#endif
