// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bundles on the CPU and mock adapters themselves, without a compiler: machine code that lies in
// its module, sub-devices, and what kernels say of themselves.
#include "run/bundle/bundle.h"

// clang-format off: cmocka.h needs these before it
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
// clang-format on

#include "adapter/mock/mock.h"
#include "run/program/program.h"
#include "run/sched/sched.h"
#include "tenon/cpu_kernel.h"
#include "unit/registry/module_maker.h"

#include <stdlib.h>

static tn_device *cpu;
static tn_device *mock;
static tn_device *parts[2];
static tn_context *context;  // the CPU's
static tn_diag diag;

static int find_devices(void **state) {
  (void)state;
  size_t count = 0;
  const bool is_listed = tn_device_count(&count, &diag) == TN_OK && count == 2;
  cpu = is_listed ? tn_device_at(0) : NULL;
  mock = is_listed ? tn_device_at(1) : NULL;
  tn_device *const *divided = NULL;
  const tn_partition by_counts = {TN_PARTITION_BY_COUNTS, TN_AFFINITY_NONE, (const size_t[]){1, 1},
                                  2};
  if (!is_listed || tn_context_create(&cpu, 1, &context, &diag) != TN_OK) {
    return -1;
  }
  // On one core there are no parts: what they are tested for is tested with the whole twice then.
  const bool is_divided =
      tn_device_partition(cpu, &by_counts, &divided, &count, &diag) == TN_OK && count == 2;
  parts[0] = is_divided ? divided[0] : cpu;
  parts[1] = is_divided ? divided[1] : cpu;
  return 0;
}

static int drop_context(void **state) {
  (void)state;
  tn_context_release(context);
  return 0;
}

static void store(const void *args, const tn_cpu_group *group) {
  int *const *out = args;
  for (uint64_t i = 0; i < group->local_size[0]; i++) {
    (*out)[group->base[0] + i] = (int)(group->base[0] + i) + 1;
  }
}

static const tn_cpu_needs needs = {.slot_bytes = 48, .slot_width = 8, .group_memory = 256};
static const tn_native_kernel kernels[] = {{"store", store, NULL}, {"tile", store, &needs}};
static const tn_native_table table = {TN_CPU_KERNEL_VERSION, 2, kernels};
static const tn_native_table *const tables[] = {&table};
static const image_maker images[] = {
    {.target = "native_cpu",
     .format = TN_IMAGE_FORMAT_HOST,
     .code = "table",
     .kernels = {"store", "tile"}},
    {.code = "kernel store\nkernel other\n", .kernels = {"other", "store"}},  // for the mock device
};

static void open_module(tn_module *module) {
  tn_buf bytes;
  tn_buf_init(&bytes, 1u << 20);
  maker_write(images, TN_COUNT(images), &bytes);
  *module = (tn_module){.size = sizeof(*module),
                        .version = TN_MODULE_VERSION,
                        .fatbin = bytes.data,
                        .fatbin_size = bytes.size,
                        .natives = tables,
                        .native_count = 1};
  tn_register_module(module);
}

static tn_bundle *get_for(tn_context *of, tn_device *const *devices, size_t count) {
  tn_bundle *bundle = NULL;
  const tn_bundle_query query = {.struct_size = sizeof(query),
                                 .state = TN_BUNDLE_EXECUTABLE,
                                 .context = of,
                                 .devices = devices,
                                 .device_count = count};
  if (tn_bundle_get(&query, &bundle, &diag) != TN_OK) {
    fail_msg("%s", diag.text);
  }
  return bundle;
}

static tn_kernel *kernel_of(tn_bundle *bundle, const tn_module *module, const char *name,
                            tn_device *device) {
  const tn_kernel_slot slot = {.module = module, .name = name};
  tn_kernel *kernel = NULL;
  if (tn_bundle_get_slot(bundle, &slot, device, &kernel, &diag) != TN_OK) {
    fail_msg("%s", diag.text);
  }
  return kernel;
}

static void check_runs(tn_kernel *kernel, tn_device *device) {
  int out[100] = {0};
  int *argument = out;
  tn_queue *queue = NULL;
  assert_int_equal(tn_queue_create(context, device, 0, &queue, &diag), TN_OK);
  const tn_command command = {.struct_size = sizeof(command),
                              .kind = TN_COMMAND_KERNEL,
                              .kernel = kernel,
                              .args = &argument,
                              .arg_size = sizeof(argument),
                              .arg_align = 8,
                              .dims = 1,
                              .global = {TN_COUNT(out), 1, 1},
                              .local = {1, 1, 1}};
  if (tn_queue_submit(queue, &command, NULL, &diag) != TN_OK) {
    fail_msg("%s", diag.text);
  }
  assert_int_equal(tn_queue_wait(queue, &diag), TN_OK);
  for (int i = 0; i < (int)TN_COUNT(out); i++) {
    assert_int_equal(out[i], i + 1);
  }
  tn_queue_release(queue);
}

// A bundle for parts of the context's device: one program, which runs on each of them.
static void test_parts_of_a_device(void **state) {
  (void)state;
  tn_module module;
  open_module(&module);
  tn_bundle *bundle = get_for(context, parts, 2);
  assert_int_equal(tn_bundle_image_count(bundle), 1);
  assert_int_equal(tn_bundle_device_count(bundle), parts[0] == parts[1] ? 1 : 2);
  for (size_t i = 0; i < 2; i++) {
    tn_kernel *kernel = kernel_of(bundle, &module, "store", parts[i]);
    check_runs(kernel, parts[i]);
    tn_kernel_release(kernel);
  }
  tn_kernel_id *id = tn_bundle_kernel_id_at(bundle, 0);
  tn_kernel *kernel = NULL;
  if (parts[0] != cpu) {
    // The whole is not a part of its parts.
    assert_false(tn_bundle_has_kernel(bundle, id, cpu));
    assert_int_equal(tn_bundle_get_kernel(bundle, id, cpu, &kernel, &diag), TN_INVALID_ARGUMENT);
  }
  tn_bundle_release(bundle);
  // And a bundle for the whole is good for its parts.
  bundle = get_for(context, &cpu, 1);
  assert_true(tn_bundle_has_kernel(bundle, tn_bundle_kernel_id_at(bundle, 0), parts[1]));
  kernel = kernel_of(bundle, &module, "store", parts[1]);
  check_runs(kernel, parts[1]);
  tn_kernel_release(kernel);
  tn_bundle_release(bundle);
  maker_unregister(&module);
  tn_program_reap();
}

// Its machine code goes with the module, and there is no other.
static void test_machine_code_goes(void **state) {
  (void)state;
  const int64_t live = tn_alloc_live();
  tn_module module;
  open_module(&module);
  tn_bundle *bundle = get_for(context, &cpu, 1);
  tn_kernel *kernel = kernel_of(bundle, &module, "store", cpu);
  tn_kernel_release(kernel);
  maker_unregister(&module);
  tn_kernel_id *id = tn_bundle_kernel_id_at(bundle, 0);
  assert_string_equal(tn_kernel_id_name(id), "store");
  kernel = NULL;
  assert_int_equal(tn_bundle_get_kernel(bundle, id, cpu, &kernel, &diag), TN_KERNEL_NOT_FOUND);
  assert_null(kernel);
  assert_non_null(strstr(diag.text,
                         "kernel store: its machine code went with its module, which is "
                         "unloaded, and there is no other image of it for device "));
  tn_bundle_release(bundle);
  tn_program_reap();
  assert_int_equal(tn_alloc_live(), live);
}

static uint64_t info(const tn_kernel *kernel, int32_t what, size_t size) {
  uint64_t answer = 0;
  size_t needed = 0;
  if (tn_kernel_get_info(kernel, what, &answer, sizeof(answer), &needed, &diag) != TN_OK) {
    fail_msg("%s", diag.text);
  }
  assert_int_equal(needed, size);
  return answer;
}

static void test_info(void **state) {
  (void)state;
  tn_module module;
  open_module(&module);
  tn_bundle *bundle = get_for(context, &cpu, 1);
  tn_kernel *kernel = kernel_of(bundle, &module, "tile", cpu);
  uint64_t group = 0;
  const uint32_t sub_group = 8;  // the width that its code was made for
  assert_int_equal(tn_device_get_info(cpu, TN_DEVICE_INFO_MAX_WORK_GROUP_SIZE, &group,
                                      sizeof(group), NULL, &diag),
                   TN_OK);
  assert_int_equal(info(kernel, TN_KERNEL_INFO_GROUP_SIZE, 8), group);
  assert_int_equal(info(kernel, TN_KERNEL_INFO_PREFERRED_GROUP_SIZE_MULTIPLE, 8), sub_group);
  assert_int_equal(info(kernel, TN_KERNEL_INFO_PRIVATE_MEM_SIZE, 8), 48);  // its slots
  assert_int_equal(info(kernel, TN_KERNEL_INFO_LOCAL_MEM_SIZE, 8), 256);
  assert_int_equal(info(kernel, TN_KERNEL_INFO_MAX_SUB_GROUP_SIZE, 4), sub_group);
  assert_int_equal(info(kernel, TN_KERNEL_INFO_MAX_NUM_SUB_GROUPS, 4), group / sub_group);
  assert_int_equal(info(kernel, TN_KERNEL_INFO_COMPILE_SUB_GROUP_SIZE, 4), 0);
  assert_int_equal(info(kernel, TN_KERNEL_INFO_COMPILE_NUM_SUB_GROUPS, 4), 0);
  assert_int_equal(info(kernel, TN_KERNEL_INFO_ATTRIBUTES, 1), 0);
  tn_kernel *plain = kernel_of(bundle, &module, "store", cpu);
  assert_int_equal(info(plain, TN_KERNEL_INFO_PRIVATE_MEM_SIZE, 8), 0);
  assert_int_equal(info(plain, TN_KERNEL_INFO_LOCAL_MEM_SIZE, 8), 0);
  tn_kernel_release(plain);
  uint32_t small = 0;
  assert_int_equal(
      tn_kernel_get_info(kernel, TN_KERNEL_INFO_GROUP_SIZE, &small, sizeof(small), NULL, &diag),
      TN_INVALID_ARGUMENT);
  assert_non_null(strstr(diag.text, "kernel tile on "));
  assert_int_equal(tn_kernel_get_info(kernel, 99, &small, 4, NULL, &diag), TN_INVALID_ARGUMENT);
  assert_string_equal(diag.text, "99 is no kernel info that this version knows");
  assert_int_equal(tn_kernel_get_info(NULL, 1, &small, 4, NULL, &diag), TN_INVALID_ARGUMENT);
  maker_unregister(&module);
  // What is read where the kernel's code lay cannot be told any more.
  uint64_t answer = 0;
  assert_int_equal(tn_kernel_get_info(kernel, TN_KERNEL_INFO_PRIVATE_MEM_SIZE, &answer,
                                      sizeof(answer), NULL, &diag),
                   TN_KERNEL_NOT_FOUND);
  tn_kernel_release(kernel);
  tn_bundle_release(bundle);
  tn_program_reap();
}

static void test_info_of_requirements(void **state) {
  (void)state;
  tn_module module;
  open_module(&module);
  tn_context *of_mock = NULL;
  assert_int_equal(tn_context_create(&mock, 1, &of_mock, &diag), TN_OK);
  tn_bundle *bundle = get_for(of_mock, &mock, 1);
  tn_kernel *kernel = kernel_of(bundle, &module, "other", mock);
  assert_int_equal(info(kernel, TN_KERNEL_INFO_PRIVATE_MEM_SIZE, 8), TN_MOCK_PRIVATE_SIZE);
  assert_int_equal(info(kernel, TN_KERNEL_INFO_LOCAL_MEM_SIZE, 8), 0);
  tn_kernel asking = *kernel;
  asking.sub_group_size = 8;
  asking.group_size[0] = 1;
  asking.group_size[1] = 2;
  asking.group_size[2] = 16;
  uint64_t group[3] = {0};
  char text[64] = "";
  assert_int_equal(tn_kernel_get_info(&asking, TN_KERNEL_INFO_COMPILE_GROUP_SIZE, group,
                                      sizeof(group), NULL, &diag),
                   TN_OK);
  assert_true(group[0] == 1 && group[1] == 2 && group[2] == 16);
  assert_int_equal(
      tn_kernel_get_info(&asking, TN_KERNEL_INFO_ATTRIBUTES, text, sizeof(text), NULL, &diag),
      TN_OK);
  assert_string_equal(text, "reqd_work_group_size(1,2,16) reqd_sub_group_size(8)");
  assert_int_equal(info(&asking, TN_KERNEL_INFO_MAX_SUB_GROUP_SIZE, 4), 8);
  assert_int_equal(info(&asking, TN_KERNEL_INFO_COMPILE_SUB_GROUP_SIZE, 4), 8);
  assert_int_equal(info(&asking, TN_KERNEL_INFO_PREFERRED_GROUP_SIZE_MULTIPLE, 8), 8);
  assert_int_equal(info(&asking, TN_KERNEL_INFO_MAX_NUM_SUB_GROUPS, 4), 64 / 8);
  tn_kernel_release(kernel);
  tn_bundle_release(bundle);
  tn_context_release(of_mock);
  maker_unregister(&module);
  tn_program_reap();
  assert_int_equal(tn_mock_program_count(mock->adapter_device), 0);
}

int main(void) {
  (void)setenv("TENON_MOCK", "1", 1);
  (void)setenv("TENON_CACHE", "0", 1);
  (void)setenv("TENON_COMPILER_LIBRARY", "/nonexistent/compiler.so", 1);
  (void)unsetenv("ONEAPI_DEVICE_SELECTOR");
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_parts_of_a_device),
      cmocka_unit_test(test_machine_code_goes),
      cmocka_unit_test(test_info),
      cmocka_unit_test(test_info_of_requirements),
  };
  return cmocka_run_group_tests_name("bundle_native", tests, find_devices, drop_context);
}
