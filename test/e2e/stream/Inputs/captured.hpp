// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the process prints while something runs.
#pragma once
#include "../../headers/Inputs/expect.hpp"

#include <cstdlib>
#include <string>
#include <unistd.h>

template <class F>
std::string captured(F f) {
  std::fflush(stdout);
  std::FILE *file = std::tmpfile();
  const int before = dup(1);
  if (!file || before < 0 || dup2(fileno(file), 1) < 0) {
    std::perror("captured");
    std::exit(2);
  }
  f();
  std::fflush(stdout);
  dup2(before, 1);
  close(before);
  std::string text;
  std::rewind(file);
  for (int c; (c = std::fgetc(file)) != EOF;) {
    text += static_cast<char>(c);
  }
  std::fclose(file);
  return text;
}

inline void expect_text(const char *file, int line, const std::string &text,
                        const std::string &wanted) {
  if (text != wanted) {
    std::printf("%s:%d: expected:\n%s\nprinted:\n%s\n", file, line, wanted.c_str(), text.c_str());
    ++failures;
  }
}
#define EXPECT_TEXT(text, wanted) expect_text(__FILE__, __LINE__, text, wanted)
