// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The hash map against a plain table, with removals and failures.
#include "base/map.h"

// clang-format off: cmocka.h needs these before it
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
// clang-format on

#include <stdio.h>

enum { KEY_COUNT = 2000 };

static tn_str key_of(char *storage, size_t size, unsigned number) {
  (void)snprintf(storage, size, "key %u", number);
  return tn_str_from(storage);
}

static void test_agrees_with_a_table(void **state) {
  (void)state;
  static int values[KEY_COUNT];
  void *table[KEY_COUNT] = {NULL};
  char text[32];
  tn_map map;
  tn_map_init(&map);
  const int64_t live = tn_alloc_live();
  // A fixed walk through adding and removing; chains form, are cut and close again.
  uint32_t random = 12345;
  for (size_t step = 0; step < 40000; step++) {
    random = random * 1664525u + 1013904223u;
    const unsigned number = (random >> 8) % KEY_COUNT;
    const tn_str key = key_of(text, sizeof(text), number);
    if ((random >> 30) == 0) {
      assert_ptr_equal(tn_map_remove(&map, key), table[number]);
      table[number] = NULL;
    } else {
      assert_true(tn_map_set(&map, key, &values[number]));
      table[number] = &values[number];
    }
  }
  size_t count = 0;
  for (unsigned number = 0; number < KEY_COUNT; number++) {
    assert_ptr_equal(tn_map_find(&map, key_of(text, sizeof(text), number)), table[number]);
    count += table[number] ? 1 : 0;
  }
  assert_int_equal(map.count, count);
  size_t cursor = 0;
  size_t walked = 0;
  for (const tn_map_entry *entry = NULL; (entry = tn_map_next(&map, &cursor)) != NULL; walked++) {
    assert_ptr_equal(tn_map_find(&map, (tn_str){entry->key, entry->key_size}), entry->value);
  }
  assert_int_equal(walked, count);
  tn_map_deinit(&map);
  assert_int_equal(tn_alloc_live(), live);
}

static void test_empty_map_and_empty_key(void **state) {
  (void)state;
  int value = 0;
  size_t cursor = 0;
  tn_map map;
  tn_map_init(&map);
  assert_null(tn_map_find(&map, TN_STR_LIT("a")));
  assert_null(tn_map_remove(&map, TN_STR_LIT("a")));
  assert_null(tn_map_next(&map, &cursor));
  assert_true(tn_map_set(&map, (tn_str){NULL, 0}, &value));
  assert_ptr_equal(tn_map_find(&map, TN_STR_LIT("")), &value);
  // Keys are bytes: a NUL is one of them.
  assert_null(tn_map_find(&map, (tn_str){"", 1}));
  tn_map_deinit(&map);
}

static void test_no_memory_leaves_the_map(void **state) {
  (void)state;
  int value = 0;
  char text[32];
  tn_map map;
  tn_map_init(&map);
  for (unsigned number = 0; number < 100; number++) {
    const tn_str key = key_of(text, sizeof(text), number);
    for (int64_t nth = 0;; nth++) {
      tn_fault_arm(nth);
      const bool added = tn_map_set(&map, key, &value);
      const bool fired = tn_fault_fired();
      tn_fault_arm(-1);
      assert_true(added == !fired);
      assert_int_equal(map.count, number + (added ? 1 : 0));
      if (added) {
        break;
      }
      assert_null(tn_map_find(&map, key));
    }
  }
  tn_map_deinit(&map);
}

static void test_hash_depends_on_all_bytes(void **state) {
  (void)state;
  char bytes[40] = {0};
  const uint64_t all_zero = tn_hash_bytes(bytes, sizeof(bytes), 0);
  for (size_t i = 0; i < sizeof(bytes); i++) {
    bytes[i] = 1;
    assert_true(tn_hash_bytes(bytes, sizeof(bytes), 0) != all_zero);
    bytes[i] = 0;
    assert_true(tn_hash_bytes(bytes, i, 0) != all_zero);
  }
  assert_true(tn_hash_bytes(bytes, sizeof(bytes), 1) != all_zero);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_agrees_with_a_table),
      cmocka_unit_test(test_empty_map_and_empty_key),
      cmocka_unit_test(test_no_memory_leaves_the_map),
      cmocka_unit_test(test_hash_depends_on_all_bytes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
