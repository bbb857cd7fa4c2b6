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
    {"extern \"C\" int fprint(const char *, ...);\n"
     "SYCL_EXTERNAL int e(int x) { fprint(\"x\"); return x; }\n",
     {"calls 'fprint'", "note: in 'e(int)', which is SYCL_EXTERNAL"}},
    {"struct A { virtual ~A(); }; struct D : A { int i; };\n"
     "void f(A *a, D **p) { launch<class K>([=](item) { *p = dynamic_cast<D *>(a); }); }\n",
     {"uses dynamic_cast"}},
    {"int bad(int); static int (*const table[])(int) = {bad};\n"
     "void f(int *p, int n) { launch<class K>([=](item) { *p = table[n](1); }); }\n",
     {"uses 'bad(int)', which is neither defined"}},
    // Functions of the C library that leave the work-item.
    {"extern \"C\" { [[noreturn]] void abort(); [[noreturn]] void exit(int); int _setjmp(void *);\n"
     "void longjmp(void *, int); } namespace std { [[noreturn]] void terminate() noexcept; }\n"
     "void f(int *p) { launch<class K>([=](item) { if (*p) abort();\n"
     "  if (*p) exit(1); if (*p) std::terminate(); if (_setjmp(p)) longjmp(p, 1); }); }\n",
     {"test.cpp:3:54: error: ", "calls 'exit', which ends the program",
      "calls 'std::terminate()', which ends", "uses '_setjmp'; device code cannot jump"}},
    {"void f(int *p) { launch<class K>([=](item) {\n  void *b[5]; if (__builtin_setjmp(b)) "
     "__builtin_longjmp(b, 1); }); }\n",
     {"test.cpp:2:19: error: ", "uses setjmp or longjmp; device code cannot jump out of"}},
    {"int sum(int n, ...) { return n; }\nvoid f(int *p) { launch<class K>([=](item) { *p = sum(1, "
     "2); }); }\n",
     {"test.cpp:2:51: error: ", "calls 'sum(int, ...)', which takes a variable number of"}},
    {"SYCL_EXTERNAL int sum(int n, ...) { __builtin_va_list l; __builtin_va_start(l, n);\n"
     "  return __builtin_va_arg(l, int); }\n",
     {"test.cpp:1:58: error: 'sum(int, ...)' takes a variable number of arguments"}},
    // Types that devices lack, once a function.
    {"void f(long double *l, __int128 *i) { launch<class K>([=](item) { *l = *l + 1;\n"
     "  *i *= 3; }); }\nvoid g(__float128 *q) { launch<class K1>([=](item) { *q *= 3; }); }\n",
     {"test.cpp:1:72: error: ", "uses long double; devices have none",
      "uses integers of 128 bits or more; devices have none",
      "uses floating-point numbers of 128 bits; devices have none"}},
    {"void f(int *p, int n) { launch<class K>([=](item) {\n  int a[n]; a[*p] = 1; *p = a[1];\n"
     "  int *b = (int *)__builtin_alloca(n); b[*p] = 3; *p = b[0];\n"
     "  int c[0]; *p = c == p; }); }\n",
     {"test.cpp:2:3: error: ", "has memory whose size is not known at compile time",
      "test.cpp:3:19: error: ", "has an array of no elements"}},
    {"#include <typeinfo>\nstruct P { virtual ~P(); };\n"
     "void f(const char **p, P *q) { launch<class K>([=](item) {\n"
     "  p[0] = typeid(int).name(); p[1] = typeid(*q).name(); }); }\n",
     {"uses 'typeinfo for int'; device code has no run-time", "uses typeid; device code has no"}},
    {"struct W { W(); ~W(); int a; }; thread_local W w;\nint g() { return w.a; }\n"
     "void f(int *p) { launch<class K>([=](item) { *p = g(); }); }\n",
     {"test.cpp:2:18: error: 'g()' uses the thread-local variable 'w'; device code has none"}},
    // Recursion that pointers hide, where they are known.
    {"int a(int n); int (*const table[])(int) = {a};\n"
     "int a(int n) { return n ? table[n](n - 1) : 0; }\n"
     "int apply(int (*g)(int), int n) { return g(n); }\n"
     "int b(int n) { int (*h)(int) = b; return n ? apply(h, n - 1) : 0; }\n"
     "void f(int *p) { launch<class K>([=](item) { *p = a(2) + b(3); }); }\n",
     {"test.cpp:2:27: error: 'a(int)' calls itself; device code cannot recurse",
      "test.cpp:3:42: error: 'apply(int (*)(int), int)' calls 'b(int)', which leads back to it"}},
    // What a kernel holds by reference.
    {"struct R { int &r; int *p; void operator()(item) const { *p = r; } };\n"
     "void f(int *p) { char n = 3; launch<class K>([&](item) {\n  *p = n; });\n"
     "  int i = 3; launch<class K2>(R{i, p}); }\n",
     {"test.cpp:3:8: error: 'f(int*)::{lambda(item)#1}::operator()(item) const' uses what the "
      "kernel's function object holds by reference",
      "test.cpp:2: note: in kernel 'f(int*)::K'", "test.cpp:1:63: error: 'R::operator()"}},
    {"struct A { int *p; };\nstruct B : virtual A { B(int *q) { p = q; }\n"
     "  void operator()(item) const { *p = 3; } };\nvoid f(int *p) { launch<class K>(B(p)); }\n",
     {"test.cpp:3:34: error: 'B::operator()(item) const' uses a virtual base of the kernel's"}},
};

// What is done all the same, with a word.
static const rule warned[] = {
    {"struct S { int m(int); }; void f(int *p, int (*g)(int), int (S::*h)(int)) {\n"
     "  launch<class K>([=](item) { *p = g(3); *p = (((S *)p)->*h)(3); }); }\n",
     {"test.cpp:2:36: warning: ", "calls a function through a pointer; SYCL forbids it",
      "test.cpp:2:47: warning: ", "test.cpp:2: note: in kernel 'f("}},
    {"struct S { int m; int *q; void go() {\n  launch<class K>([=](item) { *q = m; }); } };\n"
     "void f(S *s) { s->go(); }\n",
     {"test.cpp:2: warning: ", "uses a captured 'this'; devices can follow it only into memory"}},
};

static bool has_all(const rule *r, const tn_buf *messages) {
  bool complete = true;
  for (size_t i = 0; i < TN_COUNT(r->expect) && r->expect[i]; ++i) {
    complete = complete && strstr(tn_buf_text(messages), r->expect[i]);
  }
  return complete;
}

static void check(const rule *r, const char *level) {
  tn_buf out;
  tn_buf messages;
  tn_diag diag = {0};
  tn_buf_init(&out, DEVICE_CODE_MAX);
  tn_buf_init(&messages, DEVICE_CODE_MAX);
  const tn_status status = device_unit(r->text, level, 1, &out, &messages, &diag);
  const bool complete = status == TN_BUILD_FAILED && has_all(r, &messages);
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

// Where variables and local memory have address spaces of their own.
static void test_rules_of_devices(void **state) {
  (void)state;
  static const rule device_rules[] = {
      {"#define GLOBAL __attribute__((opencl_global))\n"
       "#define LOCAL __attribute__((opencl_local))\n"
       "void f(LOCAL int *l, GLOBAL int *g, int *p, int **keep, int (*fp)(int)) {\n"
       "  launch<class K1>([=](item) { int *any = (int *)l;\n"
       "    GLOBAL int *same = (GLOBAL int *)any; *same = 1; any = (int *)g; });\n"
       "  launch<class K2>([=](item) { int *any = (int *)g; *(LOCAL int *)(any + 1) = 1; });\n"
       "  launch<class K3>([=](item) { int *any = (int *)g; *(GLOBAL int *)(any + 1) = 1;\n"
       "    int (*t)(int) = [](int x) { return x; }; *p = t(3); });\n"
       "  launch<class K4>([=](item) { *p = fp(3); });\n"
       "  launch<class K5>([=](item) { LOCAL int *GLOBAL *k = (LOCAL int *GLOBAL *)keep;\n"
       "    k[1] = l + 1; });\n  int n = 3; launch<class K6>([&](item) { *p = n; }); }\n",
       {"test.cpp:6:53: error: ", "takes a pointer to global memory for one to local memory"}},
  };
  // NVIDIA's GPUs call through pointers.
  static const char *const pointers[][2] = {
      {"test.cpp:9:37: error: ", "calls a function through a pointer that is not known"},
      {"test.cpp:9:37: warning: ", "calls a function through a pointer; SYCL forbids it"}};
  static const char *const expected[] = {
      "test.cpp:11:10: warning: ", "keeps a pointer to local memory in global memory, where it",
      "test.cpp:12:48: error: ", "uses what the kernel's function object holds by reference"};
  static const char *const targets[] = {"--target=spirv64-unknown-unknown",
                                        "--target=nvptx64-nvidia-cuda"};
  for (size_t i = 0; i < TN_COUNT(targets); ++i) {
    tn_buf out;
    tn_buf messages;
    tn_diag diag = {0};
    tn_buf_init(&out, DEVICE_CODE_MAX);
    tn_buf_init(&messages, DEVICE_CODE_MAX);
    device_target = targets[i];
    const tn_status status = device_unit(device_rules[0].text, "-O2", 1, &out, &messages, &diag);
    device_target = NULL;
    bool good = status == TN_BUILD_FAILED && has_all(&device_rules[0], &messages) &&
                strstr(tn_buf_text(&messages), pointers[i][0]) &&
                strstr(tn_buf_text(&messages), pointers[i][1]);
    for (size_t k = 0; k < TN_COUNT(expected); ++k) {
      good = good && strstr(tn_buf_text(&messages), expected[k]);
    }
    // `any` of K1 has two values; K3 is right.
    if (!good || strstr(tn_buf_text(&messages), "cpp:7:") ||
        strstr(tn_buf_text(&messages), "cpp:8:")) {
      print_message("%s: status %d\n%s", targets[i], (int)status, tn_buf_text(&messages));
      fail();
    }
    tn_buf_deinit(&messages);
    tn_buf_deinit(&out);
  }
}

static void test_warnings(void **state) {
  (void)state;
  static const char *const levels[] = {"-O0", "-O2"};
  for (size_t i = 0; i < TN_COUNT(warned) * TN_COUNT(levels); ++i) {
    const rule *r = &warned[i / TN_COUNT(levels)];
    tn_buf out;
    tn_buf messages;
    tn_diag diag = {0};
    tn_buf_init(&out, DEVICE_CODE_MAX);
    tn_buf_init(&messages, DEVICE_CODE_MAX);
    const tn_status status =
        device_unit(r->text, levels[i % TN_COUNT(levels)], 1, &out, &messages, &diag);
    if (status != TN_OK || !has_all(r, &messages)) {
      print_message("%s\n---- gave\n%s\n%s\n", r->text, tn_buf_text(&messages), diag.text);
    }
    assert_int_equal(status, TN_OK);
    assert_true(has_all(r, &messages) && out.size > 0);
    tn_buf_deinit(&messages);
    tn_buf_deinit(&out);
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
      "int over(int &x) { return x; } int &ref(int &x) { return x; }\n"
      "struct S { int a; S(); int m() const; }; S::S() : a(1) {} int S::m() const { return a; }\n"
      "template <class F> struct Held { const F &f; Held(const F &g) : f(g) {}\n"
      "  int operator()() const { return f(); } };\n"
      "struct Three { int a, b, c; }; struct Mixed { Three t; const int &r; };\n"
      "struct Base { int a; Base(int x) : a(x) {} Base(const Base &b) : a(b.a) {} };\n"
      "struct Derived : Base { const int &r; };\n"
      // References that kernels themselves bind to what they hold.
      "void g(int *p, int n, Three t) { Base b(1); auto two = [n] { return 2 * n; };\n"
      "  launch<class KR>([=](item) { Held<decltype(two)> h(two); Held<decltype(h)> hh(h);\n"
      "  Mixed m{t, n}; Derived d{b, n}; p[0] = h() + hh() + m.r + d.r; }); }\n"
      "void f(int *p, int n) { launch<class K>([=](item i) { P local(3); Q q; S s;\n"
      "  p[0] = table[n % 4] + k + *&ik + local.n + q.n + plain(1) + tmpl(2) + inner(3) + s.m();\n"
      "  p[1] = (int)sinf(1.0f) + (int)strlen(\"abc\"); int (S::*mp)() const = &S::m; p[2] = "
      "(s.*mp)();\n"
      "  int (*t)(int) = plain; p[3] = t(1); static int (*const ts[])(int) = {plain, inner};\n"
      "  p[4] = ts[n % 2](3); int here = 3; auto own = [&] { return here + p[0]; }; p[5] = own();\n"
      "  p[6] = over(ref(here)); goto end; end: float half_way = 0.5f * n; p[7] = (int)half_way;\n"
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
      cmocka_unit_test(test_rules_of_devices),
      cmocka_unit_test(test_warnings),
      cmocka_unit_test(test_each_site_once_and_not_too_many),
      cmocka_unit_test(test_what_is_fine),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
