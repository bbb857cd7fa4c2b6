// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the preamble of a source ends, and its directives without comments: sources that differ in
// comments and empty lines share a precompiled header.
#include "compile/preamble/preamble.h"
#include "compile/preamble/preamble_text.h"

static bool is_any(tn_str name, const char *const *all) {
  for (size_t i = 0; all[i]; i++) {
    if (tn_str_equals(name, tn_str_from(all[i]))) {
      return true;
    }
  }
  return false;
}

// Whether the preamble goes on behind the directive; `depth` is that of #if.
static bool take_directive(tn_str name, size_t *depth) {
  static const char *const begins[] = {"if", "ifdef", "ifndef", NULL};
  static const char *const others[] = {"include", "define",   "undef", "elif",
                                       "elifdef", "elifndef", "else",  NULL};
  if (is_any(name, begins)) {
    ++*depth;
    return true;
  }
  if (tn_str_equals(name, TN_STR_LIT("endif")) && *depth > 0) {
    --*depth;
    return true;
  }
  return is_any(name, others);
}

static bool asks_for_location(tn_str preamble) {
  static const char *const names[] = {"__FILE__",          "__BASE_FILE__", "__LINE__",
                                      "__INCLUDE_LEVEL__", "__COUNTER__",   "__TIME",
                                      "__DATE__"};
  for (size_t i = 0; i < TN_COUNT(names); i++) {
    if (tn_str_find(preamble, tn_str_from(names[i])) != SIZE_MAX) {
      return true;
    }
  }
  return false;
}

size_t tn_preamble_size(tn_str text, size_t *out_include_count) {
  tn_preamble_walk walk;
  tn_preamble_walk_begin(&walk, text);
  size_t size = 0;
  size_t depth = 0;
  bool has_include = false;  // since the last line that the preamble ends with
  *out_include_count = 0;
  while (tn_preamble_walk_next(&walk) && take_directive(walk.name, &depth)) {
    const bool is_include = tn_str_equals(walk.name, TN_STR_LIT("include"));
    has_include = has_include || is_include;
    *out_include_count += is_include;
    if (depth == 0 && has_include) {
      size = walk.at;
      has_include = false;
    }
  }
  const bool is_good = size > 0 && text.data[size - 1] == '\n' &&
                       !asks_for_location(tn_str_slice(text, 0, size));
  return is_good ? size : 0;
}

// Adds the directive's lines, each with its number.
static void add_lines(const tn_preamble_walk *walk, tn_buf *text, tn_preamble_part *part) {
  unsigned line = walk->line;
  tn_str rest = walk->directive;
  while (rest.data && rest.size > 0) {
    part->lines[part->line_count++] = line++;
    tn_buf_add_str(text, tn_str_split(&rest, '\n'));
    tn_buf_add_char(text, '\n');
  }
}

static size_t count_lines(tn_str text) {
  size_t count = 1;
  for (size_t i = 0; i < text.size; i++) {
    count += text.data[i] == '\n';
  }
  return count;
}

bool tn_preamble_part_read(tn_str preamble, tn_arena *arena, tn_preamble_part *out) {
  *out = (tn_preamble_part){0};
  out->lines = tn_arena_alloc_array(arena, count_lines(preamble), sizeof(*out->lines));
  if (!out->lines) {
    return false;
  }
  tn_buf text;
  tn_buf_init(&text, preamble.size + 2);
  tn_buf_add_char(&text, '\n');
  tn_preamble_walk walk;
  tn_preamble_walk_begin(&walk, preamble);
  while (tn_preamble_walk_next(&walk)) {
    bool is_quoted = false;
    const bool is_include = tn_str_equals(walk.name, TN_STR_LIT("include"));
    const tn_str name = tn_preamble_included(walk.directive, &is_quoted);
    // A header in quotes is looked for beside the source, and a macro may hold one.
    out->is_local = out->is_local || (is_include && (is_quoted || name.size == 0));
    add_lines(&walk, &text, out);
  }
  const char *kept = text.failed == TN_OK ? tn_arena_str(arena, tn_buf_str(&text)) : NULL;
  out->text = kept ? tn_str_from(kept) : (tn_str){0};
  tn_buf_deinit(&text);
  return kept != NULL;
}
