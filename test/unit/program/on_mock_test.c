// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same path on the mock adapter itself: discovery, slot, program, faults, nothing left over.
#include "run/program/program.h"

// clang-format off: cmocka.h needs these before it
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
// clang-format on

#include <stdlib.h>

#include "adapter/mock/mock.h"
#include "unit/registry/module_maker.h"

static const image_maker image = {.code = "kernel k\nkernel j\n", .kernels = {"j", "k"}};
static tn_device *device;

static int find_device(void **state) {
  (void)state;
  size_t count = 0;
  tn_diag diag = {0};
  if (tn_device_count(&count, &diag) != TN_OK) {
    fail_msg("%s", diag.text);
  }
  device = tn_device_at(0);
  return count == 1 && strcmp(device->target, TN_MOCK_TARGET) == 0 ? 0 : -1;
}

static void test_launch(void **state) {
  (void)state;
  const int64_t live = tn_alloc_live();
  tn_module module;
  maker_register(&module, &image, 1);
  tn_kernel_slot slots[2] = {{&module, "k", 1, NULL}, {&module, "j", 1, NULL}};
  tn_kernel *kernel = NULL;
  for (size_t i = 0; i < 2; i++) {
    assert_int_equal(tn_kernel_from_slot(&slots[i], device, &kernel, NULL), TN_OK);
    assert_string_equal(tn_kernel_name(kernel), slots[i].name);
  }
  assert_int_equal(tn_mock_program_count(device->adapter_device), 1);
  maker_unregister(&module);
  assert_int_equal(tn_mock_program_count(device->adapter_device), 1);  // no adapter was called
  tn_program_reap();
  assert_int_equal(tn_mock_program_count(device->adapter_device), 0);
  assert_int_equal(tn_alloc_live(), live);
}

static void test_device_failures(void **state) {
  (void)state;
  static const tn_mock_call calls[] = {TN_MOCK_LOAD, TN_MOCK_FIND};
  const int64_t live = tn_alloc_live();
  tn_module module;
  maker_register(&module, &image, 1);
  tn_kernel_slot slot = {&module, "k", 1, NULL};
  tn_kernel *kernel = NULL;
  for (size_t i = 0; i < TN_COUNT(calls); i++) {
    tn_diag diag = {0};
    tn_mock_fail(device->adapter_device, calls[i], 0);
    assert_int_not_equal(tn_kernel_from_slot(&slot, device, &kernel, &diag), TN_OK);
    assert_null(kernel);
    assert_true(diag.text[0] != '\0');
  }
  assert_int_equal(tn_kernel_from_slot(&slot, device, &kernel, NULL), TN_OK);
  maker_unregister(&module);
  tn_program_reap();
  assert_int_equal(tn_mock_program_count(device->adapter_device), 0);
  assert_int_equal(tn_alloc_live(), live);
}

// The mock is custom (3) and has neither fp16 (6), fp64 (7) nor whatever 70 is.
static void test_needs(void **state) {
  (void)state;
  static const uint8_t numbers[] = {3, 0, 0, 0, 6, 0, 0, 0, 7, 0, 0, 0, 70, 0, 0, 0};
  const int64_t live = tn_alloc_live();
  image_maker makers[2] = {
      {.code = "kernel heavy\nkernel both\n", .kernels = {"both", "heavy"}, .aspects = numbers,
       .aspect_count = 4},
      {.code = "kernel both\nkernel light\n", .kernels = {"both", "light"}, .aspects = numbers,
       .aspect_count = 1},
  };
  tn_module module;
  maker_register(&module, makers, 2);
  tn_kernel_slot slots[3] = {{&module, "heavy", 1, NULL},
                             {&module, "light", 1, NULL},
                             {&module, "both", 1, NULL}};
  tn_kernel *kernel = NULL;
  tn_diag diag = {0};
  assert_int_equal(tn_kernel_from_slot(&slots[0], device, &kernel, &diag), TN_KERNEL_NOT_FOUND);
  assert_null(kernel);
  assert_string_equal(diag.text, "kernel heavy needs aspect::fp16, aspect::fp64, aspect 70, which "
                                 "device mock does not have");
  // One that suits the device is chosen over others.
  for (size_t i = 1; i < 3; i++) {
    assert_int_equal(tn_kernel_from_slot(&slots[i], device, &kernel, NULL), TN_OK);
  }
  assert_int_equal(tn_mock_program_count(device->adapter_device), 1);
  maker_unregister(&module);
  tn_program_reap();
  assert_int_equal(tn_alloc_live(), live);
}

static void test_faults(void **state) {
  (void)state;
  const int64_t live = tn_alloc_live();
  bool passed = false;
  for (int64_t n = 0; !passed; n++) {
    assert_true(n < 200);
    tn_module module;
    maker_register(&module, &image, 1);
    tn_kernel_slot slot = {&module, "k", 1, NULL};
    tn_kernel *kernel = NULL;
    tn_diag diag = {0};
    tn_fault_arm(n);
    const tn_status status = tn_kernel_from_slot(&slot, device, &kernel, &diag);
    passed = !tn_fault_fired();
    tn_fault_arm(-1);
    assert_true((status == TN_OK) == (kernel != NULL));
    assert_true(status == TN_OK || diag.text[0] != '\0');
    maker_unregister(&module);
    tn_program_reap();
    assert_int_equal(tn_mock_program_count(device->adapter_device), 0);
    assert_int_equal(tn_alloc_live(), live);
  }
}

int main(void) {
  (void)setenv("TENON_MOCK", "1", 1);
  (void)setenv("ONEAPI_DEVICE_SELECTOR", "mock:0", 1);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_launch),
      cmocka_unit_test(test_device_failures),
      cmocka_unit_test(test_needs),
      cmocka_unit_test(test_faults),
  };
  return cmocka_run_group_tests_name("on_mock", tests, find_device, NULL);
}
