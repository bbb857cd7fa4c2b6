// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Slots to kernels on a test device: what is built how often, whose kernel is launched, what is
// said when something is missing, and that nothing is lost when modules go.
#include "run/program/program.h"

// clang-format off: cmocka.h needs these before it
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
// clang-format on

#include "unit/program/program_world.h"

static tn_kernel *launch(tn_kernel_slot *slot, size_t device) {
  tn_kernel *kernel = NULL;
  tn_diag diag = {0};
  if (tn_kernel_from_slot(slot, world_device(device), &kernel, &diag) != TN_OK) {
    fail_msg("%s", diag.text);
  }
  assert_ptr_equal(tn_kernel_slot_peek(slot, world_device(device)), kernel);
  return kernel;
}

static void test_a_program_is_built_once(void **state) {
  (void)state;
  tn_module module;
  const image_maker images[] = {{.kernels = {"a", "b"}}, {.target = "spirv64", .kernels = {"a"}}};
  const int64_t live = tn_alloc_live();
  const int loads = double_load_count;
  maker_register(&module, images, 2);
  tn_kernel_slot a = {.module = &module, .name = "a", .unit_id = 7};
  tn_kernel_slot b = {.module = &module, .name = "b"};
  assert_null(tn_kernel_slot_peek(&a, world_device(0)));
  tn_kernel *kernel = launch(&a, 0);
  assert_string_equal(tn_kernel_name(kernel), "a");
  assert_int_equal(tn_kernel_arg_size(kernel), 8);
  assert_int_equal(kernel->arg_align, 8);
  assert_ptr_equal(launch(&a, 0), kernel);
  assert_int_equal(tn_kernel_arg_size(launch(&b, 0)), 16);
  assert_int_equal(double_load_count, loads + 1);
  tn_kernel *other = launch(&a, 1);  // another device
  assert_ptr_not_equal(other, kernel);
  assert_int_equal(double_load_count, loads + 2);
  assert_ptr_equal(launch(&a, 0), kernel);
  const int64_t built = tn_alloc_live();
  assert_ptr_equal(launch(&a, 1), other);
  assert_int_equal(tn_alloc_live(), built);
  maker_unregister(&module);
  assert_null(a.cache);
  tn_program_reap();
  assert_int_equal(double_live, 0);
  assert_int_equal(tn_alloc_live(), live);
}

static void test_users_keep_what_they_hold(void **state) {
  (void)state;
  tn_module module;
  const image_maker image = {.kernels = {"k"}};
  const int64_t live = tn_alloc_live();
  maker_register(&module, &image, 1);
  tn_kernel_slot slot = {.module = &module, .name = "k"};
  tn_kernel *kernel = launch(&slot, 0);
  tn_kernel_retain(kernel);
  maker_unregister(&module);
  assert_int_equal(double_live, 1);
  tn_program_reap();
  assert_int_equal(double_live, 1);
  assert_string_equal(tn_kernel_name(kernel), "k");
  assert_string_equal(kernel->adapter_kernel->name, "k");
  tn_kernel_release(kernel);
  assert_int_equal(double_live, 1);  // released, but no adapter is called from here
  tn_program_reap();
  assert_int_equal(double_live, 0);
  assert_int_equal(tn_alloc_live(), live);
}

static void test_a_kernel_belongs_to_its_module(void **state) {
  (void)state;
  tn_module modules[2];
  const image_maker images[2] = {{.kernels = {"same", "one"}}, {.kernels = {"same", "two"}}};
  const int64_t live = tn_alloc_live();
  tn_kernel_slot slots[2];
  tn_kernel *kernels[2];
  for (size_t i = 0; i < 2; i++) {
    maker_register(&modules[i], &images[i], 1);
    slots[i] = (tn_kernel_slot){.module = &modules[i], .name = "same"};
  }
  for (size_t i = 0; i < 2; i++) {
    kernels[i] = launch(&slots[i], 0);
  }
  assert_ptr_not_equal(kernels[0]->program, kernels[1]->program);
  // Either goes without the other.
  maker_unregister(&modules[0]);
  tn_program_reap();
  assert_int_equal(double_live, 1);
  assert_string_equal(kernels[1]->adapter_kernel->name, "same");
  maker_unregister(&modules[1]);
  tn_program_reap();
  assert_int_equal(double_live, 0);
  assert_int_equal(tn_alloc_live(), live);
}

static void test_equal_bytes_share_a_program(void **state) {
  (void)state;
  tn_module modules[2];
  const image_maker image = {.kernels = {"k"}};
  const int64_t live = tn_alloc_live();
  tn_kernel_slot slots[2];
  for (size_t i = 0; i < 2; i++) {
    maker_register(&modules[i], &image, 1);
    slots[i] = (tn_kernel_slot){.module = &modules[i], .name = "k"};
  }
  assert_ptr_equal(launch(&slots[0], 0)->program, launch(&slots[1], 0)->program);
  maker_unregister(&modules[0]);
  tn_program_reap();
  assert_int_equal(double_live, 1);
  assert_string_equal(launch(&slots[1], 0)->adapter_kernel->name, "k");
  maker_unregister(&modules[1]);
  tn_program_reap();
  assert_int_equal(tn_alloc_live(), live);
}

static void test_local_kernels_come_first(void **state) {
  (void)state;
  tn_module module;
  const image_maker image = {.kernels = {"k", "k@000000000000000a", "k@000000000000000b"}};
  const int64_t live = tn_alloc_live();
  maker_register(&module, &image, 1);
  tn_kernel_slot slots[3] = {{&module, "k", 10, NULL}, {&module, "k", 11, NULL},
                             {&module, "k", 12, NULL}};
  assert_string_equal(launch(&slots[0], 0)->name, "k@000000000000000a");
  assert_string_equal(launch(&slots[1], 0)->name, "k@000000000000000b");
  assert_string_equal(launch(&slots[2], 0)->name, "k");
  assert_string_equal(tn_kernel_name(launch(&slots[1], 0)), "k");
  maker_unregister(&module);
  tn_program_reap();
  assert_int_equal(tn_alloc_live(), live);
}

static void expect_failure(tn_kernel_slot *slot, tn_device *device, tn_status code,
                           const char *const *words) {
  tn_kernel *kernel = NULL;
  tn_diag diag = {0};
  const tn_status status = tn_kernel_from_slot(slot, device, &kernel, &diag);
  if (status != code) {
    fail_msg("status %d, expected %d: %s", (int)status, (int)code, diag.text);
  }
  assert_int_equal(diag.code, code);
  assert_null(kernel);
  for (; *words; words++) {
    if (!strstr(diag.text, *words)) {
      fail_msg("\"%s\" does not say \"%s\"", diag.text, *words);
    }
  }
  // Without a diagnosis it is the same.
  assert_int_equal(tn_kernel_from_slot(slot, device, &kernel, NULL), code);
}
#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

static void test_missing_kernels_are_explained(void **state) {
  (void)state;
  static tn_module module;  // in this program, so that its path is known
  const image_maker images[] = {{.kernels = {"there"}},
                                {.target = "spirv64", .format = TN_IMAGE_FORMAT_SPIRV,
                                 .code = "x", .kernels = {"elsewhere"}}};
  const int64_t live = tn_alloc_live();
  maker_register(&module, images, 2);
  tn_kernel_slot slot = {.module = &module, .name = "absent"};
  expect_failure(&slot, world_device(0), TN_KERNEL_NOT_FOUND,
                 WORDS("kernel absent", "Mock 0", "target mock", "program_test",
                       "mock native (1 kernel: there)", "spirv64 spirv (1 kernel: elsewhere)"));
  expect_failure(&slot, world_cpu_device(), TN_KERNEL_NOT_FOUND,
                 WORDS("Double CPU", "-fsycl-targets=native_cpu"));
  slot.module = NULL;
  expect_failure(&slot, world_device(0), TN_KERNEL_NOT_FOUND,
                 WORDS("absent", "linked without tenon++ -fsycl"));
  slot.module = (const tn_module *)(const void *)images;
  expect_failure(&slot, world_device(0), TN_KERNEL_NOT_FOUND, WORDS("is not registered"));
  slot.name = NULL;
  expect_failure(&slot, world_device(0), TN_INVALID_ARGUMENT, WORDS("slot's name"));
  expect_failure(&slot, NULL, TN_INVALID_ARGUMENT, WORDS("device"));
  maker_unregister(&module);
  tn_program_reap();
  assert_int_equal(tn_alloc_live(), live);
}

static void test_damaged_images_are_explained(void **state) {
  (void)state;
  static tn_module module;
  const image_maker image = {.kernels = {"k"}};
  const int64_t live = tn_alloc_live();
  maker_register(&module, &image, 1);
  tn_unregister_module(&module);
  module.fatbin_size -= 1;
  tn_register_module(&module);
  tn_kernel_slot slot = {.module = &module, .name = "k"};
  expect_failure(&slot, world_device(0), TN_BAD_IMAGE, WORDS("program_test"));
  maker_unregister(&module);
  tn_program_reap();
  assert_int_equal(tn_alloc_live(), live);
}

static void test_a_failed_build_is_tried_again(void **state) {
  (void)state;
  tn_module module;
  const image_maker image = {.kernels = {"k"}};
  const int64_t live = tn_alloc_live();
  maker_register(&module, &image, 1);
  tn_kernel_slot slot = {.module = &module, .name = "k"};
  double_fails = true;
  expect_failure(&slot, world_device(0), TN_BUILD_FAILED,
                 WORDS("kernel k on Mock 0", "told to fail"));
  double_fails = false;
  assert_non_null(launch(&slot, 0));
  maker_unregister(&module);
  tn_program_reap();
  assert_int_equal(tn_alloc_live(), live);
}

static void test_machine_code_is_chosen_over_bitcode(void **state) {
  (void)state;
  tn_module module;
  const image_maker images[] = {
      {.target = "native_cpu", .format = TN_IMAGE_FORMAT_BITCODE, .code = "bc", .kernels = {"k"}},
      {.target = "native_cpu", .kernels = {"k"}},
  };
  const int64_t live = tn_alloc_live();
  maker_register(&module, images, 2);
  tn_kernel_slot slot = {.module = &module, .name = "k"};
  tn_kernel *kernel = NULL;
  tn_diag diag = {0};
  assert_int_equal(tn_kernel_from_slot(&slot, world_cpu_device(), &kernel, &diag), TN_OK);
  maker_unregister(&module);
  // Bitcode alone needs the compiler, which is not there in this test.
  maker_register(&module, images, 1);
  expect_failure(&slot, world_cpu_device(), TN_UNSUPPORTED,
                 WORDS("kernel k on Double CPU", "/nowhere/libtenon-compiler.so"));
  maker_unregister(&module);
  tn_program_reap();
  assert_int_equal(double_live, 0);
  assert_int_equal(tn_alloc_live(), live);
}

// Many threads launch kernels of one image for the first time; the load is held until all are in.
enum { THREADS = 8 };
typedef struct launcher {
  tn_kernel_slot *slot;
  tn_kernel *kernel;
  tn_thread thread;
} launcher;
static _Atomic int launching;

static void *launch_first(void *arg) {
  launcher *l = arg;
  launching++;
  TN_IGNORE(tn_kernel_from_slot(l->slot, world_device(0), &l->kernel, NULL), "kernel stays NULL");
  return NULL;
}

static void test_first_launches_at_once(void **state) {
  (void)state;
  tn_module module;
  const image_maker image = {.kernels = {"a", "b", "c", "d"}};
  const int64_t live = tn_alloc_live();
  const int loads = double_load_count;
  maker_register(&module, &image, 1);
  tn_kernel_slot slots[4] = {{&module, "a", 1, NULL}, {&module, "b", 1, NULL},
                             {&module, "c", 2, NULL}, {&module, "d", 2, NULL}};
  launcher launchers[THREADS];
  launching = 0;
  double_holds = 1;
  for (size_t i = 0; i < THREADS; i++) {
    launchers[i] = (launcher){.slot = &slots[i % 4]};
    assert_int_equal(
        tn_thread_create(&launchers[i].thread, "launch", launch_first, &launchers[i], NULL), TN_OK);
  }
  while (launching < THREADS || double_waiting == 0) {
    sched_yield();
  }
  double_holds = 0;
  for (size_t i = 0; i < THREADS; i++) {
    tn_thread_join(launchers[i].thread);
  }
  assert_int_equal(double_load_count, loads + 1);
  for (size_t i = 0; i < THREADS; i++) {
    assert_non_null(launchers[i].kernel);
    assert_ptr_equal(launchers[i].kernel, launchers[i % 4].kernel);
    assert_string_equal(tn_kernel_name(launchers[i].kernel), slots[i % 4].name);
  }
  maker_unregister(&module);
  tn_program_reap();
  assert_int_equal(tn_alloc_live(), live);
}

int main(void) {
  world_environment();
  (void)setenv("TENON_COMPILER_LIBRARY", "/nowhere/libtenon-compiler.so", 1);
  size_t count = 0;
  TN_IGNORE(tn_device_count(&count, NULL), "the tests fail without devices");
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_a_program_is_built_once),
      cmocka_unit_test(test_users_keep_what_they_hold),
      cmocka_unit_test(test_a_kernel_belongs_to_its_module),
      cmocka_unit_test(test_equal_bytes_share_a_program),
      cmocka_unit_test(test_local_kernels_come_first),
      cmocka_unit_test(test_missing_kernels_are_explained),
      cmocka_unit_test(test_damaged_images_are_explained),
      cmocka_unit_test(test_a_failed_build_is_tried_again),
      cmocka_unit_test(test_machine_code_is_chosen_over_bitcode),
      cmocka_unit_test(test_first_launches_at_once),
  };
  return cmocka_run_group_tests_name("program", tests, world_begin, world_end);
}
