// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Specialization constants of an image: their records, and their values without padding.
#include "image/fatbin_layout.h"

enum {
  SPEC_SIZE_AT = 0,
  SPEC_ALIGN_AT = 4,
  SPEC_OFFSET_AT = 8,
  SPEC_COUNT_AT = 12,
  SPEC_FIXED_SIZE = 16,
  PIECE_OFFSET_AT = 0,
  PIECE_SIZE_AT = 4,
  PIECE_SIZE = 8,
};

uint8_t *tn_spec_record_encode(tn_arena *arena, const tn_spec_info *info, size_t *out_size) {
  *out_size = SPEC_FIXED_SIZE + (size_t)info->piece_count * PIECE_SIZE;
  uint8_t *record = tn_arena_alloc(arena, *out_size);
  if (!record) {
    return NULL;
  }
  tn_store_u32(record + SPEC_SIZE_AT, info->size);
  tn_store_u32(record + SPEC_ALIGN_AT, info->alignment);
  tn_store_u32(record + SPEC_OFFSET_AT, info->offset);
  tn_store_u32(record + SPEC_COUNT_AT, info->piece_count);
  for (uint32_t i = 0; i < info->piece_count; i++) {
    uint8_t *piece = record + SPEC_FIXED_SIZE + (size_t)i * PIECE_SIZE;
    tn_store_u32(piece + PIECE_OFFSET_AT, info->pieces[i].offset);
    tn_store_u32(piece + PIECE_SIZE_AT, info->pieces[i].size);
  }
  return record;
}

static tn_spec_piece piece_at(tn_bytes records, uint32_t index) {
  const uint8_t *record = records.data + (size_t)index * PIECE_SIZE;
  return (tn_spec_piece){tn_load_u32(record + PIECE_OFFSET_AT),
                         tn_load_u32(record + PIECE_SIZE_AT)};
}

// The pieces ascend and lie within the value.
bool tn_spec_record_decode(tn_bytes record, tn_spec_info *out) {
  if (record.size < SPEC_FIXED_SIZE) {
    return false;
  }
  const uint32_t count = tn_load_u32(record.data + SPEC_COUNT_AT);
  const tn_bytes pieces = {record.data + SPEC_FIXED_SIZE, record.size - SPEC_FIXED_SIZE};
  const uint32_t size = tn_load_u32(record.data + SPEC_SIZE_AT);
  const uint32_t alignment = tn_load_u32(record.data + SPEC_ALIGN_AT);
  const uint32_t offset = tn_load_u32(record.data + SPEC_OFFSET_AT);
  if (pieces.size != (size_t)count * PIECE_SIZE || size == 0 || size > UINT32_MAX - offset ||
      alignment == 0 || (alignment & (alignment - 1)) != 0 || offset % alignment != 0) {
    return false;
  }
  uint32_t end = 0;
  for (uint32_t i = 0; i < count; i++) {
    const tn_spec_piece piece = piece_at(pieces, i);
    if (piece.size == 0 || piece.offset < end || piece.offset > size ||
        piece.size > size - piece.offset) {
      return false;
    }
    end = piece.offset + piece.size;
  }
  out->size = size;
  out->alignment = alignment;
  out->offset = offset;
  out->piece_count = count;
  out->pieces = NULL;
  out->piece_records = pieces;
  return true;
}

void tn_spec_value_copy(const tn_spec_info *info, const void *value, uint8_t *out) {
  memset(out, 0, info->size);
  for (uint32_t i = 0; i < info->piece_count; i++) {
    const tn_spec_piece piece = piece_at(info->piece_records, i);
    memcpy(out + piece.offset, (const uint8_t *)value + piece.offset, piece.size);
  }
}

uint32_t tn_image_spec_count(const tn_image *image) {
  return tn_image_prop_set_find(image, TN_PROPS_SPECS).count;
}

tn_bytes tn_image_spec_defaults(const tn_image *image) {
  const tn_prop_set set = tn_image_prop_set_find(image, TN_PROPS_SPEC_DEFAULTS);
  tn_prop prop;
  const bool is_there = tn_prop_set_find(&set, TN_STR_LIT(TN_PROP_SPEC_DEFAULTS), &prop) &&
                        prop.type == TN_PROP_BYTES;
  return is_there ? prop.bytes : (tn_bytes){NULL, 0};
}

static tn_spec_info spec_of(const tn_image *image, const tn_prop *prop) {
  tn_spec_info info = {.name = prop->name};
  const tn_bytes buffer = tn_image_spec_defaults(image);
  if (TN_ALWAYS(tn_spec_record_decode(prop->bytes, &info)) &&
      TN_ALWAYS(tn_range_is_inside(buffer.size, info.offset, info.size))) {
    info.value = tn_bytes_from(buffer.data + info.offset, info.size);
  } else {
    info = (tn_spec_info){.name = prop->name, .alignment = 1};
  }
  return info;
}

tn_spec_info tn_image_spec_at(const tn_image *image, uint32_t index) {
  const tn_prop_set set = tn_image_prop_set_find(image, TN_PROPS_SPECS);
  const tn_prop prop = tn_prop_set_at(&set, index);
  return spec_of(image, &prop);
}

bool tn_image_spec_find(const tn_image *image, tn_str name, tn_spec_info *out) {
  const tn_prop_set set = tn_image_prop_set_find(image, TN_PROPS_SPECS);
  tn_prop prop;
  if (!tn_prop_set_find(&set, name, &prop)) {
    return false;
  }
  *out = spec_of(image, &prop);
  return true;
}
