// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What tells translation units apart: the preprocessed source and the options that change code.
// Neither the folder of a build nor the name of an object is part of it, so equal sources give
// equal objects wherever they are compiled.
#include <string.h>

#include "base/file.h"
#include "base/map.h"
#include "compile/frontend/frontend.h"

// Options whose values are paths or, as those of macros, show in the preprocessed text. The first
// group has a value of its own when nothing follows the name.
static const char *const path_options[] = {"-I",
                                           "-D",
                                           "-U",
                                           "-B",
                                           "-F",
                                           "-L",
                                           "-include-pch",
                                           "-include",
                                           "-imacros",
                                           "-iquote",
                                           "-isystem",
                                           "-idirafter",
                                           "-iprefix",
                                           "-iwithprefix",
                                           "-isysroot",
                                           "--sysroot",
                                           "-cxx-isystem",
                                           "-ivfsoverlay",
                                           "-working-directory",
                                           "--include",
                                           "--define-macro",
                                           "--undefine-macro",
                                           "-gcc-toolchain",
                                           "--gcc-toolchain"};
static const char *const joined_options[] = {
    "-ffile-prefix-map=",      "-fmacro-prefix-map=",     "-fdebug-prefix-map=",
    "-fcoverage-prefix-map=",  "-ffile-compilation-dir=", "-fdebug-compilation-dir=",
    "-fdebug-compilation-dir", "-fdiagnostics-color",     "-fcolor-diagnostics",
    "-fno-color-diagnostics"};

static bool has_prefix(const char *text, const char *prefix) {
  return strncmp(text, prefix, strlen(prefix)) == 0;
}

// "-Xclang -include-pch -Xclang FILE", as CMake names precompiled headers.
static bool is_front_end_path(const tn_args *options, size_t index) {
  if (options->list.count - index < 4 || strcmp(tn_args_at(options, index), "-Xclang") != 0 ||
      strcmp(tn_args_at(options, index + 2), "-Xclang") != 0) {
    return false;
  }
  const char *option = tn_args_at(options, index + 1);
  return strcmp(option, "-include-pch") == 0 || strcmp(option, "-include") == 0;
}

// How many arguments from `index` on say nothing of the code.
static size_t skipped_count(const tn_args *options, size_t index) {
  const char *text = tn_args_at(options, index);
  if (is_front_end_path(options, index)) {
    return 4;
  }
  for (size_t i = 0; i < TN_COUNT(joined_options); i++) {
    if (has_prefix(text, joined_options[i])) {
      return 1;
    }
  }
  for (size_t i = 0; i < TN_COUNT(path_options); i++) {
    if (has_prefix(text, path_options[i])) {
      return strcmp(text, path_options[i]) == 0 ? 2 : 1;
    }
  }
  return 0;
}

static uint64_t hash_options(const tn_args *options, uint64_t hash) {
  for (size_t i = 0; i < options->list.count;) {
    const size_t skipped = skipped_count(options, i);
    if (skipped == 0) {
      const char *text = tn_args_at(options, i);
      // With the NUL, so that "-Xclang" "a" and "-Xclanga" differ.
      hash = tn_hash_bytes(text, strlen(text) + 1, hash);
    }
    i += skipped > 0 ? skipped : 1;
  }
  return hash;
}

// As in `# 12 "folder/a.hpp" 1`.
bool tn_frontend_marker_path(tn_str line, size_t *begin, size_t *end) {
  size_t at = 2;
  if (!tn_str_has_prefix(line, TN_STR_LIT("# "))) {
    return false;
  }
  while (at < line.size && line.data[at] >= '0' && line.data[at] <= '9') {
    at++;
  }
  if (at == 2 || line.size - at < 3 || line.data[at] != ' ' || line.data[at + 1] != '"') {
    return false;
  }
  *begin = at + 2;
  *end = line.size;
  while (*end > *begin && line.data[*end - 1] != '"') {
    --*end;
  }
  *end = *end > *begin ? *end - 1 : *begin;
  return true;
}

typedef struct text_walk {
  size_t depth;       // of files that are included
  size_t base_depth;  // of the base, while it is read; 0 = it is not
  uint64_t line;
  tn_str file;
  tn_str hashed_file;  // of the last line that was hashed
} text_walk;

// A line marker; `flags` are behind the path: 1 where a file begins, 2 where it is left.
static void walk_marker(text_walk *walk, tn_str line, size_t begin, size_t end, tn_str base) {
  const tn_str path = tn_str_slice(line, begin, end - begin);
  const tn_str flags = tn_str_slice(line, end + 1, line.size);
  const bool enters = tn_str_has_prefix(flags, TN_STR_LIT(" 1"));
  const bool leaves = tn_str_has_prefix(flags, TN_STR_LIT(" 2"));
  walk->depth += enters;
  walk->depth -= leaves && walk->depth > 0;
  if (enters && walk->base_depth == 0 && tn_str_equals(path, base)) {
    walk->base_depth = walk->depth;
  } else if (walk->depth < walk->base_depth) {
    walk->base_depth = 0;
  }
  walk->file = tn_path_base(path);
  walk->line = 0;
  for (size_t i = 2; i < begin && line.data[i] >= '0' && line.data[i] <= '9'; i++) {
    walk->line = walk->line * 10 + (uint64_t)(line.data[i] - '0');
  }
}

static void walk_line(text_walk *walk, tn_str line, tn_text_prints *out) {
  uint64_t *hash = walk->base_depth > 0 ? &out->head : &out->rest;
  if (!tn_str_equals(walk->file, walk->hashed_file)) {
    *hash = tn_hash_bytes(walk->file.data, walk->file.size, *hash);
    walk->hashed_file = walk->file;
  }
  *hash = tn_hash_bytes(&walk->line, sizeof(walk->line), *hash);
  *hash = tn_hash_bytes(line.data, line.size, *hash);
}

tn_text_prints tn_frontend_text_prints(tn_str preprocessed, tn_str base) {
  tn_text_prints prints = {0};
  text_walk walk = {0};
  tn_str rest = preprocessed;
  while (rest.data && rest.size > 0) {
    size_t begin = 0;
    size_t end = 0;
    const tn_str line = tn_str_split(&rest, '\n');
    const bool was_base = walk.base_depth > 0;
    if (tn_frontend_marker_path(line, &begin, &end)) {
      walk_marker(&walk, line, begin, end, base);
      walk.hashed_file = was_base == (walk.base_depth > 0) ? walk.hashed_file : (tn_str){0};
      continue;
    }
    if (tn_str_trim(line).size > 0) {
      walk_line(&walk, line, &prints);
    }
    walk.line++;
  }
  return prints;
}

uint64_t tn_frontend_unit_id(tn_text_prints prints, const tn_args *options, uint64_t before) {
  uint64_t hash = hash_options(options, before ^ 0x54454e4f4eu);
  hash = tn_hash_bytes(&prints.head, sizeof(prints.head), hash);
  hash = tn_hash_bytes(&prints.rest, sizeof(prints.rest), hash);
  return hash == 0 ? 1 : hash;
}

const char *tn_frontend_map_path(tn_arena *arena, const tn_args *options, const char *path) {
  static const char *const maps[] = {"-ffile-prefix-map=", "-fdebug-prefix-map="};
  const char *mapped = path;
  for (size_t i = 0; i < options->list.count; i++) {
    for (size_t m = 0; m < TN_COUNT(maps); m++) {
      const char *text = tn_args_at(options, i);
      const char *from = has_prefix(text, maps[m]) ? text + strlen(maps[m]) : NULL;
      const char *to = from ? strchr(from, '=') : NULL;
      if (to && strncmp(path, from, (size_t)(to - from)) == 0) {
        mapped = tn_arena_format(arena, "%s%s", to + 1, path + (to - from));
      }
    }
  }
  return mapped;
}
