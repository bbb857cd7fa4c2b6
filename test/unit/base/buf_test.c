// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The buffer: growth, its maximum, and failures that stick.
#include "base/buf.h"

// clang-format off: cmocka.h needs these before it
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
// clang-format on

static void test_writes_text(void **state) {
  (void)state;
  tn_buf buf;
  tn_buf_init(&buf, 1000);
  assert_string_equal(tn_buf_text(&buf), "");
  tn_buf_add_text(&buf, "ab");
  tn_buf_add_char(&buf, 'c');
  tn_buf_add_str(&buf, TN_STR_LIT("de"));
  tn_buf_add_format(&buf, "-%d-%s", 42, "x");
  assert_string_equal(tn_buf_text(&buf), "abcde-42-x");
  assert_int_equal(tn_buf_status(&buf, NULL), TN_OK);
  tn_buf_clear(&buf);
  assert_string_equal(tn_buf_text(&buf), "");
  tn_buf_deinit(&buf);
  tn_buf_deinit(NULL);
}

static void test_integers_are_little_endian(void **state) {
  (void)state;
  tn_buf buf;
  tn_buf_init(&buf, 100);
  tn_buf_add_u32(&buf, 0x01020304);
  tn_buf_add_char(&buf, 'x');
  tn_buf_align(&buf, 8);
  tn_buf_add_u64(&buf, 0x0102030405060708);
  const uint8_t expected[] = {4, 3, 2, 1, 'x', 0, 0, 0, 8, 7, 6, 5, 4, 3, 2, 1};
  assert_int_equal(buf.size, sizeof(expected));
  assert_memory_equal(buf.data, expected, sizeof(expected));
  tn_buf_deinit(&buf);
}

static void test_maximum_holds_and_sticks(void **state) {
  (void)state;
  tn_buf buf;
  tn_diag diag = {0};
  tn_buf_init(&buf, 4);
  tn_buf_add_text(&buf, "abcd");
  assert_int_equal(tn_buf_status(&buf, NULL), TN_OK);
  assert_string_equal(tn_buf_text(&buf), "abcd");
  tn_buf_add_char(&buf, 'e');
  tn_buf_add_text(&buf, "");
  assert_int_equal(tn_buf_status(&buf, &diag), TN_INVALID_ARGUMENT);
  assert_non_null(strstr(diag.text, "4 bytes"));
  assert_int_equal(buf.size, 4);
  assert_string_equal(tn_buf_text(&buf), "");
  tn_buf_clear(&buf);
  tn_buf_add_format(&buf, "%s", "12345");
  assert_int_equal(tn_buf_status(&buf, NULL), TN_INVALID_ARGUMENT);
  tn_buf_deinit(&buf);
}

static void test_grows_to_large_sizes(void **state) {
  (void)state;
  tn_buf buf;
  tn_buf_init(&buf, SIZE_MAX);
  for (size_t i = 0; i < 100000; i++) {
    tn_buf_add_char(&buf, (char)('a' + (char)(i % 26)));
  }
  assert_int_equal(buf.size, 100000);
  assert_int_equal(buf.data[99999], 'a' + 99999 % 26);
  assert_int_equal(tn_buf_status(&buf, NULL), TN_OK);
  tn_buf_deinit(&buf);
}

static void test_no_memory_sticks(void **state) {
  (void)state;
  tn_buf buf;
  tn_buf_init(&buf, 1000);
  tn_fault_arm(0);
  tn_buf_add_text(&buf, "a");
  tn_fault_arm(-1);
  tn_buf_add_text(&buf, "b");
  assert_int_equal(tn_buf_status(&buf, NULL), TN_OUT_OF_MEMORY);
  assert_int_equal(buf.size, 0);
  tn_buf_deinit(&buf);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_writes_text),
      cmocka_unit_test(test_integers_are_little_endian),
      cmocka_unit_test(test_maximum_holds_and_sticks),
      cmocka_unit_test(test_grows_to_large_sizes),
      cmocka_unit_test(test_no_memory_sticks),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
