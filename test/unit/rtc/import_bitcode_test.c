// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bitcode of any maker as device images, and that what is linked from a library is inlined.
#include "rtc/rtc.h"
#include "unit/pipeline/device_code.h"

static tn_status import(const tn_buf *bitcode, tn_buf *out, tn_diag *diag) {
  const tn_compiler *compiler = tn_compiler_query(TN_COMPILER_VERSION);
  void *fatbin = NULL;
  size_t size = 0;
  tn_buf_init(out, DEVICE_CODE_MAX);
  const tn_status status =
      compiler->import_bitcode(bitcode->data, bitcode->size, "file.bc", &fatbin, &size, diag);
  assert_int_equal(status == TN_OK, fatbin != NULL);
  if (status == TN_OK) {
    tn_buf_add(out, fatbin, size);
    compiler->free_object(fatbin);
  }
  return status;
}

static void expect_lists(const tn_buf *fatbin, const char *expected) {
  const tn_image image = device_image(fatbin);
  tn_buf text;
  tn_buf_init(&text, 4096);
  for (uint32_t i = 0; i < tn_image_kernel_count(&image); i++) {
    tn_buf_add_format(&text, "%.*s ", TN_STR_ARG(tn_image_kernel_at(&image, i).name));
  }
  tn_buf_add_text(&text, "+");
  for (uint32_t i = 0; i < tn_image_export_count(&image); i++) {
    tn_buf_add_format(&text, " %.*s", TN_STR_ARG(tn_image_export_at(&image, i).name));
  }
  tn_buf_add_text(&text, " -");
  for (uint32_t i = 0; i < tn_image_import_count(&image); i++) {
    tn_buf_add_format(&text, " %.*s", TN_STR_ARG(tn_image_import_at(&image, i).name));
  }
  assert_string_equal(tn_buf_text(&text), expected);
  assert_true(tn_str_equals(image.target, TN_STR_LIT(TN_TARGET_NATIVE_CPU)));
  tn_buf_deinit(&text);
}

static const char sycl_text[] =
    "SYCL_EXTERNAL int wanted(int);\n"
    "static int own(int x) { return x + 1; }\n"
    "SYCL_EXTERNAL int given(int x) { return own(wanted(x)); }\n"
    "int not_device(int x) { return x; }\n"
    "void f(int *p) { launch<class Lent>([=](item) { *p = given(2); }); }\n";

static void imports_what_a_device_pass_made(void **state) {
  (void)state;
  tn_buf bitcode;
  tn_buf fatbin;
  tn_buf_init(&bitcode, DEVICE_CODE_MAX);
  tn_diag diag = {0};
  device_compile(sycl_text, "-O2", &bitcode);
  assert_int_equal(import(&bitcode, &fatbin, &diag), TN_OK);
  expect_lists(&fatbin, "_ZTSZ1fPiE4Lent + _Z5giveni - _Z6wantedi");
  tn_buf_deinit(&fatbin);
  tn_buf_clear(&bitcode);

  // The same when it was lowered before.
  tn_buf messages;
  tn_buf_init(&messages, DEVICE_CODE_MAX);
  assert_int_equal(device_unit(sycl_text, "-O2", 1, &bitcode, &messages, &diag), TN_OK);
  assert_int_equal(import(&bitcode, &fatbin, &diag), TN_OK);
  expect_lists(&fatbin, "_ZTSZ1fPiE4Lent + _Z5giveni - _Z6wantedi");
  tn_buf_deinit(&messages);
  tn_buf_deinit(&fatbin);
  tn_buf_deinit(&bitcode);
}

static void expect_import(const char *text, const char *expected) {
  tn_buf bitcode;
  tn_buf fatbin;
  tn_buf_init(&bitcode, DEVICE_CODE_MAX);
  tn_buf_add_text(&bitcode, text);  // IR as text is read as well
  tn_diag diag = {0};
  if (import(&bitcode, &fatbin, &diag) == TN_OK) {
    expect_lists(&fatbin, expected);
  } else if (!strstr(diag.text, expected)) {
    fail_msg("\"%s\" does not say \"%s\"", diag.text, expected);
  }
  tn_buf_deinit(&fatbin);
  tn_buf_deinit(&bitcode);
}

#define HOST_TRIPLE "target triple = \"x86_64-pc-linux-gnu\"\n"

static void imports_what_others_made(void **state) {
  (void)state;
  expect_import(HOST_TRIPLE
                "declare float @sinf(float)\n"
                "define internal float @own(float %x) { ret float %x }\n"
                "define float @plain(float %x) { %r = call float @sinf(float %x)\n"
                "  %s = call float @own(float %r)\n  ret float %s }\n",
                "+ plain -");
  // What it needs of others it cannot say: that takes SYCL_EXTERNAL.
  expect_import(HOST_TRIPLE
                "declare i32 @below(i32)\n"
                "define i32 @plain(i32 %x) { %r = call i32 @below(i32 %x)\n  ret i32 %r }\n",
                "'plain' calls 'below'");
  expect_import("target triple = \"aarch64-unknown-linux-gnu\"\ndefine void @f() { ret void }\n",
                "aarch64-unknown-linux-gnu");
  expect_import("target triple = \"x86_64-pc-windows-msvc\"\ndefine void @f() { ret void }\n",
                "x86_64-pc-windows-msvc");
  expect_import("define void @f() { ret void }\n", "names no target triple");
  expect_import(HOST_TRIPLE "define internal void @f() { ret void }\n",
                "no function and no kernel");
  expect_import("no code at all", "neither bitcode nor");
}

// A function of another image becomes a part of the kernel: nothing is called.
static void what_is_linked_is_inlined(void **state) {
  (void)state;
  static const char *const kernel[] = {
      "SYCL_EXTERNAL int helper(int);\n"
      "void f(int *p) { launch<class K>([=](item i) { p[i.get(0)] = helper(p[i.get(0)]); }); }\n",
      NULL};
  static const char *const library[] = {"SYCL_EXTERNAL int helper(int x) { return 3 * x + 1; }\n",
                                        NULL};
  tn_buf fatbins[2];
  tn_buf messages;
  tn_diag diag = {0};
  tn_buf_init(&messages, DEVICE_CODE_MAX);
  for (size_t i = 0; i < 2; i++) {
    tn_buf_init(&fatbins[i], DEVICE_CODE_MAX);
    assert_int_equal(
        device_link(i == 0 ? kernel : library, "-O2", "a", &fatbins[i], &messages, &diag), TN_OK);
  }
  const tn_build_image images[] = {device_build_image(&fatbins[0], "app"),
                                   device_build_image(&fatbins[1], "liblib.so")};
  for (uint32_t level = 2; level <= 3; level++) {
    const tn_build_params params = {.struct_size = sizeof(params),
                                    .opt_level = level,
                                    .target = TN_TARGET_NATIVE_CPU,
                                    .images = images,
                                    .image_count = TN_COUNT(images)};
    const tn_compiler *compiler = tn_compiler_query(TN_COMPILER_VERSION);
    void *object = NULL;
    size_t size = 0;
    assert_int_equal(compiler->build(&params, &object, &size, &diag), TN_OK);
    bool has_symbols = false;
    tn_bytes names = {0};
    assert_int_equal(
        tn_elf_section_find(tn_bytes_from(object, size), ".strtab", &has_symbols, &names, &diag),
        TN_OK);
    const tn_str text = {(const char *)names.data, names.size};
    assert_true(has_symbols && tn_str_find(text, TN_STR_LIT("_ZTSZ1fPiE1K")) != SIZE_MAX);
    assert_int_equal(tn_str_find(text, TN_STR_LIT("_Z6helperi")), SIZE_MAX);
    compiler->free_object(object);
  }
  tn_buf_deinit(&messages);
  tn_buf_deinit(&fatbins[0]);
  tn_buf_deinit(&fatbins[1]);
}

// Another device's function, by LLVM's own name: the back end for this machine finds it fatal.
static void fatal_errors_end_the_build(void **state) {
  (void)state;
  static const char *const kernel[] = {
      "int lane() __asm__(\"llvm.nvvm.read.ptx.sreg.tid.x\");\n"
      "void f(int *p) { launch<class K>([=](item i) { p[i.get(0)] = lane(); }); }\n",
      NULL};
  tn_buf fatbin;
  tn_buf messages;
  tn_diag diag = {0};
  tn_buf_init(&fatbin, DEVICE_CODE_MAX);
  tn_buf_init(&messages, DEVICE_CODE_MAX);
  assert_int_equal(device_link(kernel, "-O2", "a", &fatbin, &messages, &diag), TN_OK);
  const tn_build_image image = device_build_image(&fatbin, "app");
  const tn_build_params params = {.struct_size = sizeof(params),
                                  .opt_level = 2,
                                  .target = TN_TARGET_NATIVE_CPU,
                                  .images = &image,
                                  .image_count = 1};
  for (int i = 0; i < 2; i++) {
    void *object = NULL;
    size_t size = 0;
    assert_int_equal(tn_compiler_query(TN_COMPILER_VERSION)->build(&params, &object, &size, &diag),
                     TN_BUILD_FAILED);
    assert_null(object);
    assert_non_null(strstr(diag.text, "LLVM cannot compile this: Cannot select: "));
  }
  tn_buf_deinit(&messages);
  tn_buf_deinit(&fatbin);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(imports_what_a_device_pass_made),
      cmocka_unit_test(imports_what_others_made),
      cmocka_unit_test(what_is_linked_is_inlined),
      cmocka_unit_test(fatal_errors_end_the_build),
  };
  return cmocka_run_group_tests_name("import_bitcode", tests, NULL, NULL);
}
