// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Views of text: searching, cutting, numbers, distances, paths.
#include "base/str.h"

// clang-format off: cmocka.h needs these before it
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
// clang-format on

static void expect(tn_str s, const char *text) {
  assert_int_equal(s.size, strlen(text));
  if (s.size > 0) {
    assert_memory_equal(s.data, text, s.size);
  }
}

static void test_comparing(void **state) {
  (void)state;
  assert_true(tn_str_equals(TN_STR_LIT("abc"), tn_str_from("abc")));
  assert_false(tn_str_equals(TN_STR_LIT("abc"), TN_STR_LIT("ab")));
  assert_true(tn_str_equals((tn_str){NULL, 0}, TN_STR_LIT("")));
  assert_true(tn_str_compare(TN_STR_LIT("ab"), TN_STR_LIT("abc")) < 0);
  assert_true(tn_str_compare(TN_STR_LIT("b"), TN_STR_LIT("abc")) > 0);
  assert_int_equal(tn_str_compare((tn_str){NULL, 0}, (tn_str){NULL, 0}), 0);
}

static void test_prefix_and_suffix(void **state) {
  (void)state;
  assert_true(tn_str_has_prefix(TN_STR_LIT("-fsycl"), TN_STR_LIT("-f")));
  assert_false(tn_str_has_prefix(TN_STR_LIT("-"), TN_STR_LIT("-f")));
  assert_true(tn_str_has_suffix(TN_STR_LIT("a.cpp"), TN_STR_LIT(".cpp")));
  assert_false(tn_str_has_suffix(TN_STR_LIT("cpp"), TN_STR_LIT(".cpp")));
  assert_true(tn_str_has_suffix((tn_str){NULL, 0}, (tn_str){NULL, 0}));
}

static void test_finding(void **state) {
  (void)state;
  const tn_str s = TN_STR_LIT("one two two");
  assert_int_equal(tn_str_find(s, TN_STR_LIT("two")), 4);
  assert_true(tn_str_find(s, TN_STR_LIT("three")) == SIZE_MAX);
  assert_int_equal(tn_str_find(s, (tn_str){NULL, 0}), 0);
  assert_true(tn_str_find((tn_str){NULL, 0}, s) == SIZE_MAX);
  assert_int_equal(tn_str_find_char(s, 't'), 4);
  assert_int_equal(tn_str_rfind_char(s, 't'), 8);
  assert_true(tn_str_find_char((tn_str){NULL, 0}, 't') == SIZE_MAX);
  assert_true(tn_str_rfind_char(s, 'z') == SIZE_MAX);
}

static void test_slice_clamps(void **state) {
  (void)state;
  const tn_str s = TN_STR_LIT("abcdef");
  expect(tn_str_slice(s, 2, 3), "cde");
  expect(tn_str_slice(s, 4, SIZE_MAX), "ef");
  expect(tn_str_slice(s, 6, 1), "");
  expect(tn_str_slice(s, SIZE_MAX, SIZE_MAX), "");
  expect(tn_str_slice((tn_str){NULL, 0}, 1, 1), "");
}

static void test_split_gives_every_part_once(void **state) {
  (void)state;
  tn_str rest = TN_STR_LIT("a,,b,");
  expect(tn_str_split(&rest, ','), "a");
  expect(tn_str_split(&rest, ','), "");
  expect(tn_str_split(&rest, ','), "b");
  assert_non_null(rest.data);
  expect(tn_str_split(&rest, ','), "");
  assert_null(rest.data);
  assert_null(tn_str_split(&rest, ',').data);
}

static void test_trim(void **state) {
  (void)state;
  expect(tn_str_trim(TN_STR_LIT(" \t a b\r\n")), "a b");
  expect(tn_str_trim(TN_STR_LIT("  ")), "");
}

static void test_numbers(void **state) {
  (void)state;
  uint64_t value = 7;
  assert_true(tn_str_to_u64(TN_STR_LIT("18446744073709551615"), &value));
  assert_true(value == UINT64_MAX);
  assert_true(tn_str_to_u64(TN_STR_LIT("0xfF"), &value));
  assert_int_equal(value, 255);
  const char *const bad[] = {
      "", "0x", "-1", "+1", "1 ", "12a", "18446744073709551616", "0x10000000000000000", "0xg"};
  for (size_t i = 0; i < TN_COUNT(bad); i++) {
    assert_false(tn_str_to_u64(tn_str_from(bad[i]), &value));
    assert_int_equal(value, 255);
  }
}

static void test_distance(void **state) {
  (void)state;
  assert_int_equal(tn_str_distance(TN_STR_LIT("kitten"), TN_STR_LIT("sitting"), 9), 3);
  assert_int_equal(tn_str_distance(TN_STR_LIT("kitten"), TN_STR_LIT("sitting"), 2), 3);
  assert_int_equal(tn_str_distance(TN_STR_LIT(""), TN_STR_LIT("ab"), 2), 2);
  assert_int_equal(tn_str_distance(TN_STR_LIT("same"), TN_STR_LIT("same"), 0), 0);
}

static void test_paths(void **state) {
  (void)state;
  expect(tn_path_base(TN_STR_LIT("/a/b.cpp")), "b.cpp");
  expect(tn_path_base(TN_STR_LIT("b.cpp")), "b.cpp");
  expect(tn_path_dir(TN_STR_LIT("/a/b.cpp")), "/a");
  expect(tn_path_dir(TN_STR_LIT("/b")), "/");
  expect(tn_path_dir(TN_STR_LIT("b")), ".");
  expect(tn_path_extension(TN_STR_LIT("x.d/a.tar.gz")), ".gz");
  expect(tn_path_extension(TN_STR_LIT("x.d/a")), "");
  expect(tn_path_extension(TN_STR_LIT(".profile")), "");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_comparing),
      cmocka_unit_test(test_prefix_and_suffix),
      cmocka_unit_test(test_finding),
      cmocka_unit_test(test_slice_clamps),
      cmocka_unit_test(test_split_gives_every_part_once),
      cmocka_unit_test(test_trim),
      cmocka_unit_test(test_numbers),
      cmocka_unit_test(test_distance),
      cmocka_unit_test(test_paths),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
