// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Built code on disk: kept, found again, replaced, and missed when it is not what it should be.
#include "run/cache/cache.h"

// clang-format off: cmocka.h needs these before it
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
// clang-format on

#include "base/file.h"
#include "base/store_value.h"
#include "tenon/cache.h"

#include <stdio.h>
#include <stdlib.h>

static char folder[] = "/tmp/disk-cache-test-XXXXXX";

static tn_cache_stats stats(void) {
  tn_cache_stats now = {.struct_size = sizeof(now)};
  tn_cache_get_stats(&now);
  return now;
}

static bool find(const uint8_t *key, char *text, size_t size) {
  tn_disk_item item;
  tn_disk_item_init(&item);
  const bool is_found = tn_disk_cache_find(key, &item);
  if (is_found) {
    assert_int_equal((uintptr_t)(item.content.data - (const uint8_t *)item.bytes.data) %
                         TN_STORE_VALUE_ALIGNMENT,
                     0);
    (void)snprintf(text, size, "%.*s", (int)item.content.size, (const char *)item.content.data);
  }
  tn_disk_item_deinit(&item);
  return is_found;
}

static void keep(const uint8_t *key, const char *text) {
  tn_disk_item item;
  tn_disk_item_init(&item);
  tn_disk_cache_keep(key, &item, TN_STR_LIT("of a test\nwith two lines"),
                     tn_bytes_from(text, strlen(text)));
  tn_disk_item_deinit(&item);
}

static void test_kept_and_found(void **state) {
  (void)state;
  const uint8_t key[TN_STORE_KEY_SIZE] = {1, 2, 3};
  char text[64];
  assert_non_null(tn_disk_cache_store());
  tn_disk_item item;
  tn_disk_item_init(&item);
  assert_false(tn_disk_cache_find(key, &item));
  tn_disk_cache_keep(key, &item, TN_STR_LIT(""), tn_bytes_from("one", 3));
  tn_disk_item_deinit(&item);
  assert_true(find(key, text, sizeof(text)));
  assert_string_equal(text, "one");
  keep(key, "another");
  assert_true(find(key, text, sizeof(text)));
  assert_string_equal(text, "another");
  assert_int_equal(stats().disk_hits, 2);
  assert_int_equal(stats().disk_misses, 1);
  assert_int_equal(stats().disk_writes, 2);
  assert_int_equal(stats().disk_waits, 0);
}

// Who fails to make it leaves it to the next one.
static void test_a_claim_is_given_up(void **state) {
  (void)state;
  const uint8_t key[TN_STORE_KEY_SIZE] = {2};
  char text[64];
  for (int i = 0; i < 3; i++) {
    assert_false(find(key, text, sizeof(text)));
  }
}

static void test_foreign_values_are_missed(void **state) {
  (void)state;
  const uint8_t key[TN_STORE_KEY_SIZE] = {3};
  char text[64];
  tn_buf value;
  tn_buf_init(&value, 4096);
  tn_store_value_write(&value, TN_STR_LIT("description"), tn_bytes_from("content", 7));
  // Each way to be none: another magic or version, sizes and places that do not fit, too short.
  const size_t places[] = {0, 4, 9, 12, 13};
  for (size_t i = 0; i < TN_COUNT(places); i++) {
    value.data[places[i]] ^= 0x31;
    tn_store_put(tn_disk_cache_store(), key, tn_buf_bytes(&value));
    assert_false(find(key, text, sizeof(text)));
    value.data[places[i]] ^= 0x31;
  }
  tn_store_put(tn_disk_cache_store(), key, tn_bytes_from(value.data, 15));
  assert_false(find(key, text, sizeof(text)));
  tn_store_put(tn_disk_cache_store(), key, tn_buf_bytes(&value));
  assert_true(find(key, text, sizeof(text)));
  assert_string_equal(text, "content");
  tn_str description;
  tn_bytes content;
  assert_true(tn_store_value_read(tn_buf_bytes(&value), &description, &content));
  assert_true(tn_str_equals(description, TN_STR_LIT("description")));
  tn_buf_deinit(&value);
}

static void test_without_memory(void **state) {
  (void)state;
  const uint8_t key[TN_STORE_KEY_SIZE] = {4};
  const int64_t live = tn_alloc_live();
  bool complete = false;
  for (int64_t nth = 0; !complete && nth < 1000; nth++) {
    char text[64] = "kept";
    tn_fault_arm(nth);
    keep(key, "kept");
    (void)find(key, text, sizeof(text));
    complete = !tn_fault_fired();
    tn_fault_arm(-1);
    assert_string_equal(text, "kept");
    assert_int_equal(tn_alloc_live(), live);
  }
  assert_true(complete);
}

static int end(void **state) {
  (void)state;
  tn_temp_dir_remove(tn_str_copy(tn_str_from(folder)));
  return 0;
}

int main(void) {
  // Before anything reads the configuration.
  if (!mkdtemp(folder) || setenv("TENON_CACHE_DIR", folder, 1) != 0 ||
      setenv("TENON_CACHE", "1", 1) != 0 || unsetenv("SYCL_CACHE_PERSISTENT") != 0) {
    return 1;
  }
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_kept_and_found),
      cmocka_unit_test(test_a_claim_is_given_up),
      cmocka_unit_test(test_foreign_values_are_missed),
      cmocka_unit_test(test_without_memory),
  };
  return cmocka_run_group_tests_name("disk_cache", tests, NULL, end);
}
