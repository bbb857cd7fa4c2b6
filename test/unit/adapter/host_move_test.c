// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies and fills in the process's own memory: patterns that do not divide, pitches, some rows.
#include "adapter/host/host.h"

// clang-format off: cmocka.h needs these before it
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
// clang-format on

enum { ROW = 16, ROWS = 3, SLICES = 2, SLICE = ROW * 4, SIZE = SLICE * SLICES };

static void test_patterns(void **state) {
  (void)state;
  static unsigned char memory[20000];
  static const unsigned char pattern[128] = {1, 2, 3, 4, 5, 6, 7};
  const uint64_t sizes[] = {1, 2, 3, 7, 128};
  for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
    memset(memory, 0xff, sizeof(memory));
    tn_host_fill(memory, sizeof(memory) - 1, pattern, sizes[i]);
    for (size_t k = 0; k + 1 < sizeof(memory); k++) {
      assert_int_equal(memory[k], pattern[k % sizes[i]]);
    }
    assert_int_equal(memory[sizeof(memory) - 1], 0xff);
  }
}

// What byte `at` is after rows of 5 bytes, from the second byte on, were written.
static int row_of(size_t at) {
  const size_t slice = at / SLICE, row = at % SLICE / ROW, byte = at % ROW;
  return row < ROWS && byte >= 1 && byte < 6 ? (int)(slice * ROWS + row) : -1;
}

static void test_rectangles(void **state) {
  (void)state;
  static unsigned char from[SIZE];
  static unsigned char to[SIZE];
  for (size_t i = 0; i < SIZE; i++) {
    from[i] = (unsigned char)(i + 1);
  }
  tn_adapter_command command = {.kind = TN_ADAPTER_COPY_RECT,
                                .rect_dst = {to + 1, ROW, SLICE},
                                .rect_src = {from + 1, ROW, SLICE},
                                .extent = {5, ROWS, SLICES}};
  tn_host_move_rows(&command, 2, 5);
  for (size_t i = 0; i < SIZE; i++) {
    assert_int_equal(to[i], row_of(i) >= 2 && row_of(i) < 5 ? from[i] : 0);
  }
  tn_host_move(&command);
  for (size_t i = 0; i < SIZE; i++) {
    assert_int_equal(to[i], row_of(i) >= 0 ? from[i] : 0);
  }
  command.kind = TN_ADAPTER_FILL_RECT;
  command.pattern = "ab";
  command.pattern_size = 2;
  tn_host_move(&command);
  for (size_t i = 0; i < SIZE; i++) {
    assert_int_equal(to[i], row_of(i) >= 0 ? "ab"[(i % ROW - 1) % 2] : 0);
  }
}

static void test_overlap(void **state) {
  (void)state;
  char text[] = "abcdef";
  const tn_adapter_command command = {
      .kind = TN_ADAPTER_COPY, .dst = text + 1, .src = text, .size = 5};
  tn_host_move(&command);
  assert_string_equal(text, "aabcde");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_patterns),
      cmocka_unit_test(test_rectangles),
      cmocka_unit_test(test_overlap),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
