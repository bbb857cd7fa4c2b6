// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each failure of memory or of a file inside a build gives a status with words, and nothing is left
// behind.
#include "unit/rtc/source_build.h"

#include <stdio.h>

static const char kernel[] =
    "#include \"kernel.h\"\n"
    "extern \"C\" KERNEL void k(float *p) { *p = 1; }\n"
    "template <class T> KERNEL void fill(T *p) { *p = 2; }\n";

static void make(source_build *it, const char *target) {
  build_of_kernels(it, kernel);
  build_add_option(it, "-Wall");
  build_add_option(it, "-Xarch_device");
  build_add_option(it, "-DA '-DB=c d'");
  build_add_name(it, "fill<float>");
  it->params.target = target;
}

static bool build_with_fault(const char *target, int64_t nth) {
  const tn_compiler *compiler = tn_compiler_query(TN_COMPILER_VERSION);
  source_build it;
  make(&it, target);
  const int64_t before = tn_alloc_live();
  tn_fault_arm(nth);
  const tn_status status = compiler->compile_source(&it.params, &it.result, &it.diag);
  const bool has_fired = tn_fault_fired();
  tn_fault_arm(-1);
  if (!has_fired && status != TN_OK) {
    fail_msg("without a fault: %s\n%s", it.diag.text, it.result.log);
  }
  if (status == TN_OK) {
    expect_kernel(&it, build_symbol(&it, "fill<float>"));
  } else if (it.diag.text[0] == '\0' || it.diag.code != (int32_t)status) {
    fail_msg("fault %lld: no words for status %d", (long long)nth, (int)status);
  }
  build_end(&it);
  if (tn_alloc_live() != before) {
    fail_msg("fault %lld leaves %lld allocations", (long long)nth,
             (long long)(tn_alloc_live() - before));
  }
  return has_fired;
}

// All of the first ones, which are the options' and the run's, then fewer and fewer.
static void faults_are_told(void **state) {
  (void)state;
  static const char *const targets[] = {TN_TARGET_NATIVE_CPU, "nvptx64-nvidia-cuda"};
  for (size_t t = 0; t < TN_COUNT(targets); t++) {
    (void)build_with_fault(targets[t], -1);  // what is made once and stays
    int64_t nth = 0;
    while (build_with_fault(targets[t], nth)) {
      nth += nth < 40 ? 1 : 1 + nth / 20;
    }
    assert_true(nth > 100);
  }
}

// A preamble that was never there before.
static bool build_new_preamble(int64_t nth) {
  static int count;
  char text[128];
  (void)snprintf(text, sizeof(text),
                 "#define NUMBER %d\n#include \"kernel.h\"\nKERNEL void k(int *a) { *a = 1; }\n",
                 count++);
  source_build it;
  build_of_kernels(&it, text);
  build_add_option(&it, "--auto-pch");
  tn_fault_arm(nth);
  const tn_status status =
      tn_compiler_query(TN_COMPILER_VERSION)->compile_source(&it.params, &it.result, &it.diag);
  const bool has_fired = tn_fault_fired();
  tn_fault_arm(-1);
  assert_true(status == TN_OK || (has_fired && it.diag.text[0] != '\0'));
  build_end(&it);
  return has_fired;
}

// As many are kept as there is room for; then each new one takes the place of an old one.
static void preambles_are_given_back(void **state) {
  (void)state;
  for (int i = 0; i < 20; i++) {
    (void)build_new_preamble(-1);
  }
  const int64_t before = tn_alloc_live();
  int64_t nth = 0;
  while (build_new_preamble(nth)) {
    nth += nth < 100 ? 2 : 1 + nth / 20;
  }
  for (int i = 0; i < 20; i++) {
    (void)build_new_preamble(-1);
  }
  assert_int_equal(tn_alloc_live(), before);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(faults_are_told),
                                     cmocka_unit_test(preambles_are_given_back)};
  return cmocka_run_group_tests_name("source_faults", tests, NULL, NULL);
}
