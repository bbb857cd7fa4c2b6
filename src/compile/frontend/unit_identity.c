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
static const char *const path_options[] = {
    "-I",         "-D",           "-U",          "-B",          "-F",
    "-L",         "-include",     "-imacros",    "-iquote",     "-isystem",
    "-idirafter", "-iprefix",     "-iwithprefix", "-isysroot",  "--sysroot",
    "-cxx-isystem", "-ivfsoverlay", "-working-directory", "--include", "--define-macro",
    "--undefine-macro", "-gcc-toolchain", "--gcc-toolchain"};
static const char *const joined_options[] = {
    "-ffile-prefix-map=", "-fmacro-prefix-map=", "-fdebug-prefix-map=", "-fcoverage-prefix-map=",
    "-ffile-compilation-dir=", "-fdebug-compilation-dir=", "-fdebug-compilation-dir",
    "-fdiagnostics-color", "-fcolor-diagnostics", "-fno-color-diagnostics"};

static bool has_prefix(const char *text, const char *prefix) {
  return strncmp(text, prefix, strlen(prefix)) == 0;
}

// How many arguments from `index` on say nothing of the code.
static size_t skipped_count(const tn_args *options, size_t index) {
  const char *text = tn_args_at(options, index);
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

// Lines count, as code can ask for them; of files only the names do.
static uint64_t hash_text(tn_str text, uint64_t hash) {
  const char *start = text.data;
  tn_str rest = text;
  while (rest.data && rest.size > 0) {
    size_t begin = 0;
    size_t end = 0;
    const tn_str line = tn_str_split(&rest, '\n');
    if (tn_frontend_marker_path(line, &begin, &end)) {
      const tn_str name = tn_path_base(tn_str_slice(line, begin, end - begin));
      hash = tn_hash_bytes(start, (size_t)(line.data + begin - start), hash);
      hash = tn_hash_bytes(name.data, name.size, hash);
      start = line.data + end;
    }
  }
  return start ? tn_hash_bytes(start, (size_t)(text.data + text.size - start), hash) : hash;
}

uint64_t tn_frontend_unit_id(tn_str preprocessed, const tn_args *options, uint64_t before) {
  const uint64_t hash = hash_text(preprocessed, hash_options(options, before ^ 0x54454e4f4eu));
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
