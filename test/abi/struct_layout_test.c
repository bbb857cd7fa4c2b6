// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes of what crosses a library's border: programs built earlier rely on them. A struct with a
// size field may grow at its end, with a new number here; others may not change.
#include "tenon/accessor.h"
#include "tenon/adapter.h"
#include "tenon/command_group.h"
#include "tenon/compiler.h"
#include "tenon/cpu_kernel.h"
#include "tenon/tenon.h"

// clang-format off: cmocka.h needs these before it
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
// clang-format on

#define STRUCT_SIZES(X)            \
  X(tn_diag, 1024)                 \
  X(tn_module, 72)                 \
  X(tn_export_marker, 16)          \
  X(tn_kernel_slot, 32)            \
  X(tn_usm_info, 32)               \
  X(tn_device_global, 32)          \
  X(tn_module_global, 16)          \
  X(tn_partition, 24)              \
  X(tn_buffer_params, 56)          \
  X(tn_buffer_elements, 24)        \
  X(tn_buffer_extra, 64)           \
  X(tn_memory_pool_params, 48)     \
  X(tn_memory_pool_info, 40)       \
  X(tn_accessor, 24)               \
  X(tn_host_accessor, 24)          \
  X(tn_local_accessor, 32)         \
  X(tn_access, 16)                 \
  X(tn_rect, 40)                   \
  X(tn_local, 24)                  \
  X(tn_command, 368)               \
  X(tn_capture_record, 304)        \
  X(tn_command_group, 1472)        \
  X(tn_spec_value, 32)             \
  X(tn_bundle_query, 72)           \
  X(tn_cache_stats, 80)            \
  X(tn_source_query, 48)           \
  X(tn_source_include, 24)         \
  X(tn_source_build, 56)           \
  X(tn_source_file, 24)            \
  X(tn_source_params, 104)         \
  X(tn_source_name, 16)            \
  X(tn_source_input, 48)           \
  X(tn_source_result, 128)         \
  X(tn_adapter_host, 32)           \
  X(tn_adapter_launch, 120)        \
  X(tn_adapter_rect, 24)           \
  X(tn_adapter_graph_node, 24)     \
  X(tn_native_task, 24)            \
  X(tn_adapter_command, 280)       \
  X(tn_adapter_api, 600)           \
  X(tn_adapter_virtual_memory, 64) \
  X(tn_adapter_arrays, 48)         \
  X(tn_adapter_array_place, 32)    \
  X(tn_adapter_pixels, 24)         \
  X(tn_bindless_description, 48)   \
  X(tn_bindless_sampler, 28)       \
  X(tn_bindless_facts, 40)         \
  X(tn_bindless_level, 40)         \
  X(tn_bindless_pixels, 72)        \
  X(tn_build_image, 48)            \
  X(tn_build_params, 88)           \
  X(tn_build_spec, 24)             \
  X(tn_compiler, 88)               \
  X(tn_cpu_group, 232)             \
  X(tn_native_kernel, 24)          \
  X(tn_native_table, 16)

static void test_sizes(void **state) {
  (void)state;
  int wrong = 0;
#define CHECK_SIZE(type, expected)                                                        \
  if (sizeof(type) != (expected)) {                                                       \
    print_error("sizeof(" #type ") is %zu, was %zu\n", sizeof(type), (size_t)(expected)); \
    wrong++;                                                                              \
  }
  STRUCT_SIZES(CHECK_SIZE)
#undef CHECK_SIZE
  assert_int_equal(wrong, 0);
}

static void test_tables_begin_with_size_and_version(void **state) {
  (void)state;
  assert_int_equal(offsetof(tn_module, size), 0);
  assert_int_equal(offsetof(tn_module, version), 4);
  assert_int_equal(offsetof(tn_adapter_api, size), 0);
  assert_int_equal(offsetof(tn_adapter_api, version), 4);
  assert_int_equal(offsetof(tn_adapter_host, size), 0);
  assert_int_equal(offsetof(tn_adapter_host, version), 4);
  assert_int_equal(offsetof(tn_compiler, size), 0);
  assert_int_equal(offsetof(tn_compiler, version), 4);
  assert_int_equal(offsetof(tn_command, struct_size), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_sizes),
      cmocka_unit_test(test_tables_begin_with_size_and_version),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
