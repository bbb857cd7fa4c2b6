// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Words of -fsycl-targets= and --offload-arch=: what each means, and what is refused how.
#include "compile/target/target.h"

// clang-format off: cmocka.h needs these before it
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
// clang-format on

static tn_arena arena;
static tn_diag diag;

static tn_target read_word(const char *word) {
  tn_target target = {0};
  assert_int_equal(tn_target_read(&arena, "-fsycl-targets=", tn_str_from(word), &target, &diag),
                   TN_OK);
  return target;
}

static tn_target read_arch(const char *word) {
  tn_target target = {0};
  assert_int_equal(
      tn_target_read_arch(&arena, "--offload-arch=", tn_str_from(word), &target, &diag), TN_OK);
  return target;
}

static void test_words(void **state) {
  (void)state;
  tn_target t = read_word("native_cpu");
  assert_int_equal(t.kind, TN_TARGET_CPU);
  assert_true(t.is_aot);
  assert_null(t.triple);
  assert_false(tn_target_default().is_aot);
  t = read_word("nvidia_gpu_sm_90");
  assert_int_equal(t.kind, TN_TARGET_NVPTX);
  assert_string_equal(t.word, "nvidia_gpu_sm_90");
  assert_string_equal(t.name, "nvptx64-nvidia-cuda");
  assert_string_equal(t.processor, "sm_90");
  assert_string_equal(t.tool, "ptxas");
  t = read_word("nvptx64-nvidia-cuda");
  assert_false(t.is_aot);
  assert_string_equal(t.processor, "sm_70");
  t = read_word("amd_gpu_gfx90a");
  assert_string_equal(t.triple, "amdgcn-amd-amdhsa");
  assert_string_equal(t.processor, "gfx90a");
  t = read_word("intel_gpu_pvc");
  assert_string_equal(t.name, "spir64_gen");
  assert_string_equal(t.word, "intel_gpu_pvc");
  assert_string_equal(t.processor, "pvc");
  assert_string_equal(t.tool, "ocloc");
  t = read_word("spir64_x86_64");
  assert_string_equal(t.tool, "opencl-aot");
}

static void test_spellings_of_one_target(void **state) {
  (void)state;
  static const char *const words[] = {"spir64", "spirv64", "spir64-unknown-unknown",
                                      "spirv64-unknown-unknown"};
  for (size_t i = 0; i < TN_COUNT(words); ++i) {
    const tn_target t = read_word(words[i]);
    assert_string_equal(t.word, "spirv64");
    assert_string_equal(t.triple, "spirv64-unknown-unknown");
    assert_false(t.is_aot);
  }
  assert_string_equal(read_word("amdgcn").word, "amdgcn-amd-amdhsa");
}

static void test_arch_words(void **state) {
  (void)state;
  assert_string_equal(read_arch("sm_90").word, "nvidia_gpu_sm_90");
  assert_string_equal(read_arch("sm_90a").processor, "sm_90a");
  assert_string_equal(read_arch("gfx1100").word, "amd_gpu_gfx1100");
  assert_string_equal(read_arch("bmg_g21").word, "intel_gpu_bmg_g21");
  const tn_target t = read_arch("x86-64-v3");
  assert_string_equal(t.word, "native_cpu");
  assert_string_equal(t.processor, "x86-64-v3");
  assert_true(t.is_aot);
  assert_string_equal(read_arch("native").processor, "native");
  assert_string_equal(read_arch("spir64").word, "spirv64");
}

static void check_refused(bool is_arch, const char *word, tn_status expected, const char *said) {
  tn_target target;
  const char *option = is_arch ? "--offload-arch=" : "-fsycl-targets=";
  const tn_status status = (is_arch ? tn_target_read_arch : tn_target_read)(
      &arena, option, tn_str_from(word), &target, &diag);
  assert_int_equal(status, expected);
  assert_non_null(strstr(diag.text, option));
  assert_non_null(strstr(diag.text, word));
  if (!strstr(diag.text, said)) {
    fail_msg("'%s' does not say '%s'", diag.text, said);
  }
}

static void test_refused(void **state) {
  (void)state;
  check_refused(true, "sm_1", TN_INVALID_ARGUMENT, "did you mean 'sm_");
  check_refused(true, "gfx9z", TN_INVALID_ARGUMENT, "no such AMD GPU");
  check_refused(true, "gfx90z", TN_INVALID_ARGUMENT, "did you mean 'gfx90");
  check_refused(true, "x86-64-v9", TN_INVALID_ARGUMENT, "did you mean 'x86-64-v");
  check_refused(false, "nvidia_gpu_sm_9", TN_INVALID_ARGUMENT, "did you mean 'nvidia_gpu_sm_90'");
  check_refused(false, "nvidia_gpu_", TN_INVALID_ARGUMENT, "no such NVIDIA GPU");
  check_refused(false, "nvptx64-nvidia-cuba", TN_INVALID_ARGUMENT,
                "did you mean 'nvptx64-nvidia-cuda'");
  check_refused(false, "native-cpu", TN_INVALID_ARGUMENT, "did you mean 'native_cpu'");
  check_refused(false, "x86-64-v3", TN_INVALID_ARGUMENT, "no such target");
  check_refused(false, "spirv32", TN_UNSUPPORTED, "64-bit pointers");
  check_refused(false, "spir", TN_UNSUPPORTED, "spirv64");
  check_refused(false, "", TN_INVALID_ARGUMENT, "no such target; this version");
}

static void test_back_end_words(void **state) {
  (void)state;
  bool taken = false;
  tn_target t = read_word("nvptx64-nvidia-cuda");
  assert_int_equal(tn_target_read_backend("-Xsycl-target-backend=",
                                          TN_STR_LIT("--cuda-gpu-arch=sm_90"), &t, &taken, &diag),
                   TN_OK);
  assert_true(taken);
  assert_string_equal(t.processor, "sm_90");
  assert_int_equal(
      tn_target_read_backend("-Xsycl-target-backend=", TN_STR_LIT("-O1"), &t, &taken, &diag),
      TN_OK);
  assert_false(taken);
  assert_int_equal(tn_target_read_backend("-Xsycl-target-backend=",
                                          TN_STR_LIT("--offload-arch=gfx90a"), &t, &taken, &diag),
                   TN_INVALID_ARGUMENT);
  static const char *const limits[] = {"--maxrregcount=64", "-maxrregcount=64"};
  for (size_t i = 0; i < TN_COUNT(limits); ++i) {
    t.max_registers = 0;
    assert_int_equal(tn_target_read_backend("-Xs", tn_str_from(limits[i]), &t, &taken, &diag),
                     TN_OK);
    assert_true(taken);
    assert_int_equal(t.max_registers, 64);
  }
  assert_int_equal(
      tn_target_read_backend("-Xs", TN_STR_LIT("--maxrregcount=256"), &t, &taken, &diag),
      TN_INVALID_ARGUMENT);
}

// Every processor is written in a version that knows it, and the older ones in what all drivers
// read.
static void test_versions_of_ptx(void **state) {
  (void)state;
  assert_int_equal(tn_target_ptx_version("sm_50"), 74);
  assert_int_equal(tn_target_ptx_version("sm_87"), 74);
  assert_int_equal(tn_target_ptx_version("sm_90"), 78);
  assert_int_equal(tn_target_ptx_version("sm_90a"), 80);
  assert_int_equal(tn_target_ptx_version("sm_100"), 86);
  assert_int_equal(tn_target_ptx_version("sm_100f"), 88);
  assert_int_equal(tn_target_ptx_version("sm_121a"), 88);
  assert_int_equal(tn_target_cuda_number("sm_103a"), 103);
}

static void check_macro(tn_target target, const char *expected) {
  char text[64];
  tn_target_macro(&target, text);
  assert_string_equal(text, expected);
}

static void test_macros(void **state) {
  (void)state;
  check_macro(read_word("nvidia_gpu_sm_90"), "__SYCL_TARGET_NVIDIA_GPU_SM_90__");
  check_macro(read_word("amd_gpu_gfx90a"), "__SYCL_TARGET_AMD_GPU_GFX90A__");
  check_macro(read_word("intel_gpu_pvc"), "__SYCL_TARGET_INTEL_GPU_PVC__");
  check_macro(read_word("spir64_x86_64"), "__SYCL_TARGET_INTEL_X86_64__");
  check_macro(read_word("amd_gpu_gfx9-4-generic"), "__SYCL_TARGET_AMD_GPU_GFX9_4_GENERIC__");
  check_macro(read_word("nvptx64-nvidia-cuda"), "");
  check_macro(read_word("spir64_gen"), "");
  check_macro(read_arch("x86-64-v3"), "");
}

static void test_sub_group_sizes(void **state) {
  (void)state;
  static const struct {
    const char *value;
    tn_status status;
    uint32_t size;
  } values[] = {{"primary", TN_OK, 0}, {"automatic", TN_OK, 0},
                {"16", TN_OK, 16},     {"24", TN_OK, 24},
                {"0", TN_INVALID_ARGUMENT, 0}, {"", TN_INVALID_ARGUMENT, 0},
                {"-1", TN_INVALID_ARGUMENT, 0}, {"4294967296", TN_INVALID_ARGUMENT, 0}};
  for (size_t i = 0; i < TN_COUNT(values); i++) {
    uint32_t size = 7;
    assert_int_equal(
        tn_target_read_sub_group_size("-x=", tn_str_from(values[i].value), &size, &diag),
        values[i].status);
    assert_int_equal(size, values[i].size);
  }
  static const struct {
    const char *word;
    uint32_t size;
    tn_status status;
  } sizes[] = {{"native_cpu", 24, TN_OK},
               {"spirv64", 16, TN_OK},
               {"nvptx64-nvidia-cuda", 0, TN_OK},
               {"nvptx64-nvidia-cuda", 32, TN_OK},
               {"nvidia_gpu_sm_90", 16, TN_UNSUPPORTED},
               {"amd_gpu_gfx90a", 32, TN_UNSUPPORTED},
               {"amd_gpu_gfx90a", 64, TN_OK},
               {"amd_gpu_gfx1030", 32, TN_OK},
               {"amd_gpu_gfx1030", 16, TN_UNSUPPORTED}};
  for (size_t i = 0; i < TN_COUNT(sizes); i++) {
    const tn_target target = read_word(sizes[i].word);
    assert_int_equal(tn_target_check_sub_group_size(&target, sizes[i].size, &diag),
                     sizes[i].status);
  }
}

int main(void) {
  tn_arena_init(&arena);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_words),          cmocka_unit_test(test_spellings_of_one_target),
      cmocka_unit_test(test_arch_words),     cmocka_unit_test(test_refused),
      cmocka_unit_test(test_back_end_words), cmocka_unit_test(test_versions_of_ptx),
      cmocka_unit_test(test_macros),         cmocka_unit_test(test_sub_group_sizes)};
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  tn_arena_deinit(&arena);
  return failed;
}
