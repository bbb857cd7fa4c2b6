// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The directives alone: sources that differ in comments and empty lines share a precompiled header.
#include "compile/preamble/preamble.h"

typedef struct copy {
  tn_str text;
  size_t at;
  unsigned line;  // of `at`, from 1 on
  char *out;
  size_t out_size;
  unsigned *lines;
  size_t line_count;
} copy;

static void advance(copy *c, size_t end) {
  for (; c->at < end; c->at++) {
    c->line += c->text.data[c->at] == '\n' ? 1 : 0;
  }
}

// The text was scanned before: comments end.
static void skip_to_directive(copy *c) {
  while (c->at < c->text.size && c->text.data[c->at] != '#') {
    const tn_str rest = tn_str_slice(c->text, c->at, c->text.size);
    size_t end = 1;
    if (tn_str_has_prefix(rest, TN_STR_LIT("//"))) {
      end = tn_str_find_char(rest, '\n');
    } else if (tn_str_has_prefix(rest, TN_STR_LIT("/*"))) {
      end = 2 + tn_str_find(tn_str_slice(rest, 2, rest.size), TN_STR_LIT("*/")) + 2;
    }
    advance(c, end > rest.size ? c->text.size : c->at + end);
  }
}

// What is behind #include; empty for other directives.
static tn_str included(tn_str directive) {
  const tn_str rest = tn_str_trim(tn_str_slice(directive, 1, directive.size));
  return tn_str_has_prefix(rest, TN_STR_LIT("include"))
             ? tn_str_trim(tn_str_slice(rest, strlen("include"), rest.size))
             : (tn_str){0};
}

static void put(copy *c, tn_str text) {
  memcpy(c->out + c->out_size, text.data, text.size);
  c->out_size += text.size;
}

// The directive, which ends before the next one.
static tn_str take_directive(copy *c) {
  const size_t begin = c->at;
  bool goes_on = true;
  while (goes_on && c->at < c->text.size) {
    const tn_str rest = tn_str_slice(c->text, c->at, c->text.size);
    const size_t length = tn_str_find_char(rest, '\n');
    const tn_str line = tn_str_slice(rest, 0, length);
    goes_on =
        tn_str_has_suffix(line, TN_STR_LIT("\\")) || tn_str_has_suffix(line, TN_STR_LIT("\\\r"));
    if (c->out) {
      c->lines[c->line_count++] = c->line;
      put(c, line);
      put(c, TN_STR_LIT("\n"));
    }
    advance(c, length == SIZE_MAX ? c->text.size : c->at + length + 1);
  }
  return tn_str_slice(c->text, begin, c->at);
}

size_t tn_preamble_base_size(tn_str preamble) {
  static const char *const umbrellas[] = {"<sycl/sycl.hpp>", "<CL/sycl.hpp>"};
  copy c = {.text = preamble};
  size_t depth = 0;
  size_t size = 0;
  for (skip_to_directive(&c); c.at < preamble.size; skip_to_directive(&c)) {
    const tn_str directive = take_directive(&c);
    const tn_str word = tn_str_trim(tn_str_slice(directive, 1, directive.size));
    depth += tn_str_has_prefix(word, TN_STR_LIT("if")) ? 1 : 0;
    depth -= tn_str_has_prefix(word, TN_STR_LIT("endif")) && depth > 0 ? 1 : 0;
    const tn_str name = included(directive);
    for (size_t i = 0; i < TN_COUNT(umbrellas) && depth == 0; i++) {
      if (tn_str_has_prefix(name, tn_str_from(umbrellas[i]))) {
        return c.at;
      }
    }
    size = depth == 0 && tn_str_has_prefix(name, TN_STR_LIT("<sycl/")) ? c.at : size;
  }
  return size;
}

bool tn_preamble_part_read(tn_str source, size_t begin, size_t end, tn_arena *arena,
                           tn_preamble_part *out) {
  copy c = {.text = tn_str_slice(source, 0, end), .line = 1};
  advance(&c, begin);
  size_t most = 1;
  for (size_t i = begin; i < end; i++) {
    most += source.data[i] == '\n' ? 1 : 0;
  }
  c.lines = tn_arena_alloc_array(arena, most, sizeof(*c.lines));
  c.out = tn_arena_alloc(arena, end - begin + 3);
  if (!c.lines || !c.out) {
    return false;
  }
  put(&c, TN_STR_LIT("\n"));
  bool is_local = false;
  for (skip_to_directive(&c); c.at < end; skip_to_directive(&c)) {
    // A header in quotes is looked for beside the source, and a macro may hold one.
    const tn_str name = included(take_directive(&c));
    is_local = is_local || (name.size > 0 && name.data[0] != '<');
  }
  *out = (tn_preamble_part){.text = {c.out, c.out_size},
                            .lines = c.lines,
                            .line_count = c.line_count,
                            .is_local = is_local};
  return true;
}

size_t tn_preamble_base_lines(tn_str source) {
  size_t include_count = 0;
  const size_t size = tn_preamble_size(source, &include_count);
  const size_t end = tn_preamble_base_size(tn_str_slice(source, 0, size));
  size_t lines = 0;
  for (size_t i = 0; i < end; i++) {
    lines += source.data[i] == '\n';
  }
  return lines;
}
