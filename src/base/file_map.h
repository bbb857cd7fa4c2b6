// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files of an installation, in memory as they are: nothing is copied, and only what is looked at is
// read.
#ifndef TN_BASE_FILE_MAP_H
#define TN_BASE_FILE_MAP_H

#include "base/buf.h"

// The bytes of a regular file of at most `maximum` bytes, to be given back to tn_file_unmap; empty
// when it cannot be mapped, or is empty. Only for files that nobody cuts short: looking at what is
// no longer there ends the process.
tn_bytes tn_file_map(const char *path, size_t maximum);
void tn_file_unmap(tn_bytes bytes);  // empty: nothing happens

#endif
