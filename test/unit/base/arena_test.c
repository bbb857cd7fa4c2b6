// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arenas and the pointer lists in them.
#include "base/arena.h"

// clang-format off: cmocka.h needs these before it
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
// clang-format on

static void test_pieces_are_zeroed_aligned_and_apart(void **state) {
  (void)state;
  tn_arena arena;
  tn_arena_init(&arena);
  const int64_t live = tn_alloc_live();
  unsigned char *before = NULL;
  for (size_t size = 0; size < 3000; size += 7) {
    unsigned char *piece = tn_arena_alloc(&arena, size);
    assert_non_null(piece);
    assert_int_equal((uintptr_t)piece % _Alignof(max_align_t), 0);
    assert_true(piece != before);
    for (size_t i = 0; i < size; i++) {
      assert_int_equal(piece[i], 0);
    }
    memset(piece, 0xff, size);
    before = piece;
  }
  assert_non_null(tn_arena_alloc(&arena, 5 * 1024 * 1024));
  tn_arena_deinit(&arena);
  assert_int_equal(tn_alloc_live(), live);
}

static void test_refuses_what_overflows(void **state) {
  (void)state;
  tn_arena arena;
  tn_arena_init(&arena);
  assert_null(tn_arena_alloc(&arena, SIZE_MAX));
  assert_null(tn_arena_alloc_array(&arena, SIZE_MAX / 4, 8));
  tn_arena_deinit(&arena);
}

static void test_texts(void **state) {
  (void)state;
  tn_arena arena;
  tn_arena_init(&arena);
  assert_string_equal(tn_arena_str(&arena, (tn_str){"abcdef", 2}), "ab");
  assert_string_equal(tn_arena_format(&arena, "%s/%d", "x", 3), "x/3");
  tn_arena_deinit(&arena);
}

static void test_list_keeps_order(void **state) {
  (void)state;
  static int items[1000];
  tn_arena arena;
  tn_list list = {NULL, 0, 0};
  tn_arena_init(&arena);
  for (size_t i = 0; i < TN_COUNT(items); i++) {
    assert_true(tn_list_add(&list, &arena, &items[i]));
  }
  assert_int_equal(list.count, TN_COUNT(items));
  for (size_t i = 0; i < TN_COUNT(items); i++) {
    assert_ptr_equal(list.items[i], &items[i]);
  }
  tn_arena_deinit(&arena);
}

static void test_no_memory(void **state) {
  (void)state;
  tn_arena arena;
  tn_list list = {NULL, 0, 0};
  tn_arena_init(&arena);
  tn_fault_arm(0);
  assert_null(tn_arena_alloc(&arena, 1));
  tn_fault_arm(0);
  assert_false(tn_list_add(&list, &arena, &list));
  tn_fault_arm(-1);
  assert_int_equal(list.count, 0);
  tn_arena_deinit(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_pieces_are_zeroed_aligned_and_apart),
      cmocka_unit_test(test_refuses_what_overflows),
      cmocka_unit_test(test_texts),
      cmocka_unit_test(test_list_keeps_order),
      cmocka_unit_test(test_no_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
