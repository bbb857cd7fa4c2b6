// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fat binaries one after another: what a linker makes of the sections of several objects.
#include "image/fatbin_layout.h"

// A linker fills up to the alignment of the next one.
static size_t skip_padding(tn_bytes section, size_t at) {
  size_t end = at;
  while (end < section.size && end - at < TN_FATBIN_CODE_ALIGN && section.data[end] == 0) {
    end++;
  }
  return end - at < TN_FATBIN_CODE_ALIGN ? end : at;
}

bool tn_fatbin_next(tn_bytes section, size_t *cursor, tn_bytes *out) {
  const size_t at = *cursor == 0 ? 0 : skip_padding(section, *cursor);
  if (at >= section.size && *cursor > 0) {
    return false;
  }
  *out = tn_bytes_from(section.data + at, section.size - at);
  if (out->size >= TN_HEADER_SIZE &&
      memcmp(out->data, TN_FATBIN_MAGIC, sizeof(TN_FATBIN_MAGIC) - 1) == 0) {
    const uint64_t size = tn_load_u64(out->data + TN_HEADER_SIZE_AT);
    out->size = size >= TN_HEADER_SIZE && size < out->size ? (size_t)size : out->size;
  }
  // An empty section is one empty container, for tn_fatbin_parse to refuse.
  *cursor = at + (out->size > 0 ? out->size : 1);
  return true;
}
