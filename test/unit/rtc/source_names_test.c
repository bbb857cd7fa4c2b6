// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What registered names may be, what is said of those that are none, and headers in memory.
#include "unit/rtc/source_build.h"

#include <stdio.h>
#include <unistd.h>

static const char kernels[] =
    "#include \"kernel.h\"\n"
    "extern \"C\" KERNEL void first(int *p) { *p = 1; }\n"
    "namespace ns { template <class T, int N> KERNEL void fill(T *p) { *p = N; }\n"
    "KERNEL void over(int *p) { *p = 1; }\n"
    "KERNEL void over(float *p) { *p = 1; }\n"
    "extern \"C\" KERNEL void inside(int *p) { *p = 2; } }\n"
    "void none(int *p) { *p = 2; }\n"
    "int number;\n"
    "#define entry none\n"
    "#define kernel none\n"
    "#define detail\n"
    "#define NAME ns::fill<char, 'a'>\n";

static void names_are_found(void **state) {
  (void)state;
  static const char *const names[] = {"ns::fill<float, 3>",
                                      "&ns::fill<int, (3 > 2)>",
                                      "(void (*)(int *))ns::over",
                                      "static_cast<void (*)(float *)>(&ns::over)",
                                      "NAME",
                                      "&first",
                                      "first // the first",
                                      "ns::fill<float, 3>"};
  source_build it;
  build_of_kernels(&it, kernels);
  for (size_t i = 0; i < TN_COUNT(names); i++) {
    build_add_name(&it, names[i]);
  }
  build_run(&it, TN_OK);
  assert_string_equal(it.result.log, "");
  assert_int_equal(it.result.name_count, TN_COUNT(names) + 2);
  for (size_t i = 0; i < TN_COUNT(names); i++) {
    assert_string_equal(it.result.names[i].name, names[i]);
    expect_kernel(&it, it.result.names[i].symbol);
  }
  assert_string_equal(it.result.names[0].symbol, it.result.names[7].symbol);
  assert_string_not_equal(it.result.names[0].symbol, it.result.names[1].symbol);
  assert_string_not_equal(it.result.names[2].symbol, it.result.names[3].symbol);
  assert_string_equal(build_symbol(&it, "first"), build_symbol(&it, "&first"));
  expect_kernel(&it, build_symbol(&it, "inside"));
  // Nothing of the source's end is left.
  const tn_fatbin images = build_images(&it);
  assert_int_equal(images.image_count, 1);
  const tn_image image = tn_fatbin_image_at(&images, 0);
  assert_int_equal(tn_image_kernel_count(&image), 7);
  const tn_str code = {(const char *)image.code.data, image.code.size};
  assert_true(tn_str_find(code, TN_STR_LIT("tenon_rtc_end")) == SIZE_MAX);
  build_end(&it);
}

// A kernel whose type is the source's own has a name with the unit's id.
static void local_types_are_found(void **state) {
  (void)state;
  source_build it;
  build_of_kernels(&it,
                   "#include \"kernel.h\"\n"
                   "namespace { struct own { int *p; }; }\n"
                   "template <class T> KERNEL void take(T t) { *t.p = 1; }\n");
  build_add_name(&it, "take<own>");
  build_run(&it, TN_OK);
  const char *symbol = build_symbol(&it, "take<own>");
  expect_has(symbol, "@");
  expect_kernel(&it, symbol);
  build_end(&it);
}

typedef struct wrong_name {
  const char *name;
  tn_status status;
  const char *said;
} wrong_name;

static void wrong_names_are_told(void **state) {
  (void)state;
  static const wrong_name wrong[] = {
      {"nothing", TN_BUILD_FAILED,
       "registered name \"nothing\":1:2: error: use of undeclared identifier 'nothing'"},
      {"ns::over", TN_BUILD_FAILED, "registered name \"ns::over\":1:1: error: "},
      {"ns::fill", TN_BUILD_FAILED, "registered name \"ns::fill\":1:1: error: "},
      {"ns::fill<float>", TN_BUILD_FAILED, "registered name \"ns::fill<float>\":1:1: error: "},
      {"number", TN_BUILD_FAILED, "registered name \"number\":1:1: error: "},
      {"\"text\"", TN_BUILD_FAILED, "registered name \"\"text\"\":1:1: error: "},
      {"first); int x = (1", TN_INVALID_ARGUMENT, "its brackets do not go together"},
      {"first; int x", TN_BUILD_FAILED, "registered name \"first; int x\":"},
      {"first /* ", TN_BUILD_FAILED, "registered name \"first /* \":1:8: error: "},
      {"none", TN_INVALID_ARGUMENT, "registered name \"none\": the function is no kernel"},
      {"", TN_INVALID_ARGUMENT, "a registered name is empty"},
      {"  ", TN_INVALID_ARGUMENT, "a registered name is empty"},
      {"first\n#error", TN_INVALID_ARGUMENT, "an expression on one line"},
      {"first, none", TN_INVALID_ARGUMENT,
       "registered name \"first, none\": these are several names: register each by itself"},
      {"(first", TN_INVALID_ARGUMENT, "registered name \"(first\": its brackets do not go"},
      {"first), (none", TN_INVALID_ARGUMENT, "its brackets do not go together"},
  };
  for (size_t i = 0; i < TN_COUNT(wrong); i++) {
    source_build it;
    build_of_kernels(&it, kernels);
    build_add_name(&it, wrong[i].name);
    build_run(&it, wrong[i].status);
    expect_has(it.diag.text, wrong[i].said);
    if (wrong[i].status == TN_BUILD_FAILED) {
      expect_has(it.result.log, wrong[i].said);
    }
    assert_int_equal(it.result.name_count, 0);
    build_end(&it);
  }
}

static void names_want_the_headers(void **state) {
  (void)state;
  source_build it;
  build_of(&it, "void f(int *p) { *p = 1; }\n");
  build_add_name(&it, "f");
  build_run(&it, TN_BUILD_FAILED);
  expect_has(it.diag.text, "#include <sycl/sycl.hpp>");
  build_end(&it);
}

static const tn_source_input *find_input(const source_build *it, const char *path) {
  for (size_t i = 0; i < it->result.input_count; i++) {
    if (strcmp(it->result.inputs[i].path, path) == 0) {
      return &it->result.inputs[i];
    }
  }
  return NULL;
}

static void write_file(const char *dir, const char *name, const char *text) {
  tn_diag diag = {0};
  char *path = tn_path_join(tn_str_from(dir), tn_str_from(name));
  assert_int_equal(tn_file_write(path, tn_bytes_from(text, strlen(text)), &diag), TN_OK);
  tn_free(path);
}

static void headers_come_from_memory_first(void **state) {
  (void)state;
  tn_diag diag = {0};
  char *dir = NULL;
  char option[4096];
  char path[4096];
  source_build it;
  assert_int_equal(tn_temp_dir_create("tenon-test", &dir, &diag), TN_OK);
  write_file(dir, "real.h", "inline int real(int x) { return x; }\n");
  write_file(dir, "both.h", "#error the one on the disk\n");
  assert_true(snprintf(option, sizeof(option), "-I%s", dir) < (int)sizeof(option));
  assert_true(snprintf(path, sizeof(path), "%s/real.h", dir) < (int)sizeof(path));
  build_of_kernels(&it,
                   "#include <both.h>\n"
                   "#include \"math/poly.h\"\n"
                   "#include <real.h>\n"
                   "KERNEL void k(int *p) { *p = real(poly(both())); }\n"
                   "static_assert(__builtin_strcmp(__FILE__, \"rtc_7.cpp\") == 0);\n"
                   "static_assert(__builtin_strcmp(poly_file, \"math/poly.h\") == 0);\n");
  build_add_include(&it, "both.h", "inline int both() { return 1; }\n");
  build_add_include(&it, "math/poly.h",
                    "#include \"part.h\"\n"
                    "#include \"kernel.h\"\n"
                    "inline int poly(int x) { return x * part; }\n"
                    "inline constexpr char poly_file[] = __FILE__;\n");
  build_add_include(&it, "math/part.h", "inline constexpr int part = 3;\n");
  build_add_option(&it, option);
  build_run(&it, TN_OK);
  assert_non_null(find_input(&it, path));
  assert_int_equal(find_input(&it, path)->size, 37);
  assert_int_equal(it.result.input_count, 1);
  build_end(&it);
  tn_temp_dir_remove(dir);
}

// Quoted names are those of the folder that the process is in.
static void headers_are_beside_the_process(void **state) {
  (void)state;
  tn_diag diag = {0};
  char *dir = NULL;
  char *before = tn_path_real(".");
  source_build it;
  assert_int_equal(tn_temp_dir_create("tenon-test", &dir, &diag), TN_OK);
  write_file(dir, "here.h", "inline int here = 1;\n");
  assert_int_equal(chdir(dir), 0);
  build_of_kernels(&it,
                   "#include \"kernel.h\"\n#include \"here.h\"\n"
                   "KERNEL void k(int *p) { *p = 1; }\n");
  build_run(&it, TN_OK);
  assert_int_equal(chdir(before), 0);
  char *real = tn_path_real(dir);
  assert_int_equal(it.result.input_count, 1);
  expect_has(it.result.inputs[0].path, real);
  expect_has(it.result.inputs[0].path, "here.h");
  build_end(&it);
  tn_free(real);
  tn_free(before);
  tn_temp_dir_remove(dir);
}

static void messages_name_the_virtual_file(void **state) {
  (void)state;
  source_build it;
  build_of_kernels(&it, "#include \"kernel.h\"\n#include \"a/b.h\"\n");
  build_add_include(&it, "a/b.h", "int fine;\nint bad = undeclared;\n");
  build_run(&it, TN_BUILD_FAILED);
  assert_string_equal(it.diag.text, "a/b.h:2:11: error: use of undeclared identifier 'undeclared'");
  expect_has(it.result.log, "In file included from rtc_7.cpp:2:\na/b.h:2:11: error: ");
  assert_null(strstr(it.result.log, "/tenon/"));
  build_end(&it);

  build_of(&it, "#include \"none.h\"\n");
  build_run(&it, TN_BUILD_FAILED);
  assert_string_equal(it.diag.text, "rtc_7.cpp:1:10: fatal error: 'none.h' file not found");
  build_end(&it);

  // What device code may not do is told by the same names.
  build_of_kernels(&it,
                   "#include \"kernel.h\"\n"
                   "KERNEL void k(int *p) {\n  if (*p) throw 1;\n}\n");
  build_add_option(&it, "-fexceptions");
  build_run(&it, TN_BUILD_FAILED);
  expect_has(it.diag.text, "rtc_7.cpp:3:");
  expect_has(it.result.log, "rtc_7.cpp:3:");
  build_end(&it);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names_are_found),
      cmocka_unit_test(local_types_are_found),
      cmocka_unit_test(wrong_names_are_told),
      cmocka_unit_test(names_want_the_headers),
      cmocka_unit_test(headers_come_from_memory_first),
      cmocka_unit_test(headers_are_beside_the_process),
      cmocka_unit_test(messages_name_the_virtual_file),
  };
  return cmocka_run_group_tests_name("source_names", tests, NULL, NULL);
}
