// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What device code may not do: each violation with its place, and the way from the kernel.
#include "unit/pipeline/device_code.h"

typedef struct rule {
  const char *text;
  const char *expect[4];  // all found in the messages
} rule;

static const rule rules[] = {
    {"void g() { throw 1; }\nvoid f() { launch<class K>([=](item) {\n  g(); }); }\n",
     {"test.cpp:1:12: error: 'g()' throws an exception", "test.cpp:3:3: note: called from '",
      "test.cpp:2: note: in kernel 'f()::K'"}},
    {"namespace std { struct E { E(const char *); ~E(); }; void __throw_length_error(const char "
     "*); }\n"
     "void f() { launch<class K>([=](item) { throw std::E(\"x\"); }); }\n"
     "void h() { launch<class K2>([=](item) { std::__throw_length_error(\"x\"); }); }\n",
     {"test.cpp:2:40: error: ", "throws an exception; device code cannot throw",
      "test.cpp:3:41: error: "}},
    {"void f() { launch<class K>([=](item) { delete new int(1); }); }\n",
     {"test.cpp:1:47: error: ", "uses 'operator new(unsigned long)'; device code cannot allocate",
      "uses 'operator delete(void*, unsigned long)'"}},
    {"extern \"C\" void *malloc(size_t);\nvoid f(void **p) { launch<class K>([=](item) { *p = "
     "malloc(3); }); }\n",
     {"test.cpp:2:53: error: ", "uses 'malloc'"}},
    {"struct B { virtual int v(); virtual int w(); };\n"
     "void f(B *b, int *p) { launch<class K>([=](item) { *p = b->v() + b->w(); }); }\n",
     {"test.cpp:2:60: error: ", "calls a virtual function", "test.cpp:2:69: error: "}},
    {"int r(int n) { return n ? r(n - 1) : 0; }\nint b(int n);\n"
     "int a(int n) { return n ? b(n) : 0; }\n"
     "int b(int n) { return a(n - 1); }\n"
     "void f(int *p) { launch<class K>([=](item) { *p = r(1) + a(2); }); }\n",
     {"test.cpp:1:27: error: 'r(int)' calls itself; device code cannot recurse",
      "test.cpp:4:23: error: 'b(int)' calls 'a(int)', which leads back to it",
      "test.cpp:5:51: note: called from"}},
    {"static int counter; thread_local int t;\n"
     "void f(int *p) { launch<class K>([=](item) { counter++; *p = t; static int s = 3; s++; }); "
     "}\n",
     {"test.cpp:2:53: error: ", "uses the variable 'counter', which is not constant",
      "uses the thread-local variable 't'", "::s', which is not constant"}},
    {"int compute();\nvoid f(int *p) { launch<class K>([=](item) { static const int s = "
     "compute(); *p = s; }); }\n",
     {"which is not constant"}},
    {"int nowhere(int);\nvoid f(int *p) { launch<class K>([=](item) { *p = nowhere(1); }); }\n",
     {"test.cpp:2:51: error: ", "calls 'nowhere(int)', which is neither defined in this "
      "translation "
      "unit nor declared SYCL_EXTERNAL"}},
    {"extern const int far_away;\nvoid f(const int **p) { launch<class K>([=](item) { *p = "
     "&far_away; }); }\n",
     {"uses the variable 'far_away', which is not defined in this translation unit"}},
    {"extern \"C\" int printf(const char *, ...);\n"
     "SYCL_EXTERNAL int e(int x) { printf(\"x\"); return x; }\n",
     {"calls 'printf'", "note: in 'e(int)', which is SYCL_EXTERNAL"}},
    {"struct A { virtual ~A(); }; struct D : A { int i; };\n"
     "void f(A *a, D **p) { launch<class K>([=](item) { *p = dynamic_cast<D *>(a); }); }\n",
     {"uses dynamic_cast"}},
    {"int bad(int); static int (*const table[])(int) = {bad};\n"
     "void f(int *p, int n) { launch<class K>([=](item) { *p = table[n](1); }); }\n",
     {"uses 'bad(int)', which is neither defined"}},
};

static void check(const rule *r, const char *level) {
  tn_buf out;
  tn_buf messages;
  tn_diag diag = {0};
  tn_buf_init(&out, DEVICE_CODE_MAX);
  tn_buf_init(&messages, DEVICE_CODE_MAX);
  const tn_status status = device_unit(r->text, level, 1, &out, &messages, &diag);
  bool complete = status == TN_BUILD_FAILED;
  for (size_t i = 0; i < TN_COUNT(r->expect) && r->expect[i]; ++i) {
    complete = complete && strstr(tn_buf_text(&messages), r->expect[i]);
  }
  if (!complete) {
    print_message("%s: status %d\n%s\n---- gave\n%s\n%s\n", level, (int)status, r->text,
                  tn_buf_text(&messages), diag.text);
  }
  assert_true(complete);
  assert_int_equal(out.size, 0);
  // One error is told whole; of several only the number, since the messages have them.
  const char *first = strstr(tn_buf_text(&messages), " error: ");
  const bool is_single = first && !strstr(first + 1, " error: ");
  assert_non_null(strstr(diag.text, is_single ? "test.cpp" : " errors in device code"));
  tn_buf_deinit(&messages);
  tn_buf_deinit(&out);
}

static void test_rules_optimized(void **state) {
  (void)state;
  for (size_t i = 0; i < TN_COUNT(rules); ++i) {
    check(&rules[i], "-O2");
  }
}

static void test_rules_unoptimized(void **state) {
  (void)state;
  for (size_t i = 0; i < TN_COUNT(rules); ++i) {
    check(&rules[i], "-O0");
  }
}

static size_t count_of(const tn_buf *text, const char *needle) {
  size_t count = 0;
  for (const char *at = tn_buf_text(text); (at = strstr(at, needle)) != NULL; ++at) {
    ++count;
  }
  return count;
}

static void test_each_site_once_and_not_too_many(void **state) {
  (void)state;
  tn_buf text;
  tn_buf out;
  tn_buf messages;
  tn_diag diag = {0};
  tn_buf_init(&text, DEVICE_CODE_MAX);
  tn_buf_init(&out, DEVICE_CODE_MAX);
  tn_buf_init(&messages, DEVICE_CODE_MAX);
  tn_buf_add_text(&text, "static int c; void g() { c++; }\n"
  "void f() { launch<class K>([=](item) {\n");
  for (int i = 0; i < 30; ++i) {
    tn_buf_add_text(&text, "  g(); throw 1;\n");
  }
  tn_buf_add_text(&text, "}); launch<class K2>([=](item) { g(); }); }\n");
  // Code behind a throw is not emitted: one throw, and one use of the variable for two kernels.
  assert_int_equal(device_unit(tn_buf_text(&text), "-O2", 1, &out, &messages, &diag),
                   TN_BUILD_FAILED);
  assert_int_equal(count_of(&messages, "error:"), 2);
  tn_buf_clear(&text);
  tn_buf_clear(&messages);
  tn_buf_add_text(&text, "static int c;\nvoid f() { launch<class K>([=](item) {\n");
  for (int i = 0; i < 30; ++i) {
    tn_buf_add_text(&text, "  c++;\n");
  }
  tn_buf_add_text(&text, "}); }\n");
  assert_int_equal(device_unit(tn_buf_text(&text), "-O2", 1, &out, &messages, &diag),
                   TN_BUILD_FAILED);
  assert_int_equal(count_of(&messages, "error:"), 20);
  assert_int_equal(count_of(&messages, "10 more errors in device code are not shown"), 1);
  assert_non_null(strstr(diag.text, "30 errors in device code"));
  tn_buf_deinit(&text);
  tn_buf_deinit(&out);
  tn_buf_deinit(&messages);
}

// All of this is allowed.
static void test_what_is_fine(void **state) {
  (void)state;
  static const char text[] =
      "extern \"C\" { float sinf(float); size_t strlen(const char *);\n"
      "void __assert_fail(const char *, const char *, unsigned, const char *); }\n"
      "static const int table[4] = {1, 2, 3, 4}; constexpr int k = 3; inline constexpr int ik = "
      "4;\n"
      "struct P { int n; P(int m) : n(m) {} virtual int v() { return n; } virtual ~P() {} };\n"
      "struct Q : virtual P { Q() : P(2) {} };\n"
      "int plain(int x) { return x + 1; } template <class T> T tmpl(T x) { return x; }\n"
      "SYCL_EXTERNAL int ext(int); static int inner(int x) { return ext(x); }\n"
      "struct S { int a; S(); int m() const; }; S::S() : a(1) {} int S::m() const { return a; }\n"
      "void f(int *p, int n) { launch<class K>([=](item i) { P local(3); Q q; S s;\n"
      "  p[0] = table[n % 4] + k + *&ik + local.n + q.n + plain(1) + tmpl(2) + inner(3) + s.m();\n"
      "  p[1] = (int)sinf(1.0f) + (int)strlen(\"abc\"); int (S::*mp)() const = &S::m; p[2] = "
      "(s.*mp)();\n"
      "  if (n < 0) __assert_fail(\"n\", \"f\", 1, \"g\"); asm volatile(\"\" ::: \"memory\"); "
      "}); }\n";
  static const char *const levels[] = {"-O0", "-O2"};
  for (size_t i = 0; i < TN_COUNT(levels); ++i) {
    tn_buf out;
    tn_buf messages;
    tn_diag diag = {0};
    tn_buf_init(&out, DEVICE_CODE_MAX);
    tn_buf_init(&messages, DEVICE_CODE_MAX);
    const tn_status status = device_unit(text, levels[i], 1, &out, &messages, &diag);
    if (status != TN_OK) {
      print_message("%s\n%s", diag.text, tn_buf_text(&messages));
    }
    assert_int_equal(status, TN_OK);
    assert_int_equal(messages.size, 0);
    assert_true(out.size != 0);
    tn_buf_deinit(&messages);
    tn_buf_deinit(&out);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_rules_optimized),
      cmocka_unit_test(test_rules_unoptimized),
      cmocka_unit_test(test_each_site_once_and_not_too_many),
      cmocka_unit_test(test_what_is_fine),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
