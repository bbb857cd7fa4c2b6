// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A check of an exception's sentence beside its code.
#pragma once
#include "../../headers/Inputs/expect.hpp"

#include <cstring>

#define EXPECT_SAYS(code_, words, statement)                                             \
  do {                                                                                   \
    try {                                                                                \
      statement;                                                                         \
      std::printf("%s:%d: expected an exception: %s\n", __FILE__, __LINE__, #statement); \
      ++failures;                                                                        \
    } catch (const sycl::exception &e) {                                                 \
      if (e.code() != sycl::errc::code_ || !std::strstr(e.what(), words)) {              \
        std::printf("%s:%d: wrong exception: %s\n", __FILE__, __LINE__, e.what());       \
        ++failures;                                                                      \
      }                                                                                  \
    }                                                                                    \
  } while (false)
