// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Looks through the lines of sources for #include. Wrong guesses cost time and nothing else: what
// does not compile without the host's headers is compiled again with them.
#include "rtc/carried_scan.h"

#include "base/map.h"

static tn_str skip_space(tn_str text) {
  size_t at = 0;
  while (at < text.size && (text.data[at] == ' ' || text.data[at] == '\t')) {
    at++;
  }
  return tn_str_slice(text, at, text.size);
}

// What is included by a line `#include <name>`, or by "name"; empty for other lines.
static tn_str included_by(tn_str line, char *out_quote) {
  const tn_str word = TN_STR_LIT("include");
  tn_str rest = skip_space(line);
  if (rest.size == 0 || rest.data[0] != '#') {
    return (tn_str){0};
  }
  rest = skip_space(tn_str_slice(rest, 1, rest.size));
  if (!tn_str_has_prefix(rest, word)) {
    return (tn_str){0};
  }
  rest = skip_space(tn_str_slice(rest, word.size, rest.size));
  if (rest.size == 0 || (rest.data[0] != '<' && rest.data[0] != '"')) {
    return (tn_str){0};
  }
  *out_quote = rest.data[0];
  rest = tn_str_slice(rest, 1, rest.size);
  const size_t end = tn_str_find_char(rest, *out_quote == '<' ? '>' : '"');
  return end == SIZE_MAX ? (tn_str){0} : tn_str_slice(rest, 0, end);
}

// Files of the run lie in folders of their own: the end of the name has to do. Without memory some
// are not known, which is a wrong guess like others.
static void add_names(const tn_clang_run *run, tn_map *out) {
  for (size_t i = 0; i < run->file_count; i++) {
    tn_str rest = tn_str_from(run->files[i].name);
    while (rest.size > 0 && tn_map_set(out, rest, (void *)(uintptr_t)run)) {
      const size_t slash = tn_str_find_char(rest, '/');
      rest = slash == SIZE_MAX ? (tn_str){0} : tn_str_slice(rest, slash + 1, rest.size);
    }
  }
}

static bool is_lean_text(const tn_map *names, tn_str text) {
  if (tn_str_find(text, TN_STR_LIT("__has_include")) != SIZE_MAX) {
    return false;
  }
  while (text.size > 0) {
    char quote = 0;
    const tn_str name = included_by(tn_str_split(&text, '\n'), &quote);
    if (name.size > 0 && quote == '<' && !tn_carried_has(name) && !tn_map_find(names, name)) {
      return false;
    }
  }
  return true;
}

bool tn_carried_scan_is_lean(const tn_clang_run *run) {
  bool is_lean = true;
  tn_map names;
  tn_map_init(&names);
  add_names(run, &names);
  for (size_t i = 0; is_lean && i < run->file_count; i++) {
    const tn_bytes text = run->files[i].text;
    is_lean = is_lean_text(&names, (tn_str){(const char *)text.data, text.size});
  }
  tn_map_deinit(&names);
  return is_lean;
}

// Behind white space and comments.
static tn_str skip_comments(tn_str text) {
  for (;;) {
    text = tn_str_trim(text);
    size_t end = SIZE_MAX;
    if (tn_str_has_prefix(text, TN_STR_LIT("//"))) {
      end = tn_str_find_char(text, '\n');
    } else if (tn_str_has_prefix(text, TN_STR_LIT("/*"))) {
      end = tn_str_find(text, TN_STR_LIT("*/"));
      end = end == SIZE_MAX ? end : end + 1;
    } else {
      return text;
    }
    if (end == SIZE_MAX) {
      return (tn_str){0};
    }
    text = tn_str_slice(text, end + 1, text.size);
  }
}

bool tn_carried_scan_begins_with_sycl(tn_str text) {
  for (;;) {
    text = skip_comments(text);
    char quote = 0;
    const tn_str name = included_by(tn_str_split(&text, '\n'), &quote);
    if (tn_str_equals(name, TN_STR_LIT("sycl/sycl.hpp"))) {
      return true;
    }
    if (name.size == 0 || tn_str_find_char(name, '/') != SIZE_MAX || quote != '<') {
      return false;
    }
  }
}
