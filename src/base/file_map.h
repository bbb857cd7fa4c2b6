// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files in memory as they are: nothing is copied, and only pages that are accessed are read.
#ifndef TN_BASE_FILE_MAP_H
#define TN_BASE_FILE_MAP_H

#include "base/buf.h"

// The bytes of a regular file of at most `maximum` bytes, to be given back to tn_file_unmap; empty
// when it cannot be mapped, or is empty. Only for files that nobody cuts short: looking at what is
// no longer there ends the process.
tn_bytes tn_file_map(const char *path, size_t maximum);
void tn_file_unmap(tn_bytes bytes);  // empty: nothing happens

// A part of a regular file, at any place. The same holds for it until it is kept.
typedef struct tn_file_part {
  void *base;  // of the pages; NULL = none
  size_t mapped_size;
  tn_bytes bytes;
} tn_file_part;
// False when the file has no such part, or it cannot be mapped.
bool tn_file_part_map(const char *path, uint64_t offset, size_t size, tn_file_part *out);
// From now on the bytes are the process's own, at the same address: whoever reads them meanwhile
// notices nothing. False when there is no memory for them, and then they stay the file's.
bool tn_file_part_keep(const tn_file_part *part);
void tn_file_part_unmap(tn_file_part *part);  // none: nothing happens

#endif
