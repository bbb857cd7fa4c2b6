// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rules of make from several passes become one: each prerequisite once, written as it was.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "compile/driver/plan.h"

static void expect(const char *first, const char *second, bool has_phony_targets,
                   const char *merged) {
  const tn_str parts[] = {tn_str_from(first), tn_str_from(second)};
  tn_buf out;
  tn_buf_init(&out, 1 << 16);
  tn_dependencies_merge(parts, 2, has_phony_targets, &out);
  assert_int_equal(tn_buf_status(&out, NULL), TN_OK);
  assert_string_equal(tn_buf_text(&out), merged);
  tn_buf_deinit(&out);
}

static void prerequisites(void **state) {
  (void)state;
  expect("a.o: a.cpp h.h\n", "a.o: a.cpp d.h\n", false, "a.o: a.cpp h.h \\\n  d.h\n");
  expect("a.o: a.cpp h.h\n", "a.o: a.cpp h.h\n", false, "a.o: a.cpp h.h\n");
  expect("a.o: a.cpp \\\n  h.h\n", "a.o: \\\n a.cpp \\\n  d.h \\\n  e.h d.h\n", false,
         "a.o: a.cpp \\\n  h.h \\\n  d.h \\\n  e.h\n");
  expect("a.o: a.cpp", "a.o: a.cpp d.h", false, "a.o: a.cpp \\\n  d.h\n");
  expect("a.o: a.cpp\r\n", "a.o: a.cpp \\\r\n d.h\r\n", false, "a.o: a.cpp\r \\\n  d.h\n");
  expect("", "", false, "\n");
}

static void targets(void **state) {
  (void)state;
  expect("a b/c: x.cpp\n", "a b/c: x.cpp d.h\n", false, "a b/c: x.cpp \\\n  d.h\n");
  expect("a : x.cpp\n", "a : x.cpp d.h\n", false, "a : x.cpp \\\n  d.h\n");
  expect("c:d: x.cpp\n", "c:d: x.cpp c:e\n", false, "c:d: x.cpp \\\n  c:e\n");
  expect("a\\ b: x.cpp\n", "a\\ b: x.cpp d.h\n", false, "a\\ b: x.cpp \\\n  d.h\n");
  expect("\"a b\": x.cpp\n", "\"a b\": x.cpp d.h\n", false, "\"a b\": x.cpp \\\n  d.h\n");
}

static void phony_targets(void **state) {
  (void)state;
  expect("a.o: a.cpp h.h\nh.h:\n", "a.o: a.cpp h.h d.h\nh.h:\nd.h:\n", true,
         "a.o: a.cpp h.h \\\n  d.h\nh.h:\nd.h:\n");
}

static void names(void **state) {
  (void)state;
  expect("a.o: a.cpp\n", "a.o: a.cpp d\\ e\\#f$$.h\n", true,
         "a.o: a.cpp \\\n  d\\ e\\#f$$.h\nd\\ e\\#f$$.h:\n");
  expect("a.o: a.cpp b\\ c.h\n", "a.o: a.cpp c.h b\\ c.h\n", false,
         "a.o: a.cpp b\\ c.h \\\n  c.h\n");
  expect("a.o: a.cpp\n", "a.o: \"d e.h\" a.cpp\n", false, "a.o: a.cpp \\\n  \"d e.h\"\n");
  // An even number of backslashes stands for half as many, and the blank ends the name.
  expect("a.o: a.cpp\n", "a.o: a.cpp d\\\\ e.h\n", false, "a.o: a.cpp \\\n  d\\\\ \\\n  e.h\n");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(prerequisites), cmocka_unit_test(targets),
                                     cmocka_unit_test(phony_targets), cmocka_unit_test(names)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
