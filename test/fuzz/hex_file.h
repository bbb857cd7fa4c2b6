// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Test files of bytes, written as hexadecimal text: pairs of digits, spaces, comments after '#'.
#ifndef TN_TEST_FUZZ_HEX_FILE_H
#define TN_TEST_FUZZ_HEX_FILE_H

#include "base/file.h"

static inline int hex_digit(char c) {
  if (c >= '0' && c <= '9') {
    return c - '0';
  }
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

// Appends the bytes that `text` stands for; false when it is not such a text.
static inline bool hex_decode(tn_str text, tn_buf *out) {
  for (size_t i = 0; i < text.size; i++) {
    const char c = text.data[i];
    if (c == '#') {
      while (i < text.size && text.data[i] != '\n') {
        i++;
      }
    } else if (c != ' ' && c != '\n') {
      const int high = hex_digit(c);
      const int low = i + 1 < text.size ? hex_digit(text.data[i + 1]) : -1;
      if (high < 0 || low < 0) {
        return false;
      }
      tn_buf_add_char(out, (char)(high * 16 + low));
      i++;
    }
  }
  return out->failed == TN_OK;
}

static inline bool hex_file_read(const char *path, tn_buf *out) {
  char *text = NULL;
  size_t size = 0;
  if (tn_file_read(path, 16u << 20, &text, &size, NULL) != TN_OK) {
    return false;
  }
  const bool is_good = hex_decode((tn_str){text, size}, out);
  tn_free(text);
  return is_good;
}

#endif
