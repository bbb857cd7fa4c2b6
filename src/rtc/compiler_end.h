// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to rtc: the end of the process. LLVM's static objects are destroyed by whichever thread
// calls exit, while others may compile, and static objects of the program may launch after that.
#ifndef TN_RTC_COMPILER_END_H
#define TN_RTC_COMPILER_END_H

#include "base/base.h"

// Around each use of LLVM. BUILD_FAILED once the process ends; then nothing is to be left.
TN_MUST_USE tn_status tn_compiler_enter(tn_diag *diag);
void tn_compiler_leave(void);
// What can no longer be freed by LLVM: it stays reachable, so that it is not taken for a leak.
void tn_compiler_abandon(void *what);

#endif
