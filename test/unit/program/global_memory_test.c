// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory of device globals, on the mock adapter: one for a name, device and scope, with its first
// bytes; gone with the scope; and nothing left over when something fails.
#include "run/program/program.h"

// clang-format off: cmocka.h needs these before it
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
// clang-format on

#include "adapter/mock/mock.h"
#include "tenon/memory.h"
#include "run/registry/registry.h"
#include "unit/registry/module_maker.h"

#include <stdlib.h>

static tn_device *device;
static tn_diag diag;

static const uint8_t four[4] = {4, 0, 2, 1};
static const tn_global_info set = {.name = {"set", 3},
                                   .display_name = {"ns::set", 7},
                                   .size = 4,
                                   .alignment = 4,
                                   .value = {four, 4}};
static const tn_global_info large = {
    .name = {"large", 5}, .display_name = {"large", 5}, .size = 3000, .alignment = 128};

static int find_device(void **state) {
  (void)state;
  size_t count = 0;
  if (tn_device_count(&count, &diag) != TN_OK) {
    fail_msg("%s", diag.text);
  }
  device = tn_device_at(0);
  // The adapter keeps a record of its commands, which grows by more than one at a time.
  tn_global_scope *scope = NULL;
  void *memory = NULL;
  assert_int_equal(tn_global_scope_create(NULL, &scope, &diag), TN_OK);
  assert_int_equal(tn_global_scope_get(scope, device, &set, &memory, &diag), TN_OK);
  tn_global_scope_release(scope);
  tn_program_reap();
  return count == 1 && strcmp(device->target, TN_MOCK_TARGET) == 0 ? 0 : -1;
}

static void test_scope(void **state) {
  (void)state;
  const int64_t live = tn_alloc_live();
  tn_global_scope *scopes[2] = {NULL, NULL};
  void *memory[4];
  for (size_t i = 0; i < 2; i++) {
    assert_int_equal(tn_global_scope_create(NULL, &scopes[i], &diag), TN_OK);
    assert_int_equal(tn_global_scope_get(scopes[i], device, &set, &memory[2 * i], &diag), TN_OK);
    assert_int_equal(tn_global_scope_get(scopes[i], device, &large, &memory[2 * i + 1], &diag),
                     TN_OK);
    assert_memory_equal(memory[2 * i], four, sizeof(four));
    assert_int_equal((uintptr_t)memory[2 * i + 1] % 128, 0);
    const uint8_t *bytes = memory[2 * i + 1];
    for (size_t b = 0; b < large.size; b++) {
      assert_int_equal(bytes[b], 0);
    }
  }
  void *again = NULL;
  assert_int_equal(tn_global_scope_get(scopes[0], device, &set, &again, &diag), TN_OK);
  assert_ptr_equal(again, memory[0]);
  assert_ptr_not_equal(memory[0], memory[2]);
  tn_global_info other = set;
  other.size = 8;
  other.value = (tn_bytes){NULL, 0};
  assert_int_equal(tn_global_scope_get(scopes[0], device, &other, &again, &diag),
                   TN_INVALID_ARGUMENT);
  assert_null(again);
  assert_string_equal(diag.text,
                      "device global ns::set has 8 bytes here and 4 elsewhere: it is to "
                      "be declared with one type");
  assert_int_equal(tn_mock_memory_count(device->adapter_device), 4);
  tn_global_scope_release(scopes[0]);
  tn_global_scope_release(scopes[1]);
  assert_int_equal(tn_mock_memory_count(device->adapter_device), 4);  // no adapter was called
  tn_program_reap();
  assert_int_equal(tn_mock_memory_count(device->adapter_device), 0);
  assert_int_equal(tn_mock_memory_errors(device->adapter_device), 0);
  assert_int_equal(tn_alloc_live(), live);
}

static void test_context(void **state) {
  (void)state;
  const int64_t live = tn_alloc_live();
  tn_context *context = NULL;
  tn_global_scope *scope = NULL;
  void *memory = NULL;
  tn_usm_info info;
  assert_int_equal(tn_context_create(&device, 1, &context, &diag), TN_OK);
  assert_int_equal(tn_global_scope_create(context, &scope, &diag), TN_OK);
  assert_int_equal(tn_global_scope_get(scope, device, &large, &memory, &diag), TN_OK);
  assert_int_equal(tn_usm_query(context, memory, &info, &diag), TN_OK);
  assert_int_equal(info.kind, TN_USM_DEVICE);
  assert_int_equal(info.size, large.size);
  tn_global_scope_release(scope);
  tn_context_release(context);
  tn_program_reap();
  assert_int_equal(tn_mock_memory_count(device->adapter_device), 0);
  assert_int_equal(tn_alloc_live(), live);
}

static void test_faults(void **state) {
  (void)state;
  bool passed = false;
  for (int64_t n = 0; !passed; n++) {
    assert_true(n < 100);
    const int64_t live = tn_alloc_live();
    tn_global_scope *scope = NULL;
    void *memory = NULL;
    diag = (tn_diag){0};
    tn_fault_arm(n);
    tn_status status = tn_global_scope_create(NULL, &scope, &diag);
    if (status == TN_OK) {
      status = tn_global_scope_get(scope, device, &set, &memory, &diag);
    }
    passed = !tn_fault_fired();
    tn_fault_arm(-1);
    assert_true((status == TN_OK) == (memory != NULL));
    assert_true(status == TN_OK || diag.text[0] != '\0');
    tn_global_scope_release(scope);
    tn_program_reap();
    assert_int_equal(tn_mock_memory_count(device->adapter_device), 0);
    assert_int_equal(tn_alloc_live(), live);
  }
}

static void test_slot(void **state) {
  (void)state;
  static tn_device_global slot = {NULL, four, 4, 4};
  tn_device_global empty = {NULL, NULL, 0, 1};
  void *memory = NULL;
  void *again = NULL;
  assert_int_equal(tn_device_global_get(&slot, device, &memory, &diag), TN_OK);
  assert_memory_equal(memory, four, sizeof(four));
  assert_int_equal(tn_device_global_get(&slot, device, &again, &diag), TN_OK);
  assert_ptr_equal(again, memory);
  assert_int_equal(tn_device_global_get(&empty, device, &again, &diag), TN_INVALID_ARGUMENT);
  assert_null(again);
  assert_int_equal(tn_device_global_get(NULL, device, &again, &diag), TN_INVALID_ARGUMENT);
  assert_int_equal(tn_device_global_get(&slot, NULL, &again, &diag), TN_INVALID_ARGUMENT);
  assert_int_equal(tn_device_global_get(&slot, device, NULL, &diag), TN_INVALID_ARGUMENT);
}

// The mock has no way to tell code where they are.
static void test_device_without(void **state) {
  (void)state;
  const image_maker image = {
      .code = "kernel k\n", .kernels = {"k"}, .globals = &set, .global_count = 1};
  tn_module module;
  maker_register(&module, &image, 1);
  tn_kernel_slot slot = {&module, "k", 1, NULL};
  tn_kernel *kernel = NULL;
  assert_int_equal(tn_kernel_from_slot(&slot, device, &kernel, &diag), TN_UNSUPPORTED);
  assert_null(kernel);
  assert_non_null(strstr(diag.text, "device mock has no device globals"));
  maker_unregister(&module);
  tn_program_reap();
  assert_int_equal(tn_mock_program_count(device->adapter_device), 0);
}

// A library's module and its device global: as long as the test is one loaded module, they are in
// the same.
static tn_module library;
static tn_device_global library_object = {NULL, four, 4, 4};
static const tn_module_global library_globals[] = {{"set", &library_object}};

static void open_library(void) {
  tn_buf bytes;
  tn_buf_init(&bytes, 1u << 20);
  const image_maker image = {
      .code = "kernel k\n", .kernels = {"k"}, .globals = &set, .global_count = 1};
  maker_write(&image, 1, &bytes);
  library = (tn_module){.size = sizeof(library),
                        .version = TN_MODULE_VERSION,
                        .fatbin = bytes.data,
                        .fatbin_size = bytes.size,
                        .globals = library_globals,
                        .global_count = 1};
  tn_register_module(&library);
}

// The memory goes with the module, by the next look-up: no adapter is called from a destructor.
static void test_library_is_closed(void **state) {
  (void)state;
  void *memory = NULL;
  const size_t count = tn_mock_memory_count(device->adapter_device);
  open_library();
  assert_int_equal(tn_device_global_get(&library_object, device, &memory, &diag), TN_OK);
  maker_unregister(&library);
  assert_null(library_object.state);
  assert_int_equal(tn_mock_memory_count(device->adapter_device), count + 1);
  tn_program_reap();
  const int64_t live = tn_alloc_live();
  for (int round = 0; round < 1000; round++) {
    open_library();
    tn_kernel_slot slot = {&library, "k", 1, NULL};
    tn_kernel *kernel = NULL;
    assert_int_equal(tn_kernel_from_slot(&slot, device, &kernel, &diag), TN_UNSUPPORTED);
    assert_int_equal(tn_device_global_get(&library_object, device, &memory, &diag), TN_OK);
    assert_memory_equal(memory, four, sizeof(four));
    assert_int_equal(tn_mock_memory_count(device->adapter_device), count + 1);
    maker_unregister(&library);
    tn_program_reap();
    assert_int_equal(tn_mock_memory_count(device->adapter_device), count);
  }
  assert_int_equal(tn_alloc_live(), live);
}

// The object is the program's, which another module's device code uses as well.
static void test_object_of_another_module(void **state) {
  (void)state;
  void *memory = NULL;
  void *again = NULL;
  const size_t count = tn_mock_memory_count(device->adapter_device);
  tn_device_global *object = calloc(1, sizeof(*object));
  *object = library_object;
  const tn_module_global globals[] = {{"set", object}};
  assert_int_equal(tn_device_global_get(object, device, &memory, &diag), TN_OK);
  library = (tn_module){.size = sizeof(library),
                        .version = TN_MODULE_VERSION,
                        .globals = globals,
                        .global_count = 1};
  tn_register_module(&library);
  tn_unregister_module(&library);
  tn_program_reap();
  assert_int_equal(tn_device_global_get(object, device, &again, &diag), TN_OK);
  assert_ptr_equal(again, memory);
  tn_global_scope_release(object->state);
  tn_program_reap();
  assert_int_equal(tn_mock_memory_count(device->adapter_device), count);
  free(object);
}

// Whoever still holds the record of a module that is gone does not get into the module.
static void test_no_way_into_a_closed_library(void **state) {
  (void)state;
  open_library();
  tn_registered *record = tn_registry_find(&library);
  assert_true(tn_registered_enter(record));
  tn_registered_leave(record);
  maker_unregister(&library);
  assert_false(tn_registered_enter(record));
  tn_registered_release(record);
  tn_program_reap();
}

int main(void) {
  (void)setenv("TENON_MOCK", "1", 1);
  (void)setenv("ONEAPI_DEVICE_SELECTOR", "mock:0", 1);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_scope),          cmocka_unit_test(test_context),
      cmocka_unit_test(test_faults),         cmocka_unit_test(test_device_without),
      cmocka_unit_test(test_library_is_closed),
      cmocka_unit_test(test_object_of_another_module),
      cmocka_unit_test(test_no_way_into_a_closed_library),
      cmocka_unit_test(test_slot),  // its memory stays
  };
  return cmocka_run_group_tests_name("global_memory", tests, find_device, NULL);
}
