// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is taken for clang 22, and what is said about everything else.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "compile/frontend/frontend.h"

#define ADVICE \
  "; Tenon needs clang 22: install clang-22, or name it with TENON_CLANG or --tenon-clang"

static void accepts(const char *text) {
  tn_diag diag;
  assert_int_equal(tn_frontend_version_check("/x/c", tn_str_from(text), &diag), TN_OK);
}

static void refuses(const char *text, const char *sentence) {
  tn_diag diag;
  assert_int_equal(tn_frontend_version_check("/x/c", tn_str_from(text), &diag), TN_UNSUPPORTED);
  assert_string_equal(diag.text, sentence);
}

static void reads_versions(void **state) {
  (void)state;
  accepts("clang version 22.1.0\n");
  accepts("Debian clang version 22.1.8 (1~deb12u1)\nTarget: x86_64-pc-linux-gnu\n");
  accepts("clang version 22.0.0git");
  refuses("Debian clang version 14.0.6\nTarget: x\n", "'/x/c' is clang 14.0.6" ADVICE);
  refuses("clang version 220.1\n", "'/x/c' is clang 220.1" ADVICE);
  refuses("clang version 2", "'/x/c' is clang 2" ADVICE);
  refuses("g++ (Debian 12.2.0) 12.2.0\n", "'/x/c' is not clang" ADVICE);
  refuses("hello\nclang version 22.1.0\n", "'/x/c' is not clang" ADVICE);
  refuses("", "'/x/c' is not clang" ADVICE);
}

static void asks_programs(void **state) {
  (void)state;
  tn_diag diag;
  assert_int_equal(tn_frontend_clang_check("/bin/false", &diag), TN_UNSUPPORTED);
  assert_string_equal(diag.text, "'/bin/false' is not clang" ADVICE);
  // Prints its arguments: no version is among them.
  assert_int_equal(tn_frontend_clang_check("/bin/echo", &diag), TN_UNSUPPORTED);
  assert_int_equal(tn_frontend_clang_check("/nowhere/clang++", &diag), TN_IO);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(reads_versions),
                                     cmocka_unit_test(asks_programs)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
