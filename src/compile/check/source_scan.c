// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads source files as far as it takes to find try blocks: comments, literals, words.
#include "compile/check/source_scan.h"

#include "base/file.h"

#include <ctype.h>

enum { TN_SOURCE_MAXIMUM = 1 << 26 };

typedef struct reader {
  tn_report *report;
  tn_str file;
  tn_str text;
  size_t at;
  tn_list *tries;  // of tn_place, in order
} reader;

static char peek(const reader *r, size_t ahead) {
  return r->at + ahead < r->text.size ? r->text.data[r->at + ahead] : '\0';
}

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

// Behind a string or character literal, which ends with its line if with nothing else.
static void skip_literal(reader *r) {
  const char quote = peek(r, 0);
  ++r->at;
  while (r->at < r->text.size && peek(r, 0) != quote && peek(r, 0) != '\n') {
    r->at += peek(r, 0) == '\\' ? 2 : 1;
  }
  ++r->at;
}

// R"delimiter( … )delimiter"; false when it is none.
static bool skip_raw_literal(reader *r) {
  if (peek(r, 0) != 'R' || peek(r, 1) != '"' || (r->at > 0 && is_word(r->text.data[r->at - 1]))) {
    return false;
  }
  const tn_str rest = tn_str_slice(r->text, r->at + 2, r->text.size - r->at - 2);
  const size_t open = tn_str_find_char(rest, '(');
  char end[20] = {')'};
  if (open == SIZE_MAX || open > 16) {
    return false;
  }
  memcpy(end + 1, rest.data, open);
  end[open + 1] = '"';
  const size_t close = tn_str_find(rest, (tn_str){end, open + 2});
  r->at = close == SIZE_MAX ? r->text.size : r->at + 2 + close + open + 2;
  return true;
}

// Comments and literals; false when there is none here.
static bool skip_other(reader *r) {
  const tn_str rest = tn_str_slice(r->text, r->at, r->text.size - r->at);
  const bool is_line = tn_str_has_prefix(rest, TN_STR_LIT("//"));
  if (is_line || tn_str_has_prefix(rest, TN_STR_LIT("/*"))) {
    const size_t end = tn_str_find(rest, is_line ? TN_STR_LIT("\n") : TN_STR_LIT("*/"));
    r->at = end == SIZE_MAX ? r->text.size : r->at + end + (is_line ? 0 : 2);
    return true;
  }
  // The apostrophe within a number is no literal's.
  const bool in_number = peek(r, 0) == '\'' && r->at > 0 && is_word(r->text.data[r->at - 1]);
  if ((peek(r, 0) == '"' || peek(r, 0) == '\'') && !in_number) {
    skip_literal(r);
    return true;
  }
  return skip_raw_literal(r);
}

static void skip_space(reader *r) {
  while (r->at < r->text.size && (isspace((unsigned char)peek(r, 0)) || peek(r, 0) == '\\' ||
                                  (peek(r, 0) == '/' && skip_other(r)))) {
    r->at += isspace((unsigned char)peek(r, 0)) || peek(r, 0) == '\\' ? 1 : 0;
  }
}

static tn_str read_word(reader *r) {
  skip_space(r);
  const size_t begin = r->at;
  while (is_word(peek(r, 0))) {
    ++r->at;
  }
  return tn_str_slice(r->text, begin, r->at - begin);
}

static tn_place place_of(const reader *r, tn_str word) {
  const size_t at = (size_t)(word.data - r->text.data);
  tn_place place = {r->file, 1, 1};
  for (size_t i = 0; i < at; ++i) {
    place.line += r->text.data[i] == '\n' ? 1 : 0;
    place.column = r->text.data[i] == '\n' ? 1 : place.column + 1;
  }
  return place;
}

static void note_try(reader *r, tn_str word) {
  tn_place *place = tn_arena_alloc(r->report->arena, sizeof(*place));
  skip_space(r);
  if (peek(r, 0) == '{' && place) {
    *place = place_of(r, word);
    const bool is_kept = tn_list_add(r->tries, r->report->arena, place);
    (void)is_kept;  // without memory for it there is no warning
  }
}

static void read_file(reader *r) {
  while (r->at < r->text.size) {
    if (skip_other(r)) {
      continue;
    }
    if (is_word(peek(r, 0))) {
      const tn_str word = read_word(r);
      if (tn_str_equals(word, TN_STR_LIT("try"))) {
        note_try(r, word);
      }
    } else {
      ++r->at;
    }
  }
}

// A source that is in memory only cannot be looked at. Where the source itself tells the passes
// apart, a try block may be the host's.
static void check_file(tn_report *report, tn_str file, tn_list *tries) {
  char *path = tn_str_copy(file);
  char *data = NULL;
  size_t size = 0;
  if (path && tn_file_read_regular(path, TN_SOURCE_MAXIMUM, &data, &size, NULL) == TN_OK) {
    reader r = {.report = report, .file = file, .text = {data, size}, .tries = tries};
    read_file(&r);
    if (tn_str_find(r.text, TN_STR_LIT("__SYCL_DEVICE_ONLY__")) != SIZE_MAX) {
      tries->count = 0;
    }
  }
  tn_free(data);
  tn_free(path);
}

// Behind the function's first line, where what is around a lambda may stand as well.
static void check_tries(tn_report *report, const tn_reach_node *node, tn_place first,
                        const tn_list *tries) {
  const uint32_t last = tries->count > 0 ? tn_place_last_line(node->function, first) : 0;
  for (size_t i = 0; i < tries->count; ++i) {
    const tn_place *place = tries->items[i];
    if (place->line > first.line && place->line <= last) {
      tn_report_warn_at(report, *place,
                        "'%s' has a try block; device code has no exceptions, and its handlers are "
                        "left out",
                        tn_report_name(report, node->function));
    }
  }
}

void tn_source_scan(const tn_reach *reach, tn_report *report) {
  tn_map files;  // name → tn_list of places of try blocks
  tn_map_init(&files);
  for (size_t i = 0; i < reach->nodes.count; ++i) {
    const tn_reach_node *node = reach->nodes.items[i];
    const tn_place place = tn_place_of_function(node->function);
    // The kernel itself is the headers'; full debug information gives it the lines around it.
    if (!tn_function_is_of_user(node->function) || tn_function_is_kernel(node->function) ||
        place.line == 0) {
      continue;
    }
    tn_list *tries = tn_map_find(&files, place.file);
    if (!tries) {
      tries = tn_arena_alloc(report->arena, sizeof(*tries));
      if (!tries || !tn_map_set(&files, place.file, tries)) {
        break;  // a warning less
      }
      *tries = (tn_list){0};
      check_file(report, place.file, tries);
    }
    check_tries(report, node, place, tries);
  }
  tn_map_deinit(&files);
}
