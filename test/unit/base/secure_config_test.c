// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The environment of a program with other rights than its caller's: it is as if it were empty.
#include "base/config.h"
#include "base/log.h"
#include "base/process.h"

// clang-format off: cmocka.h needs these before it
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
// clang-format on

#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/wait.h>
#include <unistd.h>

// What the system says: the linker puts this in the place of getauxval (test/CMakeLists.txt).
static bool is_secure;
unsigned long __wrap_getauxval(unsigned long type);
unsigned long __real_getauxval(unsigned long type);
unsigned long __wrap_getauxval(unsigned long type) {
  return type == AT_SECURE ? (is_secure ? 1 : 0) : __real_getauxval(type);
}
char *__wrap_getenv(const char *name);

static const char *const variables[][2] = {
    {"ONEAPI_DEVICE_SELECTOR", "mock:*"},
    {"TENON_LOG", "cache"},
    {"TENON_CPU_THREADS", "3"},
    {"TENON_CPU_STACK_SIZE", "100000000"},
    {"TENON_JIT_OPT", "1"},
    {"TENON_CHECK", "1"},
    {"TENON_SUB_GROUP_SIZE", "16"},
    {"TENON_CACHE_DIR", "/caller/cache"},
    {"SYCL_CACHE_DIR", "/caller/sycl"},
    {"XDG_CACHE_HOME", "/caller/xdg"},
    {"HOME", "/caller"},
    {"SYCL_CACHE_MAX_SIZE", "17"},
    {"SYCL_CACHE_IN_MEM", "0"},
    {"TENON_COMPILER_LIBRARY", "/caller/library.so"},
    {"TENON_CLANG", "/caller/clang"},
    {"CUDA_PATH", "/caller/cuda"},
    {"CUDA_VISIBLE_DEVICES", "0"},
    {"ROCM_PATH", "/caller/rocm"},
    {"SYCL_JIT_AMDGCN_PTX_TARGET_CPU", "sm_90"},
    {"CPATH", "/caller/include"},
    {"C_INCLUDE_PATH", "/caller/include"},
    {"CPLUS_INCLUDE_PATH", "/caller/include"},
    {"LIBRARY_PATH", "/caller/lib"},
    {"LD_LIBRARY_PATH", "/caller/lib"},
    {"TMPDIR", "/caller/tmp"},
    {"PATH", "/caller/bin:/usr/bin:/bin"},
    {"TENON_MOCK", "1"},
};

static void expect_text(const char *value, const char *trusted, const char *callers) {
  assert_string_equal(value, is_secure ? trusted : callers);
}

static void expect_config(void) {
  const tn_config *config = tn_config_get();
  assert_int_equal(config->is_secure, is_secure);
  expect_text(config->device_selector, "", "mock:*");
  expect_text(config->log_topics, "", "cache");
  expect_text(config->compiler_path, "", "/caller/library.so");
  expect_text(config->clang, "", "/caller/clang");
  expect_text(config->cache_dir, "", "/caller/cache");
  expect_text(config->temp_dir, "/tmp", "/caller/tmp");
  expect_text(config->search_path, "/usr/local/bin:/usr/bin:/bin", "/caller/bin:/usr/bin:/bin");
  expect_text(config->library_path, "", "/caller/lib");
  expect_text(config->loader_path, "", "/caller/lib");
  expect_text(config->cuda_path, "", "/caller/cuda");
  expect_text(config->rocm_path, "", "/caller/rocm");
  expect_text(config->jit_processor, "", "sm_90");
  for (size_t i = 0; i < TN_COUNT(config->include_paths); i++) {
    expect_text(config->include_paths[i], "", "/caller/include");
  }
  assert_int_equal(config->cuda_visible_devices == NULL, is_secure);
  assert_int_equal(config->cpu_threads, is_secure ? 0 : 3);
  assert_int_equal(config->cpu_stack_size, is_secure ? TN_CPU_STACK_DEFAULT : 100000000);
  assert_int_equal(config->opt_level, is_secure ? 2 : 1);
  assert_int_equal(config->cache_mib, is_secure ? 1024 : 17);
  assert_int_equal(config->cache_in_memory, is_secure);
  assert_int_equal(config->check, !is_secure);
  assert_int_equal(config->sub_group_size, is_secure ? 0 : 16);
  assert_int_equal(config->mock, !is_secure);
  assert_int_equal(config->cache, !is_secure);
  assert_int_equal(tn_log_mask != 0, !is_secure);
  assert_int_equal(config->ignored_count, 0);
}

// A child without the caller's variables, found without the caller's PATH.
static void expect_child(void) {
  const char *const argv[] = {"env", NULL};
  tn_process process;
  tn_buf output;
  int status = -1;
  tn_buf_init(&output, 1 << 20);
  assert_int_equal(tn_process_start(argv, TN_PROCESS_CAPTURE_OUTPUT, &process, NULL), TN_OK);
  assert_int_equal(tn_process_wait(&process, &output, NULL, &status, NULL), TN_OK);
  assert_int_equal(status, 0);
  assert_int_equal(strstr(tn_buf_text(&output), "/caller") == NULL, is_secure);
  if (is_secure) {
    assert_string_equal(tn_buf_text(&output), "PATH=/usr/local/bin:/usr/bin:/bin\n");
  }
  tn_buf_deinit(&output);
}

// In a child, since each process reads once.
static void expect_all(bool secure) {
  const pid_t child = fork();
  if (child == 0) {
    for (size_t i = 0; i < TN_COUNT(variables); i++) {
      (void)setenv(variables[i][0], variables[i][1], 1);
    }
    (void)unsetenv("TENON_CACHE");
    (void)unsetenv("SYCL_CACHE_PERSISTENT");
    (void)unsetenv("SYCL_CACHE_TRACE");
    (void)unsetenv("LD_PRELOAD");
    is_secure = secure;
    expect_config();
    expect_child();
    // LLVM and Clang ask here.
    assert_int_equal(__wrap_getenv("CPATH") == NULL, secure);
    _exit(0);
  }
  int status = -1;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
}

static void test_a_plain_program_reads_its_environment(void **state) {
  (void)state;
  expect_all(false);
}

static void test_a_program_with_other_rights_reads_nothing(void **state) {
  (void)state;
  expect_all(true);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_a_plain_program_reads_its_environment),
      cmocka_unit_test(test_a_program_with_other_rights_reads_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
