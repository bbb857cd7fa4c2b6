// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs of the quick tier are upgraded in place: kernels stay the same objects and run the full
// tier, on threads whose stacks hold it; code of other kernels is rejected.
#include "unit/adapter/made_object.h"

#define STORES(n) ".text\n.globl k.tn_group\nk.tn_group: movl $" #n ", (%rdi)\nret\n"
#define NEEDS(stack, slots, width, memory)                                                 \
  ".section .rodata\n.globl k.tn_needs\nk.tn_needs: .quad " #stack ", " #slots ", " #width \
  ", " #memory ", 0, 0, 0, 0, 0\n"

static const c_kernel no_kernels[] = {{NULL, NULL}};

static tn_adapter_program *load(const fixture *f, const char *text) {
  const tn_bytes object = made_object("assembler", text, "");
  tn_adapter_program *program = NULL;
  MUST(f->device.api->program_load(f->device.adapter_device, object.data, object.size, &program,
                                   diag));
  made_object_free(object);
  return program;
}

static tn_status upgrade(const fixture *f, tn_adapter_program *program, const char *text,
                         tn_diag *diag) {
  const tn_bytes object = made_object("assembler", text, "");
  const tn_status status = f->device.api->program_upgrade(program, object.data, object.size, diag);
  made_object_free(object);
  return status;
}

static int run(const tn_adapter_kernel *kernel) {
  int value = 0;
  const tn_cpu_group group = {.local_size = {1, 1, 1}};
  tn_cpu_kernel_function(kernel)(&value, &group);
  return value;
}

static uint32_t width_of(const fixture *f, tn_adapter_kernel *kernel) {
  uint32_t width = 0;
  return f->device.api->kernel_get_info(kernel, TN_KERNEL_INFO_MAX_SUB_GROUP_SIZE, &width,
                                        sizeof(width), NULL, NULL) == TN_OK
             ? width
             : 0;
}

static void test_upgrade(void **state) {
  (void)state;
  fixture f;
  fixture_open_cpu(&f, 1, no_kernels);
  tn_adapter_program *program = load(&f, STORES(1) NEEDS(8, 0, 1, 256));
  tn_adapter_kernel *kernel = NULL;
  MUST(f.device.api->kernel_find(program, "k", &kernel, diag));
  assert_int_equal(run(kernel), 1);
  assert_int_equal(width_of(&f, kernel), 0);
  MUST(upgrade(&f, program, STORES(2) NEEDS(16, 0, 8, 256), diag));
  tn_adapter_kernel *again = NULL;
  MUST(f.device.api->kernel_find(program, "k", &again, diag));
  assert_true(kernel == again);
  assert_int_equal(run(kernel), 2);
  assert_int_equal(width_of(&f, kernel), 8);
  f.device.api->program_unload(program);
  fixture_close(&f);
}

// 1 TiB is more than any thread has.
static void test_small_stack(void **state) {
  (void)state;
  fixture f;
  fixture_open_cpu(&f, 1, no_kernels);
  tn_adapter_program *program = load(&f, STORES(1));
  tn_adapter_kernel *kernel = NULL;
  MUST(f.device.api->kernel_find(program, "k", &kernel, diag));
  MUST(upgrade(&f, program, STORES(2) NEEDS(0x10000000000, 0, 8, 0), diag));
  assert_int_equal(run(kernel), 1);
  f.device.api->program_unload(program);
  fixture_close(&f);
}

static void test_rejected(void **state) {
  (void)state;
  static const char *const others[] = {
      STORES(2) NEEDS(0, 0, 8, 512),  // other memory of work-groups
      STORES(2) NEEDS(0, 8, 8, 256),   // slots, as with barriers
      ".text\n.globl other.tn_group\nother.tn_group: ret\n",
  };
  fixture f;
  fixture_open_cpu(&f, 1, no_kernels);
  tn_adapter_program *program = load(&f, STORES(1) NEEDS(0, 0, 1, 256));
  tn_adapter_kernel *kernel = NULL;
  MUST(f.device.api->kernel_find(program, "k", &kernel, diag));
  for (size_t i = 0; i < TN_COUNT(others); i++) {
    ASSERT_FAILS(upgrade(&f, program, others[i], diag), BAD_IMAGE, "does not match");
    assert_int_equal(run(kernel), 1);
  }
  ASSERT_FAILS(upgrade(&f, program, "# nothing\n.text\nret\n", diag), BAD_IMAGE, "kernel k");
  f.device.api->program_unload(program);
  fixture_close(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      LEAK_TEST(test_upgrade),
      LEAK_TEST(test_small_stack),
      LEAK_TEST(test_rejected),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
