// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the device pass repeats is left out; what it adds is kept.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "compile/driver/job_run.h"
#include "compile/driver/message_line.h"

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
  expect(
      "a.cpp:9:2: error: worse\n    9 | y\na.cpp:3:1: note: here\n"
      "a.cpp:1:2: error: bad\n    1 | x\n      | ^\n2 errors generated.\n",
      same, "a.cpp:9:2: error: worse\n    9 | y\na.cpp:3:1: note: here\n1 error generated.\n");
  expect("In file included from m.cpp:1:\nIn file included from n.h:1:\na.h:1:1: error: q\n  x\n",
         "a.h:1:1: error: q\n", "");
  expect("In file included from m.cpp:1:\na.h:1:1: error: q\n  x\n", same,
         "In file included from m.cpp:1:\na.h:1:1: error: q\n  x\n");
  // Two targets have the same to say.
  expect(
      "a.cpp:9:2: error: worse\n    9 | y\na.cpp:3:1: note: here\n"
      "a.cpp:9:2: error: worse\n    9 | y\na.cpp:3:1: note: here\nb.cpp:1:1: warning: odd\n",
      "", "a.cpp:9:2: error: worse\n    9 | y\na.cpp:3:1: note: here\nb.cpp:1:1: warning: odd\n");
  expect("no end of line", "", "no end of line");
  expect("", same, "");
}

// Remarks begin groups of their own: what follows a warning that is left out does not go with it.
static void filters_remarks(void **state) {
  (void)state;
  static const char host[] =
      "a.cpp:1:2: warning: odd\n    1 | x\na.cpp:4:2: remark: 'f' inlined [-Rpass=inline]\n";
  expect(
      "a.cpp:1:2: warning: odd\n    1 | x\na.cpp:4:2: remark: 'f' inlined [-Rpass=inline]\n"
      "    4 | f\na.cpp:2: remark: kernel 'K' [-Rpass=tenon]\n"
      "a.cpp:3:1: remark: loop [-Rpass=tenon]\n    3 | for\n",
      host,
      "a.cpp:2: remark: kernel 'K' [-Rpass=tenon]\n"
      "a.cpp:3:1: remark: loop [-Rpass=tenon]\n    3 | for\n");
}

// A warning of the host's stays the host's in other words as well, but not another at its place;
// Tenon's own, which have no group, are never the host's.
static void filters_warnings(void **state) {
  (void)state;
  static const char host[] =
      "a.cpp:1:2: warning: implicit conversion [-Wconversion]\n    1 | error: x\n1 warning "
      "generated.\n";
  expect(
      "a.cpp:1:2: warning: implicit conversion of 'T' [-Wconversion]\n    1 | x\n"
      "a.cpp:1:2: warning: unsafe [-Wshadow]\n    1 | x\n"
      "a.cpp:1:3: warning: implicit conversion [-Wconversion]\n    1 | x\n3 warnings generated.\n"
      "a.cpp:1:2: warning: 'f()' has a try block\n",
      host,
      "a.cpp:1:2: warning: unsafe [-Wshadow]\n    1 | x\n"
      "a.cpp:1:3: warning: implicit conversion [-Wconversion]\n    1 | x\n2 warnings generated.\n"
      "a.cpp:1:2: warning: 'f()' has a try block\n");
  expect("warning: unknown option [-Wunknown]\n1 warning generated.\n", "", "");
  expect(
      "\033[1ma.cpp:1:2: \033[0m\033[0;1;35mwarning: \033[0m\033[1mimplicit "
      "[-Wconversion]\033[0m\n",
      "\033[1ma.cpp:1:2: \033[0m\033[0;1;35mwarning: \033[0m\033[1mother [-Wconversion]\033[0m\n",
      "");
  expect("a.cpp:4:2: error: narrowing [-Werror,-Wnarrowing]\n1 error generated.\n", host,
         "a.cpp:4:2: error: narrowing [-Werror,-Wnarrowing]\n1 error generated.\n");
}

static void expect_named(const char *said, const char *expected) {
  tn_buf out;
  tn_buf_init(&out, 1 << 16);
  tn_messages_add_named_kernels(tn_str_from(said), &out);
  assert_string_equal(tn_buf_text(&out), expected);
  tn_buf_deinit(&out);
}

#define HEADS "In file included from a.cpp:1:\nIn file included from /i/include/sycl/sycl.hpp:15:\n"
#define CHECK(list)                                                                       \
  "/i/include/sycl/detail/kernel_named.hpp:94:17: error: static assertion failed due to " \
  "requirement 'kernel_name_has_one_function<" list ">': a kernel name is used\n   94 |   x\n"
#define NOTES                                                            \
  "/i/include/sycl/handler.hpp:5:1: note: in instantiation\n    5 | h\n" \
  "none.cpp:8:3: note: in instantiation\n    8 | q\n      |   ^\n"

static void names_kernels(void **state) {
  (void)state;
  expect_named("", "");
  expect_named("a.cpp:1:1: error: x\n1 error generated.\n",
               "a.cpp:1:1: error: x\n1 error generated.\n");
  expect_named("none.cpp:1:1: warning: y\n    1 | x\n" HEADS CHECK(
                   "K<int, 2>, (lambda at none.cpp:4:25), (lambda at none.cpp:9:7)") NOTES
               "1 warning and 1 error generated.\n",
               "none.cpp:1:1: warning: y\n    1 | x\n"
               "none.cpp:9:7: error: kernel name 'K<int, 2>' is used for two kernel functions\n"
               "none.cpp:4:25: note: the other kernel function is here\n"
               "1 warning and 1 error generated.\n");
  expect_named(HEADS CHECK("K, first, second<int, (lambda at x.cpp:1:1)>") NOTES
               "In file included from b.cpp:2:\nb.h:1:1: error: z\n",
               "none.cpp:8:3: error: kernel name 'K' is used for two kernel functions; this one is "
               "'second<int, (lambda at x.cpp:1:1)>'\nnote: the other kernel function is 'first'\n"
               "In file included from b.cpp:2:\nb.h:1:1: error: z\n");
}

static void shows_sources(void **state) {
  (void)state;
  char folder[] = "/tmp/tenon-messages-XXXXXX";
  assert_non_null(mkdtemp(folder));
  char path[64];
  char said[1024];
  char expected[1024];
  (void)snprintf(path, sizeof(path), "%s/a.cpp", folder);
  const char text[] = "int a;\n\tf(\"\xc3\xa4\", g);\r\nlast";
  assert_int_equal(tn_file_write(path, tn_bytes_from(text, sizeof(text) - 1), NULL), TN_OK);
  (void)snprintf(said, sizeof(said),
                 "%s:2:10: error: bad\n%s:3: note: in kernel\n%s:9:1: note: gone\nx:1:1: error: q\n"
                 "%s:3:4: warning: w\n",
                 path, path, path, path);
  (void)snprintf(
      expected, sizeof(expected),
      "%s:2:10: error: bad\n    2 |         f(\"\xc3\xa4\", g);\n      |                ^\n"
      "%s:3: note: in kernel\n%s:9:1: note: gone\nx:1:1: error: q\n"
      "%s:3:4: warning: w\n    3 | last\n      |    ^\n",
      path, path, path, path);
  tn_buf out;
  tn_buf_init(&out, 1 << 16);
  tn_messages_add_sources(tn_str_from(said), &out);
  assert_string_equal(tn_buf_text(&out), expected);
  tn_buf_deinit(&out);
  assert_int_equal(unlink(path), 0);
  assert_int_equal(rmdir(folder), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(filters), cmocka_unit_test(filters_warnings),
                                     cmocka_unit_test(filters_remarks),
                                     cmocka_unit_test(names_kernels),
                                     cmocka_unit_test(shows_sources)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
