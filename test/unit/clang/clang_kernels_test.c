// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions that a source marks as kernels are reported where it ends, and it goes on there.
#include "unit/clang/clang_run.h"

typedef struct kernel_log {
  tn_buf list;      // "name|type|mangled" of each, a line each
  const char *end;  // what the source is continued with
  size_t calls;
} kernel_log;

static void note_kernels(void *user, const tn_clang_kernel *kernels, size_t count, tn_buf *out) {
  kernel_log *log = user;
  for (size_t i = 0; i < count; i++) {
    tn_buf_add_format(&log->list, "%s|%s|%s\n", kernels[i].name, kernels[i].type,
                      kernels[i].mangled);
  }
  log->calls++;
  tn_buf_add_text(out, log->end);
}

static void run_init(clang_run *it, kernel_log *log, const char *source, const char *end) {
  clang_run_init(it, source);
  *log = (kernel_log){.end = end};
  tn_buf_init(&log->list, 1 << 16);
  it->run.end = note_kernels;
  it->run.user = log;
}

static void run_deinit(clang_run *it, kernel_log *log) {
  clang_run_deinit(it);
  tn_buf_deinit(&log->list);
}

static void marked_functions(void **state) {
  (void)state;
  clang_run it;
  kernel_log log;
  run_init(&it, &log,
           "#include \"more.h\"\n"
           "typedef float real;\n"
           "namespace ns { struct S { int x; };\n"
           "  inline namespace v1 { " CLANG_KERNEL
           "void over(S *s) { s->x = 1; } }\n"
           "  enum class E : char { A }; template <class T, int = 3> struct T3 {};\n"
           "  " CLANG_KERNEL "void inner(E *e, S (*)[2], T3<S>) { *e = E::A; } }\n" CLANG_KERNEL
           "void over(real *p, const int n, bool) { *p = n; }\n" CLANG_KERNEL
           "void over(unsigned long *p) noexcept { *p = 1; }\n"
           "extern \"C\" " CLANG_KERNEL
           "void plain(float *p) { *p = 1; }\n"
           "extern \"C\" { " CLANG_KERNEL "void plain2(float *p) { *p = 1; } }\n" CLANG_KERNEL
           "void later(int *p);\n" CLANG_KERNEL
           "void nowhere(int *p);\n"
           "void later(int *p) { *p = 0; }\n"
           "struct C { " CLANG_KERNEL
           "static void member(int *p) { *p = 0; } };\n"
           "template <class T> " CLANG_KERNEL
           "void tmpl(T *p) { *p = 0; }\n"
           "template <> " CLANG_KERNEL
           "void tmpl<int>(int *p) { *p = 0; }\n"
           "template void tmpl(float *);\n"
           "template <class T> struct D { " CLANG_KERNEL
           "static void m(T *p) { *p = 0; } };\n"
           "template struct D<int>;\n" CLANG_EXTERNAL
           "void unmarked(int *p) { *p = 0; }\n"
           "[[clang::annotate(\"other\")]] void other(int *p) { *p = 0; }\n",
           "");
  clang_run_add_file(&it, "/rtc/more.h", CLANG_KERNEL "inline void included(int *p) { *p = 0; }\n");
  clang_run_expect(&it, tn_clang_compile, TN_OK);
  assert_string_equal(tn_buf_text(&it.log), "");
  assert_int_equal(log.calls, 1);
  assert_string_equal(tn_buf_text(&log.list),
                      "included|void (*)(int *)|_Z8includedPi\n"
                      "ns::over|void (*)(ns::S *)|_ZN2ns2v14overEPNS_1SE\n"
                      "ns::inner|void (*)(ns::E *, ns::S (*)[2], ns::T3<ns::S>)|"
                      "_ZN2ns5innerEPNS_1EEPA2_NS_1SENS_2T3IS2_Li3EEE\n"
                      "over|void (*)(float *, int, bool)|_Z4overPfib\n"
                      "over|void (*)(unsigned long *) noexcept|_Z4overPm\n"
                      "plain|void (*)(float *)|plain\n"
                      "plain2|void (*)(float *)|plain2\n"
                      "later|void (*)(int *)|_Z5laterPi\n"
                      "C::member|void (*)(int *)|_ZN1C6memberEPi\n");
  run_deinit(&it, &log);
}

static void note_arguments(void *user, const tn_clang_kernel *kernels, size_t count, tn_buf *out) {
  kernel_log *log = user;
  for (size_t i = 0; i < count; i++) {
    tn_buf_add_format(&log->list, "%s:%s", kernels[i].name, kernels[i].is_plain ? "" : " no");
    for (size_t k = 0; k < kernels[i].argument_count; k++) {
      const tn_clang_argument *it = &kernels[i].arguments[k];
      tn_buf_add_format(&log->list, " %s,%zu,%zu,%u", it->type, it->size, it->alignment, it->kind);
    }
    tn_buf_add_char(&log->list, '\n');
  }
  log->calls++;
  tn_buf_add_text(out, log->end);
}

// Of functions whose arguments are their bytes only.
static void arguments_are_told(void **state) {
  (void)state;
  clang_run it;
  kernel_log log;
  run_init(&it, &log,
           "enum class E : short { A };\n"
           "struct alignas(16) S { float x; };\n"
           "struct copied { copied(const copied &); int x; };\n"
           "struct moved { moved(moved &&) = default; int x; };\n"
           "struct linked { int tn_link() const; long x; };\n" CLANG_KERNEL
           "void plain(float *p, char c, E e, const S s, bool *const b) {}\n" CLANG_KERNEL
           "void none() {}\n" CLANG_KERNEL "void accessor(linked l) {}\n" CLANG_KERNEL
           "void reference(int &r) {}\n" CLANG_KERNEL
           "void copy(int *p, copied c) {}\n" CLANG_KERNEL "void move(moved m) {}\n" CLANG_KERNEL
           "void call(void (*f)()) {}\n" CLANG_KERNEL "int result(int *p) { return 0; }\n",
           "");
  it.run.end = note_arguments;
  clang_run_expect(&it, tn_clang_compile, TN_OK);
  assert_string_equal(tn_buf_text(&log.list),
                      "plain: float *,8,8,1 char,1,1,0 E,2,2,0 S,16,16,0 bool *,8,8,1\n"
                      "none:\n"
                      "accessor: linked,8,8,2\n"
                      "reference: no\ncopy: no\nmove: no\ncall: no\nresult: no\n");
  run_deinit(&it, &log);
}

static const char user_template[] =
    "template <auto *F> " CLANG_EXTERNAL "void entry(int *p) { F(p); }\n";

static void end_is_compiled(void **state) {
  (void)state;
  clang_run it;
  kernel_log log;
  run_init(&it, &log, "", "template void entry<static_cast<void (*)(int *)>(&::f)>(int *);\n");
  tn_buf source;
  tn_buf_init(&source, 1 << 16);
  tn_buf_add_text(&source, user_template);
  tn_buf_add_text(&source, CLANG_KERNEL "void f(int *p) { *p = 1; }  // no newline behind this");
  it.files[0].text = tn_buf_bytes(&source);
  clang_run_expect(&it, tn_clang_compile, TN_OK);
  assert_string_equal(tn_buf_text(&it.log), "");
  assert_true(clang_run_has(&it.out, "_Z5entryITnPDaXadL_Z1fPiEEEvS1_"));
  run_deinit(&it, &log);

  // Also where the whole source is a precompiled header, and where it is empty.
  clang_run made;
  clang_run_init(&made, "");
  made.files[0].text = tn_buf_bytes(&source);
  clang_run_expect(&made, tn_clang_precompile, TN_OK);
  run_init(&it, &log, "", "template void entry<static_cast<void (*)(int *)>(&::f)>(int *);\n");
  clang_run_add_file(&it, "/rtc/rtc_0.cpp", "");
  it.files[0].name = "/rtc/rtc_1.cpp";
  it.files[1].text = tn_buf_bytes(&source);
  it.run.precompiled = tn_buf_bytes(&made.out);
  clang_run_expect(&it, tn_clang_compile, TN_OK);
  assert_true(clang_run_has(&it.out, "_Z5entryITnPDaXadL_Z1fPiEEEvS1_"));
  assert_string_equal(tn_buf_text(&log.list), "f|void (*)(int *)|_Z1fPi\n");
  run_deinit(&it, &log);
  clang_run_deinit(&made);
  tn_buf_deinit(&source);
}

static void errors_of_the_end(void **state) {
  (void)state;
  clang_run it;
  kernel_log log;
  run_init(&it, &log, "int x;\n", "#line 1 \"registered name 'no::such'\"\nauto *p = &no::such;\n");
  clang_run_expect(&it, tn_clang_compile, TN_BUILD_FAILED);
  assert_string_equal(it.diag.text,
                      "registered name 'no::such':1:12: error: use of undeclared "
                      "identifier 'no'");
  run_deinit(&it, &log);

  // After errors in the source nothing is asked for, and only they are said.
  static const char *const broken[] = {
      CLANG_KERNEL "void f(int *p) { *p = 1;",
      "namespace n { " CLANG_KERNEL "void f(int *p) { *p = x; }",
      "#if 1\n" CLANG_KERNEL "void f(int *p) { *p = 1; }",
      "int x = ",
      "template <class T",
      "/* unfinished",
      "auto s = R\"(unfinished",
  };
  for (size_t i = 0; i < TN_COUNT(broken); i++) {
    run_init(&it, &log, broken[i], "this is never read");
    clang_run_expect(&it, tn_clang_compile, TN_BUILD_FAILED);
    if (log.calls != 0) {
      print_message("%s\n%s\n", broken[i], tn_buf_text(&it.log));
    }
    assert_int_equal(log.calls, 0);
    assert_false(clang_run_has(&it.log, "never read"));
    run_deinit(&it, &log);
  }
}

static void warnings_of_the_end_are_nobodys(void **state) {
  (void)state;
  clang_run it;
  kernel_log log;
  run_init(&it, &log, "int x;\n", "static int f() { int unused; }\n");
  it.args[it.arg_count++] = "-Wall";
  it.args[it.arg_count++] = "-Werror";
  clang_run_expect(&it, tn_clang_compile, TN_OK);
  assert_string_equal(tn_buf_text(&it.log), "");
  run_deinit(&it, &log);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(marked_functions),
      cmocka_unit_test(arguments_are_told),
      cmocka_unit_test(end_is_compiled),
      cmocka_unit_test(errors_of_the_end),
      cmocka_unit_test(warnings_of_the_end_are_nobodys),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
