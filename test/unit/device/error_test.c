// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Errors as a language binding throws them, also without memory.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "run/device/device.h"
#include "tenon/error.h"

static void test_codes_and_texts(void **state) {
  (void)state;
  const int64_t live = tn_alloc_live();
  char text[] = "the text";
  tn_error *error = tn_error_create(TN_ERRC_nd_range, text);
  text[0] = 'x';
  assert_int_equal(tn_error_errc(error), TN_ERRC_nd_range);
  assert_string_equal(tn_error_text(error), "the text");
  assert_null(tn_error_context(error));
  const uint64_t first = 1;
  const uint64_t second = 2;
  const void *code = tn_error_offer_code(error, &first, sizeof(first));
  assert_memory_equal(code, &first, sizeof(first));
  assert_ptr_equal(tn_error_offer_code(error, &second, sizeof(second)), code);
  assert_memory_equal(code, &first, sizeof(first));
  tn_error_retain(error);
  tn_error_release(error);
  assert_string_equal(tn_error_text(error), "the text");
  tn_error_release(error);
  error = tn_error_create(TN_ERRC_END, NULL);
  assert_int_equal(tn_error_errc(error), TN_ERRC_runtime);
  assert_string_equal(tn_error_text(error), "");
  tn_error_release(error);
  tn_error_retain(NULL);
  tn_error_release(NULL);
  assert_int_equal(tn_alloc_live(), live);
  assert_string_equal(tn_errc_text(TN_ERRC_backend_mismatch), "backend mismatch");
  assert_string_equal(tn_errc_text(TN_ERRC_END), "unknown error");
  assert_string_equal(tn_errc_text(-1), "unknown error");
}

static void test_of_diag(void **state) {
  (void)state;
  tn_diag diag = {.code = TN_WRONG_CONTEXT, .text = "another context"};
  tn_error *error = tn_error_create_of_diag(&diag);
  assert_int_equal(tn_error_errc(error), TN_ERRC_invalid);
  assert_string_equal(tn_error_text(error), "another context");
  tn_error_release(error);
  diag.code = 12345;
  error = tn_error_create_of_diag(&diag);
  assert_int_equal(tn_error_errc(error), TN_ERRC_runtime);
  tn_error_release(error);
}

static void test_of_code(void **state) {
  (void)state;
  const uint64_t code[] = {1, UINT64_MAX};
  tn_error *error = tn_error_create_of_code(code, sizeof(code), "of the user's");
  const void *kept = tn_error_offer_code(error, code + 1, sizeof(code[1]));
  assert_memory_equal(kept, code, sizeof(code));
  assert_int_equal((uintptr_t)kept % _Alignof(max_align_t), 0);
  assert_string_equal(tn_error_text(error), "of the user's");
  tn_error_release(error);
}

static void test_context(void **state) {
  (void)state;
  tn_context context = {0};
  tn_ref_init(&context.ref);
  tn_error *error = tn_error_create(TN_ERRC_kernel, "text");
  tn_error_set_context(error, &context);
  assert_ptr_equal(tn_error_context(error), &context);
  assert_int_equal(atomic_load(&context.ref.count), 2);
  tn_error_release(error);
  assert_int_equal(atomic_load(&context.ref.count), 1);
}

static void test_without_memory(void **state) {
  (void)state;
  tn_context context = {0};
  tn_ref_init(&context.ref);
  const uint64_t code = 7;
  for (int i = 0; i < 2; i++) {
    tn_fault_arm(0);
    tn_error *error = tn_error_create(TN_ERRC_build, "a text that is not kept");
    assert_true(tn_fault_fired());
    assert_int_equal(tn_error_errc(error), TN_ERRC_build);
    assert_string_equal(tn_error_text(error), "device code could not be built");
    tn_error_set_context(error, &context);
    assert_null(tn_error_context(error));
    tn_error_release(error);
    tn_fault_arm(0);
    error = tn_error_create_of_code(&code, sizeof(code), "nor this one");
    assert_int_equal(tn_error_errc(error), TN_ERRC_memory_allocation);
    tn_error_release(error);
  }
  tn_fault_arm(-1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_codes_and_texts), cmocka_unit_test(test_of_diag),
      cmocka_unit_test(test_of_code),         cmocka_unit_test(test_context),
      cmocka_unit_test(test_without_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
