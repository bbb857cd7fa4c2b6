// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The status table and the diagnosis in words.
#include "base/base.h"

// clang-format off: cmocka.h needs these before it
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
// clang-format on

#include <string.h>

static void test_table(void **state) {
  (void)state;
  assert_string_equal(tn_status_name(TN_BUILD_FAILED), "BUILD_FAILED");
  assert_string_equal(tn_status_text(TN_OK), "success");
  assert_string_equal(tn_status_name((tn_status)9999), "UNKNOWN");
  assert_non_null(tn_status_text((tn_status)-1));
}

static void test_set_fills_every_field(void **state) {
  (void)state;
  tn_diag diag;
  memset(&diag, 0xff, sizeof(diag));
  const tn_status status = TN_FAIL_NATIVE(&diag, IO, 13, "%s: no", "file");
  assert_int_equal(status, TN_IO);
  assert_int_equal(diag.code, TN_IO);
  assert_int_equal(diag.native_code, 13);
  assert_int_equal(diag.reserved, 0);
  assert_true(diag.line > 0);
  assert_non_null(strstr(diag.file, "diag_test.c"));
  assert_string_equal(diag.text, "file: no");
  assert_int_equal(TN_FAIL(NULL, BAD_IMAGE, "nobody listens"), TN_BAD_IMAGE);
}

static void test_long_text_is_cut_visibly(void **state) {
  (void)state;
  tn_diag diag;
  char text[3 * TN_DIAG_TEXT_SIZE];
  memset(text, 'x', sizeof(text) - 1);
  text[sizeof(text) - 1] = '\0';
  assert_int_equal(TN_FAIL(&diag, INTERNAL, "%s", text), TN_INTERNAL);
  assert_int_equal(strlen(diag.text), TN_DIAG_TEXT_SIZE - 1);
  assert_string_equal(diag.text + TN_DIAG_TEXT_SIZE - 4, "...");
}

static void test_may_quote_itself(void **state) {
  (void)state;
  tn_diag diag = {0};
  assert_int_equal(TN_FAIL(&diag, IO, "inner"), TN_IO);
  assert_int_equal(TN_FAIL(&diag, BUILD_FAILED, "outer: %s", diag.text), TN_BUILD_FAILED);
  assert_string_equal(diag.text, "outer: inner");
  tn_diag_prepend(&diag, "kernel %d", 5);
  assert_string_equal(diag.text, "kernel 5: outer: inner");
  assert_int_equal(diag.code, TN_BUILD_FAILED);
  tn_diag_prepend(NULL, "nobody");
}

static tn_status tries(tn_status status) {
  TN_TRY(status);
  return TN_INTERNAL;
}

static void test_macros(void **state) {
  (void)state;
  assert_int_equal(tries(TN_EVENT), TN_EVENT);
  assert_int_equal(tries(TN_OK), TN_INTERNAL);
  TN_IGNORE(tries(TN_EVENT), "only the call counts");
  size_t size = 3;
  assert_false(tn_size_add(SIZE_MAX, 1, &size));
  assert_false(tn_size_mul(SIZE_MAX, 2, &size));
  assert_int_equal(tn_size_align(17, 16), 32);
  assert_int_equal(tn_size_align(16, 16), 16);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_table),
      cmocka_unit_test(test_set_fills_every_field),
      cmocka_unit_test(test_long_text_is_cut_visibly),
      cmocka_unit_test(test_may_quote_itself),
      cmocka_unit_test(test_macros),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
