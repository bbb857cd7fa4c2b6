// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What would crash Clang or LLVM, or never end, ends with a message instead: each guard by itself.
#include "compile/module/module.h"
#include "unit/clang/clang_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define EXTERNAL "[[clang::sycl_external]] "

static void compile(const char *source, tn_status expected, const char *says) {
  clang_run it;
  clang_run_init(&it, source);
  it.args[it.arg_count++] = "-gline-tables-only";
  clang_run_expect(&it, tn_clang_compile, expected);
  if (says && !strstr(it.diag.text, says)) {
    fail_msg("\"%s\" does not say \"%s\"", it.diag.text, says);
  }
  clang_run_deinit(&it);
}

static void fails(const char *source, const char *says) { compile(source, TN_BUILD_FAILED, says); }

// Clang asks the host's target for the type's name in symbols, also where there is none.
static void bfloat_has_a_name(void **state) {
  (void)state;
  compile(EXTERNAL
          "float f(__bf16 x) { return 1; }\n"
          "template <class T> " EXTERNAL "int g(T) { return 1; }\n" EXTERNAL
          "int h(__bf16 x) { return g(x); }\n",
          TN_OK, NULL);
}

static void debug_pragmas_do_nothing(void **state) {
  (void)state;
  static const char *const words[] = {"crash",          "llvm_fatal_error", "llvm_unreachable",
                                      "overflow_stack", "parser_crash",     "assert"};
  for (size_t i = 0; i < TN_COUNT(words); i++) {
    char source[128];
    (void)snprintf(source, sizeof(source), "int x;\n#pragma clang __debug %s\n", words[i]);
    fails(source, "rtc_0.cpp:2:23: error: '#pragma clang __debug' is for those who debug Clang");
  }
  fails("_Pragma(\"clang __debug crash\") int x;", "'#pragma clang __debug' is for those");
}

static void names_of_llvm_are_refused(void **state) {
  (void)state;
  static const char says[] = "symbols that begin with 'llvm.' are LLVM's own";
  fails("int f() __asm__(\"llvm.memcpy.p0i8.p0i8.i64\"); " EXTERNAL "int g() { return f(); }",
        says);
  fails("extern \"C\" int f() asm(\"ll\" \"vm.nvvm.abs.i\"); " EXTERNAL "int g() { return f(); }",
        says);
  fails(EXTERNAL "int g() { int f() asm(\"\\154lvm.x\"); return f(); }", says);
  fails("static int f() __attribute__((weakref(\"llvm.memcpy\")));", says);
  fails("[[gnu::alias(\"llvm.f\")]] int f();", says);
  compile("int f() __asm__(\"llvmf\"); int alias(const char *);\n" EXTERNAL
          "int g() { __asm__(\"\" \"\\n\"); return alias(\"f\"); }",
          TN_OK, NULL);
}

static void assembly_reads_no_files(void **state) {
  (void)state;
  fails(EXTERNAL "void f() {\n  __asm__ volatile(\".incbin \\\"/etc/passwd\\\"\");\n}",
        "rtc_0.cpp:2:3: error: assembly of device code has no .incbin");
  fails(EXTERNAL "void f() { __asm__(\".INCLUDE \\\"/etc/passwd\\\"\"); }",
        "assembly of device code has no .include");
  fails(EXTERNAL "void f() { __asm__(\".rept 1000000000\\nnop\\n.endr\"); }", "has no .rep");
  compile(EXTERNAL "void f() { __asm__ volatile(\"nop\"); }", TN_OK, NULL);
}

static void sizes_have_limits(void **state) {
  (void)state;
  fails("constexpr int a[1 << 27] = {1};\n" EXTERNAL "int f(int i) { return a[i]; }",
        "the variable 'a' has more than 64 MiB");
  fails("typedef int v __attribute__((ext_vector_type(4096)));\n" EXTERNAL
        "void f(v *p) { *p = *p * *p; }",
        "error: a vector has more than 1024 elements");
}

static void broken_code_is_told(void **state) {
  (void)state;
  fails("int v __asm__(\"llvm\" \".\" \"used\") = 3;", "symbols that begin with 'llvm.'");
  fails("extern \"C\" __attribute__((device_kernel)) void k(int *p) { *p = 1; }\n" EXTERNAL
        "void f(int *p) { k(p); }",
        "Clang makes no valid code of this source: calling convention does not permit calls");
}

static void add_doubling(tn_buf *text, const char *first, size_t count) {
  tn_buf_add_format(text, "#define A0 %s\n", first);
  for (size_t i = 1; i <= count; i++) {
    tn_buf_add_format(text, "#define A%zu A%zu A%zu\n", i, i - 1, i - 1);
  }
}

static void macros_end(void **state) {
  (void)state;
  if (CLANG_RUN_SLOW) {
    skip();
  }
  static const char *const uses[] = {"#if 0 A40\n#endif\n", "void f() { A40 }\n",
                                     "int x[] = { A40 };\n"};
  static const char *const first[] = {"+1", ";", "1,"};
  for (size_t i = 0; i < TN_COUNT(uses); i++) {
    tn_buf text;
    tn_buf_init(&text, 1 << 16);
    add_doubling(&text, first[i], 40);
    tn_buf_add_text(&text, uses[i]);
    fails(tn_buf_text(&text), "fatal error: macros expand too many times to be compiled");
    tn_buf_deinit(&text);
  }
}

static void includes_end(void **state) {
  (void)state;
  clang_run it;
  clang_run_init(&it, "#include \"a.h\"\n");
  clang_run_add_file(&it, "/rtc/a.h",
                     "#if __INCLUDE_LEVEL__ < 100\n#include \"a.h\"\n#include \"a.h\"\n#endif\n");
  clang_run_expect(&it, tn_clang_compile, TN_BUILD_FAILED);
  assert_string_equal(it.diag.text, "LLVM cannot compile this: files are included too many times");
  assert_true(clang_run_has(&it.log, "error: LLVM cannot compile this"));
  clang_run_deinit(&it);
}

// Who opens a pipe waits for somebody to write.
static void only_files_are_read(void **state) {
  (void)state;
  char name[] = "/tmp/tenon-test-XXXXXX";
  assert_non_null(mkdtemp(name));
  char pipe[64];
  (void)snprintf(pipe, sizeof(pipe), "%s/pipe", name);
  assert_int_equal(mkfifo(pipe, 0600), 0);
  char source[128];
  (void)snprintf(source, sizeof(source), "#include \"%s\"\n", pipe);
  fails(source, "cannot open file");
  fails("#include \"/dev/zero\"\n", "cannot open file '/dev/zero'");
  fails("unsigned char a[] = {\n#embed \"/dev/zero\"\n};", "error: ");
  assert_int_equal(remove(pipe), 0);
  assert_int_equal(remove(name), 0);
}

// A file that is nothing but a hole.
static void large_files_are_not_read(void **state) {
  (void)state;
  char name[] = "/tmp/tenon-test-XXXXXX";
  const int file = mkstemp(name);
  assert_true(file >= 0);
  assert_int_equal(ftruncate(file, (off_t)1 << 32), 0);
  assert_int_equal(close(file), 0);
  char source[128];
  (void)snprintf(source, sizeof(source), "#include \"%s\"\n", name);
  fails(source, "File too large");
  (void)snprintf(source, sizeof(source), "unsigned char a[] = {\n#embed \"%s\"\n};", name);
  fails(source, "error: ");
  assert_int_equal(remove(name), 0);
}

static void end_guarded(void *arg) {
  int *const calls = arg;
  ++*calls;
  tn_llvm_guard_leave(tn_llvm_guard_get(), TN_OUT_OF_MEMORY, "");
  ++*calls;
}

static void no_memory_is_told(void **state) {
  (void)state;
  tn_diag diag = {0};
  int calls = 0;
  assert_int_equal(tn_clang_guard(end_guarded, &calls, &diag), TN_OUT_OF_MEMORY);
  assert_int_equal(calls, 1);
  assert_string_equal(diag.text, "LLVM cannot compile this: LLVM has no memory to go on");
  assert_null(tn_llvm_guard_get());
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bfloat_has_a_name),
      cmocka_unit_test(debug_pragmas_do_nothing),
      cmocka_unit_test(names_of_llvm_are_refused),
      cmocka_unit_test(assembly_reads_no_files),
      cmocka_unit_test(sizes_have_limits),
      cmocka_unit_test(broken_code_is_told),
      cmocka_unit_test(macros_end),
      cmocka_unit_test(includes_end),
      cmocka_unit_test(only_files_are_read),
      cmocka_unit_test(large_files_are_not_read),
      cmocka_unit_test(no_memory_is_told),
  };
  return cmocka_run_group_tests_name("clang_guards", tests, NULL, NULL);
}
