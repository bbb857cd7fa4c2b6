// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches with more work-items than a kernel's registers allow, over a driver of NVIDIA's without
// a device (test/fake_cuda), where those of a kernel named "wide…" allow 512.
#include "run/program/program.h"

// clang-format off: cmocka.h needs these before it
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
// clang-format on

#include <stdlib.h>

#include "adapter/cuda/cuda_driver.h"
#include "fake_cuda/fake_fail.h"
#include "unit/registry/module_maker.h"

static const image_maker image = {
    .target = "nvptx64-nvidia-cuda",
    .format = TN_IMAGE_FORMAT_PTX,
    .code = ".version 7.0\n.visible .entry wide(\n.visible .entry wide_too(\n"
            ".visible .entry any(\n",
    .kernels = {"any", "wide", "wide_too"}};
static tn_device *device;

static int find_device(void **state) {
  (void)state;
  size_t count = 0;
  tn_diag diag = {0};
  if (tn_device_count(&count, &diag) != TN_OK) {
    fail_msg("%s", diag.text);
  }
  for (size_t i = 0; i < count && !device; i++) {
    device = strcmp(tn_device_at(i)->target, image.target) == 0 ? tn_device_at(i) : NULL;
  }
  return device ? 0 : -1;
}

static tn_kernel *launched(tn_kernel_slot *slot, uint64_t local) {
  tn_kernel *kernel = NULL;
  tn_diag diag = {0};
  const tn_status status =
      tn_kernel_for_launch(slot, device, 1, local > 0 ? &local : NULL, &kernel, &diag);
  if (status != TN_OK) {
    fail_msg("%s", diag.text);
  }
  return kernel;
}

static uint64_t maximum(tn_kernel *kernel) {
  uint64_t size = 0;
  assert_int_equal(tn_kernel_get_info(kernel, TN_KERNEL_INFO_GROUP_SIZE, &size, sizeof(size), NULL,
                                      NULL),
                   TN_OK);
  return size;
}

// Other code is made when it is needed, for as many work-items as are needed, and what was there
// before is taken wherever it does.
static void test_code_is_made_on_demand(void **state) {
  (void)state;
  tn_module module;
  maker_register(&module, &image, 1);
  tn_kernel_slot slot = {&module, "wide", 1, NULL};
  tn_kernel *few = launched(&slot, 256);
  assert_int_equal(maximum(few), 512);
  assert_ptr_equal(launched(&slot, 0), few);
  assert_ptr_equal(launched(&slot, 512), few);
  tn_kernel *many = launched(&slot, 1024);
  assert_ptr_not_equal(many, few);
  assert_int_equal(maximum(many), 1024);
  assert_string_equal(tn_kernel_name(many), "wide");
  assert_ptr_equal(launched(&slot, 1024), many);
  assert_ptr_equal(launched(&slot, 512), few);
  tn_kernel *some = launched(&slot, 520);
  assert_int_equal(maximum(some), 544);
  assert_ptr_equal(launched(&slot, 0), few);
  tn_kernel *asked = NULL;
  assert_int_equal(tn_kernel_from_slot(&slot, device, &asked, NULL), TN_OK);
  assert_ptr_equal(asked, few);
  maker_unregister(&module);
  tn_program_reap();
}

// A first launch like that, and what an image has beside the kernel.
static void test_first_launch(void **state) {
  (void)state;
  tn_module module;
  maker_register(&module, &image, 1);
  tn_kernel_slot slots[3] = {
      {&module, "wide", 1, NULL}, {&module, "any", 1, NULL}, {&module, "wide_too", 1, NULL}};
  assert_int_equal(maximum(launched(&slots[0], 1024)), 1024);
  assert_int_equal(maximum(launched(&slots[0], 64)), 512);
  assert_int_equal(maximum(launched(&slots[2], 0)), 512);
  tn_kernel *any = launched(&slots[1], 1024);
  assert_int_equal(maximum(any), 1024);
  assert_ptr_equal(launched(&slots[1], 1), any);
  assert_false(any->is_partial);
  maker_unregister(&module);
  tn_program_reap();
}

// Machine code cannot be made for others: the PTX beside it can.
static void test_machine_code(void **state) {
  (void)state;
  const image_maker both[2] = {image,
                               {.target = image.target,
                                .format = TN_IMAGE_FORMAT_CUBIN,
                                .code = "\177ELF.entry wide(\n",
                                .kernels = {"wide"}}};
  tn_module module;
  maker_register(&module, both, 2);
  tn_kernel_slot slot = {&module, "wide", 1, NULL};
  assert_int_equal(maximum(launched(&slot, 512)), 512);
  assert_int_equal(maximum(launched(&slot, 1024)), 1024);
  maker_unregister(&module);
  maker_register(&module, both + 1, 1);
  slot = (tn_kernel_slot){&module, "wide", 1, NULL};
  assert_int_equal(maximum(launched(&slot, 1024)), 512);  // the launch fails, and says why
  maker_unregister(&module);
  tn_program_reap();
}

// The queue refuses it; code is not made for it.
static void test_too_many(void **state) {
  (void)state;
  tn_module module;
  maker_register(&module, &image, 1);
  tn_kernel_slot slot = {&module, "wide", 1, NULL};
  tn_kernel *kernel = launched(&slot, 64);
  assert_ptr_equal(launched(&slot, 1025), kernel);
  assert_ptr_equal(launched(&slot, UINT64_MAX), kernel);
  const uint64_t cube[3] = {UINT64_MAX / 2, 4, 4};
  tn_kernel *other = NULL;
  assert_int_equal(tn_kernel_for_launch(&slot, device, 3, cube, &other, NULL), TN_OK);
  assert_ptr_equal(other, kernel);
  maker_unregister(&module);
  tn_program_reap();
}

// The driver does not load it: the launch fails, and the code that was there is left.
static void test_failure(void **state) {
  (void)state;
  tn_module module;
  maker_register(&module, &image, 1);
  tn_kernel_slot slot = {&module, "wide", 1, NULL};
  tn_kernel *kernel = launched(&slot, 64);
  tn_kernel *wide = NULL;
  tn_diag diag = {0};
  const uint64_t local = 1024;
  fake_cuda_fail("cuModuleLoadDataEx:0:2");
  assert_int_not_equal(tn_kernel_for_launch(&slot, device, 1, &local, &wide, &diag), TN_OK);
  fake_cuda_fail(NULL);
  assert_null(wide);
  assert_non_null(strstr(diag.text, "kernel wide on "));
  assert_ptr_equal(launched(&slot, 64), kernel);
  assert_int_equal(maximum(launched(&slot, 1024)), 1024);
  maker_unregister(&module);
  tn_program_reap();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_code_is_made_on_demand), cmocka_unit_test(test_first_launch),
      cmocka_unit_test(test_machine_code),
      cmocka_unit_test(test_too_many), cmocka_unit_test(test_failure)};
  return cmocka_run_group_tests(tests, find_device, NULL);
}
