// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions that device code may call: all forms of their names, and nothing else.
#include "base/host_function.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void test_names(void **state) {
  (void)state;
  static const char *const known[] = {"sin",      "sinf",         "sinl",   "lgammaf_r",
                                      "exp10f",   "__truncsfhf2", "memcpy", "__udivti3",
                                      "__divdc3", "abs",          "truncl", "nan"};
  static const char *const unknown[] = {"fprintf",     "abort",          "", "si", "sinff",
                                        "_ZGVnothing", "_ZGVbN4v_printf"};
  for (size_t i = 0; i < TN_COUNT(known); i++) {
    assert_true(tn_is_host_function(tn_str_from(known[i])));
  }
  for (size_t i = 0; i < TN_COUNT(unknown); i++) {
    assert_false(tn_is_host_function(tn_str_from(unknown[i])));
  }
  assert_true(tn_is_host_function((tn_str){"sinx", 3}));  // a view, not a string
}

static void test_addresses(void **state) {
  (void)state;
  double (*function)(double) = NULL;
  const uint64_t address = tn_host_function_address(TN_STR_LIT("cbrt"));
  memcpy(&function, &address, sizeof(function));
  assert_true(function(27) == cbrt(27));
}

static int spaces_of(const tn_cpu_memory *memory, const void *pointer) {
  return tn_cpu_is_in_space(memory, pointer, TN_CPU_SPACE_LOCAL) +
         2 * tn_cpu_is_in_space(memory, pointer, TN_CPU_SPACE_GLOBAL) +
         4 * tn_cpu_is_in_space(memory, pointer, TN_CPU_SPACE_PRIVATE);
}

// In the place of a kernel, whose caller's frame is above its own; the address sanitizer would have
// the variable elsewhere.
static __attribute__((noinline, no_sanitize_address)) void look_on_stack(
    const tn_cpu_memory *memory) {
  int own = 0;
  assert_int_equal(spaces_of(memory, &own), 4);
}

static void test_spaces(void **state) {
  (void)state;
  enum { LOCAL = 1, GLOBAL = 2, PRIVATE = 4 };
  static char local[16];
  static char group_local[16];
  static char slots[16];
  static char other[16];
  const tn_cpu_memory memory = {.local = local,
                                .local_size = 8,
                                .group_local = group_local,
                                .group_local_size = 16,
                                .slots = slots,
                                .slots_size = 16,
                                .stack_end = __builtin_frame_address(0)};
  assert_int_equal(spaces_of(&memory, local), LOCAL);
  assert_int_equal(spaces_of(&memory, local + 7), LOCAL);
  assert_int_equal(spaces_of(&memory, local + 8), GLOBAL);
  assert_int_equal(spaces_of(&memory, group_local + 15), LOCAL);
  assert_int_equal(spaces_of(&memory, slots + 15), PRIVATE);
  assert_int_equal(spaces_of(&memory, other), GLOBAL);
  assert_int_equal(spaces_of(&memory, (char *)__builtin_frame_address(0) + 64), GLOBAL);
  look_on_stack(&memory);
  const tn_cpu_memory nothing = {.stack_end = __builtin_frame_address(0)};
  assert_int_equal(spaces_of(&nothing, local), GLOBAL);
  assert_int_equal(spaces_of(&nothing, NULL), GLOBAL);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_names), cmocka_unit_test(test_addresses),
                                     cmocka_unit_test(test_spaces)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
