// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Captures of the lambdas that a kernel calls, from annotations as the front end writes them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "compile/module/module.h"

#define ENTRY "{ ptr, ptr, ptr, i32, ptr }"
static const char text[] =
    "@.lambda = private constant [30 x i8] c\"tenon.closure:7|0:p|16:this|x\\00\", section "
    "\"llvm.metadata\"\n"
    "@.other = private constant [16 x i8] c\"tenon.closure:9\\00\", section \"llvm.metadata\"\n"
    "@.file = private constant [6 x i8] c\"a.cpp\\00\", section \"llvm.metadata\"\n"
    "@value = private constant { i32 } zeroinitializer\n"
    "@llvm.global.annotations = appending global [2 x " ENTRY "] [" ENTRY
    " { ptr @_ZZ4mainENKUlvE_clEv, ptr @.lambda, ptr @.file, i32 7, ptr @value }, " ENTRY
    " { ptr @_ZZ5otherENKUlvE_clEv, ptr @.other, ptr @.file, i32 9, ptr @value }], section "
    "\"llvm.metadata\"\n"
    "define spir_kernel void @_ZTS1k(ptr %f) { call void @helper(ptr %f) ret void }\n"
    "define void @helper(ptr %f) { call void @_ZZ4mainENKUlvE_clEv(ptr %f) ret void }\n"
    "define void @_ZZ4mainENKUlvE_clEv(ptr %f) { ret void }\n"
    "define void @_ZZ5otherENKUlvE_clEv(ptr %f) { ret void }\n"
    "define spir_kernel void @_ZTS5plain(ptr %f) { ret void }\n";

static void reads_captures(void **state) {
  (void)state;
  tn_llvm_job job;
  tn_arena arena;
  tn_diag diag;
  LLVMModuleRef module = NULL;
  tn_list closures = {0};
  tn_arena_init(&arena);
  assert_int_equal(tn_llvm_job_init(&job, &diag), TN_OK);
  if (tn_module_parse(&job, tn_bytes_from(text, sizeof(text) - 1), "a.ll", &module, &diag) !=
      TN_OK) {
    fail_msg("%s", diag.text);
  }
  assert_true(tn_module_closures(module, &arena, &closures));
  // The other lambda is not one that a kernel calls.
  assert_int_equal(closures.count, 1);
  const tn_closure *closure = closures.items[0];
  assert_true(tn_str_equals(closure->kernel, TN_STR_LIT("_ZTS1k")));
  assert_true(tn_str_equals(closure->file, TN_STR_LIT("a.cpp")));
  assert_int_equal(closure->line, 7);
  assert_int_equal(closure->count, 2);
  assert_true(tn_str_equals(closure->captures[0].name, TN_STR_LIT("p")));
  assert_int_equal(closure->captures[0].offset, 0);
  assert_true(tn_str_equals(closure->captures[1].name, TN_STR_LIT("this")));
  assert_int_equal(closure->captures[1].offset, 16);
  LLVMDisposeModule(module);
  tn_llvm_job_deinit(&job);
  tn_arena_deinit(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(reads_captures)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
