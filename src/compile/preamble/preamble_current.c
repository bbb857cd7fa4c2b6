// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether a precompiled header still is what would be made now.
#include "base/file.h"
#include "base/file_hash.h"
#include "compile/preamble/preamble.h"

#include <unistd.h>

bool tn_preamble_is_current(const tn_preamble_parts *parts) {
  for (size_t i = 0; i < parts->inputs.count; i++) {
    const tn_clang_input *input = parts->inputs.items[i];
    uint8_t hash[TN_BLAKE3_SIZE];
    if (!tn_file_hash(input->name, input->size, hash) ||
        memcmp(hash, input->hash, sizeof(hash)) != 0) {
      return false;
    }
  }
  for (size_t i = 0; i < parts->misses.count; i++) {
    if (access(parts->misses.items[i], F_OK) == 0 &&
        !tn_file_is_directory(parts->misses.items[i])) {
      return false;
    }
  }
  return true;
}
