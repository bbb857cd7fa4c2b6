// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of instruction sets, against what the compiler's own check says of this machine.
#include "base/cpu_feature.h"

// clang-format off: cmocka.h needs these before it
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
// clang-format on

#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void test_names(void **state) {
  (void)state;
  size_t count = 0;
  for (; tn_cpu_feature_name(count); count++) {
    const char *name = tn_cpu_feature_name(count);
    assert_true(tn_cpu_feature_is_known(tn_str_from(name)));
    assert_true(count == 0 || strcmp(tn_cpu_feature_name(count - 1), name) < 0);
  }
  assert_true(count > 20);
  assert_false(tn_cpu_feature_is_known(TN_STR_LIT("avx9000")));
  assert_false(tn_cpu_has_feature(TN_STR_LIT("avx9000")));
  assert_false(tn_cpu_has_feature(TN_STR_LIT("")));
}

static void test_this_machine(void **state) {
  (void)state;
#if defined(__x86_64__)
#define SAME(name)                                               \
  assert_int_equal(tn_cpu_has_feature(TN_STR_LIT(name)) ? 1 : 0, \
                   __builtin_cpu_supports(name) ? 1 : 0)
  SAME("sse3");
  SAME("ssse3");
  SAME("sse4.1");
  SAME("sse4.2");
  SAME("popcnt");
  SAME("avx");
  SAME("avx2");
  SAME("fma");
  SAME("bmi");
  SAME("bmi2");
  SAME("avx512f");
  SAME("avx512bw");
  SAME("avx512cd");
  SAME("avx512dq");
  SAME("avx512vl");
  SAME("avx512ifma");
  SAME("avx512vbmi");
  SAME("avx512vbmi2");
  SAME("avx512vnni");
  SAME("avx512bitalg");
  SAME("avx512vpopcntdq");
  SAME("avx512bf16");
  SAME("gfni");
#else
  for (size_t i = 0; tn_cpu_feature_name(i); i++) {
    assert_false(tn_cpu_has_feature(tn_str_from(tn_cpu_feature_name(i))));
  }
#endif
}

static void test_lists(void **state) {
  (void)state;
  assert_int_equal(tn_cpu_find_lacking(TN_STR_LIT("")).size, 0);
  assert_int_equal(tn_cpu_find_lacking((tn_str){NULL, 0}).size, 0);
  tn_str has = TN_STR_LIT("none");
  for (size_t i = 0; tn_cpu_feature_name(i); i++) {
    const tn_str name = tn_str_from(tn_cpu_feature_name(i));
    has = tn_cpu_has_feature(name) ? name : has;
  }
  char list[64];
  (void)snprintf(list, sizeof(list), "%.*s,made-up,others", TN_STR_ARG(has));
  const tn_str lacking = tn_cpu_find_lacking(tn_str_from(list));
  assert_true(tn_str_equals(lacking, TN_STR_LIT("made-up")) ||
              tn_str_equals(lacking, TN_STR_LIT("none")));
}

// Threads move between cores meanwhile where there are several.
static void test_identity(void **state) {
  (void)state;
  tn_buf first;
  tn_buf again;
  tn_buf_init(&first, 4096);
  tn_buf_init(&again, 4096);
  tn_cpu_identity(&first);
  assert_int_equal(tn_buf_status(&first, NULL), TN_OK);
  assert_true(first.size > 10);
#if defined(__linux__)
  const size_t cores = (size_t)sysconf(_SC_NPROCESSORS_CONF);
  for (size_t i = 0; i < cores && i < CPU_SETSIZE; i++) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(i, &one);
    if (sched_setaffinity(0, sizeof(one), &one) == 0) {
      tn_buf_clear(&again);
      tn_cpu_identity(&again);
      assert_string_equal(tn_buf_text(&again), tn_buf_text(&first));
    }
  }
#endif
  tn_buf_deinit(&first);
  tn_buf_deinit(&again);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_names),
                                     cmocka_unit_test(test_this_machine),
                                     cmocka_unit_test(test_lists), cmocka_unit_test(test_identity)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
