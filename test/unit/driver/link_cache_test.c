// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Results of device links between commands: kept, found, told apart by who made them, and off.
#include "compile/driver/link_cache.h"

#include "base/alloc.h"
#include "base/file.h"

// clang-format off: cmocka.h needs these before it
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
// clang-format on

#include <stdlib.h>

static char *folder;
static const uint8_t key[32] = {0xab, 1, 2, 3};

static void test_keeps_between_commands(void **state) {
  (void)state;
  tn_kept_links kept;
  tn_buf out;
  tn_buf_init(&out, 1 << 20);
  tn_kept_links_open(&kept, true);
  const tn_link_cache *hooks = tn_kept_links_hooks(&kept);
  assert_non_null(hooks);
  assert_false(hooks->get(hooks->user, key, &out));
  hooks->put(hooks->user, key, tn_bytes_from("result", 6));
  tn_kept_links_close(&kept);
  assert_null(tn_kept_links_hooks(&kept));
  tn_kept_links_open(&kept, true);
  hooks = tn_kept_links_hooks(&kept);
  assert_true(hooks->get(hooks->user, key, &out));
  assert_string_equal(tn_buf_text(&out), "result");
  tn_kept_links_close(&kept);
  tn_buf_deinit(&out);
}

static void test_another_toolchain_finds_nothing(void **state) {
  (void)state;
  tn_kept_links kept;
  tn_buf out;
  tn_buf_init(&out, 1 << 20);
  tn_kept_links_open(&kept, true);
  const uint8_t zeros[TN_STORE_KEY_SIZE] = {0};
  assert_memory_not_equal(kept.toolchain, zeros, sizeof(zeros));
  kept.toolchain[9] ^= 1;
  const tn_link_cache *hooks = tn_kept_links_hooks(&kept);
  assert_false(hooks->get(hooks->user, key, &out));
  tn_kept_links_close(&kept);
  tn_buf_deinit(&out);
}

static void test_is_off_when_not_wanted(void **state) {
  (void)state;
  tn_kept_links kept;
  tn_kept_links_open(&kept, false);
  assert_null(tn_kept_links_hooks(&kept));
  tn_kept_links_close(&kept);
}

// By hand: tn_temp_dir_create reads the configuration, which is read once.
static int make_folder(void **state) {
  (void)state;
  static char path[] = "/tmp/tenon-link-cache-XXXXXX";
  return mkdtemp(path) && (folder = tn_str_copy(tn_str_from(path))) &&
                 setenv("TENON_CACHE_DIR", folder, 1) == 0 && unsetenv("TENON_CACHE") == 0 &&
                 unsetenv("SYCL_CACHE_PERSISTENT") == 0
             ? 0
             : -1;
}

static int remove_folder(void **state) {
  (void)state;
  tn_temp_dir_remove(folder);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_keeps_between_commands),
      cmocka_unit_test(test_another_toolchain_finds_nothing),
      cmocka_unit_test(test_is_off_when_not_wanted),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
