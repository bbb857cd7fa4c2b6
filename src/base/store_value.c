// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes and reads the head of values: magic, version, size of the description, place of the
// content.
#include "base/store_value.h"

#include "base/base.h"

#define VALUE_MAGIC "TNPC"
enum { VALUE_VERSION = 1, MAGIC_SIZE = 4, HEAD_SIZE = 16 };

void tn_store_value_write(tn_buf *out, tn_str description, tn_bytes content) {
  const size_t size = description.size <= UINT32_MAX / 2 ? description.size : 0;
  tn_buf_add(out, VALUE_MAGIC, MAGIC_SIZE);
  tn_buf_add_u32(out, VALUE_VERSION);
  tn_buf_add_u32(out, (uint32_t)size);
  tn_buf_add_u32(out, (uint32_t)tn_size_align(HEAD_SIZE + size, TN_STORE_VALUE_ALIGNMENT));
  tn_buf_add(out, description.data, size);
  tn_buf_align(out, TN_STORE_VALUE_ALIGNMENT);
  tn_buf_add(out, content.data, content.size);
}

static uint32_t read_u32(const uint8_t *at) {
  return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

bool tn_store_value_read(tn_bytes value, tn_str *out_description, tn_bytes *out_content) {
  *out_description = (tn_str){NULL, 0};
  *out_content = (tn_bytes){NULL, 0};
  if (value.size < HEAD_SIZE || memcmp(value.data, VALUE_MAGIC, MAGIC_SIZE) != 0 ||
      read_u32(value.data + 4) != VALUE_VERSION) {
    return false;
  }
  const size_t size = read_u32(value.data + 8);
  const size_t at = read_u32(value.data + 12);
  if (at > value.size || at < HEAD_SIZE || size > at - HEAD_SIZE ||
      at % TN_STORE_VALUE_ALIGNMENT != 0) {
    return false;
  }
  *out_description = (tn_str){(const char *)value.data + HEAD_SIZE, size};
  *out_content = tn_bytes_from(value.data + at, value.size - at);
  return true;
}
