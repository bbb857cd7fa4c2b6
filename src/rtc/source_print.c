// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The second key of a build, for those who keep results: what is left of a source when it has been
// preprocessed, and of its options without those that end there.
#include "rtc/source_compile.h"

#define PRINT_HEAD "tenon source print 1"

static void add_text(tn_blake3 *hash, const char *text) {
  const uint64_t size = text ? strlen(text) : UINT64_MAX;
  tn_blake3_add(hash, &size, sizeof(size));
  tn_blake3_add(hash, text ? text : "", text ? (size_t)size : 0);
}

// The option's name when it does nothing but to the preprocessor.
static const char *preprocessor_option(const char *word) {
  static const char *const names[] = {"-D",       "-U",         "-isystem", "-iquote",
                                      "-include", "-idirafter", "-imacros", "-I"};
  for (size_t i = 0; i < TN_COUNT(names); i++) {
    if (strncmp(word, names[i], strlen(names[i])) == 0) {
      return names[i];
    }
  }
  return NULL;
}

// Debug information tells lines and hashes of files, and some messages are about comments. What
// is precompiled for one source only is not in its print.
static bool tells_more(const char *word) {
  static const char *const heads[] = {"-g",
                                      "-Wdocumentation",
                                      "-Weverything",
                                      "-fparse-all-comments",
                                      "-Xsycl-target-frontend",
                                      "-Xarch",
                                      "--auto-pch",
                                      "--persistent-auto-pch"};
  for (size_t i = 0; i < TN_COUNT(heads); i++) {
    if (strncmp(word, heads[i], strlen(heads[i])) == 0) {
      return true;
    }
  }
  return false;
}

static bool add_options(tn_blake3 *hash, const tn_source_params *params) {
  for (size_t i = 0; i < params->option_count; i++) {
    const char *word = params->options[i];
    const char *name = preprocessor_option(word);
    if (tells_more(word)) {
      return false;
    }
    if (!name) {
      add_text(hash, word);
    } else if (word[strlen(name)] == '\0') {
      i++;  // its value is the next word
    }
  }
  add_text(hash, NULL);
  return true;
}

bool tn_source_print_make(const tn_source_params *params, const tn_clang_result *clang,
                          uint8_t out[TN_BLAKE3_SIZE]) {
  tn_blake3 hash;
  tn_blake3_init(&hash);
  add_text(&hash, PRINT_HEAD);
  add_text(&hash, params->target);
  add_text(&hash, params->processor);
  tn_blake3_add(&hash, &params->language, sizeof(params->language));
  if (!clang->has_print || !add_options(&hash, params)) {
    return false;
  }
  for (size_t i = 0; i < params->name_count; i++) {
    add_text(&hash, params->names[i]);
  }
  tn_blake3_add(&hash, clang->print, sizeof(clang->print));
  tn_blake3_finish(&hash, out);
  return true;
}
