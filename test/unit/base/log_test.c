// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TENON_LOG: which topics are on and what a line looks like.
#include "base/log.h"

// clang-format off: cmocka.h needs these before it
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
// clang-format on

#include <string.h>
#include <unistd.h>

// What `statement` writes to standard error.
static size_t capture(void (*statement)(void), char *text, size_t size) {
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  const int kept = dup(STDERR_FILENO);
  (void)dup2(ends[1], STDERR_FILENO);
  statement();
  (void)dup2(kept, STDERR_FILENO);
  (void)close(kept);
  (void)close(ends[1]);
  const ssize_t got = read(ends[0], text, size - 1);
  (void)close(ends[0]);
  text[got > 0 ? got : 0] = '\0';
  return got > 0 ? (size_t)got : 0;
}

static void say_two(void) {
  TN_LOG(cache, "hit %d", 3);
  TN_LOG(sched, "not shown");
}

static void say_much(void) {
  char text[5000];
  memset(text, 'y', sizeof(text) - 1);
  text[sizeof(text) - 1] = '\0';
  TN_LOG(cache, "%s", text);
}

static void test_topics(void **state) {
  (void)state;
  tn_log_set("");
  assert_int_equal(tn_log_mask, 0);
  tn_log_set(NULL);
  assert_int_equal(tn_log_mask, 0);
  tn_log_set("all");
  assert_int_equal(tn_log_mask & TN_LOG_driver, TN_LOG_driver);
  tn_log_set("registry,,unknown, memory ");
  assert_int_equal(tn_log_mask, TN_LOG_registry | TN_LOG_memory);
  assert_int_equal(tn_log_topic(TN_STR_LIT("driver")), TN_LOG_driver);
  assert_int_equal(tn_log_topic(TN_STR_LIT("drive")), 0);
}

static void test_line(void **state) {
  (void)state;
  char text[100];
  tn_log_set("cache");
  assert_true(capture(say_two, text, sizeof(text)) > 0);
  assert_string_equal(text, "[tenon cache] say_two: hit 3\n");
  tn_log_set("");
  assert_int_equal(capture(say_two, text, sizeof(text)), 0);
}

static void test_long_line_is_one_line(void **state) {
  (void)state;
  char text[8000];
  tn_log_set("cache");
  const size_t size = capture(say_much, text, sizeof(text));
  tn_log_set("");
  assert_int_equal(size, 2048);
  assert_ptr_equal(strchr(text, '\n'), text + size - 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_topics),
      cmocka_unit_test(test_line),
      cmocka_unit_test(test_long_line_is_one_line),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
