// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Platforms, devices and contexts over two test adapters, with a selector and faults.
#include "run/device/device.h"

// clang-format off: cmocka.h needs these before it
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
// clang-format on

#include <stdlib.h>

#include "tenon/tenon.h"
#include "unit/device/double_adapter.h"

static tn_adapter_device cpu_devices[] = {{"Double CPU", "native_cpu", TN_DEVICE_TYPE_CPU}};
static tn_adapter cpu = {cpu_devices, 1};
static tn_adapter_device mock_devices[] = {
    {"Mock 0", "mock", TN_DEVICE_TYPE_ACCELERATOR},
    {"Mock 1", "mock", TN_DEVICE_TYPE_GPU},
    {"Mock 2", "mock", TN_DEVICE_TYPE_GPU},
};
static tn_adapter mock = {mock_devices, 3};
static _Atomic int cpu_creates;

static tn_status create_cpu(const tn_adapter_host *host, tn_adapter **out, tn_diag *diag) {
  assert_int_equal(host->version, TN_ADAPTER_VERSION);
  assert_non_null(host->get_compiler);
  assert_int_equal(host->cpu_threads, 3);
  if (tn_fault_hit()) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory");
  }
  cpu_creates++;
  *out = &cpu;
  return TN_OK;
}
static tn_status create_mock(const tn_adapter_host *host, tn_adapter **out, tn_diag *diag) {
  (void)host;
  (void)diag;
  *out = &mock;
  return TN_OK;
}
const tn_adapter_api *tn_cpu_adapter_query(uint32_t max_version) {
  static const tn_adapter_api api = DOUBLE_ADAPTER("cpu", create_cpu);
  return max_version >= api.version ? &api : NULL;
}
const tn_adapter_api *tn_mock_adapter_query(uint32_t max_version) {
  static const tn_adapter_api api = DOUBLE_ADAPTER("mock", create_mock);
  return max_version >= api.version ? &api : NULL;
}

// First: discovery with each event failing in turn leaves nothing behind and can be repeated.
static void test_discovery_survives_faults(void **state) {
  (void)state;
  const int64_t live = tn_alloc_live();
  bool passed = false;
  for (int64_t n = 0; !passed; n++) {
    assert_true(n < 200);
    size_t count = 0;
    tn_diag diag = {0};
    tn_fault_arm(n);
    const tn_status status = tn_device_count(&count, &diag);
    passed = !tn_fault_fired();
    tn_fault_arm(-1);
    if (status != TN_OK) {
      assert_int_equal(status, TN_OUT_OF_MEMORY);
      assert_int_equal(count, 0);
      assert_int_equal(tn_alloc_live(), live);
    } else {
      passed = true;
    }
  }
  assert_int_equal(cpu_creates, 1);
}

static void test_lists(void **state) {
  (void)state;
  size_t count = 0;
  assert_int_equal(tn_platform_count(&count, NULL), TN_OK);
  assert_int_equal(count, 2);
  assert_int_equal(tn_device_count(&count, NULL), TN_OK);
  assert_int_equal(count, 3);  // mock:1 is discarded by the selector
  static const char *const names[] = {"Double CPU", "Mock 0", "Mock 2"};
  for (size_t i = 0; i < count; i++) {
    tn_device *device = tn_device_at(i);
    char name[32] = "";
    size_t size = 0;
    assert_int_equal(
        tn_device_get_info(device, TN_DEVICE_INFO_NAME, name, sizeof(name), &size, NULL), TN_OK);
    assert_string_equal(name, names[i]);
    assert_string_equal(device->name, names[i]);
    assert_int_equal(size, strlen(names[i]) + 1);
    assert_int_equal(tn_device_index(device), i);
    assert_string_equal(device->target, i == 0 ? "native_cpu" : "mock");
  }
  assert_null(tn_device_at(3));
  tn_platform *second = tn_platform_at(1);
  assert_null(tn_platform_at(2));
  assert_int_equal(tn_platform_device_count(second), 2);
  assert_ptr_equal(tn_platform_device_at(second, 1), tn_device_at(2));
  assert_null(tn_platform_device_at(second, 2));
  assert_ptr_equal(tn_device_platform(tn_device_at(1)), second);
  tn_diag diag = {0};
  assert_int_equal(tn_device_get_info(tn_device_at(0), 999, NULL, 0, NULL, &diag),
                   TN_INVALID_ARGUMENT);
  assert_non_null(strstr(diag.text, "Double CPU"));
  assert_int_equal(tn_device_get_info(NULL, TN_DEVICE_INFO_NAME, NULL, 0, NULL, NULL),
                   TN_INVALID_ARGUMENT);
}

static char ends[8];  // what note_end was called with, one letter a call

static void note_free(void *user) {
  *(int *)user += 1;
}

static void test_contexts(void **state) {
  (void)state;
  tn_device *devices[] = {tn_device_at(1), tn_device_at(2), tn_device_at(1)};
  const int64_t live = tn_alloc_live();
  tn_context *context = NULL;
  tn_diag diag = {0};
  assert_int_equal(tn_context_create(devices, 3, &context, NULL), TN_OK);
  assert_int_equal(tn_context_device_count(context), 2);
  assert_ptr_equal(tn_context_device_at(context, 1), devices[1]);
  assert_null(tn_context_device_at(context, 2));
  assert_true(tn_context_has_device(context, devices[0]));
  assert_false(tn_context_has_device(context, tn_device_at(0)));
  assert_ptr_equal(tn_context_platform(context), tn_platform_at(1));
  int freed = 0;
  assert_null(tn_context_user(context));
  tn_context_set_user(context, &freed, note_free);
  assert_ptr_equal(tn_context_user(context), &freed);
  tn_context_retain(context);
  tn_context_release(context);
  assert_int_equal(freed, 0);
  tn_context_release(context);
  assert_int_equal(freed, 1);
  tn_context_release(NULL);
  assert_int_equal(tn_alloc_live(), live);
  devices[2] = tn_device_at(0);
  assert_int_equal(tn_context_create(devices, 3, &context, &diag), TN_INVALID_ARGUMENT);
  assert_null(context);
  assert_non_null(strstr(diag.text, "one platform"));
  assert_int_equal(tn_context_create(devices, 0, &context, NULL), TN_INVALID_ARGUMENT);
  devices[1] = NULL;
  assert_int_equal(tn_context_create(devices, 2, &context, NULL), TN_INVALID_ARGUMENT);
}

static void note_end(void *letter) {
  const size_t length = strlen(ends);
  ends[length] = *(const char *)letter;
}

static void test_calls_at_the_end_of_a_context(void **state) {
  (void)state;
  tn_device *device = tn_device_at(1);
  const int64_t live = tn_alloc_live();
  tn_context *context = NULL;
  tn_diag diag = {0};
  char letters[] = "abc";
  assert_int_equal(tn_context_create(&device, 1, &context, NULL), TN_OK);
  for (size_t i = 0; i < 3; i++) {
    assert_int_equal(tn_native_at_end(context, note_end, &letters[i], NULL), TN_OK);
  }
  tn_context_retain(context);
  tn_context_release(context);
  assert_string_equal(ends, "");
  assert_int_equal(tn_native_at_end(context, NULL, NULL, &diag), TN_INVALID_ARGUMENT);
  assert_non_null(strstr(diag.text, "function is NULL"));
  assert_int_equal(tn_native_at_end(NULL, note_end, letters, &diag), TN_INVALID_ARGUMENT);
  assert_non_null(strstr(diag.text, "context is NULL"));
  tn_fault_arm(0);
  assert_int_equal(tn_native_at_end(context, note_end, letters, &diag), TN_OUT_OF_MEMORY);
  tn_fault_arm(-1);
  tn_context_release(context);
  assert_string_equal(ends, "abc");
  assert_int_equal(tn_alloc_live(), live);
}

static uint64_t aspects_by_name(const tn_adapter_device *device) {
  return strcmp(device->name, tn_device_at(1)->name) == 0 ? 1u << TN_ASPECT_GPU : 0;
}

static void test_device_with_aspect(void **state) {
  (void)state;
  tn_device *device = tn_device_at(0);
  tn_diag diag = {0};
  double_aspects = aspects_by_name;
  assert_int_equal(tn_device_get_with_aspect(TN_ASPECT_GPU, &device, NULL), TN_OK);
  assert_ptr_equal(device, tn_device_at(1));
  assert_int_equal(tn_device_get_with_aspect(TN_ASPECT_ACCELERATOR, &device, &diag),
                   TN_DEVICE_NOT_FOUND);
  assert_null(device);
  assert_non_null(strstr(diag.text, "no device fits the selector"));
  assert_int_equal(tn_device_get_with_aspect(TN_ASPECT_END, &device, NULL), TN_INVALID_ARGUMENT);
  assert_int_equal(tn_device_get_with_aspect(-1, &device, NULL), TN_INVALID_ARGUMENT);
  double_aspects = NULL;
}

static void *ask_default(void *arg) {
  tn_context *context = NULL;
  TN_IGNORE(tn_context_default(tn_platform_at(1), &context, NULL), "seen as NULL by the test");
  *(tn_context **)arg = context;
  return NULL;
}

static void test_default_context_is_one(void **state) {
  (void)state;
  enum { THREADS = 4 };
  tn_thread threads[THREADS];
  tn_context *contexts[THREADS] = {NULL};
  for (size_t i = 0; i < THREADS; i++) {
    assert_int_equal(tn_thread_create(&threads[i], "ask", ask_default, &contexts[i], NULL), TN_OK);
  }
  for (size_t i = 0; i < THREADS; i++) {
    tn_thread_join(threads[i]);
  }
  for (size_t i = 0; i < THREADS; i++) {
    assert_non_null(contexts[i]);
    assert_ptr_equal(contexts[i], contexts[0]);
  }
  assert_int_equal(tn_context_device_count(contexts[0]), 2);
}

static void test_version(void **state) {
  (void)state;
  assert_string_equal(tn_version(), TN_VERSION);
}

int main(void) {
  (void)setenv("ONEAPI_DEVICE_SELECTOR", "*:*;!mock:1", 1);
  (void)setenv("TENON_CPU_THREADS", "3", 1);
  (void)setenv("TENON_MOCK", "1", 1);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_discovery_survives_faults),
      cmocka_unit_test(test_lists),
      cmocka_unit_test(test_contexts),
      cmocka_unit_test(test_calls_at_the_end_of_a_context),
      cmocka_unit_test(test_device_with_aspect),
      cmocka_unit_test(test_default_context_is_one),
      cmocka_unit_test(test_version),
  };
  return cmocka_run_group_tests_name("device_list", tests, NULL, NULL);
}
