// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device link: what an image says about its code, and what two units may not both do.
#include "unit/pipeline/device_code.h"

static tn_buf fatbin;
static tn_buf messages;
static tn_diag diag;

static int set_up(void **state) {
  (void)state;
  tn_buf_init(&fatbin, DEVICE_CODE_MAX);
  tn_buf_init(&messages, DEVICE_CODE_MAX);
  diag = (tn_diag){0};
  return 0;
}
static int tear_down(void **state) {
  (void)state;
  tn_buf_deinit(&fatbin);
  tn_buf_deinit(&messages);
  return 0;
}

static void expect_message(const char *text) {
  if (!strstr(tn_buf_text(&messages), text)) {
    print_message("not found: %s\nin: %s\n", text, tn_buf_text(&messages));
  }
  assert_non_null(strstr(tn_buf_text(&messages), text));
}

static void test_two_definitions(void **state) {
  (void)state;
  static const char *const sources[] = {"\nSYCL_EXTERNAL int lib(int x) { return x; }\n",
                                        "SYCL_EXTERNAL int lib(int x) { return x + 1; }\n", NULL};
  assert_int_equal(device_link(sources, "-O2", "a.out", &fatbin, &messages, &diag),
                   TN_BUILD_FAILED);
  expect_message("test.cpp:1: error: SYCL_EXTERNAL function 'lib(int)' is defined twice, in u1.o");
  expect_message("test.cpp:2: note: also defined here, in u0.o");
  assert_non_null(strstr(diag.text, "u0.o"));
  assert_non_null(strstr(diag.text, "u1.o"));
}

static void test_one_name_for_two_kernels(void **state) {
  (void)state;
  static const char *const sources[] = {
      "class K; void f(int *p) { launch<K>([=](item) { *p = 1; }); }\n",
      "class K; void g(int *p, int n) { launch<K>([=](item) { *p = n; }); }\n", NULL};
  assert_int_equal(device_link(sources, "-O2", "a.out", &fatbin, &messages, &diag),
                   TN_BUILD_FAILED);
  expect_message("kernel name 'K' is used for two different kernels");
}

static void test_recursion_through_two_units(void **state) {
  (void)state;
  static const char *const sources[] = {
      "SYCL_EXTERNAL int b(int);\nSYCL_EXTERNAL int a(int x) { return x ? b(x - 1) : 0; }\n"
      "void f(int *p) { launch<class K>([=](item) { *p = a(3); }); }\n",
      "SYCL_EXTERNAL int a(int);\nSYCL_EXTERNAL int b(int x) {\n  return a(x); }\n", NULL};
  assert_int_equal(device_link(sources, "-O2", "a.out", &fatbin, &messages, &diag),
                   TN_BUILD_FAILED);
  // The kernel has its copy of a, so that b is reached first.
  expect_message("test.cpp:2:41: error: 'a(int)' calls 'b(int)', which leads back to it");
  expect_message("note: in kernel 'f(int*)::K'");
}

static void test_what_an_image_says(void **state) {
  (void)state;
  static const char *const sources[] = {
      "SYCL_EXTERNAL int imported(int); SYCL_EXTERNAL int never(int); int helper(int x) {\n"
      "  return imported(x); }\n"
      "SYCL_EXTERNAL int strong(int x) { return helper(x); }\n"
      "SYCL_EXTERNAL inline int weak(int x) { return x; }\n"
      "SYCL_EXTERNAL __attribute__((visibility(\"hidden\"))) int hidden(int x) { return x; }\n"
      "static int unused(int x) { return never(x); }\n"
      "void f(int *p) {\n launch<class K>([=](item) { *p = 1; }); }\n", NULL};
  for (int round = 0; round < 2; ++round) {
    const char *level = round == 0 ? "-O0" : "-O2";
    tn_buf_clear(&fatbin);
    assert_int_equal(device_link(sources, level, "a.out", &fatbin, &messages, &diag), TN_OK);
    const tn_image image = device_image(&fatbin);
    assert_int_equal(tn_image_kernel_count(&image), 1);
    const tn_kernel_info kernel = tn_image_kernel_at(&image, 0);
    assert_true(tn_str_equals(kernel.display_name, tn_str_from("f(int*)::K")));
    assert_true(tn_str_equals(kernel.file, tn_str_from("test.cpp")));
    assert_int_equal(kernel.line, 8);
    assert_int_equal(kernel.arg_size, 8);
    assert_int_equal(tn_image_export_count(&image), 2);
    tn_symbol_info info;
    assert_true(tn_image_export_find(&image, tn_str_from("_Z6strongi"), &info));
    assert_int_equal(info.flags, 0);
    assert_int_equal(info.line, 3);
    assert_true(tn_image_export_find(&image, tn_str_from("_Z4weaki"), &info));
    assert_int_equal(info.flags, TN_SYMBOL_WEAK);
    assert_int_equal(tn_image_import_count(&image), 1);
    info = tn_image_import_at(&image, 0);
    assert_true(tn_str_equals(info.name, tn_str_from("_Z8importedi")));
    assert_true(tn_str_equals(info.user, tn_str_from("strong(int)")));
    assert_int_equal(info.line, 2);
    assert_int_equal(image.format, TN_IMAGE_FORMAT_BITCODE);
    assert_true(tn_str_equals(image.target, tn_str_from(TN_TARGET_NATIVE_CPU)));
    const tn_prop_set misc = tn_image_prop_set_find(&image, TN_PROPS_MISC);
    tn_prop prop;
    assert_true(tn_prop_set_find(&misc, tn_str_from("optLevel"), &prop));
    assert_int_equal(prop.u32, round == 0 ? 0 : 2);
  }
}

static void test_equal_inputs_give_equal_bytes(void **state) {
  (void)state;
  static const char text[] =
      "SYCL_EXTERNAL int imported(int); SYCL_EXTERNAL int strong(int x) { return imported(x); }\n"
      "void f(int *p) { launch<class K>([=](item) { *p = strong(1); });\n"
      "  launch<class K2>([=](item i) { p[i.get(0)] = strong(2); }); }\n";
  static const char *const sources[] = {text, NULL};
  tn_buf again;
  tn_buf_init(&again, DEVICE_CODE_MAX);
  assert_int_equal(device_link(sources, "-O2", "a.out", &fatbin, &messages, &diag), TN_OK);
  assert_int_equal(device_link(sources, "-O2", "a.out", &again, &messages, &diag), TN_OK);
  assert_int_equal(fatbin.size, again.size);
  assert_memory_equal(fatbin.data, again.data, fatbin.size);
  tn_buf_deinit(&again);
}

static void test_nothing_to_say_is_an_empty_image(void **state) {
  (void)state;
  static const char *const sources[] = {"static int f(int x) { return x; }\n", NULL};
  assert_int_equal(device_link(sources, "-O2", "a.out", &fatbin, &messages, &diag), TN_OK);
  assert_int_equal(fatbin.size, 0);
}

static void test_damaged_units_are_refused(void **state) {
  (void)state;
  const tn_link_input input = {.bitcode = tn_bytes_from("BC\xC0\xDE nothing", 12),
                               .name = "bad.o"};
  const tn_target target = tn_target_default();
  const tn_link_params params = {.target = &target, .output = "a.out", .inputs = &input,
                                 .input_count = 1, .opt_level = 2};
  tn_link_result result;
  tn_link_result_init(&result);
  assert_int_equal(tn_pipeline_link(&params, &result, &messages, &diag), TN_BAD_IMAGE);
  assert_non_null(strstr(diag.text, "bad.o"));
  assert_int_equal(result.images.count, 0);
  tn_link_result_deinit(&result);
}

int main(void) {
#define LINK_TEST(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
  const struct CMUnitTest tests[] = {
      LINK_TEST(test_two_definitions),
      LINK_TEST(test_one_name_for_two_kernels),
      LINK_TEST(test_recursion_through_two_units),
      LINK_TEST(test_what_an_image_says),
      LINK_TEST(test_equal_inputs_give_equal_bytes),
      LINK_TEST(test_nothing_to_say_is_an_empty_image),
      LINK_TEST(test_damaged_units_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
