// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What all fuzz targets share: the entry point that libFuzzer and the replay call, and reading.
#ifndef TN_TEST_FUZZ_FUZZ_TARGET_H
#define TN_TEST_FUZZ_FUZZ_TARGET_H

#include "base/str.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// A property that must hold for every input.
#define FUZZ_REQUIRE(condition)                                                            \
  do {                                                                                     \
    if (!(condition)) {                                                                    \
      (void)fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition); \
      abort();                                                                             \
    }                                                                                      \
  } while (0)

// Reads every byte of a view, so that a view that is out of bounds is noticed.
static inline size_t fuzz_touch(tn_bytes bytes) {
  size_t sum = bytes.size;
  for (size_t i = 0; i < bytes.size; i++) {
    sum += *(const volatile uint8_t *)&bytes.data[i];
  }
  return sum;
}

// The same for a text, which must end in a NUL and have none inside.
static inline size_t fuzz_touch_text(tn_str s) {
  FUZZ_REQUIRE(s.data != NULL && strlen(s.data) == s.size);
  return fuzz_touch(tn_bytes_from(s.data, s.size));
}

#endif
