// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Views of text and bytes: pointer and size, nothing owned.
#ifndef TN_BASE_STR_H
#define TN_BASE_STR_H

#include <string.h>

#include "base/base.h"

typedef struct tn_str {
  const char *data;  // borrowed; not NUL-terminated unless the maker says so
  size_t size;
} tn_str;

typedef struct tn_bytes {
  const uint8_t *data;  // borrowed
  size_t size;
} tn_bytes;

// For printf: printf("%.*s", TN_STR_ARG(s)).
#define TN_STR_ARG(s) (int)((s).size > 4096 ? 4096 : (s).size), (s).data ? (s).data : ""
#define TN_STR_LIT(literal) ((tn_str){(literal), sizeof(literal) - 1})

static inline tn_str tn_str_from(const char *text) {
  return (tn_str){text, text ? strlen(text) : 0};
}
static inline tn_str tn_str_from_range(const char *begin, const char *end) {
  return (tn_str){begin, (size_t)(end - begin)};
}
static inline tn_bytes tn_bytes_from(const void *data, size_t size) {
  return (tn_bytes){(const uint8_t *)data, size};
}
static inline bool tn_str_is_empty(tn_str s) { return s.size == 0; }

bool tn_str_equals(tn_str a, tn_str b);
int tn_str_compare(tn_str a, tn_str b);  // as memcmp, the shorter first
bool tn_str_has_prefix(tn_str s, tn_str prefix);
bool tn_str_has_suffix(tn_str s, tn_str suffix);
// Index of the first occurrence or SIZE_MAX.
size_t tn_str_find(tn_str s, tn_str needle);
size_t tn_str_find_char(tn_str s, char c);
size_t tn_str_rfind_char(tn_str s, char c);
// The part from `begin` of at most `size` characters; clamps to what is there.
tn_str tn_str_slice(tn_str s, size_t begin, size_t size);
// Cuts *rest at the first `separator`: the part before is returned, *rest is what follows it (empty
// with data NULL when there was none left). Returns a view with data NULL when *rest is exhausted.
tn_str tn_str_split(tn_str *rest, char separator);
tn_str tn_str_trim(tn_str s);  // spaces, tabs, newlines at both ends
// Decimal, or hexadecimal after 0x. False when it is not wholly a number or does not fit.
bool tn_str_to_u64(tn_str s, uint64_t *out);
// Edit distance, for "did you mean"; counts up to `limit`, then returns limit + 1.
size_t tn_str_distance(tn_str a, tn_str b, size_t limit);

// The last component of a path, and all before it ("." when there is none).
tn_str tn_path_base(tn_str path);
tn_str tn_path_dir(tn_str path);
tn_str tn_path_extension(tn_str path);  // with the dot; empty when none

#endif
