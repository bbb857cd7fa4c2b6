// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a source begins with, precompiled: what a pass asks for and gets. Part of clang.h; plain C,
// which the C++ file reads as well.
#ifndef TN_COMPILE_CLANG_CLANG_PREAMBLE_H
#define TN_COMPILE_CLANG_CLANG_PREAMBLE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// The base as a file, which passes include before the source, precompiled or not.
#define TN_CLANG_BASE_NAME "/.tenon/.tenon-preamble.hpp"
// What a precompiled header has for the folder that Tenon is installed in, wherever that is.
#define TN_CLANG_INSTALLATION "/.tenon/installation"

// A file that a source depends on, as a rule of make names it.
typedef struct tn_clang_dependency {
  const char *name;
  int is_system;
} tn_clang_dependency;

// A macro of the command line, as -D or -U has it: "NAME", "NAME=value", "NAME(x)=value".
typedef struct tn_clang_macro {
  const char *text;
  int is_undefined;
} tn_clang_macro;

// A folder of the user's for headers: -I and its kin, in the order of the search.
typedef struct tn_clang_folder {
  const char *path;
  int is_quoted;  // only headers in quotes are looked for there
} tn_clang_folder;

typedef struct tn_clang_preamble_query {
  const char *source;  // its name
  const char *text;
  size_t text_size;
  // Arguments of clang -cc1 without the source and without what names outputs or concerns only the
  // code that is made: all that a precompiled header depends on but files. They are what
  // tn_clang_precompile takes.
  const char *const *words;
  size_t word_count;
  // The same without macros, the user's folders and warnings.
  const char *const *base_words;
  size_t base_word_count;
  const tn_clang_macro *macros;
  size_t macro_count;
  const tn_clang_folder *folders;
  size_t folder_count;
  int has_includes;  // -include or -imacros: something comes before the source
  // NULL: precompiled headers can be used. Else why not, as a clause of a sentence; static. Without
  // a text nothing is asked, with one only the sizes.
  const char *why_not;
} tn_clang_preamble_query;

// A precompiled header, and what of the source it was made of.
typedef struct tn_clang_header {
  const char *data;  // NULL: there is none
  size_t size;
  const char *name;  // of the text that was precompiled
  const char *text;  // and that text
  size_t text_size;
  const char *file;       // whose lines these are
  const unsigned *lines;  // behind the first, which is empty: for each the line in that file
  size_t line_count;
  const tn_clang_dependency *dependencies;  // in the order of reading
  size_t dependency_count;
  const char *const *relative_names;  // of files that it was made of, as they were opened
  size_t relative_name_count;
  const unsigned char *imports;  // tn_clang_result.imports of it
  size_t import_size;
} tn_clang_header;

// Sources that begin with SYCL's headers have these as their base, in whatever order they include
// them and standard headers: the base is read first. The rest is what the source itself begins
// with, made on top of the base, if there is a base.
typedef struct tn_clang_preamble {
  int has_base;  // `base.text` is included before the source; `base.data` may be NULL
  size_t size;   // of the rest in the source's text; 0 = the source has no preamble
  tn_clang_header base;
  tn_clang_header rest;
} tn_clang_preamble;

#ifdef __cplusplus
}
#endif
#endif
