// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to device: what tells one compiler from another.
#ifndef TN_RUN_DEVICE_COMPILER_IDENTITY_H
#define TN_RUN_DEVICE_COMPILER_IDENTITY_H

#include "base/file_identity.h"

// Of the library that is loaded, or of what it was linked with; NULL when there is none.
void *tn_compiler_library_find(const char *symbol);

#endif
