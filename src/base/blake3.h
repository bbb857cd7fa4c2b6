// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// BLAKE3, for keys that must never meet: in the runtime, which does not load LLVM (whose C API has
// it as well). Plain hashing to 32 bytes only.
#ifndef TN_BASE_BLAKE3_H
#define TN_BASE_BLAKE3_H

#include "base/base.h"

enum { TN_BLAKE3_SIZE = 32, TN_BLAKE3_STACK = 54 };

// Storage is the caller's; one thread.
typedef struct tn_blake3 {
  uint32_t stack[TN_BLAKE3_STACK][8];  // chaining values of whole subtrees
  uint32_t chaining[8];                // of the chunk
  uint8_t block[64];
  uint64_t chunk_count;
  uint32_t stack_size;
  uint32_t block_size;   // bytes of `block`
  uint32_t block_count;  // of the chunk, compressed
} tn_blake3;

void tn_blake3_init(tn_blake3 *hash);
void tn_blake3_add(tn_blake3 *hash, const void *data, size_t size);
// For keys of several fields: a number in 8 little-endian bytes, and bytes or a text behind their
// size, so that no two lists of fields of the same kinds are the same bytes.
void tn_blake3_add_number(tn_blake3 *hash, uint64_t number);
void tn_blake3_add_bytes(tn_blake3 *hash, const void *data, size_t size);
void tn_blake3_add_text(tn_blake3 *hash, const char *text);
// The hash of all that was added; more may be added afterwards.
void tn_blake3_finish(const tn_blake3 *hash, uint8_t out[TN_BLAKE3_SIZE]);

#endif
