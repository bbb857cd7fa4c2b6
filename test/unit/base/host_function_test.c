// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions that device code may call: all forms of their names, and nothing else.
#include "base/host_function.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void test_names(void **state) {
  (void)state;
  static const char *const known[] = {"sin",      "sinf",         "sinl",   "lgammaf_r",
                                      "exp10f",   "__truncsfhf2", "memcpy", "__udivti3",
                                      "__divdc3", "abs",          "truncl", "nan"};
  static const char *const unknown[] = {"fprintf",     "abort",          "", "si", "sinff",
                                        "_ZGVnothing", "_ZGVbN4v_printf"};
  for (size_t i = 0; i < TN_COUNT(known); i++) {
    assert_true(tn_is_host_function(tn_str_from(known[i])));
  }
  for (size_t i = 0; i < TN_COUNT(unknown); i++) {
    assert_false(tn_is_host_function(tn_str_from(unknown[i])));
  }
  assert_true(tn_is_host_function((tn_str){"sinx", 3}));  // a view, not a string
}

static void test_addresses(void **state) {
  (void)state;
  double (*function)(double) = NULL;
  const uint64_t address = tn_host_function_address(TN_STR_LIT("cbrt"));
  memcpy(&function, &address, sizeof(function));
  assert_true(function(27) == cbrt(27));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_names),
                                     cmocka_unit_test(test_addresses)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
