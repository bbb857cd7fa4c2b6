// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Looks options up in the table, prints --help from it, and says what is wrong with a strange one.
#include "compile/command/options.h"

#include "compile/command/option_table.h"

static const tn_option table[] = {
#define TN_OPTION_ROW(spelling, shape, meaning, goes, value, help) \
  {spelling, TN_SHAPE_##shape, TN_OPTION_##meaning, TN_GOES_##goes, value, help},
    TN_OPTION_MAP(TN_OPTION_ROW)
#undef TN_OPTION_ROW
};

size_t tn_option_count(void) { return TN_COUNT(table); }
const tn_option *tn_option_at(size_t index) { return &table[index]; }

static bool option_fits(const tn_option *option, tn_str argument) {
  const tn_str spelling = tn_str_from(option->spelling);
  if (!tn_str_has_prefix(argument, spelling)) {
    return false;
  }
  const bool whole = argument.size == spelling.size;
  switch (option->shape) {
    case TN_SHAPE_JOINED:
    case TN_SHAPE_EITHER:
    case TN_SHAPE_COMMA:
      return true;
    case TN_SHAPE_FLAG:
    case TN_SHAPE_SEPARATE:
    case TN_SHAPE_PAIR:
    case TN_SHAPE_TRIPLE:
      return whole;
  }
  return whole;
}

const tn_option *tn_option_find(const char *argument) {
  const tn_option *best = NULL;
  const tn_str text = tn_str_from(argument);
  for (size_t i = 0; i < TN_COUNT(table); i++) {
    if (option_fits(&table[i], text) &&
        (!best || strlen(table[i].spelling) > strlen(best->spelling))) {
      best = &table[i];
    }
  }
  return best;
}

size_t tn_option_extra(const tn_option *option, const char *argument) {
  switch (option->shape) {
    case TN_SHAPE_SEPARATE:
      return 1;
    case TN_SHAPE_EITHER:
      // -Xarch_ARCH and -Xopenmp-target=TRIPLE take an argument behind the joined part.
      return strncmp(option->spelling, "-X", 2) == 0 || strcmp(argument, option->spelling) == 0;
    case TN_SHAPE_PAIR:
      return 2;
    case TN_SHAPE_TRIPLE:
      return 3;
    case TN_SHAPE_FLAG:
    case TN_SHAPE_JOINED:
    case TN_SHAPE_COMMA:
      return 0;
  }
  return 0;
}

void tn_option_help(tn_buf *out) {
  tn_buf_add_text(out,
                  "Usage: tenon++ [options] file...\n"
                  "\n"
                  "Compiles and links C++ and, with -fsycl, SYCL 2020. It takes every option of\n"
                  "clang++ 22 and hands on what is not its own; without -fsycl it is clang++.\n"
                  "\n"
                  "Options of its own:\n");
  for (size_t i = 0; i < TN_COUNT(table); i++) {
    const tn_option *option = &table[i];
    if (option->help[0] == '\0') {
      continue;
    }
    const size_t width = strlen(option->spelling) + strlen(option->value);
    tn_buf_add_format(out, "  %s%s", option->spelling, option->value);
    if (width > 26) {
      tn_buf_add_char(out, '\n');
    }
    tn_buf_add_format(out, "%*s%s\n", width > 26 ? 30 : (int)(28 - width), "", option->help);
  }
  tn_buf_add_text(out,
                  "\n"
                  "Environment: TENON_CLANG names a clang++ to run instead of the Clang inside,\n"
                  "TMPDIR the folder for temporary files.\n"
                  "Options of clang++: clang++-22 --help\n");
}

tn_status tn_option_refuse(const char *argument, tn_diag *diag) {
  const char *nearest = NULL;
  const size_t equals = tn_str_find_char(tn_str_from(argument), '=');
  const tn_str name = tn_str_slice(tn_str_from(argument), 0,
                                   equals == SIZE_MAX ? SIZE_MAX : equals + 1);
  // Short names are all alike when four letters may differ.
  size_t least = name.size > 16 ? 5 : 2;
  for (size_t i = 0; i < TN_COUNT(table); i++) {
    if (table[i].help[0] != '\0') {
      const size_t distance = tn_str_distance(name, tn_str_from(table[i].spelling), 4);
      if (distance < least) {
        least = distance;
        nearest = table[i].spelling;
      }
    }
  }
  if (nearest) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "unknown option %s; did you mean %s?", argument,
                   nearest);
  }
  return TN_FAIL(diag, UNSUPPORTED,
                 "%s: this version of Tenon does not know this option; leave it out (tenon++ "
                 "--help lists what there is)", argument);
}
