// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Little-endian integers from bytes of any alignment, and bounds. Private to image/.
#ifndef TN_IMAGE_IMAGE_BYTES_H
#define TN_IMAGE_IMAGE_BYTES_H

#include "base/str.h"

_Static_assert(sizeof(size_t) == sizeof(uint64_t), "offsets of the formats are used as sizes");

// Unchecked: the caller knows that the bytes are there.
static inline uint16_t tn_load_u16(const uint8_t *p) { return (uint16_t)(p[0] | p[1] << 8); }
static inline uint32_t tn_load_u32(const uint8_t *p) {
  return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}
static inline uint64_t tn_load_u64(const uint8_t *p) {
  return (uint64_t)tn_load_u32(p) | (uint64_t)tn_load_u32(p + 4) << 32;
}

static inline void tn_store_u32(uint8_t *p, uint32_t value) {
  for (size_t i = 0; i < sizeof(value); i++) {
    p[i] = (uint8_t)(value >> (8 * i));
  }
}
static inline void tn_store_u64(uint8_t *p, uint64_t value) {
  for (size_t i = 0; i < sizeof(value); i++) {
    p[i] = (uint8_t)(value >> (8 * i));
  }
}

// Whether `size` bytes from `offset` lie within `total`.
static inline bool tn_range_is_inside(uint64_t total, uint64_t offset, uint64_t size) {
  return size <= total && offset <= total - size;
}

#endif
