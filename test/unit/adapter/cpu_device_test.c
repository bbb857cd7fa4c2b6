// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the CPU device says of itself, its programs, and its failures.
#include "unit/sched/cmocka_all.h"
#include "unit/sched/sched_fixture.h"

static void nothing(const void *args, const tn_cpu_group *group) {
  (void)args;
  (void)group;
}

static const c_kernel kernels[] = {{"k" TN_CPU_KERNEL_SUFFIX, nothing}, {NULL, NULL}};

#define INFO(f, name, out)                                                                       \
  MUST((f).device.api->device_get_info((f).device.adapter_device, TN_DEVICE_INFO_##name, &(out), \
                                       sizeof(out), NULL, diag))

static void test_info(void **state) {
  (void)state;
  fixture f;
  fixture_open_cpu(&f, 0, kernels);
  const tn_adapter_api *api = f.device.api;
#define WIDTH_string 0
#define WIDTH_u32 4
#define WIDTH_u64 8
#define WIDTH_u64x3 24
#define WIDTH_u8x16 16
#define CHECK_INFO(name, value, type)                                                 \
  if ((value) < TN_DEVICE_INFO_DEVICE_ID) {                                           \
    size_t size = 0;                                                                  \
    MUST(api->device_get_info(f.device.adapter_device, value, NULL, 0, &size, diag)); \
    assert_true(size > 0 && (WIDTH_##type == 0 || size == WIDTH_##type));             \
  }
  TN_DEVICE_INFO_MAP(CHECK_INFO)
  uint32_t units = 0;
  uint32_t width = 0;
  uint64_t aspects = 0;
  uint64_t memory = 0;
  char name[256];
  INFO(f, MAX_COMPUTE_UNITS, units);
  INFO(f, NATIVE_VECTOR_WIDTH, width);
  INFO(f, ASPECTS, aspects);
  INFO(f, GLOBAL_MEM_SIZE, memory);
  INFO(f, NAME, name);
  assert_true(units >= 1 && units <= tn_thread_core_count());  // a control group may allow less
  assert_true(width == 16 || width == 32 || width == 64);
  assert_true(aspects & 1u << TN_ASPECT_CPU && aspects & 1u << TN_ASPECT_USM_SYSTEM_ALLOCATIONS);
  assert_false(aspects & 1u << TN_ASPECT_EMULATED || aspects & 1u << TN_ASPECT_GPU);
  assert_true(memory > 1u << 20 && name[0] != '\0');
  char small[1];
  ASSERT_FAILS(
      api->device_get_info(f.device.adapter_device, TN_DEVICE_INFO_NAME, small, 1, NULL, diag),
      INVALID_ARGUMENT, "bytes for its answer");
  ASSERT_FAILS(api->device_get_info(f.device.adapter_device, 999, name, 8, NULL, diag),
               INVALID_ARGUMENT, "999");
  MUST(api->get_info(f.adapter, TN_PLATFORM_INFO_NAME, name, sizeof(name), NULL, diag));
  assert_string_equal(name, "Tenon CPU");
  ASSERT_FAILS(api->get_info(f.adapter, 77, name, sizeof(name), NULL, diag), INVALID_ARGUMENT,
               "77");
  assert_string_equal(f.device.target, "native_cpu");
  assert_null(tn_cpu_adapter_query(0));
  fixture_close(&f);
}

static void test_programs(void **state) {
  (void)state;
  fixture f;
  fixture_open_cpu(&f, 1, kernels);
  const tn_adapter_api *api = f.device.api;
  tn_adapter_kernel *first = NULL;
  tn_adapter_kernel *second = NULL;
  MUST(api->kernel_find(f.program, "k", &first, diag));
  MUST(api->kernel_find(f.program, "k", &second, diag));
  assert_true(first == second);
  ASSERT_FAILS(api->kernel_find(f.program, "none", &first, diag), KERNEL_NOT_FOUND, "none");
  assert_null(first);
  tn_adapter_program *program = NULL;
  for (int64_t nth = 0; nth < 2; nth++) {
    tn_fault_arm(nth);
    const tn_status status = api->program_load(f.device.adapter_device, kernels, 1, &program, NULL);
    tn_fault_arm(-1);
    assert_int_equal(status, nth == 0 ? TN_OUT_OF_MEMORY : TN_BUILD_FAILED);
    assert_null(program);
  }
  fixture_close(&f);
}

static void test_tables(void **state) {
  (void)state;
  static const tn_cpu_needs needs = {.slot_bytes = 96, .slot_width = 4};
  static const tn_native_kernel entries[] = {
      {"a", nothing, NULL}, {"b", nothing, &needs}, {"k", nothing, NULL}};
  const tn_native_table table = {TN_CPU_KERNEL_VERSION, 3, entries};
  const tn_native_table other = {TN_CPU_KERNEL_VERSION + 1, 3, entries};
  fixture f;
  fixture_open_cpu(&f, 1, kernels);
  const tn_adapter_api *api = f.device.api;
  tn_adapter_program *program = NULL;
  tn_adapter_kernel *found[4] = {NULL};
  MUST(api->program_load_table(f.device.adapter_device, &table, &program, diag));
  static const char *const names[] = {"k", "a", "b", "a"};
  for (size_t i = 0; i < 4; i++) {
    MUST(api->kernel_find(program, names[i], &found[i], diag));
  }
  assert_true(found[1] == found[3] && found[0] != found[1] && found[1] != found[2]);
  tn_adapter_kernel *none = NULL;
  ASSERT_FAILS(api->kernel_find(program, "c", &none, diag), KERNEL_NOT_FOUND, "c");
  assert_null(none);
  api->program_unload(program);
  ASSERT_FAILS(api->program_load_table(f.device.adapter_device, &other, &program, diag),
               UNSUPPORTED, "version 5");
  assert_null(program);
  for (int64_t nth = 0; nth < 2; nth++) {
    tn_fault_arm(nth);
    assert_int_equal(api->program_load_table(f.device.adapter_device, &table, &program, NULL),
                     TN_OUT_OF_MEMORY);
    tn_fault_arm(-1);
  }
  fixture_close(&f);
}

// The same in each process on this machine; it needs no device.
static void test_identity(void **state) {
  (void)state;
  const tn_adapter_api *api = tn_cpu_adapter_query(TN_ADAPTER_VERSION);
  const char *identity = api->device_identity(NULL);
  char interface[64];
  (void)snprintf(interface, sizeof(interface), "kernel interface %u",
                 (unsigned)TN_CPU_KERNEL_VERSION);
  assert_non_null(identity);
  assert_non_null(strstr(identity, interface));
  assert_ptr_equal(api->device_identity(NULL), identity);
}

static void test_memory(void **state) {
  (void)state;
  fixture f;
  fixture_open_cpu(&f, 1, kernels);
  const tn_adapter_api *api = f.device.api;
  void *memory = NULL;
  MUST(api->memory_alloc(f.device.adapter_device, TN_USM_DEVICE, 100, 4096, &memory, diag));
  assert_int_equal((uintptr_t)memory % 4096, 0);
  api->memory_free(f.device.adapter_device, TN_USM_DEVICE, memory);
  ASSERT_FAILS(
      api->memory_alloc(f.device.adapter_device, TN_USM_DEVICE, SIZE_MAX / 2, 64, &memory, diag),
      OUT_OF_MEMORY, "the machine has");
  assert_null(memory);
  fixture_close(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      LEAK_TEST(test_info),
      LEAK_TEST(test_programs),
      LEAK_TEST(test_tables),
      LEAK_TEST(test_identity),
      LEAK_TEST(test_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
