// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the preamble of a source, line by line. Where a line is hard to read the preamble ends.
#include "compile/preamble/preamble.h"

typedef struct scan {
  tn_str text;
  size_t at;
  size_t depth;      // of #if
  bool has_include;  // since the last line that the preamble ends with
  size_t include_count;
  size_t size;
} scan;

static bool has(tn_str text, const char *word) {
  return tn_str_find(text, tn_str_from(word)) != SIZE_MAX;
}

// Behind the line's newline.
static size_t line_end(tn_str text, size_t at) {
  const size_t length = tn_str_find_char(tn_str_slice(text, at, text.size), '\n');
  return length == SIZE_MAX ? text.size : at + length + 1;
}

// Behind white space and comments; false when it ends in the middle of one.
static bool skip_comments(scan *s) {
  for (;;) {
    while (s->at < s->text.size && strchr(" \t\r\n\v\f", s->text.data[s->at])) {
      s->at++;
    }
    const tn_str rest = tn_str_slice(s->text, s->at, s->text.size);
    if (tn_str_has_prefix(rest, TN_STR_LIT("//"))) {
      const size_t end = line_end(s->text, s->at);
      if (has(tn_str_slice(s->text, s->at, end), "\\\n")) {
        return false;
      }
      s->at = end;
    } else if (tn_str_has_prefix(rest, TN_STR_LIT("/*"))) {
      const size_t end = tn_str_find(tn_str_slice(rest, 2, rest.size), TN_STR_LIT("*/"));
      if (end == SIZE_MAX) {
        return false;
      }
      s->at += 2 + end + 2;
    } else {
      return s->at < s->text.size;
    }
  }
}

static tn_str directive_name(tn_str line) {
  tn_str rest = tn_str_trim(tn_str_slice(line, 1, line.size));
  size_t size = 0;
  while (size < rest.size && rest.data[size] >= 'a' && rest.data[size] <= 'z') {
    size++;
  }
  return tn_str_slice(rest, 0, size);
}

static bool is_any(tn_str name, const char *const *all) {
  for (size_t i = 0; all[i]; i++) {
    if (tn_str_equals(name, tn_str_from(all[i]))) {
      return true;
    }
  }
  return false;
}

// False where the preamble ends.
static bool take_directive(scan *s, tn_str line) {
  static const char *const begins[] = {"if", "ifdef", "ifndef", NULL};
  static const char *const others[] = {"define",   "undef", "elif", "elifdef",
                                       "elifndef", "else",  NULL};
  const tn_str name = directive_name(line);
  if (is_any(name, begins)) {
    s->depth++;
  } else if (tn_str_equals(name, TN_STR_LIT("endif"))) {
    if (s->depth == 0) {
      return false;
    }
    s->depth--;
  } else if (tn_str_equals(name, TN_STR_LIT("include"))) {
    s->has_include = true;
    s->include_count++;
  } else if (!is_any(name, others)) {
    return false;
  }
  if (s->depth == 0 && s->has_include) {
    s->size = s->at;
    s->has_include = false;
  }
  return true;
}

size_t tn_preamble_size(tn_str text, size_t *out_include_count) {
  static const char *const places[] = {"__FILE__",          "__BASE_FILE__", "__LINE__",
                                       "__INCLUDE_LEVEL__", "__COUNTER__",   "__TIME",
                                       "__DATE__"};
  scan s = {.text = text};
  while (skip_comments(&s) && s.text.data[s.at] == '#') {
    const size_t begin = s.at;
    s.at = line_end(text, s.at);
    while (s.at < text.size && s.at - begin >= 2 &&
           (text.data[s.at - 2] == '\\' ||
            (s.at - begin >= 3 && text.data[s.at - 2] == '\r' && text.data[s.at - 3] == '\\'))) {
      s.at = line_end(text, s.at);
    }
    const tn_str line = tn_str_slice(text, begin, s.at);
    if (has(line, "/*") || has(line, "R\"") || has(line, "\?\?/") || !take_directive(&s, line)) {
      break;
    }
  }
  for (size_t i = 0; i < TN_COUNT(places); i++) {
    if (has(tn_str_slice(text, 0, s.size), places[i])) {
      return 0;
    }
  }
  *out_include_count = s.include_count;
  return s.size > 0 && text.data[s.size - 1] == '\n' ? s.size : 0;
}
