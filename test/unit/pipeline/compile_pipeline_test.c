// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A unit and its link in one, in memory: the same as one after the other.
#include "unit/pipeline/device_code.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/Core.h>

// Annotations with and without values are no array that LLVM reads: all have some.
#define EXTERNAL "[[clang::sycl_external]] [[clang::annotate(\"tenon.sycl_external\", 1)]] "
static const char source[] = EXTERNAL
    "int given(int x) { return x * 3; }\n" EXTERNAL
    "[[clang::annotate(\"tenon-free-function\", 1, 0, 0, 0)]] void fun(int *p) { *p = 7; }\n"
    "void f(int *p) { launch<class A>([=](item) { *p = given(*p); });\n"
    "  launch<class B>([=](item) { fun(p); }); }\n";

static LLVMModuleRef read_module(const tn_buf *raw) {
  LLVMContextRef context = LLVMContextCreate();
  LLVMMemoryBufferRef memory =
      LLVMCreateMemoryBufferWithMemoryRangeCopy(raw->data, raw->size, "unit");
  LLVMModuleRef module = NULL;
  assert_int_equal(LLVMParseBitcodeInContext2(context, memory, &module), 0);
  LLVMDisposeMemoryBuffer(memory);
  return module;
}

static tn_unit_params unit_of(const tn_target *target, const tn_buf *raw) {
  return (tn_unit_params){.bitcode = tn_buf_bytes(raw),
                          .source = "test.cpp",
                          .unit_id = 5,
                          .target = target,
                          .opt_level = 2};
}

static void in_one(const tn_target *target, const tn_buf *raw, bool hides, tn_buf *out) {
  tn_diag diag = {0};
  tn_buf messages;
  tn_link_result result;
  tn_buf_init(&messages, DEVICE_CODE_MAX);
  tn_link_result_init(&result);
  tn_unit_params unit = unit_of(target, raw);
  unit.hides_kernel_functions = hides;
  const tn_link_params link = {.target = target, .output = "test.cpp", .opt_level = 2};
  assert_int_equal(tn_pipeline_compile(read_module(raw), &unit, &link, &result, &messages, &diag),
                   TN_OK);
  device_join(&result, out);
  tn_link_result_deinit(&result);
  tn_buf_deinit(&messages);
}

static void one_after_the_other(const tn_target *target, const tn_buf *raw, tn_buf *out) {
  tn_diag diag = {0};
  tn_buf messages;
  tn_buf bitcode;
  tn_buf symbols;
  tn_link_result result;
  tn_buf_init(&messages, DEVICE_CODE_MAX);
  tn_buf_init(&bitcode, DEVICE_CODE_MAX);
  tn_buf_init(&symbols, DEVICE_CODE_MAX);
  tn_link_result_init(&result);
  const tn_unit_params unit = unit_of(target, raw);
  assert_int_equal(tn_pipeline_unit(&unit, &bitcode, &symbols, &messages, &diag), TN_OK);
  const tn_link_input input = {tn_buf_bytes(&bitcode), tn_buf_str(&symbols), "test.cpp"};
  const tn_link_params link = {
      .target = target, .output = "test.cpp", .opt_level = 2, .inputs = &input, .input_count = 1};
  assert_int_equal(tn_pipeline_link(&link, &result, &messages, &diag), TN_OK);
  device_join(&result, out);
  tn_link_result_deinit(&result);
  tn_buf_deinit(&symbols);
  tn_buf_deinit(&bitcode);
  tn_buf_deinit(&messages);
}

static tn_image first_image(const tn_buf *fatbin) {
  tn_fatbin parsed;
  tn_diag diag = {0};
  assert_int_equal(tn_fatbin_parse(tn_buf_bytes(fatbin), &parsed, &diag), TN_OK);
  assert_true(parsed.image_count > 0);
  return tn_fatbin_image_at(&parsed, 0);
}

static bool contains(tn_bytes code, const char *text) {
  const size_t size = strlen(text);
  for (size_t i = 0; i + size <= code.size; ++i) {
    if (memcmp(code.data + i, text, size) == 0) {
      return true;
    }
  }
  return false;
}

// Images are compressed where there is too much of them, once; what comes back is what it was.
static void test_large_images_are_packed(void **state) {
  (void)state;
  const tn_target target = tn_target_default();
  tn_diag diag = {0};
  tn_arena arena;
  tn_buf raw;
  tn_buf plain;
  tn_buf packed;
  tn_buf messages;
  tn_link_result result;
  tn_arena_init(&arena);
  tn_buf_init(&raw, DEVICE_CODE_MAX);
  tn_buf_init(&plain, DEVICE_CODE_MAX);
  tn_buf_init(&packed, DEVICE_CODE_MAX);
  tn_buf_init(&messages, DEVICE_CODE_MAX);
  tn_link_result_init(&result);
  device_compile(source, "-O2", &raw);
  const tn_unit_params unit = unit_of(&target, &raw);
  const tn_link_params link = {.target = &target, .output = "test.cpp", .opt_level = 2};
  assert_int_equal(tn_pipeline_compile(read_module(&raw), &unit, &link, &result, &messages, &diag),
                   TN_OK);
  device_join(&result, &plain);
  bool was_packed = true;
  const uint64_t size = tn_buf_bytes(result.images.items[0]).size;
  const uint64_t enough = size * result.images.count;
  assert_int_equal(tn_pipeline_pack(&result, enough, &was_packed, &diag), TN_OK);
  assert_false(was_packed);
  for (int i = 0; i < 2; ++i) {
    assert_int_equal(tn_pipeline_pack(&result, 16, &was_packed, &diag), TN_OK);
    assert_true(was_packed);
  }
  device_join(&result, &packed);
  assert_true(packed.size < plain.size);
  const tn_image before = first_image(&plain);
  const tn_image after = first_image(&packed);
  assert_true(tn_image_is_compressed(&after));
  tn_bytes code = {0};
  assert_int_equal(tn_image_code(&after, &arena, &code, &diag), TN_OK);
  assert_int_equal(code.size, before.code.size);
  assert_memory_equal(code.data, before.code.data, code.size);
  tn_link_result_deinit(&result);
  tn_buf_deinit(&messages);
  tn_buf_deinit(&packed);
  tn_buf_deinit(&plain);
  tn_buf_deinit(&raw);
  tn_arena_deinit(&arena);
}

static void test_code_for_a_gpu(void **state) {
  (void)state;
  tn_arena arena;
  tn_arena_init(&arena);
  tn_diag diag = {0};
  tn_target target;
  assert_int_equal(
      tn_target_read(&arena, "target ", TN_STR_LIT("nvptx64-nvidia-cuda"), &target, &diag), TN_OK);
  tn_buf raw;
  tn_buf one;
  tn_buf two;
  tn_buf hidden;
  tn_buf_init(&raw, DEVICE_CODE_MAX);
  tn_buf_init(&one, DEVICE_CODE_MAX);
  tn_buf_init(&two, DEVICE_CODE_MAX);
  tn_buf_init(&hidden, DEVICE_CODE_MAX);
  device_target = "--target=nvptx64-nvidia-cuda";
  device_compile(source, "-O2", &raw);
  device_target = NULL;
  in_one(&target, &raw, false, &one);
  one_after_the_other(&target, &raw, &two);
  const tn_image a = first_image(&one);
  const tn_image b = first_image(&two);
  assert_int_equal(a.code.size, b.code.size);
  assert_memory_equal(a.code.data, b.code.data, a.code.size);
  // What is a kernel as well is hidden; what others may call is not.
  assert_true(contains(a.code, ".func _Z3funPi"));
  in_one(&target, &raw, true, &hidden);
  const tn_image c = first_image(&hidden);
  assert_false(contains(c.code, "_Z3funPi"));
  assert_true(contains(c.code, "_Z5giveni"));
  tn_buf_deinit(&hidden);
  tn_buf_deinit(&two);
  tn_buf_deinit(&one);
  tn_buf_deinit(&raw);
  tn_arena_deinit(&arena);
}

// For the CPU code is kept as bitcode, whose values have no names when it never left memory.
static void test_what_is_said_of_code_for_the_cpu(void **state) {
  (void)state;
  const tn_target target = tn_target_default();
  tn_buf raw;
  tn_buf one;
  tn_buf two;
  tn_buf_init(&raw, DEVICE_CODE_MAX);
  tn_buf_init(&one, DEVICE_CODE_MAX);
  tn_buf_init(&two, DEVICE_CODE_MAX);
  device_compile(source, "-O2", &raw);
  in_one(&target, &raw, false, &one);
  one_after_the_other(&target, &raw, &two);
  const tn_image a = first_image(&one);
  const tn_image b = first_image(&two);
  assert_int_equal(tn_image_kernel_count(&a), 2);
  assert_int_equal(tn_image_kernel_count(&a), tn_image_kernel_count(&b));
  tn_kernel_info kernel = {0};
  assert_true(tn_image_kernel_find(&a, TN_STR_LIT("_ZTSZ1fPiE1A"), &kernel) ==
              tn_image_kernel_find(&b, TN_STR_LIT("_ZTSZ1fPiE1A"), &kernel));
  assert_true(a.code.size <= b.code.size);
  tn_buf_deinit(&two);
  tn_buf_deinit(&one);
  tn_buf_deinit(&raw);
}

// What device code may not do is said as ever, and nothing is left behind.
static void test_refusals(void **state) {
  (void)state;
  const tn_target target = tn_target_default();
  tn_diag diag = {0};
  tn_buf raw;
  tn_buf messages;
  tn_link_result result;
  tn_buf_init(&raw, DEVICE_CODE_MAX);
  tn_buf_init(&messages, DEVICE_CODE_MAX);
  tn_link_result_init(&result);
  device_compile("int n; void f(int *p) {\n  launch<class A>([=](item) { *p = n; }); }\n", "-O2",
                 &raw);
  const tn_unit_params unit = unit_of(&target, &raw);
  const tn_link_params link = {.target = &target, .output = "test.cpp", .opt_level = 2};
  assert_int_equal(tn_pipeline_compile(read_module(&raw), &unit, &link, &result, &messages, &diag),
                   TN_BUILD_FAILED);
  assert_non_null(strstr(tn_buf_text(&messages), "test.cpp:2:"));
  assert_int_equal(result.images.count, 0);
  // Nor is there an image when there is nothing to say.
  tn_buf_clear(&raw);
  device_compile("int unused(int x) { return x; }\n", "-O2", &raw);
  assert_int_equal(tn_pipeline_compile(read_module(&raw), &unit, &link, &result, &messages, &diag),
                   TN_OK);
  assert_int_equal(result.images.count, 0);
  tn_link_result_deinit(&result);
  tn_buf_deinit(&messages);
  tn_buf_deinit(&raw);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_large_images_are_packed),
      cmocka_unit_test(test_code_for_a_gpu),
      cmocka_unit_test(test_what_is_said_of_code_for_the_cpu),
      cmocka_unit_test(test_refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
