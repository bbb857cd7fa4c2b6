// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// docs/formats/fat-binary.md in numbers, and the records inside properties. Private to image/.
#ifndef TN_IMAGE_FATBIN_LAYOUT_H
#define TN_IMAGE_FATBIN_LAYOUT_H

#include "image/image.h"
#include "image/image_bytes.h"

#define TN_FATBIN_MAGIC "TNFB"

enum {
  TN_FATBIN_VERSION = 1,
  TN_FATBIN_TABLE_ALIGN = 8,
  TN_FATBIN_CODE_ALIGN = 16,
  TN_FATBIN_REF_SIZE = 16,
};
enum {
  TN_HEADER_VERSION_AT = 4,
  TN_HEADER_SIZE_AT = 8,
  TN_HEADER_IMAGES_AT = 16,
  TN_HEADER_COUNT_AT = 24,
  TN_HEADER_RESERVED_AT = 28,
  TN_HEADER_CHECKSUM_AT = 32,
  TN_HEADER_CHECKSUM_END = 40,
  TN_HEADER_RESERVED_2_AT = 40,
  TN_HEADER_SIZE = 48,
};
enum {
  TN_IMAGE_TARGET_AT = 0,
  TN_IMAGE_TRIPLE_AT = 16,
  TN_IMAGE_CODE_AT = 32,
  TN_IMAGE_SETS_AT = 48,
  TN_IMAGE_SET_COUNT_AT = 56,
  TN_IMAGE_FORMAT_AT = 60,
  TN_IMAGE_SIZE = 64,
};
enum {
  TN_SET_NAME_AT = 0,
  TN_SET_PROPS_AT = 16,
  TN_SET_COUNT_AT = 24,
  TN_SET_RESERVED_AT = 28,
  TN_SET_SIZE = 32,
};
enum {
  TN_PROP_NAME_AT = 0,
  TN_PROP_TYPE_AT = 16,
  TN_PROP_U32_AT = 20,
  TN_PROP_BYTES_AT = 24,
  TN_PROP_SIZE = 40,
};

// Over everything but the field it is stored in; the container has a whole header.
uint64_t tn_fatbin_checksum(tn_bytes container);

// Bytes of a kernel or symbol record; NULL when `arena` has no memory. Texts are checked before.
uint8_t *tn_kernel_record_encode(tn_arena *arena, const tn_kernel_info *info, size_t *out_size);
uint8_t *tn_symbol_record_encode(tn_arena *arena, const tn_symbol_info *info, size_t *out_size);
// False when the record is damaged. Views into it; `name` is left to the caller.
bool tn_kernel_record_decode(tn_bytes record, tn_kernel_info *out);
bool tn_kernel_args_are_good(const tn_kernel_info *info);
bool tn_symbol_record_decode(tn_bytes record, tn_symbol_info *out);
// Of a specialization constant, in spec_records.c.
uint8_t *tn_spec_record_encode(tn_arena *arena, const tn_spec_info *info, size_t *out_size);
bool tn_spec_record_decode(tn_bytes record, tn_spec_info *out);

// Of a device global, in global_records.c.
uint8_t *tn_global_record_encode(tn_arena *arena, const tn_global_info *info, size_t *out_size);
bool tn_global_record_decode(tn_bytes record, tn_global_info *out);

// Follows a checked reference; the text's NUL is behind it.
static inline tn_bytes tn_fatbin_bytes_at(tn_bytes base, const uint8_t *ref) {
  return (tn_bytes){base.data + tn_load_u64(ref), tn_load_u64(ref + 8)};
}
static inline tn_str tn_fatbin_text_at(tn_bytes base, const uint8_t *ref) {
  return (tn_str){(const char *)base.data + tn_load_u64(ref), tn_load_u64(ref + 8)};
}

#endif
