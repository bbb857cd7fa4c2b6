// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// printf's formats for NVIDIA's GPUs.
#include "compile/gpu/gpu_print.h"

// clang-format off: cmocka.h needs these before it
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
// clang-format on
#include <stdio.h>

typedef struct fixture {
  tn_llvm_job job;
  LLVMModuleRef module;
  tn_diag diag;
  tn_status status;
  char *text;  // LLVM's
} fixture;

// A function that prints by a format, which is written as LLVM does, `size` with its NUL.
static void adapt(fixture *f, const char *format, size_t size, const char *space) {
  char text[2048];
  (void)snprintf(text, sizeof(text),
                 "@format = private %sconstant [%zu x i8] c\"%s\\00\"\n"
                 "define void @f(ptr %%arguments) {\n"
                 "  %%r = call i32 @vprintf(ptr %s, ptr %%arguments)\n  ret void\n}\n"
                 "declare i32 @vprintf(ptr, ptr)\n",
                 space, size, format,
                 space[0] ? "addrspacecast (ptr addrspace(4) @format to ptr)" : "@format");
  *f = (fixture){0};
  assert_int_equal(tn_llvm_job_init(&f->job, &f->diag), TN_OK);
  f->status =
      tn_module_parse(&f->job, tn_bytes_from(text, strlen(text)), "test.ll", &f->module, &f->diag);
  if (f->status == TN_OK) {
    f->status = tn_gpu_print_adapt(f->module, &f->diag);
  }
  f->text = LLVMPrintModuleToString(f->module);
}

static void finish(fixture *f) {
  LLVMDisposeMessage(f->text);
  LLVMDisposeModule(f->module);
  tn_llvm_job_deinit(&f->job);
}

static void expect_same(const char *format, const char *space) {
  fixture f;
  adapt(&f, format, strlen(format) + 1, space);
  if (f.status != TN_OK || strstr(f.text, "@.format") || !strstr(f.text, format)) {
    fail_msg("'%s': %s\n%s", format, f.diag.text, f.text);
  }
  finish(&f);
}

static void expect_new(const char *format, const char *space, const char *made,
                       const char *instruction) {
  fixture f;
  char wanted[256];
  adapt(&f, format, strlen(format) + 1, space);
  (void)snprintf(wanted, sizeof(wanted), "c\"%s\\00\"", made);
  if (f.status != TN_OK || !strstr(f.text, "@vprintf(ptr @.format, ptr %arguments)") ||
      !strstr(f.text, wanted) || !strstr(f.text, instruction)) {
    fail_msg("'%s': %s\n'%s' and '%s' are not in\n%s", format, f.diag.text, wanted, instruction,
             f.text);
  }
  finish(&f);
}

static void expect_refused(const char *format, const char *words) {
  fixture f;
  adapt(&f, format, strlen(format) + 1, "");
  assert_int_equal(f.status, TN_BUILD_FAILED);
  if (!strstr(f.diag.text, words)) {
    fail_msg("'%s': '%s' does not say '%s'", format, f.diag.text, words);
  }
  finish(&f);
}

#define CONSTANT_SPACE "addrspace(4) "

static void test_formats(void **state) {
  (void)state;
  expect_same("", "");
  expect_same("plain", "");
  expect_same("%d%% %-5u|%+08.3f|%#x|% i|%*d|%.2s|%c|%p|%lld|%hd|%G|%a|%F|%X|%o", CONSTANT_SPACE);
  expect_new("%zu %td %jx", "", "%llu %lld %llx", "");
  expect_new("%5zu|%-*zd", CONSTANT_SPACE, "%5llu|%-*lld", "");
  expect_new("%ld %llu %lf", "", "%ld %llu %f", "");
}

// Behind an int, a double and a pointer: 0, 8, 16, 24.
static void test_bytes(void **state) {
  (void)state;
  expect_new("%hhd", "", "%d", "sext i8");
  expect_new("%d %f %p %hhx", "", "%d %f %p %x",
             "getelementptr inbounds i8, ptr %arguments, i64 24");
  expect_new("%d %d %*hhu %d", "", "%d %d %*u %d",
             "getelementptr inbounds i8, ptr %arguments, i64 12");
  expect_new("%hhu", "", "%u", "zext i8");
}

static void test_refused(void **state) {
  (void)state;
  expect_refused("a %n b", "'%n' in its format");
  expect_refused("%.*f", "'%.*f' in its format");
  expect_refused("%1$d", "'%1$' in its format");
  expect_refused("%Lf", "'%L' in its format");
  expect_refused("%ls", "'%ls' in its format");
  expect_refused("%v4d", "'%v' in its format");
  expect_refused("end %", "'%' in its format");
  expect_refused("%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d",
                 "function 'f' calls printf with 33 arguments, more than 32,");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_formats),
      cmocka_unit_test(test_bytes),
      cmocka_unit_test(test_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
