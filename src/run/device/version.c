// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The library's version, from the one place that has it: the public header.
#include "tenon/tenon.h"

#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)

const char *tn_version(void) {
  return TEXT(TN_VERSION_MAJOR) "." TEXT(TN_VERSION_MINOR) "." TEXT(TN_VERSION_PATCH);
}
