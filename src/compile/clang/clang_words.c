// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which words of a command line are questions to Clang's driver.
#include "compile/clang/clang_words.h"

#include "base/str.h"

bool tn_clang_is_question(const char *word) {
  static const char *const words[] = {
      "-v",        "-###",         "-help",        "--help",     "--help-hidden",
      "--version", "-dumpmachine", "-dumpversion", "-dumpspecs", "--autocomplete"};
  static const char *const beginnings[] = {"-print-", "--print-", "-ccc-print-", "--autocomplete="};
  const tn_str text = tn_str_from(word);
  for (size_t i = 0; i < TN_COUNT(words); i++) {
    if (tn_str_equals(text, tn_str_from(words[i]))) {
      return true;
    }
  }
  for (size_t i = 0; i < TN_COUNT(beginnings); i++) {
    if (tn_str_has_prefix(text, tn_str_from(beginnings[i]))) {
      return true;
    }
  }
  return false;
}
