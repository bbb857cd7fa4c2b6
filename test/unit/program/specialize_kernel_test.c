// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values of specialization constants to programs: what the compiler is given, what is built how
// often, what is refused, and that nothing is lost.
#include "run/program/program.h"

// clang-format off: cmocka.h needs these before it
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
// clang-format on

#include "unit/program/program_world.h"

#define OF(id) "_ZTS" TN_SPEC_TYPE_PREFIX id

static const image_maker image = {
    .target = "native_cpu",
    .format = TN_IMAGE_FORMAT_BITCODE,
    .kernels = {"a", "b"},
    .specs = {{OF("common"), 3},
              {OF("own@0000000000000007"), 4},
              {OF("L_ZN12_GLOBAL__N_12in4anonEEEE@0000000000000007"), 5}},
};

static tn_status get(tn_kernel_slot *slot, const tn_spec_value *values, size_t count,
                     tn_kernel **out, tn_diag *diag) {
  return tn_kernel_specialize(slot, world_cpu_device(), values, count, out, diag);
}

static tn_kernel *must_get(tn_kernel_slot *slot, const tn_spec_value *values, size_t count) {
  tn_kernel *kernel = NULL;
  tn_diag diag = {0};
  if (get(slot, values, count, &kernel, &diag) != TN_OK) {
    fail_msg("%s", diag.text);
  }
  return kernel;
}

static void test_values_reach_the_compiler(void **state) {
  (void)state;
  tn_module module;
  const int64_t live = tn_alloc_live();
  maker_register(&module, &image, 1);
  tn_kernel_slot slot = {.module = &module, .name = "a"};
  const uint32_t numbers[] = {30, 40, 50, 60};
  // The prefix may be left out; the last value of a name holds; what is not read is left out.
  const tn_spec_value values[] = {
      {OF("own"), 7, &numbers[1], 4},
      {OF("common"), 7, &numbers[3], 4},
      {TN_SPEC_TYPE_PREFIX "common", 9, &numbers[0], 4},
      {OF("own"), 8, &numbers[2], 4},
      {OF("absent"), 7, &numbers[2], 2},
  };
  tn_kernel *kernel = must_get(&slot, values, TN_COUNT(values));
  assert_string_equal(tn_kernel_name(kernel), "a");
  assert_string_equal(world_specs,
                      "a:" OF("common") "=1e000000," OF("own@0000000000000007") "=28000000");
  tn_kernel_release(kernel);
  maker_unregister(&module);
  tn_program_reap();
  assert_int_equal(double_live, 0);
  assert_int_equal(tn_alloc_live(), live);
}

// As g++ spells it.
static void test_another_compilers_spelling(void **state) {
  (void)state;
  tn_module module;
  maker_register(&module, &image, 1);
  tn_kernel_slot slot = {.module = &module, .name = "a"};
  const uint32_t number = 6;
  const tn_spec_value value = {TN_SPEC_TYPE_PREFIX "L_ZN12_GLOBAL__N_12inL4anonEEEE", 7, &number,
                               4};
  tn_kernel_release(must_get(&slot, &value, 1));
  assert_string_equal(world_specs,
                      "a:" OF("L_ZN12_GLOBAL__N_12in4anonEEEE@0000000000000007") "=06000000");
  maker_unregister(&module);
  tn_program_reap();
}

static void test_equal_values_are_built_once(void **state) {
  (void)state;
  tn_module module;
  const int64_t live = tn_alloc_live();
  maker_register(&module, &image, 1);
  tn_kernel_slot slot = {.module = &module, .name = "a"};
  const int builds = world_builds;
  for (uint32_t i = 0; i < 100; i++) {
    const uint32_t number = 100 + i % 2;
    const tn_spec_value value = {OF("common"), 7, &number, 4};
    tn_kernel_release(must_get(&slot, &value, 1));
  }
  assert_int_equal(world_builds, builds + 2);
  // In another order, and with what changes nothing.
  const uint32_t numbers[] = {100, 4};
  const tn_spec_value more[] = {{OF("own"), 7, &numbers[1], 4}, {OF("common"), 7, &numbers[0], 4}};
  tn_kernel_release(must_get(&slot, more, 2));
  assert_int_equal(world_builds, builds + 2);
  // All defaults are the default program, which a plain launch uses as well.
  const uint32_t normal = 3;
  const tn_spec_value value = {OF("common"), 7, &normal, 4};
  tn_kernel_release(must_get(&slot, &value, 1));
  assert_int_equal(world_builds, builds + 3);
  assert_string_equal(world_specs, ":");
  tn_kernel *plain = NULL;
  assert_int_equal(tn_kernel_from_slot(&slot, world_cpu_device(), &plain, NULL), TN_OK);
  tn_kernel_slot other = {.module = &module, .name = "b"};
  assert_int_equal(tn_kernel_from_slot(&other, world_cpu_device(), &plain, NULL), TN_OK);
  assert_int_equal(world_builds, builds + 3);
  tn_kernel_release(must_get(&slot, NULL, 0));
  assert_int_equal(world_builds, builds + 3);
  // Another kernel of the image is built for itself.
  const uint32_t number = 100;
  const tn_spec_value again = {OF("common"), 7, &number, 4};
  tn_kernel_release(must_get(&other, &again, 1));
  assert_int_equal(world_builds, builds + 4);
  maker_unregister(&module);
  tn_program_reap();
  assert_int_equal(double_live, 0);
  assert_int_equal(tn_alloc_live(), live);
}

static void *look_up_often(void *user) {
  for (uint32_t i = 0; i < 60; i++) {
    const uint32_t number = 200 + i % 3;
    const tn_spec_value value = {OF("common"), 7, &number, 4};
    tn_kernel_release(must_get(user, &value, 1));
  }
  return NULL;
}

static void test_threads_share_what_is_built(void **state) {
  (void)state;
  enum { THREADS = 6 };
  tn_module module;
  tn_thread threads[THREADS];
  const int64_t live = tn_alloc_live();
  maker_register(&module, &image, 1);
  tn_kernel_slot slots[2] = {{.module = &module, .name = "a"}, {.module = &module, .name = "b"}};
  const int builds = world_builds;
  for (size_t i = 0; i < THREADS; i++) {
    assert_int_equal(tn_thread_create(&threads[i], "look-up", look_up_often, &slots[i % 2], NULL),
                     TN_OK);
  }
  for (size_t i = 0; i < THREADS; i++) {
    tn_thread_join(threads[i]);
  }
  assert_int_equal(world_builds, builds + 6);
  maker_unregister(&module);
  tn_program_reap();
  assert_int_equal(double_live, 0);
  assert_int_equal(tn_alloc_live(), live);
}

static void test_many_values_are_bounded(void **state) {
  (void)state;
  enum { VALUES = 2000, BOUND = 1030 };
  tn_module module;
  const int64_t live = tn_alloc_live();
  maker_register(&module, &image, 1);
  tn_kernel_slot slot = {.module = &module, .name = "a"};
  for (uint32_t i = 0; i < VALUES; i++) {
    const uint32_t number = 1000 + i;
    const tn_spec_value value = {OF("common"), 7, &number, 4};
    tn_kernel_release(must_get(&slot, &value, 1));
  }
  tn_program_reap();
  assert_in_range(double_live, 1, BOUND);
  maker_unregister(&module);
  tn_program_reap();
  assert_int_equal(double_live, 0);
  assert_int_equal(tn_alloc_live(), live);
}

static void expect_failure(tn_kernel_slot *slot, const tn_spec_value *value, const char *sentence) {
  tn_kernel *kernel = NULL;
  tn_diag diag = {0};
  assert_int_equal(get(slot, value, 1, &kernel, &diag), TN_INVALID_ARGUMENT);
  assert_null(kernel);
  if (!strstr(diag.text, sentence)) {
    fail_msg("\"%s\" does not hold \"%s\"", diag.text, sentence);
  }
}

static void test_wrong_values_are_refused(void **state) {
  (void)state;
  tn_module module;
  maker_register(&module, &image, 1);
  tn_kernel_slot slot = {.module = &module, .name = "a"};
  const uint64_t number = 1;
  const tn_spec_value wrong[] = {
      {OF("common"), 7, &number, 8}, {NULL, 7, &number, 4}, {OF("common"), 7, NULL, 4}};
  expect_failure(&slot, &wrong[0], "4 bytes in device code, but the value has 8");
  expect_failure(&slot, &wrong[1], "it is NULL");
  expect_failure(&slot, &wrong[2], "it is NULL");
  expect_failure(NULL, &wrong[0], "the slot is NULL");
  maker_unregister(&module);
  tn_program_reap();
}

// Silently ignored, a value would be a wrong result.
static void test_machine_code_of_other_devices_has_defaults(void **state) {
  (void)state;
  tn_module module;
  const image_maker made = {.kernels = {"a"}, .specs = {{OF("common"), 3}}};
  maker_register(&module, &made, 1);
  tn_kernel_slot slot = {.module = &module, .name = "a"};
  uint32_t number = 3;
  const tn_spec_value value = {OF("common"), 7, &number, 4};
  tn_kernel *kernel = NULL;
  tn_diag diag = {0};
  assert_int_equal(tn_kernel_specialize(&slot, world_device(0), &value, 1, &kernel, &diag), TN_OK);
  tn_kernel_release(kernel);
  number = 4;
  assert_int_equal(tn_kernel_specialize(&slot, world_device(0), &value, 1, &kernel, &diag),
                   TN_UNSUPPORTED);
  assert_null(kernel);
  assert_non_null(strstr(diag.text, "device Mock 0 cannot give them other values"));
  maker_unregister(&module);
  tn_program_reap();
}

static void test_faults(void **state) {
  (void)state;
  const int64_t live = tn_alloc_live();
  const uint32_t number = 5;
  const tn_spec_value value = {OF("common"), 7, &number, 4};
  bool passed = false;
  for (int64_t n = 0; !passed; n++) {
    assert_true(n < 400);
    tn_module module;
    maker_register(&module, &image, 1);
    tn_kernel_slot slot = {&module, "a", 1, NULL};
    tn_kernel *kernel = NULL;
    tn_diag diag = {0};
    tn_fault_arm(n);
    const tn_status status = get(&slot, &value, 1, &kernel, &diag);
    passed = !tn_fault_fired();
    tn_fault_arm(-1);
    assert_true((status == TN_OK) == (kernel != NULL));
    assert_true(status == TN_OK || diag.text[0] != '\0');
    tn_kernel_release(kernel);
    maker_unregister(&module);
    tn_program_reap();
    assert_int_equal(double_live, 0);
    assert_int_equal(tn_alloc_live(), live);
  }
}

int main(void) {
  world_environment();
  world_set_compiler();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_values_reach_the_compiler),
      cmocka_unit_test(test_another_compilers_spelling),
      cmocka_unit_test(test_equal_values_are_built_once),
      cmocka_unit_test(test_threads_share_what_is_built),
      cmocka_unit_test(test_many_values_are_bounded),
      cmocka_unit_test(test_wrong_values_are_refused),
      cmocka_unit_test(test_machine_code_of_other_devices_has_defaults),
      cmocka_unit_test(test_faults),
  };
  return cmocka_run_group_tests_name("specialize_kernel", tests, world_begin_with_compiler,
                                     world_end_with_compiler);
}
