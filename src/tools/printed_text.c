// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Only whole UTF-8 characters that are no controls go through as they are.
#include "tools/printed_text.h"

// Bytes of the UTF-8 character at the beginning of `s`; 0 when it is none, or a control character.
static size_t printable_size(tn_str s) {
  const unsigned char *p = (const unsigned char *)s.data;
  if (p[0] < 0x80) {
    return p[0] >= 0x20 && p[0] != 0x7f ? 1 : 0;
  }
  const size_t size = p[0] >= 0xf0 ? 4 : p[0] >= 0xe0 ? 3 : 2;
  if (p[0] < 0xc2 || p[0] > 0xf4 || s.size < size) {
    return 0;
  }
  for (size_t i = 1; i < size; i++) {
    if ((p[i] & 0xc0) != 0x80) {
      return 0;
    }
  }
  // Overlong forms, surrogates, beyond the last character, and the controls from 80 to 9F.
  const bool is_bad = (p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] > 0x9f) ||
                      (p[0] == 0xf0 && p[1] < 0x90) || (p[0] == 0xf4 && p[1] > 0x8f) ||
                      (p[0] == 0xc2 && p[1] < 0xa0);
  return is_bad ? 0 : size;
}

bool tn_text_is_printable(tn_str s) {
  const bool has_any = s.size > 0;
  while (s.size > 0) {
    const size_t size = printable_size(s);
    if (size == 0) {
      return false;
    }
    s = tn_str_slice(s, size, s.size);
  }
  return has_any;
}

void tn_print_text(tn_buf *out, tn_str s) {
  while (s.size > 0) {
    const size_t size = printable_size(s);
    if (size == 0) {
      tn_buf_add_format(out, "\\x%02x", (unsigned)(unsigned char)s.data[0]);
    } else {
      tn_buf_add(out, s.data, size);
    }
    s = tn_str_slice(s, size == 0 ? 1 : size, s.size);
  }
}

void tn_print_json(tn_buf *out, tn_str s) {
  tn_buf_add_char(out, '"');
  while (s.size > 0) {
    const size_t size = printable_size(s);
    const unsigned char first = (unsigned char)s.data[0];
    if (first == '"' || first == '\\') {
      tn_buf_add_char(out, '\\');
      tn_buf_add_char(out, (char)first);
    } else if (size > 0) {
      tn_buf_add(out, s.data, size);
    } else if (first < 0x80) {
      tn_buf_add_format(out, "\\u%04x", (unsigned)first);
    } else {
      tn_buf_add_text(out, "\\ufffd");
    }
    s = tn_str_slice(s, size == 0 ? 1 : size, s.size);
  }
  tn_buf_add_char(out, '"');
}
