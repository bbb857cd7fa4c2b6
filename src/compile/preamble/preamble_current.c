// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether a precompiled header still is what would be made now.
#include "base/file.h"
#include "base/file_hash.h"
#include "compile/preamble/preamble.h"

#include <stdatomic.h>

// The passes of a unit ask at the same time about the same files: each second one begins at the
// end, so that both find half of the hashes that the other has made.
static bool begins_at_end(void) {
  static atomic_uint turn;
  return (atomic_fetch_add_explicit(&turn, 1, memory_order_relaxed) & 1) != 0;
}

bool tn_preamble_is_current(const tn_preamble_parts *parts) {
  const bool is_reverse = begins_at_end();
  const size_t count = parts->inputs.count;
  for (size_t i = 0; i < count; i++) {
    const tn_clang_input *input = parts->inputs.items[is_reverse ? count - 1 - i : i];
    uint8_t hash[TN_BLAKE3_SIZE];
    if (!tn_file_hash(input->name, input->size, hash) ||
        memcmp(hash, input->hash, sizeof(hash)) != 0) {
      return false;
    }
  }
  for (size_t i = 0; i < parts->misses.count; i++) {
    if (tn_file_is_file(parts->misses.items[i])) {
      return false;
    }
  }
  return true;
}
