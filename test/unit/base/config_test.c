// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The environment, read once.
#include "base/config.h"

#include "base/alloc.h"
#include "base/log.h"

// clang-format off: cmocka.h needs these before it
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
// clang-format on

#include <stdlib.h>
#include <string.h>

static void test_reads_once(void **state) {
  (void)state;
  assert_int_equal(setenv("TENON_CPU_THREADS", "3", 1), 0);
  assert_int_equal(setenv("TENON_MOCK", "1", 1), 0);
  assert_int_equal(setenv("TENON_JIT_OPT", "9", 1), 0);
  assert_int_equal(setenv("TENON_LOG", "sched,nonsense", 1), 0);
  assert_int_equal(setenv("TMPDIR", "relative", 1), 0);
  assert_int_equal(unsetenv("TENON_CLANG"), 0);
  assert_int_equal(setenv("TENON_CACHE_DIR", "relative", 1), 0);
  assert_int_equal(unsetenv("SYCL_CACHE_DIR"), 0);
  assert_int_equal(setenv("XDG_CACHE_HOME", "/some/where", 1), 0);
  assert_int_equal(unsetenv("TENON_CACHE"), 0);
  assert_int_equal(setenv("SYCL_CACHE_PERSISTENT", "0", 1), 0);
  assert_int_equal(setenv("SYCL_CACHE_MAX_SIZE", "17", 1), 0);
  assert_int_equal(setenv("SYCL_CACHE_MIN_DEVICE_IMAGE_SIZE", "5000000000", 1), 0);
  assert_int_equal(setenv("SYCL_CACHE_MAX_DEVICE_IMAGE_SIZE", "-1", 1), 0);
  assert_int_equal(setenv("SYCL_CACHE_IN_MEM", "0", 1), 0);
  assert_int_equal(setenv("SYCL_CACHE_TRACE", "12", 1), 0);
  const uint64_t allocations = tn_alloc_count();
  const tn_config *config = tn_config_get();
  assert_int_equal(tn_alloc_count(), allocations);
  assert_int_equal(config->cpu_threads, 3);
  assert_true(config->mock);
  assert_int_equal(config->opt_level, 2);
  assert_string_equal(config->clang, "");
  assert_string_equal(config->temp_dir, "/tmp");
  assert_non_null(strchr(config->search_path, '/'));
  assert_string_equal(config->cache_dir, "/some/where/tenon");
  assert_false(config->cache);
  assert_int_equal(config->cache_mib, 17);
  assert_int_equal(config->cache_min_image, 5000000000u);
  assert_int_equal(config->cache_max_image, 0);
  assert_false(config->cache_in_memory);
  assert_int_equal(config->cache_trace, TN_CACHE_TRACE_DISK | TN_CACHE_TRACE_MEMORY);
  assert_int_equal(setenv("TENON_CPU_THREADS", "5", 1), 0);
  assert_ptr_equal(tn_config_get(), config);
  assert_int_equal(config->cpu_threads, 3);
}

static void test_sets_the_log(void **state) {
  (void)state;
  assert_int_equal(tn_log_mask, TN_LOG_sched | TN_LOG_cache | TN_LOG_DISK);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_reads_once),
      cmocka_unit_test(test_sets_the_log),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
