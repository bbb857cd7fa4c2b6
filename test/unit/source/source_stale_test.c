// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds are not had from memory when a file that they include has changed in any way.
#include "run/source/source.h"

// clang-format off: cmocka.h needs these before it
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
// clang-format on

#include "unit/source/source_files.h"
#include "unit/source/source_world.h"

static void test_an_edited_header(void **state) {
  (void)state;
  tn_source *source = source_of("include kernels.h");
  files_write("a/kernels.h", "kernel k0");
  for (int i = 0; i < 60; i++) {
    char text[32];
    (void)snprintf(text, sizeof(text), "kernel k%d", i % 10);  // all of one size
    files_write("a/kernels.h", text);
    const int before = fake_compiles;
    files_expect(source, text + strlen("kernel "));
    assert_int_equal(fake_compiles, before + 1);
    files_expect(source, text + strlen("kernel "));
    assert_int_equal(fake_compiles, before + 1);
  }
  // Another time, but not another text.
  const int before = fake_compiles;
  files_write("a/kernels.h", "kernel k9");
  files_age("a/kernels.h", 100);
  files_expect(source, "k9");
  files_expect(source, "k9");
  assert_int_equal(fake_compiles, before);
  // A text that changes while the time goes back is seen as well.
  files_write("a/kernels.h", "kernel k8");
  files_age("a/kernels.h", 100);
  files_expect(source, "k8");
  assert_int_equal(fake_compiles, before + 1);
  tn_source_release(source);
}

static void test_headers_come_and_go(void **state) {
  (void)state;
  tn_source *source = source_of("include dir/moving.h");
  files_write("b/dir/moving.h", "kernel second");
  files_expect(source, "second");
  files_expect(source, "second");
  files_write("a/dir/moving.h", "kernel first");  // is found earlier
  files_expect(source, "first");
  files_remove("a/dir/moving.h");
  files_expect(source, "second");
  files_remove("b/dir/moving.h");
  tn_bundle *bundle = NULL;
  tn_log *log = NULL;
  const tn_source_build build = files_build();
  assert_int_equal(tn_source_build_bundle(source, &build, &bundle, &log, NULL), TN_BUILD_FAILED);
  assert_non_null(strstr(tn_log_text(log), "file not found: dir/moving.h"));
  tn_log_free(log);
  files_write("b/dir/moving.h", "kernel third");
  files_expect(source, "third");
  tn_source_release(source);
}

// A header that includes another, edited below.
static void test_headers_of_headers(void **state) {
  (void)state;
  tn_source *source = source_of("include outer.h");
  files_write("a/outer.h", "include inner.h\nkernel outer");
  files_write("b/inner.h", "kernel one");
  files_expect(source, "one");
  files_write("b/inner.h", "kernel two");
  files_expect(source, "two");
  files_expect(source, "outer");
  tn_source_release(source);
}

// Where the process stands counts when a word of the options depends on it.
static void test_the_folder(void **state) {
  (void)state;
  files_write("a/here.h", "kernel of_a");
  files_write("b/here.h", "kernel of_b");
  tn_source *source = source_of("include here.h");
  const char *const options[] = {"-I."};
  tn_source_build build = source_build(TN_BUNDLE_OBJECT);
  build.options = options;
  build.option_count = 1;
  static const char *const expected[] = {"of_a", "of_b", "of_a", "of_b"};
  for (size_t i = 0; i < TN_COUNT(expected); i++) {
    assert_int_equal(chdir(files_path(i % 2 == 0 ? "a" : "b")), 0);
    tn_bundle *bundle = source_must_build(source, &build);
    assert_int_equal(tn_bundle_has_kernel_name(bundle, expected[i]), 1);
    tn_bundle_release(bundle);
  }
  assert_int_equal(chdir("/"), 0);
  tn_source_release(source);
}

int main(void) {
  bundle_world_set_up();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_an_edited_header),
      cmocka_unit_test(test_headers_come_and_go),
      cmocka_unit_test(test_headers_of_headers),
      cmocka_unit_test(test_the_folder),
  };
  return cmocka_run_group_tests_name("source_stale", tests, files_begin, files_end);
}
