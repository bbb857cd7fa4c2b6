// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SYCL_CACHE_IN_MEM=0: nothing is remembered in memory, and everybody gets what he asks for.
#include "run/cache/cache.h"

// clang-format off: cmocka.h needs these before it
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
// clang-format on

#include <stdlib.h>

static int retained;
static int released;
static void retain_value(void *value) {
  (void)value;
  retained++;
}
static void release_value(void *value) {
  (void)value;
  released++;
}
static const tn_cache_ops ops = {"test", retain_value, release_value, true};

static int built;
static tn_status build(void *user, void **out, tn_diag *diag) {
  if (!user) {
    return TN_FAIL(diag, BUILD_FAILED, "told to fail");
  }
  built++;
  *out = user;
  return TN_OK;
}

static void test_nothing_is_kept(void **state) {
  (void)state;
  static tn_cache cache = TN_CACHE_INIT(&ops, 10);
  const tn_cache_key key = {.name = TN_STR_LIT("k"), .module = 1};
  int thing = 0;
  for (int i = 1; i <= 3; i++) {
    void *value = NULL;
    assert_int_equal(tn_cache_get(&cache, &key, 1, build, &thing, &value, NULL), TN_OK);
    assert_ptr_equal(value, &thing);
    assert_int_equal(built, i);
  }
  tn_cache_put(&cache, &key, 1, &thing);
  assert_null(tn_cache_find(&cache, &key));
  assert_int_equal(tn_cache_size(&cache), 0);
  void *value = &thing;
  tn_diag diag = {0};
  assert_int_equal(tn_cache_get(&cache, &key, 1, build, NULL, &value, &diag), TN_BUILD_FAILED);
  assert_null(value);
  assert_string_equal(diag.text, "told to fail");
  assert_int_equal(retained, 0);  // the one reference of each is the caller's
  assert_int_equal(released, 0);
}

int main(void) {
  (void)setenv("SYCL_CACHE_IN_MEM", "0", 1);
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_nothing_is_kept)};
  return cmocka_run_group_tests_name("cache_off", tests, NULL, NULL);
}
