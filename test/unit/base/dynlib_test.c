// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Symbols are found as the host finds them: global scope first, then the module's own.
#include "base/dynlib.h"

#include "base/alloc.h"
#include "base/file.h"

// clang-format off: cmocka.h needs these before it
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
// clang-format on

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LIBRARY(name) TN_TEST_BUILD_DIR "/test/unit/libmarker_" name ".so"

static void *open_library(const char *path, int mode) {
  void *handle = dlopen(path, RTLD_NOW | mode);
  if (!handle) {
    fail_msg("%s", dlerror());
  }
  return handle;
}

static void test_open_quotes_the_loader(void **state) {
  (void)state;
  tn_dynlib *lib = NULL;
  tn_diag diag = {0};
  assert_int_equal(tn_dynlib_open("/no/such/libx.so", &lib, &diag), TN_IO);
  assert_null(lib);
  const char *named = strstr(diag.text, "/no/such/libx.so: ");
  assert_ptr_equal(named, diag.text);
  assert_null(strstr(named + 1, "/no/such/libx.so"));  // once
  assert_int_equal(tn_dynlib_open(LIBRARY("a"), &lib, &diag), TN_OK);
  const int *marker = tn_dynlib_find(lib, "tn_test_marker");
  assert_non_null(marker);
  assert_int_equal(*marker, 1);
  assert_null(tn_dynlib_find(lib, "tn_test_absent"));
  tn_dynlib_close(lib);
  tn_dynlib_close(NULL);
  for (int64_t nth = 0; nth < 2; nth++) {
    tn_fault_arm(nth);
    assert_true(tn_dynlib_open(LIBRARY("a"), &lib, &diag) != TN_OK);
    tn_fault_arm(-1);
    assert_null(lib);
  }
}

// The loader would open a pipe, and wait for a writer.
static void test_open_takes_files_only(void **state) {
  (void)state;
  char folder[] = "/tmp/tenon-dynlib-XXXXXX";
  char pipe[sizeof(folder) + 8];
  assert_non_null(mkdtemp(folder));
  (void)snprintf(pipe, sizeof(pipe), "%s/pipe", folder);
  assert_int_equal(mkfifo(pipe, 0600), 0);
  const char *const paths[] = {pipe, folder, "/dev/null"};
  for (size_t i = 0; i < TN_COUNT(paths); i++) {
    tn_dynlib *lib = NULL;
    tn_diag diag = {0};
    (void)alarm(60);  // ends a test that waits
    assert_int_equal(tn_dynlib_open(paths[i], &lib, &diag), TN_IO);
    (void)alarm(0);
    assert_null(lib);
    assert_non_null(strstr(diag.text, "is not a regular file"));
  }
  assert_int_equal(unlink(pipe), 0);
  assert_int_equal(rmdir(folder), 0);
}

static void test_private_libraries_see_their_own(void **state) {
  (void)state;
  void *a = open_library(LIBRARY("a"), RTLD_LOCAL);
  void *b = open_library(LIBRARY("b"), RTLD_LOCAL);
  const void *anchor_a = dlsym(a, "tn_test_anchor");
  const void *anchor_b = dlsym(b, "tn_test_anchor");
  assert_ptr_not_equal(anchor_a, anchor_b);
  assert_null(tn_dynlib_resolve("tn_test_marker", NULL));
  assert_null(tn_dynlib_resolve("tn_test_marker", (const void *)(uintptr_t)&open_library));
  const int *found = tn_dynlib_resolve("tn_test_marker", anchor_a);
  assert_int_equal(*found, 1);
  found = tn_dynlib_resolve("tn_test_marker", anchor_b);
  assert_int_equal(*found, 2);
  assert_int_equal(dlclose(a), 0);
  assert_int_equal(dlclose(b), 0);
  assert_null(dlopen(LIBRARY("a"), RTLD_NOLOAD | RTLD_NOW));
}

static void test_what_a_library_was_linked_with(void **state) {
  (void)state;
  void *user = open_library(LIBRARY("user"), RTLD_LOCAL);
  const int *found = tn_dynlib_resolve("tn_test_marker", dlsym(user, "tn_test_user_anchor"));
  assert_non_null(found);
  assert_int_equal(*found, 2);
  assert_int_equal(dlclose(user), 0);
}

static void test_global_comes_first(void **state) {
  (void)state;
  void *b = open_library(LIBRARY("b"), RTLD_LOCAL);
  void *a = open_library(LIBRARY("a"), RTLD_GLOBAL);
  const int *found = tn_dynlib_resolve("tn_test_marker", dlsym(b, "tn_test_anchor"));
  assert_int_equal(*found, 1);
  found = tn_dynlib_resolve("tn_test_marker", NULL);
  assert_int_equal(*found, 1);
  assert_int_equal(dlclose(a), 0);
  assert_int_equal(dlclose(b), 0);
  assert_null(tn_dynlib_resolve("tn_test_marker", NULL));
}

static void test_path_of(void **state) {
  (void)state;
  void *a = open_library(LIBRARY("a"), RTLD_LOCAL);
  const void *anchor = dlsym(a, "tn_test_anchor");
  assert_non_null(strstr(tn_dynlib_path_of(anchor), "libmarker_a.so"));
  char *path = tn_path_of_address(anchor);
  char *real = tn_path_real(LIBRARY("a"));
  assert_string_equal(path, real);
  tn_free(path);
  tn_free(real);
  assert_null(tn_dynlib_path_of(NULL));
  assert_int_equal(dlclose(a), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_open_quotes_the_loader),
      cmocka_unit_test(test_open_takes_files_only),
      cmocka_unit_test(test_private_libraries_see_their_own),
      cmocka_unit_test(test_what_a_library_was_linked_with),
      cmocka_unit_test(test_global_comes_first),
      cmocka_unit_test(test_path_of),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
