// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Views of text: comparing, searching, cutting, numbers, paths. No allocation.
#include "base/str.h"

bool tn_str_equals(tn_str a, tn_str b) {
  return a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}

int tn_str_compare(tn_str a, tn_str b) {
  const size_t common = a.size < b.size ? a.size : b.size;
  const int order = common == 0 ? 0 : memcmp(a.data, b.data, common);
  if (order != 0) {
    return order;
  }
  return (a.size > b.size) - (a.size < b.size);
}

bool tn_str_has_prefix(tn_str s, tn_str prefix) {
  return s.size >= prefix.size && tn_str_equals((tn_str){s.data, prefix.size}, prefix);
}

bool tn_str_has_suffix(tn_str s, tn_str suffix) {
  return s.size >= suffix.size &&
         (suffix.size == 0 || memcmp(s.data + s.size - suffix.size, suffix.data, suffix.size) == 0);
}

size_t tn_str_find(tn_str s, tn_str needle) {
  if (needle.size == 0) {
    return 0;
  }
  if (s.size < needle.size) {
    return SIZE_MAX;
  }
  const char *found = memmem(s.data, s.size, needle.data, needle.size);
  return found ? (size_t)(found - s.data) : SIZE_MAX;
}

size_t tn_str_find_char(tn_str s, char c) {
  const char *found = s.size == 0 ? NULL : memchr(s.data, c, s.size);
  return found ? (size_t)(found - s.data) : SIZE_MAX;
}

size_t tn_str_rfind_char(tn_str s, char c) {
  const char *found = s.size == 0 ? NULL : memrchr(s.data, c, s.size);
  return found ? (size_t)(found - s.data) : SIZE_MAX;
}

tn_str tn_str_slice(tn_str s, size_t begin, size_t size) {
  if (begin >= s.size) {
    return (tn_str){s.data ? s.data + s.size : NULL, 0};
  }
  const size_t rest = s.size - begin;
  return (tn_str){s.data + begin, size < rest ? size : rest};
}

tn_str tn_str_split(tn_str *rest, char separator) {
  if (!rest->data) {
    return (tn_str){NULL, 0};
  }
  const size_t at = tn_str_find_char(*rest, separator);
  const tn_str whole = *rest;
  if (at == SIZE_MAX) {
    *rest = (tn_str){NULL, 0};
    return whole;
  }
  *rest = (tn_str){whole.data + at + 1, whole.size - at - 1};
  return (tn_str){whole.data, at};
}

static bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f';
}

tn_str tn_str_trim(tn_str s) {
  while (s.size > 0 && is_space(s.data[0])) {
    s.data++;
    s.size--;
  }
  while (s.size > 0 && is_space(s.data[s.size - 1])) {
    s.size--;
  }
  return s;
}

// 36 for anything that is no digit, so that it is over every base.
static uint64_t digit_value(char c) {
  if (c >= '0' && c <= '9') {
    return (uint64_t)(c - '0');
  }
  if (c >= 'a' && c <= 'f') {
    return (uint64_t)(c - 'a') + 10;
  }
  if (c >= 'A' && c <= 'F') {
    return (uint64_t)(c - 'A') + 10;
  }
  return 36;
}

bool tn_str_to_u64(tn_str s, uint64_t *out) {
  uint64_t base = 10;
  if (tn_str_has_prefix(s, TN_STR_LIT("0x")) || tn_str_has_prefix(s, TN_STR_LIT("0X"))) {
    base = 16;
    s = tn_str_slice(s, 2, s.size);
  }
  if (s.size == 0) {
    return false;
  }
  uint64_t value = 0;
  for (size_t i = 0; i < s.size; i++) {
    const uint64_t digit = digit_value(s.data[i]);
    if (digit >= base || __builtin_mul_overflow(value, base, &value) ||
        __builtin_add_overflow(value, digit, &value)) {
      return false;
    }
  }
  *out = value;
  return true;
}

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

// One row of the table at a time. Longer texts than a row count as far apart: they are no typos.
size_t tn_str_distance(tn_str a, tn_str b, size_t limit) {
  enum { ROW_SIZE = 256 };
  size_t row[ROW_SIZE];
  const size_t gap = a.size > b.size ? a.size - b.size : b.size - a.size;
  if (gap > limit || b.size >= ROW_SIZE) {
    return limit + 1;
  }
  for (size_t j = 0; j <= b.size; j++) {
    row[j] = j;
  }
  for (size_t i = 1; i <= a.size; i++) {
    size_t diagonal = row[0];
    size_t best = row[0] = i;
    for (size_t j = 1; j <= b.size; j++) {
      const size_t replace = diagonal + (a.data[i - 1] == b.data[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = least(replace, least(row[j], row[j - 1]) + 1);
      best = least(best, row[j]);
    }
    if (best > limit) {
      return limit + 1;
    }
  }
  return row[b.size] > limit ? limit + 1 : row[b.size];
}

tn_str tn_path_base(tn_str path) {
  const size_t slash = tn_str_rfind_char(path, '/');
  return slash == SIZE_MAX ? path : tn_str_slice(path, slash + 1, path.size);
}

tn_str tn_path_dir(tn_str path) {
  const size_t slash = tn_str_rfind_char(path, '/');
  if (slash == SIZE_MAX) {
    return TN_STR_LIT(".");
  }
  return (tn_str){path.data, slash == 0 ? 1 : slash};
}

// A name that only begins with a dot has no extension.
tn_str tn_path_extension(tn_str path) {
  const tn_str base = tn_path_base(path);
  const size_t dot = tn_str_rfind_char(base, '.');
  if (dot == SIZE_MAX || dot == 0) {
    return (tn_str){NULL, 0};
  }
  return tn_str_slice(base, dot, base.size);
}
