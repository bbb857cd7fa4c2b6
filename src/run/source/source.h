// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels compiled while the program runs, for the runtime: all that there is to call is public.
#ifndef TN_RUN_SOURCE_SOURCE_H
#define TN_RUN_SOURCE_SOURCE_H

#include "tenon/rtc.h"

#endif
