// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM's fatal errors end the guarded call, and nothing more.
#include "compile/module/module.h"

// clang-format off: cmocka.h needs these before it
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include <llvm-c/Target.h>

typedef struct call {
  bool is_fatal;
  bool has_inner;
  bool is_over;
  tn_diag inner;
} call;

static void use_llvm(void *arg) {
  call *it = arg;
  if (it->has_inner) {
    call inner = {.is_fatal = true};
    assert_int_equal(tn_llvm_guard(use_llvm, &inner, "inside", &it->inner), TN_BUILD_FAILED);
  }
  if (it->is_fatal) {
    (void)LLVMCreateTargetData("no layout");  // a wrong one is fatal to LLVM
  }
  it->is_over = true;
}

static void fatal_errors_end_the_call(void **state) {
  (void)state;
  for (int i = 0; i < 2; i++) {
    tn_diag diag = {0};
    call it = {.is_fatal = true};
    assert_int_equal(tn_llvm_guard(use_llvm, &it, "a thing", &diag), TN_BUILD_FAILED);
    assert_false(it.is_over);
    assert_int_equal(strncmp(diag.text, "a thing: ", 9), 0);
    assert_true(strlen(diag.text) > 20);
    assert_null(tn_llvm_guard_get());
  }
}

static void others_end_as_ever(void **state) {
  (void)state;
  tn_diag diag = {0};
  call it = {0};
  assert_int_equal(tn_llvm_guard(use_llvm, &it, "a thing", &diag), TN_OK);
  assert_true(it.is_over);
  assert_null(tn_llvm_guard_get());
}

static void the_innermost_ends(void **state) {
  (void)state;
  tn_diag diag = {0};
  call it = {.has_inner = true};
  assert_int_equal(tn_llvm_guard(use_llvm, &it, "outside", &diag), TN_OK);
  assert_true(it.is_over);
  assert_int_equal(strncmp(it.inner.text, "inside: ", 8), 0);
  it = (call){.has_inner = true, .is_fatal = true};
  assert_int_equal(tn_llvm_guard(use_llvm, &it, "outside", &diag), TN_BUILD_FAILED);
  assert_int_equal(strncmp(diag.text, "outside: ", 9), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fatal_errors_end_the_call),
      cmocka_unit_test(others_end_as_ever),
      cmocka_unit_test(the_innermost_ends),
  };
  return cmocka_run_group_tests_name("llvm_guard", tests, NULL, NULL);
}
