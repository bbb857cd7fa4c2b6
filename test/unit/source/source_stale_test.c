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
    (void)snprintf(text, sizeof(text), "kernel k%02d", i);  // all of one size
    files_write("a/kernels.h", text);
    const int before = fake_compiles;
    files_expect(source, text + strlen("kernel "));
    assert_int_equal(fake_compiles, before + 1);
    files_expect(source, text + strlen("kernel "));
    assert_int_equal(fake_compiles, before + 1);
  }
  // Another time, but not another text.
  const int before = fake_compiles;
  files_write("a/kernels.h", "kernel k59");
  files_age("a/kernels.h", 100);
  files_expect(source, "k59");
  files_expect(source, "k59");
  assert_int_equal(fake_compiles, before);
  // A text that changes while the time goes back is seen as well.
  files_write("a/kernels.h", "kernel k60");
  files_age("a/kernels.h", 100);
  files_expect(source, "k60");
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

// What is the same but for comments, folders and macros is compiled once.
static void test_one_print(void **state) {
  (void)state;
  tn_source *source = source_of("include print.h\nkernel p0");
  files_write("a/print.h", "// one\nkernel p1");
  files_expect(source, "p1");
  const int before = fake_compiles;
  const int prints = fake_prints;
  files_write("a/print.h", "// another\n// line\nkernel p1");
  files_expect(source, "p1");
  files_expect(source, "p1");
  assert_int_equal(fake_compiles, before);
  assert_int_equal(fake_prints, prints + 1);  // the second time by the manifest
  // It has moved.
  files_remove("a/print.h");
  files_write("b/print.h", "kernel p1");
  files_expect(source, "p1");
  assert_int_equal(fake_compiles, before);
  // Other code, and back.
  files_write("b/print.h", "kernel p2");
  files_expect(source, "p2");
  assert_int_equal(fake_compiles, before + 1);
  files_write("b/print.h", "kernel p1");
  files_expect(source, "p1");
  assert_int_equal(fake_compiles, before + 1);
  tn_source_release(source);
  // Comments of the source itself.
  source = source_of("// what it does\ninclude print.h\nkernel p0");
  files_expect(source, "p1");
  assert_int_equal(fake_compiles, before + 1);
  // Messages tell lines.
  files_write("b/print.h", "// said\nwarn here\nkernel p1");
  files_expect(source, "p1");
  files_write("b/print.h", "warn here\nkernel p1");
  files_expect(source, "p1");
  assert_int_equal(fake_compiles, before + 3);
  tn_source_release(source);
}

static tn_bundle *build_with(tn_source *source, const char *option) {
  tn_source_build build = source_build(TN_BUNDLE_OBJECT);
  build.options = &option;
  build.option_count = 1;
  return source_must_build(source, &build);
}

// Who looks in vain again and again looks less often.
static void test_looking_in_vain(void **state) {
  (void)state;
  tn_source *source = source_of("kernel vain");
  tn_bundle_release(build_with(source, "-DX"));
  const int before = fake_compiles;
  tn_bundle *first = build_with(source, "-DY");
  tn_bundle_release(build_with(source, "-DZ"));
  assert_int_equal(fake_compiles, before);
  tn_bundle_release(first);
  const int prints = fake_prints;
  for (int i = 0; i < 100; i++) {
    char option[16];
    (void)snprintf(option, sizeof(option), "-f%d", i);
    tn_bundle_release(build_with(source, option));
  }
  assert_int_equal(fake_compiles, before + 100);
  assert_true(fake_prints > prints);
  assert_true(fake_prints < prints + 20);
  tn_source_release(source);
}

int main(void) {
  bundle_world_set_up();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_an_edited_header),   cmocka_unit_test(test_headers_come_and_go),
      cmocka_unit_test(test_headers_of_headers), cmocka_unit_test(test_the_folder),
      cmocka_unit_test(test_one_print),          cmocka_unit_test(test_looking_in_vain),
  };
  return cmocka_run_group_tests_name("source_stale", tests, files_begin, files_end);
}
