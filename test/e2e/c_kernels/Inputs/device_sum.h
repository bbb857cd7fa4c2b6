// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A device function of another source, or of a shared library.
#ifndef TENON_TEST_DEVICE_SUM_H
#define TENON_TEST_DEVICE_SUM_H

#include <tenon/device_code.h>

TN_DEVICE int added(int x);

#endif
