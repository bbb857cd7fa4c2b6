// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sources in C, compiled at run time for each kind of target: the kernels' tables of arguments, and
// what is refused.
#include "base/alloc.h"
#include "unit/rtc/source_build.h"

static const char text[] =
    "#include <tenon/device_code.h>\n"
    "#include <stdint.h>\n"
    "#include <stddef.h>\n"
    "struct pair { char a; int64_t b; };\n"
    "TN_DEVICE int twice(int x) { return 2 * x; }\n"
    "static int own(int x) { return x + 1; }\n"
    "int also_own(int x) { return own(x) - 2; }\n"
    "TN_KERNEL TN_GROUP_SIZE(2, 4) void f(int *p, _Bool on, struct pair s, TN_LOCAL int *tile,\n"
    "                                     int16_t h) {\n"
    "  tile[tn_local_id(0)] = also_own(h);\n"
    "  tn_barrier();\n"
    "  if (on && p != NULL) {\n"
    "    p[tn_global_id(0)] = twice(tile[0]) + (int)s.b + (int)sinf(s.a);\n"
    "    tn_atomic_add(p, 1);\n"
    "  }\n"
    "}\n"
    "TN_KERNEL void none(void) { tn_fence(); }\n";

static void c_of(source_build *it, const char *source, const char *target) {
  build_of(it, source);
  it->params.language = TN_LANGUAGE_C;
  it->params.source.name = "rtc_7.c";
  it->params.target = target;
}

static tn_kernel_info find_kernel(const tn_fatbin *images, const char *name, tn_image *out) {
  tn_kernel_info info = {0};
  for (uint32_t i = 0; i < images->image_count; i++) {
    *out = tn_fatbin_image_at(images, i);
    if (tn_image_kernel_find(out, tn_str_from(name), &info)) {
      return info;
    }
  }
  fail_msg("no image has the kernel %s", name);
  return info;
}

static void expect_table(const source_build *it) {
  static const uint32_t expected[][3] = {{0, 8, 1}, {8, 1, 0}, {16, 16, 0}, {32, 8, 3}, {40, 2, 0}};
  const tn_fatbin images = build_images(it);
  tn_image image;
  const tn_kernel_info info = find_kernel(&images, "f", &image);
  assert_true(tn_str_equals(info.display_name, TN_STR_LIT("f")));
  assert_int_equal(info.flags, TN_KERNEL_IS_FUNCTION | TN_KERNEL_REQUIRES_GROUP_SIZE);
  assert_int_equal(info.arg_size, 48);
  assert_int_equal(info.arg_align, 8);
  assert_int_equal(info.group_size[0], 1);
  assert_int_equal(info.group_size[1], 2);
  assert_int_equal(info.group_size[2], 4);
  assert_int_equal(info.line, 8);
  assert_int_equal(tn_kernel_info_arg_count(&info), TN_COUNT(expected));
  for (size_t i = 0; i < TN_COUNT(expected); i++) {
    const tn_kernel_arg_info arg = tn_kernel_info_arg_at(&info, i);
    assert_int_equal(arg.offset, expected[i][0]);
    assert_int_equal(arg.size, expected[i][1]);
    assert_int_equal(arg.kind, expected[i][2]);
  }
  const tn_kernel_info none = find_kernel(&images, "none", &image);
  assert_int_equal(none.flags, TN_KERNEL_IS_FUNCTION);
  assert_int_equal(none.arg_size, 0);
}

static void kernels_for_every_target(void **state) {
  (void)state;
  static const char *const targets[] = {TN_TARGET_NATIVE_CPU, "nvptx64-nvidia-cuda",
                                        TN_TARGET_SPIRV64};
  for (size_t i = 0; i < TN_COUNT(targets); i++) {
    source_build it;
    c_of(&it, text, targets[i]);
    build_add_option(&it, "-Werror");
    build_add_option(&it, "-Wall");
    build_add_option(&it, "-pedantic");
    build_run(&it, TN_OK);
    assert_string_equal(it.result.log, "");
    expect_table(&it);
    build_end(&it);
  }
}

static void expect_refused(const char *source, tn_status status, const char *says) {
  source_build it;
  c_of(&it, source, TN_TARGET_NATIVE_CPU);
  build_run(&it, status);
  expect_has(it.diag.text, says);
  build_end(&it);
}

#define HEADER "#include <tenon/device_code.h>\n"

static void what_is_no_kernel_is_refused(void **state) {
  (void)state;
  expect_refused(HEADER "TN_KERNEL void f(int *p) {\n  *p = absent;\n}\n", TN_BUILD_FAILED,
                 "rtc_7.c:3:8: error: use of undeclared identifier 'absent'");
  expect_refused(HEADER "TN_KERNEL int f(int *p) { return *p; }\n", TN_BUILD_FAILED,
                 "kernel 'f': a TN_KERNEL function returns void");
  expect_refused(HEADER "TN_KERNEL void f(int *p, ...) { *p = 1; }\n", TN_BUILD_FAILED,
                 "no variable arguments");
  expect_refused(HEADER "int f(int x) { return x; }\n", TN_BUILD_FAILED, "TN_KERNEL");
  expect_refused("", TN_BUILD_FAILED, "TN_KERNEL");
  expect_refused(HEADER "TN_KERNEL void f(int *p) { static TN_LOCAL int t; *p = t; }\n",
                 TN_BUILD_FAILED, "is TN_LOCAL, which a variable cannot be");
  expect_refused(HEADER "struct s {};\nTN_KERNEL void f(int *p, struct s s) { *p = sizeof(s); }\n",
                 TN_BUILD_FAILED, "kernel 'f': argument 2 is of a type without members");
  expect_refused(HEADER "template <class T> void f(T);\n", TN_BUILD_FAILED, "rtc_7.c:2:1: error: ");
  expect_refused(HEADER "TN_DEVICE int g(int);\nTN_KERNEL void f(int *p) { *p = f(1); }\n",
                 TN_BUILD_FAILED, "rtc_7.c:3:");
}

static void options_and_names(void **state) {
  (void)state;
  source_build it;
  c_of(&it, HEADER "_Static_assert(__STDC_VERSION__ == STD, \"\");\nTN_KERNEL void f(void) {}\n",
       TN_TARGET_NATIVE_CPU);
  build_add_option(&it, "-DSTD=201710L");
  build_run(&it, TN_OK);
  expect_kernel(&it, "f");
  build_end(&it);

  it.params.option_count = 0;
  build_add_option(&it, "-DSTD=201112L");
  build_add_option(&it, "-std=c11");
  build_run(&it, TN_OK);
  build_end(&it);

  it.params.option_count = 0;
  build_add_option(&it, "-std=c++17");
  build_run(&it, TN_BUILD_FAILED);
  expect_has(it.diag.text, "-std=c++17");
  build_end(&it);

  it.params.option_count = 0;
  build_add_name(&it, "f");
  build_run(&it, TN_INVALID_ARGUMENT);
  expect_has(it.diag.text, "registered name \"f\"");
  build_end(&it);
}

// Names that C's library has, or whose kernels are nowhere; and macros that hide attributes.
static void names_of_kernels(void **state) {
  (void)state;
  static const char says[] = "it has the name of a function of the C library";
  expect_refused(HEADER "TN_KERNEL void printf(int *p) { *p = 1; }\n", TN_BUILD_FAILED, says);
  expect_refused(HEADER "TN_KERNEL void memcpy(int *p) { *p = 1; }\n", TN_BUILD_FAILED,
                 "rtc_7.c:2: kernel 'memcpy': it has the name");
  expect_refused(HEADER "TN_KERNEL void main(int *p) { *p = 1; }\n", TN_BUILD_FAILED, "'main'");
  expect_refused(HEADER "TN_KERNEL inline void f(int *p) { *p = 1; }\n", TN_BUILD_FAILED,
                 "and not with inline");
  expect_refused(HEADER "TN_KERNEL static void f(int *p) { *p = 1; }\n", TN_BUILD_FAILED,
                 "not externally visible");
  source_build it;
  c_of(&it,
       "#define annotate none\n#define device_kernel none\n#define unused none\n"
       "#define overloadable none\n#define always_inline none\n" HEADER
       "TN_KERNEL void f(int *p) { *p = 1; }\nTN_KERNEL void a_kernel(void) {}\n",
       TN_TARGET_NATIVE_CPU);
  build_run(&it, TN_OK);
  assert_int_equal(it.result.name_count, 2);
  assert_string_equal(build_symbol(&it, "f"), "f");
  assert_string_equal(build_symbol(&it, "a_kernel"), "a_kernel");
  build_end(&it);
}

static void bytes(const char *source, size_t size, tn_status status, const char *says) {
  source_build it;
  c_of(&it, "", TN_TARGET_NATIVE_CPU);
  it.params.source.text = source;
  it.params.source.size = size;
  build_run(&it, status);
  if (status == TN_OK) {
    expect_kernel(&it, "f");
  } else {
    expect_has(it.diag.text, says);
  }
  build_end(&it);
}

static void any_form_of_text(void **state) {
  (void)state;
#define KERNEL_F "TN_KERNEL void f(int *p) { *p = 1; }"
#define BYTES(text) (text), sizeof(text) - 1
  bytes(BYTES("\xef\xbb\xbf" HEADER KERNEL_F), TN_OK, NULL);
  bytes(BYTES("#include <tenon/device_code.h>\r\n" KERNEL_F "\r\n"), TN_OK, NULL);
  bytes(BYTES(HEADER "// gr\xfc\xdf"
                     "e\nconst char s[] = \"\xfc\";\n" KERNEL_F),
        TN_OK, NULL);
  bytes(BYTES(HEADER "int x;\0\0\n" KERNEL_F), TN_OK, NULL);
  bytes(BYTES("\xff\xfe#\0"), TN_BUILD_FAILED, "UTF-16");
  bytes(BYTES(HEADER "int \xfc;\n" KERNEL_F), TN_BUILD_FAILED, "rtc_7.c:2:5: error: ");
  bytes(BYTES(" \n\t\n"), TN_BUILD_FAILED, "it has no kernels");
  bytes(NULL, 0, TN_BUILD_FAILED, "it has no kernels");
}

// Fatal errors of Clang's thread and of a back end, each of which ends its own build.
static void fatal_errors_end_builds(void **state) {
  (void)state;
  for (int i = 0; i < 2; i++) {
    source_build it;
    c_of(&it, "#include \"a.h\"\n", "nvptx64-nvidia-cuda");
    build_add_include(&it, "a.h",
                      "#if __INCLUDE_LEVEL__ < 100\n#include \"a.h\"\n#include \"a.h\"\n#endif\n");
    build_run(&it, TN_BUILD_FAILED);
    expect_has(it.diag.text, "LLVM cannot compile this: files are included too many times");
    expect_has(it.result.log, "error: LLVM cannot compile this");
    build_end(&it);
    c_of(&it, HEADER "TN_KERNEL void f(int *p) { __builtin___clear_cache(p, p + 1); }\n",
         "nvptx64-nvidia-cuda");
    build_run(&it, TN_BUILD_FAILED);
    expect_has(it.diag.text, "LLVM cannot make code for this device: ");
    build_end(&it);
  }
}

static bool build_with_fault(int64_t nth) {
  source_build it;
  c_of(&it, text, TN_TARGET_SPIRV64);
  const int64_t before = tn_alloc_live();
  tn_fault_arm(nth);
  const tn_status status =
      tn_compiler_query(TN_COMPILER_VERSION)->compile_source(&it.params, &it.result, &it.diag);
  const bool has_fired = tn_fault_fired();
  tn_fault_arm(-1);
  if (status == TN_OK) {
    expect_table(&it);
  } else if (!has_fired || it.diag.text[0] == '\0') {
    fail_msg("fault %lld: \"%s\"", (long long)nth, it.diag.text);
  }
  build_end(&it);
  assert_int_equal(tn_alloc_live(), before);
  return has_fired;
}

// Each allocation of the options, of the run and of lowering may fail, fewer and fewer of the rest.
static void faults_are_told(void **state) {
  (void)state;
  (void)build_with_fault(-1);  // what is made once and stays
  int64_t nth = 0;
  while (build_with_fault(nth)) {
    nth += nth < 30 ? 1 : 1 + nth / 16;
  }
  assert_true(nth > 100);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(kernels_for_every_target), cmocka_unit_test(what_is_no_kernel_is_refused),
      cmocka_unit_test(options_and_names),        cmocka_unit_test(names_of_kernels),
      cmocka_unit_test(any_form_of_text),         cmocka_unit_test(fatal_errors_end_builds),
      cmocka_unit_test(faults_are_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
