// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device globals of an image: their records (docs/formats/fat-binary.md).
#include "image/fatbin_layout.h"

enum {
  GLOBAL_SIZE_AT = 0,
  GLOBAL_ALIGN_AT = 4,
  GLOBAL_TEXT_AT = 8,       // size of the display name
  GLOBAL_FLAGS_AT = 12,
  GLOBAL_FIXED_SIZE = 16,
};
enum { GLOBAL_IS_DECLARED = 1, GLOBAL_IS_IMAGE_SCOPE = 2, GLOBAL_FLAGS = 3 };

uint8_t *tn_global_record_encode(tn_arena *arena, const tn_global_info *info, size_t *out_size) {
  const size_t text_size = info->display_name.size;
  size_t size = GLOBAL_FIXED_SIZE + 1;
  if (!tn_size_add(size, text_size, &size) || !tn_size_add(size, info->value.size, &size)) {
    return NULL;
  }
  uint8_t *record = tn_arena_alloc(arena, size);
  if (!record) {
    return NULL;
  }
  memset(record, 0, GLOBAL_FIXED_SIZE);
  tn_store_u32(record + GLOBAL_SIZE_AT, info->size);
  tn_store_u32(record + GLOBAL_ALIGN_AT, info->alignment);
  tn_store_u32(record + GLOBAL_TEXT_AT, (uint32_t)text_size);
  tn_store_u32(record + GLOBAL_FLAGS_AT, (info->is_declared ? GLOBAL_IS_DECLARED : 0u) |
                                             (info->is_image_scope ? GLOBAL_IS_IMAGE_SCOPE : 0u));
  uint8_t *text = record + GLOBAL_FIXED_SIZE;
  if (text_size > 0) {
    memcpy(text, info->display_name.data, text_size);
  }
  text[text_size] = '\0';
  if (info->value.size > 0) {
    memcpy(text + text_size + 1, info->value.data, info->value.size);
  }
  *out_size = size;
  return record;
}

// Behind the text there is the first value, whole, or nothing.
bool tn_global_record_decode(tn_bytes record, tn_global_info *out) {
  if (record.size < GLOBAL_FIXED_SIZE ||
      tn_load_u32(record.data + GLOBAL_FLAGS_AT) > GLOBAL_FLAGS) {
    return false;
  }
  const uint32_t size = tn_load_u32(record.data + GLOBAL_SIZE_AT);
  const uint32_t alignment = tn_load_u32(record.data + GLOBAL_ALIGN_AT);
  const size_t text_size = tn_load_u32(record.data + GLOBAL_TEXT_AT);
  const uint8_t *text = record.data + GLOBAL_FIXED_SIZE;
  const size_t rest = record.size - GLOBAL_FIXED_SIZE;
  if (size == 0 || alignment == 0 || (alignment & (alignment - 1)) != 0 || text_size >= rest ||
      memchr(text, 0, text_size + 1) != text + text_size) {
    return false;
  }
  const size_t value_size = rest - text_size - 1;
  if (value_size != 0 && value_size != size) {
    return false;
  }
  out->display_name = (tn_str){(const char *)text, text_size};
  out->size = size;
  out->alignment = alignment;
  const uint32_t flags = tn_load_u32(record.data + GLOBAL_FLAGS_AT);
  out->is_declared = (flags & GLOBAL_IS_DECLARED) != 0;
  out->is_image_scope = (flags & GLOBAL_IS_IMAGE_SCOPE) != 0;
  out->value = tn_bytes_from(value_size > 0 ? text + text_size + 1 : NULL, value_size);
  return true;
}

static tn_global_info global_of(const tn_prop *prop) {
  tn_global_info info = {.name = prop->name};
  if (!TN_ALWAYS(tn_global_record_decode(prop->bytes, &info))) {
    info = (tn_global_info){.name = prop->name, .alignment = 1};
  }
  return info;
}

uint32_t tn_image_global_count(const tn_image *image) {
  return tn_image_prop_set_find(image, TN_PROPS_GLOBALS).count;
}

tn_global_info tn_image_global_at(const tn_image *image, uint32_t index) {
  const tn_prop_set set = tn_image_prop_set_find(image, TN_PROPS_GLOBALS);
  const tn_prop prop = tn_prop_set_at(&set, index);
  return global_of(&prop);
}

bool tn_image_global_find(const tn_image *image, tn_str name, tn_global_info *out) {
  const tn_prop_set set = tn_image_prop_set_find(image, TN_PROPS_GLOBALS);
  tn_prop prop;
  if (!tn_prop_set_find(&set, name, &prop)) {
    return false;
  }
  *out = global_of(&prop);
  return true;
}
