// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds on disk: found again instead of compiled, told apart by all that they depend on, not taken
// when a file has changed, and never a reason to fail. Nothing is kept in memory here, so that all
// that is made is given back.
#include "run/source/source.h"

// clang-format off: cmocka.h needs these before it
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
// clang-format on

#include "run/cache/cache.h"
#include "tenon/cache.h"
#include "unit/source/source_files.h"

static char cache_folder[] = "/tmp/source-disk-XXXXXX";

static tn_cache_stats stats(void) {
  tn_cache_stats now = {.struct_size = sizeof(now)};
  tn_cache_get_stats(&now);
  return now;
}

static void test_found_again(void **state) {
  (void)state;
  // What lives as long as the process is there before anything is counted.
  assert_non_null(tn_disk_cache_store());
  assert_non_null(tn_disk_cache_source_store());
  const int64_t live = tn_alloc_live();
  const int before = fake_compiles;
  const char *const names[] = {"one<int>"};
  tn_source_build build = source_build(TN_BUNDLE_EXECUTABLE);
  build.names = names;
  build.name_count = 1;
  for (int i = 0; i < 3; i++) {
    tn_source *source = source_of("kernel one two\nwarn often");
    tn_bundle *bundle = NULL;
    tn_log *log = NULL;
    assert_int_equal(tn_source_build_bundle(source, &build, &bundle, &log, NULL), TN_OK);
    tn_source_release(source);
    assert_non_null(strstr(tn_log_text(log), "warning: often"));
    tn_log_free(log);
    tn_kernel *kernel = source_kernel(bundle, "one<int>", with_fp64);
    tn_bundle_release(bundle);
    assert_string_equal(tn_kernel_name(kernel), "K_one");
    tn_kernel_release(kernel);
    bundle_check_clean(live);
    assert_int_equal(fake_compiles, before + 1);
  }
  assert_int_equal(stats().source_builds, fake_compiles);
}

// In the order of the table each is compiled once.
static void test_each_setting_counts(void **state) {
  (void)state;
  static const char *const options[] = {"-O1", "-O2", "-D", "X", "-DX"};
  static const char *const names[] = {"a", "b", "a<int>"};
  static const char *const texts[] = {"kernel a b", "kernel a b "};
  static const struct {
    size_t text;
    size_t first_option;
    size_t option_count;
    size_t first_name;
    size_t name_count;
  } settings[] = {{0, 0, 0, 0, 0}, {1, 0, 0, 0, 0}, {0, 0, 1, 0, 0}, {0, 1, 1, 0, 0},
                  {0, 0, 2, 0, 0}, {0, 2, 2, 0, 0}, {0, 4, 1, 0, 0}, {0, 0, 0, 0, 1},
                  {0, 0, 0, 1, 1}, {0, 0, 0, 0, 2}, {0, 0, 0, 0, 3}};
  for (size_t round = 0; round < 2; round++) {
    for (size_t i = 0; i < TN_COUNT(settings); i++) {
      tn_source *source = source_of(texts[settings[i].text]);
      tn_source_build build = source_build(TN_BUNDLE_OBJECT);
      build.options = options + settings[i].first_option;
      build.option_count = settings[i].option_count;
      build.names = names + settings[i].first_name;
      build.name_count = settings[i].name_count;
      const int before = fake_compiles;
      tn_bundle_release(source_must_build(source, &build));
      assert_int_equal(fake_compiles, before + (round == 0 ? 1 : 0));
      tn_source_release(source);
    }
  }
}

static void test_changed_files(void **state) {
  (void)state;
  tn_source *source = source_of("include kernels.h\ninclude dir/other.h");
  files_write("a/kernels.h", "kernel k0");
  files_write("b/dir/other.h", "kernel other");
  for (int i = 0; i < 20; i++) {
    char text[32];
    (void)snprintf(text, sizeof(text), "kernel k%02d", i);
    files_write("a/kernels.h", text);
    const int before = fake_compiles;
    files_expect(source, text + strlen("kernel "));
    files_expect(source, text + strlen("kernel "));
    assert_int_equal(fake_compiles, before + 1);
  }
  files_write("a/dir/other.h", "kernel nearer");
  files_expect(source, "nearer");
  files_remove("a/dir/other.h");
  files_expect(source, "other");
  tn_source_release(source);
}

// From one process to the next, which this is as nothing is kept in memory.
static void test_one_print(void **state) {
  (void)state;
  tn_source *source = source_of("include print.h");
  files_write("a/print.h", "// one\nkernel p1");
  files_expect(source, "p1");
  const int before = fake_compiles;
  const int prints = fake_prints;
  files_write("a/print.h", "// another\nkernel p1");
  for (int i = 0; i < 3; i++) {
    files_expect(source, "p1");
  }
  assert_int_equal(fake_compiles, before);
  assert_int_equal(fake_prints, prints + 1);
  files_write("a/print.h", "kernel p2");
  files_expect(source, "p2");
  files_write("a/print.h", "// back\nkernel p1");
  files_expect(source, "p1");
  assert_int_equal(fake_compiles, before + 1);
  tn_source_release(source);
}

// All that a build does, with each fallible event failing in turn.
static bool build_once(const char *text, int64_t fault) {
  tn_bundle *bundle = NULL;
  tn_log *log = NULL;
  tn_source *source = NULL;
  tn_diag diag = {0};
  const tn_source_include include = {"in.h", "kernel included", 15};
  const tn_source_query query = {.struct_size = sizeof(query),
                                 .language = TN_SOURCE_SYCL,
                                 .context = pair_context,
                                 .source = text,
                                 .source_size = strlen(text),
                                 .includes = &include,
                                 .include_count = 1};
  tn_source_build build = files_build();
  build.state = TN_BUNDLE_EXECUTABLE;
  tn_fault_arm(fault);
  tn_status status = tn_source_create(&query, &source, &diag);
  if (status == TN_OK) {
    status = tn_source_build_bundle(source, &build, &bundle, &log, &diag);
  }
  tn_kernel_id *id = NULL;
  if (status == TN_OK) {
    status = tn_bundle_find_kernel_id(bundle, "included", &id, &diag);
  }
  const bool fired = tn_fault_fired();
  tn_fault_arm(-1);
  if (status != TN_OK && status != TN_OUT_OF_MEMORY && !strstr(diag.text, "told to fail")) {
    fail_msg("%d: %s", (int)status, diag.text);
  }
  if (status != TN_OK) {
    assert_int_equal(diag.code, status);
    assert_int_not_equal(diag.text[0], '\0');
  }
  tn_kernel_id_release(id);
  tn_log_free(log);
  tn_bundle_release(bundle);
  tn_source_release(source);
  tn_program_reap();
  assert_int_equal(double_live, 0);
  return fired;
}

static void test_faults(void **state) {
  (void)state;
  files_write("a/far.h", "kernel far");
  files_age("a/far.h", 100);
  bool complete = false;
  for (int64_t nth = 0; !complete && nth < 3000; nth++) {
    char text[64];
    (void)snprintf(text, sizeof(text), "include in.h far.h\nwarn %d\nimage\nkernel x", (int)nth);
    // The table of files that were read is there for good.
    (void)build_once("include in.h far.h\nkernel warm", -1);
    const int64_t live = tn_alloc_live();
    complete = !build_once(text, nth);
    (void)build_once(text, -1);
    complete = !build_once(text, nth) && complete;
    assert_int_equal(tn_alloc_live(), live);
  }
  assert_true(complete);
}

static int end(void **state) {
  tn_temp_dir_remove(tn_str_copy(tn_str_from(cache_folder)));
  return files_end(state);
}

// The cache's folder, with another name or its own.
static void rename_folder(bool is_away) {
  char here[128];
  char away[128];
  (void)snprintf(here, sizeof(here), "%s/source", cache_folder);
  (void)snprintf(away, sizeof(away), "%s/away", cache_folder);
  assert_int_equal(rename(is_away ? here : away, is_away ? away : here), 0);
}

static void take_away(void) { rename_folder(true); }
static void take_away_and_block(void) {
  rename_folder(true);
  char here[128];
  (void)snprintf(here, sizeof(here), "%s/source", cache_folder);
  assert_int_equal(tn_file_write(here, tn_bytes_from("x", 1), NULL), TN_OK);
}

static void build_kernel(const char *text, const char *kernel) {
  tn_source *source = source_of(text);
  files_expect(source, kernel);
  tn_source_release(source);
}

// The folder goes while something is compiled: that build and the next ones work, whether what was
// there is still found or not.
static void test_gone_meanwhile(void **state) {
  (void)state;
  build_kernel("kernel before", "before");
  fake_meanwhile = take_away;
  build_kernel("kernel gone", "gone");
  fake_meanwhile = NULL;
  build_kernel("kernel after", "after");
  build_kernel("kernel before", "before");
  char here[128];
  (void)snprintf(here, sizeof(here), "%s/source", cache_folder);
  tn_temp_dir_remove(tn_str_copy(tn_str_from(here)));
  rename_folder(false);
  const int before = fake_compiles;
  build_kernel("kernel before", "before");
  assert_int_equal(fake_compiles, before);
  fake_meanwhile = take_away_and_block;
  build_kernel("kernel blocked", "blocked");
  fake_meanwhile = NULL;
  build_kernel("kernel before", "before");
  build_kernel("kernel blocked", "blocked");
}

int main(void) {
  bundle_world_set_up();
  if (!mkdtemp(cache_folder) || setenv("TENON_CACHE_DIR", cache_folder, 1) != 0 ||
      setenv("TENON_CACHE", "1", 1) != 0 || setenv("SYCL_CACHE_IN_MEM", "0", 1) != 0 ||
      unsetenv("SYCL_CACHE_PERSISTENT") != 0) {
    return 1;
  }
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_found_again),    cmocka_unit_test(test_each_setting_counts),
      cmocka_unit_test(test_changed_files),  cmocka_unit_test(test_one_print),
      cmocka_unit_test(test_faults),
      cmocka_unit_test(test_gone_meanwhile),  // who could not write once does not try again
  };
  return cmocka_run_group_tests_name("source_disk", tests, files_begin, end);
}
