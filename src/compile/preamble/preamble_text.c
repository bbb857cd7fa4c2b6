// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads directives and skips comments. Where a text is hard to read, it ends.
#include "compile/preamble/preamble_text.h"

#include <string.h>

static bool has(tn_str text, const char *part) {
  return tn_str_find(text, tn_str_from(part)) != SIZE_MAX;
}

static tn_str from(tn_str text, size_t at) { return tn_str_slice(text, at, text.size); }

// Behind the line's newline.
static size_t line_end(tn_str text, size_t at) {
  const size_t length = tn_str_find_char(from(text, at), '\n');
  return length == SIZE_MAX ? text.size : at + length + 1;
}

static bool is_continued(tn_str line) {
  return tn_str_has_suffix(line, TN_STR_LIT("\\\n")) ||
         tn_str_has_suffix(line, TN_STR_LIT("\\\r\n"));
}

// Behind white space and comments; false when the text ends, or a comment does not.
static bool skip_comments(tn_preamble_walk *walk) {
  const tn_str text = walk->text;
  for (;;) {
    while (walk->at < text.size && strchr(" \t\r\n\v\f", text.data[walk->at])) {
      walk->at++;
    }
    const tn_str rest = from(text, walk->at);
    if (tn_str_has_prefix(rest, TN_STR_LIT("//"))) {
      const size_t end = line_end(text, walk->at);
      if (is_continued(tn_str_slice(text, walk->at, end - walk->at))) {
        return false;
      }
      walk->at = end;
    } else if (tn_str_has_prefix(rest, TN_STR_LIT("/*"))) {
      const size_t end = tn_str_find(from(rest, 2), TN_STR_LIT("*/"));
      if (end == SIZE_MAX) {
        return false;
      }
      walk->at += 2 + end + 2;
    } else {
      walk->is_at_end = walk->at == text.size;
      return !walk->is_at_end;
    }
  }
}

static tn_str name_of(tn_str directive) {
  const tn_str rest = tn_str_trim(from(directive, 1));
  size_t size = 0;
  while (size < rest.size && rest.data[size] >= 'a' && rest.data[size] <= 'z') {
    size++;
  }
  return tn_str_slice(rest, 0, size);
}

void tn_preamble_walk_begin(tn_preamble_walk *walk, tn_str text) {
  *walk = (tn_preamble_walk){.text = text, .next_line = 1};
}

bool tn_preamble_walk_next(tn_preamble_walk *walk) {
  const tn_str text = walk->text;
  if (!skip_comments(walk) || text.data[walk->at] != '#') {
    return false;
  }
  walk->begin = walk->at;
  do {
    walk->at = line_end(text, walk->at);
  } while (walk->at < text.size &&
           is_continued(tn_str_slice(text, walk->begin, walk->at - walk->begin)));
  for (; walk->counted < walk->begin; walk->counted++) {
    walk->next_line += text.data[walk->counted] == '\n' ? 1 : 0;
  }
  walk->line = walk->next_line;
  walk->directive = tn_str_slice(text, walk->begin, walk->at - walk->begin);
  walk->name = name_of(walk->directive);
  return !has(walk->directive, "/*") && !has(walk->directive, "R\"") &&
         !has(walk->directive, "\?\?/");
}

tn_str tn_preamble_included(tn_str directive, bool *out_is_quoted) {
  const tn_str rest = tn_str_trim(from(directive, 1));
  tn_str name = {0};
  *out_is_quoted = false;
  if (tn_str_has_prefix(rest, TN_STR_LIT("include"))) {
    name = tn_str_trim(from(rest, strlen("include")));
  }
  if (name.size < 2 || (name.data[0] != '<' && name.data[0] != '"')) {
    return (tn_str){0};
  }
  *out_is_quoted = name.data[0] == '"';
  name = from(name, 1);
  const size_t end = tn_str_find_char(name, *out_is_quoted ? '"' : '>');
  return end == SIZE_MAX ? (tn_str){0} : tn_str_slice(name, 0, end);
}
