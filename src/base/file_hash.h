// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether files are what they were, by their contents, without reading them again each time.
#ifndef TN_BASE_FILE_HASH_H
#define TN_BASE_FILE_HASH_H

#include "base/blake3.h"

// BLAKE3 of what is in the file. False when it is not there, cannot be read, is being written, or
// has another size than `size`. Any thread.
bool tn_file_hash(const char *path, uint64_t size, uint8_t out[TN_BLAKE3_SIZE]);

#endif
