// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Answers of info queries: whole, size only, and too little room.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/info.h"

static void test_answers(void **state) {
  (void)state;
  const uint64_t value = 0x1122334455667788u;
  uint64_t out = 0;
  size_t size = 0;
  assert_int_equal(tn_info_write(&value, sizeof(value), &out, sizeof(out), &size, NULL), TN_OK);
  assert_true(out == value && size == sizeof(value));
  char text[8];
  assert_int_equal(tn_info_write_text("tenon", text, sizeof(text), NULL, NULL), TN_OK);
  assert_string_equal(text, "tenon");
}

static void test_size_only_and_too_small(void **state) {
  (void)state;
  size_t size = 0;
  tn_diag diag;
  assert_int_equal(tn_info_write_text("tenon", NULL, 0, &size, NULL), TN_OK);
  assert_int_equal(size, 6);
  char text[5] = "kept";
  assert_int_equal(tn_info_write_text("tenon", text, sizeof(text), &size, &diag),
                   TN_INVALID_ARGUMENT);
  assert_non_null(strstr(diag.text, "needs 6 bytes"));
  assert_string_equal(text, "kept");
  assert_int_equal(tn_info_write_text("tenon", NULL, 6, NULL, NULL), TN_INVALID_ARGUMENT);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_answers),
      cmocka_unit_test(test_size_only_and_too_small),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
