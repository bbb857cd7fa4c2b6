// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The library's own machine code in memory.
#ifndef TN_BASE_OWN_CODE_H
#define TN_BASE_OWN_CODE_H

#include "base/base.h"

// Reads a byte of each cache line of it, some tens of microseconds: after a wait that has pushed it
// out of the caches, and before what is to be quick although it runs for the first time. Does
// nothing else. Any thread.
void tn_own_code_touch(void);

#endif
