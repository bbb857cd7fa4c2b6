// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory: zeroed, counted, and failing when it is told to.
#include "base/alloc.h"

// clang-format off: cmocka.h needs these before it
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
// clang-format on

static void test_zeroed_and_counted(void **state) {
  (void)state;
  const uint64_t count = tn_alloc_count();
  const int64_t live = tn_alloc_live();
  unsigned char *memory = tn_alloc(100);
  assert_non_null(memory);
  for (size_t i = 0; i < 100; i++) {
    assert_int_equal(memory[i], 0);
  }
  assert_int_equal(tn_alloc_count() - count, 1);
  assert_int_equal(tn_alloc_live() - live, 1);
  memory = tn_realloc(memory, 200);
  assert_non_null(memory);
  assert_int_equal(tn_alloc_live() - live, 1);
  tn_free(memory);
  tn_free(NULL);
  assert_int_equal(tn_alloc_live(), live);
}

static void test_refuses_sizes_that_overflow(void **state) {
  (void)state;
  assert_null(tn_alloc(0));
  assert_null(tn_alloc_array(SIZE_MAX / 2, 3));
  assert_null(tn_alloc_array(0, 8));
  assert_null(tn_str_copy((tn_str){"", SIZE_MAX}));
}

static void test_aligned(void **state) {
  (void)state;
  for (size_t alignment = 1; alignment <= 4096; alignment *= 2) {
    void *memory = tn_alloc_aligned(10, alignment);
    assert_non_null(memory);
    assert_int_equal((uintptr_t)memory % alignment, 0);
    tn_free_aligned(memory);
  }
}

static void test_copy_ends_in_nul(void **state) {
  (void)state;
  char *copy = tn_str_copy((tn_str){"abcdef", 3});
  assert_string_equal(copy, "abc");
  tn_free(copy);
  copy = tn_str_copy((tn_str){NULL, 0});
  assert_string_equal(copy, "");
  tn_free(copy);
}

static void test_the_armed_event_fails_once(void **state) {
  (void)state;
  tn_fault_arm(2);
  void *first = tn_alloc(1);
  void *second = tn_alloc(1);
  assert_false(tn_fault_fired());
  void *third = tn_alloc(1);
  assert_true(tn_fault_fired());
  void *fourth = tn_alloc(1);
  assert_non_null(first);
  assert_non_null(second);
  assert_null(third);
  assert_non_null(fourth);
  tn_fault_arm(0);
  assert_null(tn_realloc(first, 50));
  tn_fault_arm(-1);
  assert_false(tn_fault_fired());
  tn_free(first);
  tn_free(second);
  tn_free(fourth);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_zeroed_and_counted),
      cmocka_unit_test(test_refuses_sizes_that_overflow),
      cmocka_unit_test(test_aligned),
      cmocka_unit_test(test_copy_ends_in_nul),
      cmocka_unit_test(test_the_armed_event_fails_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
