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

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static bool is_ignored(const tn_config *config, const char *text) {
  for (size_t i = 0; i < config->ignored_count; i++) {
    if (strstr(config->ignored[i].text, text)) {
      return true;
    }
  }
  return false;
}

// In children, since each process reads once. 0: off, 1: on, 2: as if it were not set.
static void test_switches(void **state) {
  (void)state;
  static const struct {
    const char *value;
    int meaning;
  } cases[] = {{"", 1},     {"0", 0},  {"1", 1},   {"false", 0}, {"Off", 0},  {"NO", 0}, {" 0 ", 0},
               {"TRUE", 1}, {"on", 1}, {"Yes", 1}, {"2", 2},     {"nope", 2}, {"o", 2}};
  for (size_t i = 0; i < TN_COUNT(cases); i++) {
    const pid_t child = fork();
    if (child == 0) {
      (void)unsetenv("TENON_CACHE");
      (void)unsetenv("TENON_LOG");
      (void)unsetenv("SYCL_CACHE_TRACE");
      (void)setenv("SYCL_CACHE_PERSISTENT", cases[i].value, 1);
      const tn_config *config = tn_config_get();
      const bool was_ignored = is_ignored(config, "SYCL_CACHE_PERSISTENT has the value");
      _exit((was_ignored ? 10 : 0) + (config->cache ? 1 : 0));
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    const int expected = cases[i].meaning == 2 ? 11 : cases[i].meaning;
    if (WEXITSTATUS(status) != expected) {
      fail_msg("'%s': %d, not %d", cases[i].value, WEXITSTATUS(status), expected);
    }
  }
}

// What a process says that reads the environment as it is now.
static void capture_lines(const char *log, const char *trace, char *text, size_t size) {
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    (void)setenv("TENON_LOG", log, 1);
    (void)setenv("SYCL_CACHE_TRACE", trace, 1);
    (void)setenv("SYCL_CACHE_MAX_SIZE", "1G", 1);
    (void)setenv("TENON_CACHE_DIR", "", 1);
    (void)setenv("SYCL_CACHE_DIR", "caches", 1);
    (void)setenv("SYCL_JIT_AMDGCN_PTX_TARGET_CPU", "sm_80 ", 1);
    (void)dup2(ends[1], STDERR_FILENO);
    (void)tn_config_get();
    _exit(0);
  }
  (void)close(ends[1]);
  size_t done = 0;
  for (ssize_t got = 1; got > 0 && done < size - 1; done += got > 0 ? (size_t)got : 0) {
    got = read(ends[0], text + done, size - 1 - done);
  }
  text[done] = '\0';
  (void)close(ends[0]);
  int status = -1;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
}

static void test_says_what_it_ignores_when_asked(void **state) {
  (void)state;
  static const char *const asked[][2] = {{"cache", ""}, {"", "1"}, {"chache", ""}, {"", "yes"}};
  char text[4096];
  for (size_t i = 0; i < TN_COUNT(asked); i++) {
    capture_lines(asked[i][0], asked[i][1], text, sizeof(text));
    assert_non_null(strstr(text,
                           "[tenon environment] tn_config_get: SYCL_CACHE_MAX_SIZE has the value "
                           "'1G', which is no number from 0 to 4294967295: ignored\n"));
    assert_non_null(
        strstr(text, "SYCL_CACHE_DIR has the value 'caches', which is no full path: ignored\n"));
    assert_null(strstr(text, "TENON_CACHE_DIR"));
    assert_non_null(strstr(text,
                           "SYCL_JIT_AMDGCN_PTX_TARGET_CPU has the value 'sm_80 ', which is no "
                           "GPU's processor, as sm_90 or gfx90a: ignored\n"));
    assert_int_equal(strstr(text, "'chache', which is no topic") != NULL, i == 2);
    assert_int_equal(strstr(text, "SYCL_CACHE_TRACE has the value 'yes'") != NULL, i == 3);
  }
  capture_lines("", "", text, sizeof(text));
  assert_string_equal(text, "");
  capture_lines("", "0", text, sizeof(text));
  assert_string_equal(text, "");
}

static void test_reads_once(void **state) {
  (void)state;
  assert_int_equal(setenv("TENON_CPU_THREADS", "3", 1), 0);
  assert_int_equal(setenv("TENON_CPU_STACK_SIZE", "48M", 1), 0);
  assert_int_equal(setenv("TENON_MOCK", "1", 1), 0);
  assert_int_equal(setenv("TENON_JIT_OPT", "9", 1), 0);
  assert_int_equal(setenv("TENON_SUB_GROUP_SIZE", "16", 1), 0);
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
  assert_int_equal(setenv("SYCL_JIT_AMDGCN_PTX_TARGET_CPU", "sm_90a", 1), 0);
  const uint64_t allocations = tn_alloc_count();
  const tn_config *config = tn_config_get();
  assert_int_equal(tn_alloc_count(), allocations);
  assert_int_equal(config->cpu_threads, 3);
  assert_int_equal(config->cpu_stack_size, 48u << 20);
  assert_true(config->mock);
  assert_int_equal(config->opt_level, 2);
  assert_false(config->has_opt_level);
  assert_int_equal(config->sub_group_size, 16);
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
  static const char *const ignored[] = {
      "TENON_JIT_OPT has the value '9', which is no number from 0 to 3: ignored",
      "TENON_LOG has the value 'nonsense', which is no topic; there are registry, device, ",
      "TMPDIR has the value 'relative', which is no full path: ignored",
      "TENON_CACHE_DIR has the value 'relative', which is no full path: ignored",
      "SYCL_CACHE_MAX_DEVICE_IMAGE_SIZE has the value '-1', which is no number from 0 on: ignored",
  };
  for (size_t i = 0; i < TN_COUNT(ignored); i++) {
    if (!is_ignored(config, ignored[i])) {
      fail_msg("not said: %s", ignored[i]);
    }
  }
  assert_false(is_ignored(config, "SYCL_CACHE_TRACE"));
  assert_string_equal(config->jit_processor, "sm_90a");
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
      cmocka_unit_test(test_switches),  // before this process reads it
      cmocka_unit_test(test_says_what_it_ignores_when_asked),
      cmocka_unit_test(test_reads_once),
      cmocka_unit_test(test_sets_the_log),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
