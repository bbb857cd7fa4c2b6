// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A selector that leaves nothing, an adapter without its driver, and a compiler library that is
// missing or is none: sentences, not crashes.
#include "run/device/device.h"

// clang-format off: cmocka.h needs these before it
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
// clang-format on

#include <stdlib.h>

#include "unit/device/double_adapter.h"

static tn_adapter_device cpu_devices[] = {{"Double CPU", "native_cpu", TN_DEVICE_TYPE_CPU}};
static tn_adapter cpu = {cpu_devices, 1};

static tn_status create_cpu(const tn_adapter_host *host, tn_adapter **out, tn_diag *diag) {
  (void)host;
  (void)diag;
  *out = &cpu;
  return TN_OK;
}
static tn_status create_mock(const tn_adapter_host *host, tn_adapter **out, tn_diag *diag) {
  (void)host;
  (void)out;
  return TN_FAIL(diag, UNSUPPORTED, "the driver is not there");
}
const tn_adapter_api *tn_cpu_adapter_query(uint32_t max_version) {
  static const tn_adapter_api api = DOUBLE_ADAPTER("cpu", create_cpu);
  return max_version >= api.version ? &api : NULL;
}
const tn_adapter_api *tn_mock_adapter_query(uint32_t max_version) {
  static const tn_adapter_api api = DOUBLE_ADAPTER("mock", create_mock);
  return max_version >= api.version ? &api : NULL;
}

static void test_nothing_left(void **state) {
  (void)state;
  for (int i = 0; i < 2; i++) {  // the second question finds the same
    size_t count = 7;
    tn_diag diag = {0};
    assert_int_equal(tn_device_count(&count, &diag), TN_DEVICE_NOT_FOUND);
    assert_int_equal(count, 0);
    assert_non_null(strstr(diag.text, "level_zero:gpu"));
    assert_non_null(strstr(diag.text, "cpu (1 device)"));
    assert_null(strstr(diag.text, "mock"));
    assert_int_equal(tn_platform_count(&count, NULL), TN_DEVICE_NOT_FOUND);
    assert_null(tn_device_at(0));
    assert_null(tn_platform_at(0));
  }
}

static void test_compiler_is_missing(void **state) {
  (void)state;
  const int64_t live = tn_alloc_live();
  const tn_compiler *compiler = NULL;
  tn_diag diag = {0};
  assert_int_equal(tn_device_get_compiler(&compiler, &diag), TN_UNSUPPORTED);
  assert_null(compiler);
  assert_non_null(strstr(diag.text, "/nowhere/libtenon-compiler.so"));
  assert_non_null(strstr(diag.text, "TENON_COMPILER_LIBRARY"));
  assert_int_equal(tn_alloc_live(), live);
}

int main(void) {
  (void)setenv("ONEAPI_DEVICE_SELECTOR", "level_zero:gpu", 1);
  (void)setenv("TENON_MOCK", "1", 1);
  (void)setenv("TENON_COMPILER_LIBRARY", "/nowhere/libtenon-compiler.so", 1);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_nothing_left),
      cmocka_unit_test(test_compiler_is_missing),
  };
  return cmocka_run_group_tests_name("device_none", tests, NULL, NULL);
}
