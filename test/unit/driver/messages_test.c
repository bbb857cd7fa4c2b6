// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the device pass repeats is left out; what it adds is kept.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "compile/driver/job_run.h"

static void expect(const char *device, const char *host, const char *expected) {
  tn_buf out;
  tn_buf_init(&out, 1 << 16);
  tn_messages_filter(tn_str_from(device), tn_str_from(host), &out);
  assert_string_equal(tn_buf_text(&out), expected);
  tn_buf_deinit(&out);
}

static void filters(void **state) {
  (void)state;
  static const char same[] = "a.cpp:1:2: error: bad\n    1 | x\n      | ^\n1 error generated.\n";
  static const char other[] = "a.cpp:9:2: error: worse\n    9 | y\na.cpp:3:1: note: here\n";
  expect(same, same, "");
  expect(same, "", same);
  expect(other, same, other);
  expect("a.cpp:9:2: error: worse\n    9 | y\na.cpp:3:1: note: here\n"
         "a.cpp:1:2: error: bad\n    1 | x\n      | ^\n1 error generated.\n",
         same, other);
  expect("In file included from m.cpp:1:\nIn file included from n.h:1:\na.h:1:1: error: q\n  x\n",
         "a.h:1:1: error: q\n", "");
  expect("In file included from m.cpp:1:\na.h:1:1: error: q\n  x\n", same,
         "In file included from m.cpp:1:\na.h:1:1: error: q\n  x\n");
  // Two targets have the same to say.
  expect("a.cpp:9:2: error: worse\n    9 | y\na.cpp:3:1: note: here\n"
         "a.cpp:9:2: error: worse\n    9 | y\na.cpp:3:1: note: here\nb.cpp:1:1: warning: odd\n",
         "",
         "a.cpp:9:2: error: worse\n    9 | y\na.cpp:3:1: note: here\nb.cpp:1:1: warning: odd\n");
  expect("no end of line", "", "no end of line");
  expect("", same, "");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(filters)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
