// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which words of its arguments a kernel is said not to read.
// clang-format off: cmocka.h needs these before it
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
// clang-format on

#include "compile/lower/argument_mask.h"

#define KERNEL(body) \
  "target datalayout = \"e-i64:64\"\n" \
  "%pair = type { i32, i64 }\n" \
  "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\n" \
  "declare void @take(ptr)\n" \
  "define spir_kernel void @k(ptr byval([40 x i8]) %a) {\n" body "  ret void\n}\n"

static uint32_t mask_of(const char *text) {
  tn_llvm_job job;
  tn_arena arena;
  tn_diag diag = {0};
  LLVMModuleRef module = NULL;
  tn_bytes mask = {NULL, 0};
  tn_arena_init(&arena);
  assert_int_equal(tn_llvm_job_init(&job, &diag), TN_OK);
  if (tn_module_parse(&job, tn_bytes_from(text, strlen(text)), "test", &module, &diag) != TN_OK) {
    fail_msg("%s", diag.text);
  }
  LLVMValueRef kernel = LLVMGetNamedFunction(module, "k");
  assert_true(tn_argument_mask_make(module, kernel, 40, &arena, &mask));
  assert_int_equal(mask.size, 1);
  const uint32_t bits = mask.data[0];
  LLVMDisposeModule(module);
  tn_llvm_job_deinit(&job);
  tn_arena_deinit(&arena);
  return bits;
}

static void test_masks(void **state) {
  (void)state;
  static const struct {
    const char *text;
    uint32_t mask;
  } rows[] = {
      {KERNEL(""), 0x1f},
      {KERNEL("  %x = load i64, ptr %a\n"), 0x1e},
      {KERNEL("  %p = getelementptr i8, ptr %a, i64 12\n  %x = load i32, ptr %p\n"), 0x1d},
      {KERNEL("  %p = getelementptr i8, ptr %a, i64 12\n  %x = load i64, ptr %p\n"), 0x19},
      {KERNEL("  %p = getelementptr %pair, ptr %a, i64 1, i32 1\n  %x = load i64, ptr %p\n"), 0x17},
      {KERNEL("  %t = alloca [8 x i8]\n  %p = getelementptr i8, ptr %a, i64 32\n"
              "  call void @llvm.memcpy.p0.p0.i64(ptr %t, ptr %p, i64 8, i1 false)\n"), 0x0f},
      // What goes elsewhere, is written, or is found by a number that is not known, is all.
      {KERNEL("  call void @take(ptr %a)\n"), 0},
      {KERNEL("  %t = alloca ptr\n  store ptr %a, ptr %t\n"), 0},
      {KERNEL("  %n = load i64, ptr %a\n  %p = getelementptr i8, ptr %a, i64 %n\n"
              "  %x = load i8, ptr %p\n"), 0},
      {KERNEL("  %p = getelementptr i8, ptr %a, i64 36\n  %x = load i64, ptr %p\n"), 0},
  };
  for (size_t i = 0; i < TN_COUNT(rows); ++i) {
    const uint32_t mask = mask_of(rows[i].text);
    if (mask != rows[i].mask) {
      fail_msg("row %zu: 0x%x, not 0x%x", i, mask, rows[i].mask);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_masks)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
