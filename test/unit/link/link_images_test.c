// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which definition a build takes when several images have one.
#include "compile/link/link.h"

// clang-format off: cmocka.h needs these before it
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
// clang-format on

#define EXPORT "attributes #1 = { \"sycl-module-id\"=\"m\" }\n"
static const char kernel_image[] =
    "define spir_kernel void @K() {\n  %a = call i32 @f()\n  ret void\n}\n"
    "define i32 @f() #1 {\n  ret i32 1\n}\n" EXPORT;
static const char other_image[] =
    "define spir_kernel void @K() {\n  ret void\n}\ndefine i32 @f() #1 {\n  ret i32 2\n}\n"
    "define i32 @g() #1 {\n  %a = call i32 @nowhere()\n  ret i32 %a\n}\ndeclare i32 @nowhere()\n"
    EXPORT;

static const char *const take_f[] = {"f"};
static const char *const take_nothing[] = {NULL};

static tn_link_source source(const char *text, const char *name, const char *const *take,
                             size_t take_count) {
  return (tn_link_source){.bitcode = tn_bytes_from(text, strlen(text)), .name = name,
                          .take = take, .take_count = take_count};
}

// Links and gives the constant that f returns, or -1 when there is no f; fails as told.
static int returned(const tn_link_source *images, size_t count, tn_status expect, tn_diag *diag) {
  tn_llvm_job job;
  tn_arena arena;
  tn_arena_init(&arena);
  assert_int_equal(tn_llvm_job_init(&job, diag), TN_OK);
  LLVMModuleRef module = NULL;
  assert_int_equal(tn_link_images(&job, images, count, &arena, &module, diag), expect);
  int value = -1;
  if (module) {
    LLVMValueRef f = LLVMGetNamedFunction(module, "f");
    assert_non_null(LLVMGetNamedFunction(module, "K"));
    assert_null(LLVMGetNamedFunction(module, "g"));
    LLVMValueRef ret = f ? LLVMGetLastInstruction(LLVMGetEntryBasicBlock(f)) : NULL;
    value = ret ? (int)LLVMConstIntGetZExtValue(LLVMGetOperand(ret, 0)) : -1;
    LLVMDisposeModule(module);
  }
  tn_llvm_job_deinit(&job);
  tn_arena_deinit(&arena);
  return value;
}

static void test_own_definition(void **state) {
  (void)state;
  tn_diag diag = {0};
  const tn_link_source alone[] = {source(kernel_image, "a.out", NULL, 0)};
  assert_int_equal(returned(alone, 1, TN_OK, &diag), 1);
  const tn_link_source untaken[] = {source(kernel_image, "a.out", take_nothing, 0)};
  assert_int_equal(returned(untaken, 1, TN_OK, &diag), 1);
}

static void test_other_images_definition(void **state) {
  (void)state;
  tn_diag diag = {0};
  const tn_link_source images[] = {source(kernel_image, "a.out", take_nothing, 0),
                                   source(other_image, "b.so", take_f, 1)};
  assert_int_equal(returned(images, 2, TN_OK, &diag), 2);
  const tn_link_source reversed[] = {source(kernel_image, "a.out", take_f, 1),
                                     source(other_image, "b.so", take_nothing, 0)};
  assert_int_equal(returned(reversed, 2, TN_OK, &diag), 1);
}

static void test_two_definitions_are_refused(void **state) {
  (void)state;
  tn_diag diag = {0};
  const tn_link_source images[] = {source(kernel_image, "a.out", NULL, 0),
                                   source(other_image, "b.so", NULL, 0)};
  returned(images, 2, TN_BUILD_FAILED, &diag);
  assert_non_null(strstr(diag.text, "a.out"));
  assert_non_null(strstr(diag.text, "b.so"));
}

static void test_targets_must_agree(void **state) {
  (void)state;
  tn_diag diag = {0};
  const tn_link_source images[] = {
      source("target triple = \"x86_64-pc-linux-gnu\"\n", "a.out", NULL, 0),
      source("target triple = \"aarch64-linux-gnu\"\n", "b.so", NULL, 0)};
  returned(images, 2, TN_BUILD_FAILED, &diag);
  assert_non_null(strstr(diag.text, "aarch64"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_own_definition),
      cmocka_unit_test(test_other_images_definition),
      cmocka_unit_test(test_two_definitions_are_refused),
      cmocka_unit_test(test_targets_must_agree),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
