// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sources that try to bring the compiler down, and with it the process: each ends with a status,
// and most with a message that says where.
#include "unit/clang/clang_run.h"

#include <stdio.h>
#include <unistd.h>

static void fails(const char *source, size_t size, const char *message) {
  clang_run it;
  clang_run_init_sized(&it, source, size);
  clang_run_expect(&it, tn_clang_compile, TN_BUILD_FAILED);
  if (!clang_run_has(&it.log, message)) {
    print_message("no \"%s\" in:\n%.2000s", message, tn_buf_text(&it.log));
    fail();
  }
  assert_true(strstr(it.diag.text, "error: ") != NULL);
  clang_run_deinit(&it);
}

static void unfinished_sources(void **state) {
  (void)state;
  static const char *const sources[] = {
      "/*",
      "\"",
      "'",
      "R\"x(",
      "{",
      "(",
      "[",
      "<",
      "#if 1",
      "#if",
      "#ifdef",
      "#define F(x",
      "#include",
      "#include \"",
      "#include <",
      "#define A A\nint x = A",
      "template <",
      "template <class T> struct",
      "struct S {",
      "namespace",
      "void f() {",
      "void f() { if",
      "int x = sizeof(",
      "int a[] = {1, ",
      "extern \"C\" {",
      "[[",
      "[[clang::",
      "[[sycl::",
      "[[sycl::device_has(",
      "[[sycl::device_has(1)]",
      "void f() [[using sycl",
      "operator",
      "asm(",
      "_Pragma(",
      "#pragma clang",
      "#error",
      "void f() { try {",
      "auto l = [",
      "auto l = [=](int",
      "enum E {",
      "union",
      "int x = 0x",
      "\\u12",
      "?\?/",
      "#line",
      "#embed",
      "static_assert(",
      "decltype(",
      "using",
      "typedef",
      "goto",
      "case 1:",
      "\xff\xfe\x00",
      "\xef\xbb\xbf(",
      "import",
      "module;",
      "__has_include",
      "#if __has_include(",
      "int x = __builtin_",
      "@",
      "`",
      "$$(",
      "0b2",
      "1e",
      "#define __LINE__\n#include __FILE__",
  };
  for (size_t i = 0; i < TN_COUNT(sources); i++) {
    clang_run it;
    clang_run_init(&it, sources[i]);
    const tn_status status = clang_run_do(&it, tn_clang_compile);
    assert_true(status == TN_OK || status == TN_BUILD_FAILED);
    assert_true(status == TN_OK || it.diag.text[0] != 0);
    clang_run_deinit(&it);
  }
}

// Each ends with a status; `message` is said of it when there is one to expect.
static void ends(const char *head, const char *piece, size_t count, const char *tail,
                 const char *message) {
  tn_buf text;
  tn_buf_init(&text, (size_t)64 << 20);
  tn_buf_add_text(&text, head);
  for (size_t i = 0; i < count; i++) {
    tn_buf_add_text(&text, piece);
  }
  tn_buf_add_text(&text, tail);
  clang_run it;
  clang_run_init_sized(&it, text.data, text.size);
  const tn_status status = clang_run_do(&it, tn_clang_compile);
  assert_true(status == TN_OK || status == TN_BUILD_FAILED || status == TN_INVALID_ARGUMENT);
  if (message && !strstr(it.diag.text, message)) {
    print_message("%s …: %s is not in: %s\n", piece, message, it.diag.text);
    fail();
  }
  clang_run_deinit(&it);
  tn_buf_deinit(&text);
}

static void deep_nesting(void **state) {
  (void)state;
  enum { DEEP = 50000 };
  static const char brackets[] = "fatal error: bracket nesting level exceeded maximum of 2048";
  static const char depth[] = "fatal error: code is nested too deeply to be compiled";
  ends("int f() { return ", "(", DEEP, "", brackets);
  ends("void f() {", "{", DEEP, "", brackets);
  ends("int a", "[", DEEP, "", "error: ");
  ends("namespace a {", "namespace a {", DEEP, "", brackets);
  ends("using T = decltype(", "decltype(", DEEP, "", brackets);
  ends("template <class T> struct A {}; ", "A<", DEEP, "", depth);
  ends("int f() { return ", "~", DEEP, "1; }", depth);
  ends("int f() { return ", "(int)", DEEP, "1; }", depth);
  ends("int ", "*", DEEP, "p;", depth);
  ends("void f() { ", "for (;;) ", DEEP, "; }", depth);
  ends("void f() { ", "a: ", DEEP, "; }", "error: ");
  ends("void f(int x) { ", "if (x) x--; else ", DEEP / 20, "; }", NULL);
  ends("#if ", "(", DEEP * 2, "1", "longer than 64 KiB");
  ends("#if \\\n", "!\\\n", DEEP, "1\n#endif\n", "longer than 64 KiB");
  ends("", "#if 1\n", DEEP, "", "error: ");
  ends("int x = ", "1 ? ", DEEP, "", "error: ");
}

// What is no nesting may still be walked over by recursion.
static void long_chains(void **state) {
  (void)state;
  enum { LONG = CLANG_RUN_SLOW ? 3000 : 30000 };
  static const char external[] = CLANG_EXTERNAL "int f(int x) { return x";
  ends(external, " + x", LONG, "; }\n", NULL);
  ends(external, ", x++", LONG, "; }\n", NULL);
  ends(external, " ? x : x", LONG / 10, "; }\n", NULL);
  ends(external, " + x", 300000, "; }\n", "one statement has too many tokens");
  ends("const char *s = ", "\"a\" ", LONG, ";\n", NULL);
  ends("struct S { S &g(); }; S &f(S &s) { return s", ".g()", LONG / 10, "; }", NULL);
  // A table is no chain.
  clang_run it;
  tn_buf text;
  tn_buf_init(&text, (size_t)64 << 20);
  tn_buf_add_text(&text, "struct P { int x[2]; float y; } const table[] = {");
  for (int i = 0; i < LONG; i++) {
    tn_buf_add_format(&text, "{{%d, -%d}, %d.5f},\n", i, i, i);
  }
  tn_buf_add_text(&text, "};\n");
  clang_run_init_sized(&it, text.data, text.size);
  clang_run_expect(&it, tn_clang_compile, TN_OK);
  clang_run_deinit(&it);
  tn_buf_deinit(&text);
}

static void templates_without_end(void **state) {
  (void)state;
  static const char deep[] =
      "template <int N> struct A { static constexpr int v = A<N + 1>::v; };\n"
      "int x = A<0>::v;\n";
  fails(deep, strlen(deep), "recursive template instantiation exceeded maximum depth of 1024");
  static const char calls[] = "template <class T> auto f(T t) { return f(&t); }\nauto x = f(1);\n";
  fails(calls, strlen(calls), "error: ");
  static const char steps[] =
      "constexpr int f(int n) { return n ? f(n - 1) : 0; }\n"
      "constexpr int x = f(1000000);\n"
      "constexpr int g() { for (;;) {} }\nconstexpr int y = g();\n";
  fails(steps, strlen(steps), "constexpr evaluation exceeded maximum depth of 512 calls");
}

static void includes_without_end(void **state) {
  (void)state;
  static const char self[] = "#include __FILE__\n";
  fails(self, strlen(self), "#include nested too deeply");
  static const char folder[] = "#include \"/tmp\"\n#include \"\"\n#include <>\n#include \"\\0\"\n";
  fails(folder, strlen(folder), "error: ");
  static const char device[] = "#include \"/dev/stdin/none\"\n";
  fails(device, strlen(device), "not found");
}

static void any_bytes(void **state) {
  (void)state;
  static const char nul[] = "int a;\0int b;\0\n\0\0struct \0 S {};\nint c = \0;";
  fails(nul, sizeof(nul) - 1, "rtc_0.cpp:2:");
  char all[4096];
  uint32_t seed = 1;
  for (int round = 0; round < 50; round++) {
    for (size_t i = 0; i < sizeof(all); i++) {
      seed = seed * 1664525u + 1013904223u;
      all[i] = (char)(seed >> 24);
    }
    clang_run it;
    clang_run_init_sized(&it, all, sizeof(all));
    const tn_status status = clang_run_do(&it, tn_clang_compile);
    assert_int_equal(status, TN_BUILD_FAILED);
    clang_run_deinit(&it);
  }
}

static void large_sources(void **state) {
  (void)state;
  tn_buf text;
  tn_buf_init(&text, (size_t)64 << 20);
  for (int i = 0; i < 500000; i++) {
    tn_buf_add_format(&text,
                      "// line %d of a source that is far too long for anybody to have "
                      "written it, or to read it through\n",
                      i);
  }
  clang_run it;
  clang_run_init_sized(&it, text.data, text.size);
  clang_run_expect(&it, tn_clang_compile, TN_INVALID_ARGUMENT);
  assert_non_null(strstr(it.diag.text, "/rtc/rtc_0.cpp: "));
  clang_run_deinit(&it);
  clang_run_init_sized(&it, text.data, (size_t)16 << 20);
  clang_run_expect(&it, tn_clang_compile, TN_OK);
  clang_run_deinit(&it);
  tn_buf_deinit(&text);

  // A log that is larger than its buffer may be: the result says what went wrong first.
  tn_buf_init(&text, (size_t)64 << 20);
  for (int i = 0; i < 10000; i++) {
    tn_buf_add_format(&text, "int f%d() { return none%d; }\n", i, i);
  }
  clang_run_init_sized(&it, text.data, text.size);
  it.args[it.arg_count++] = "-ferror-limit=0";
  clang_run_expect(&it, tn_clang_compile, TN_BUILD_FAILED);
  assert_non_null(strstr(it.diag.text, "identifier 'none0'"));
  clang_run_deinit(&it);
  tn_buf_clear(&text);
  for (int i = 0; i < 10000; i++) {
    tn_buf_add_text(&text, "#warning about nothing, again and again, until the log is full\n");
  }
  tn_buf_add_text(&text, "#error at last\n");
  clang_run_init_sized(&it, text.data, text.size);
  clang_run_expect(&it, tn_clang_compile, TN_BUILD_FAILED);
  assert_string_equal(it.diag.text, "/rtc/rtc_0.cpp:10001:2: error: at last");
  assert_true(clang_run_has(&it.log, "rtc_0.cpp:1:2: warning: about nothing"));
  assert_true(clang_run_has(&it.log, "\n[the rest of the log is left out]\n"));
  clang_run_deinit(&it);
  tn_buf_deinit(&text);
}

static size_t resident_bytes(void) {
  FILE *file = fopen("/proc/self/statm", "r");
  size_t total = 0;
  size_t resident = 0;
  assert_non_null(file);
  assert_int_equal(fscanf(file, "%zu %zu", &total, &resident), 2);
  (void)fclose(file);
  return resident * (size_t)sysconf(_SC_PAGESIZE);
}

static void memory_is_given_back(void **state) {
  (void)state;
  size_t before = 0;
  const int count = CLANG_RUN_SLOW ? 200 : 1100;
  for (int i = 0; i < count; i++) {
    char source[200];
    (void)snprintf(source, sizeof(source),
                   "template <class T> struct S%d { T t; };\n" CLANG_EXTERNAL
                   "int f%d(S%d<int> s) { return s.t; }\n"
                   "%s",
                   i, i, i, i % 4 == 3 ? "error" : "");
    clang_run it;
    clang_run_init(&it, source);
    char unit[64];
    (void)snprintf(unit, sizeof(unit), "-D__TENON_UNIT_ID__=%dULL", i);
    it.args[it.arg_count++] = unit;
    char name[64];
    (void)snprintf(name, sizeof(name), "/rtc/rtc_%d.cpp", i);
    it.files[0].name = name;
    const tn_status status = clang_run_do(&it, tn_clang_compile);
    assert_int_equal(status, i % 4 == 3 ? TN_BUILD_FAILED : TN_OK);
    clang_run_deinit(&it);
    before = i == 99 ? resident_bytes() : before;
  }
  const size_t after = resident_bytes();
  assert_true(CLANG_RUN_SLOW || after < before + ((size_t)10 << 20));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(unfinished_sources),   cmocka_unit_test(deep_nesting),
      cmocka_unit_test(long_chains),          cmocka_unit_test(templates_without_end),
      cmocka_unit_test(includes_without_end), cmocka_unit_test(any_bytes),
      cmocka_unit_test(large_sources),        cmocka_unit_test(memory_is_given_back),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
