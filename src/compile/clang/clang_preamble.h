// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a source begins with, precompiled: what a pass asks for and gets. Part of clang.h; plain C,
// which the C++ file reads as well.
#ifndef TN_COMPILE_CLANG_CLANG_PREAMBLE_H
#define TN_COMPILE_CLANG_CLANG_PREAMBLE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// A file that a source depends on, as a rule of make names it.
typedef struct tn_clang_dependency {
  const char *name;
  int is_system;
} tn_clang_dependency;

typedef struct tn_clang_preamble_query {
  const char *source;  // its name
  const char *text;
  size_t text_size;
  // Words of clang -cc1 without the source and without what names outputs: all that a precompiled
  // header depends on but files. They are what tn_clang_precompile_words takes.
  const char *const *words;
  size_t word_count;
  int is_wanted;  // precompiled headers can be used; else only the sizes are asked
} tn_clang_preamble_query;

// A precompiled header, and what of the source it was made of.
typedef struct tn_clang_header {
  const char *data;  // NULL: there is none
  size_t size;
  const char *name;  // of the text that was precompiled
  const char *text;  // and that text
  size_t text_size;
  const unsigned *lines;  // behind the first, which is empty: for each the line in the source
  size_t line_count;
  const tn_clang_dependency *dependencies;  // in the order of reading
  size_t dependency_count;
  const unsigned char *imports;  // tn_clang_result.imports of it
  size_t import_size;
} tn_clang_header;

// A source begins with headers that many sources begin with (the base), then with others of its
// own. The second header is made on top of the first, if there is a first.
typedef struct tn_clang_preamble {
  size_t base_size;  // of the base in the source's text; 0 = it has none
  size_t size;       // of the whole; 0 = the source has no preamble
  tn_clang_header base;
  tn_clang_header rest;
} tn_clang_preamble;

#ifdef __cplusplus
}
#endif
#endif
