// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The function that kernels of another source call, in C for the host and for devices.
#include "device_sum.h"

static int seven(void) { return 7; }

TN_DEVICE int added(int x) { return x + seven(); }
