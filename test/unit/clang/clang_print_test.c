// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints of sources: the same for what is the same to the parser, another for all else, and none
// where the result tells places; a run that only preprocesses has the print of one that compiles.
#include "unit/clang/clang_run.h"

typedef struct printed {
  bool has_print;
  uint8_t print[TN_BLAKE3_SIZE];
} printed;

static void write_end(void *user, const tn_clang_kernel *kernels, size_t count, tn_buf *out) {
  (void)user;
  for (size_t i = 0; i < count; i++) {
    tn_buf_add_format(out, "void *end_%zu() { return (void *)&%s; }\n", i, kernels[i].name);
  }
}

static tn_status compile_quietly(const tn_clang_run *run, tn_buf *out, tn_buf *log,
                                 tn_clang_result *result, tn_diag *diag) {
  tn_clang_run printed_run = *run;
  printed_run.is_printed = true;
  printed_run.end = write_end;
  return tn_clang_compile(&printed_run, out, log, result, diag);
}

static tn_status only_print(const tn_clang_run *run, tn_buf *out, tn_buf *log,
                            tn_clang_result *result, tn_diag *diag) {
  (void)out;
  return tn_clang_print(run, log, result, diag);
}

typedef struct source {
  const char *text;
  const char *header;  // "h.h"; NULL without
  const char *option;  // NULL without
} source;

static printed print_of_by(const source *from, clang_do how) {
  clang_run it;
  printed out = {0};
  clang_run_init(&it, from->text);
  if (from->header) {
    clang_run_add_file(&it, "/rtc/h.h", from->header);
  }
  if (from->option) {
    it.args[it.arg_count++] = from->option;
  }
  clang_run_expect(&it, how, TN_OK);
  assert_string_equal(tn_buf_text(&it.log), "");
  out.has_print = it.result.has_print;
  memcpy(out.print, it.result.print, sizeof(out.print));
  clang_run_deinit(&it);
  return out;
}

static printed print_of(const source *from) {
  const printed compiled = print_of_by(from, compile_quietly);
  const printed read = print_of_by(from, only_print);
  if (compiled.has_print != read.has_print ||
      memcmp(compiled.print, read.print, sizeof(read.print)) != 0) {
    fail_msg("compiled and read differ in their prints: %s", from->text);
  }
  return compiled;
}

static bool is_same(const source *a, const source *b) {
  const printed of_a = print_of(a);
  const printed of_b = print_of(b);
  assert_true(of_a.has_print && of_b.has_print);
  return memcmp(of_a.print, of_b.print, sizeof(of_a.print)) == 0;
}

#define LOOP "  for (int i = 0; i < n; i++) { p[i] = i; }\n}\n"
#define FN CLANG_EXTERNAL "void f(int *p, int n) {\n"

static void the_same(void **state) {
  (void)state;
  static const source pairs[][2] = {
      {{"int a; // one\n", NULL, NULL}, {"/* two\n\n */\n\nint a;\n\n", NULL, NULL}},
      {{"#include \"h.h\"\nint b;\n", "int a; // one\n", NULL},
       {"#include \"h.h\"\nint b;\n", "// more\nint a;\n", NULL}},
      {{"#include \"h.h\"\nint b;\n", "int a;\n", NULL}, {"int a;\nint b;\n", NULL, NULL}},
      {{"int a[N];\n", NULL, "-DN=3"}, {"int a[3];\n", NULL, NULL}},
      {{"int a;\n", NULL, "-DUNUSED=1"}, {"#define OTHER 1\nint a;\n", NULL, NULL}},
      {{FN "#pragma unroll 4\n" LOOP, NULL, NULL},
       {FN "\n#pragma unroll 4 // four\n" LOOP, NULL, NULL}},
      {{FN "_Pragma(\"unroll\")\n" LOOP, NULL, NULL},
       {"\n" FN "_Pragma(\"unroll\")\n" LOOP, NULL, NULL}},
      {{"#define DO(n) _Pragma(#n)\n" FN "DO(unroll 4)\n" LOOP, NULL, NULL},
       {"#define DO(n) _Pragma(#n)\n" FN "DO(unroll 4) // four\n" LOOP, NULL, NULL}},
      {{"template <class T> struct v { T x; }; v<v<int>> a;\n", NULL, NULL},
       {"template <class T> struct v { T x; }; v<v<int>> a; // >>\n", NULL, NULL}},
      {{"[[sycl::device_has(1), gnu::used]] void f(); int a[3];\n", NULL, "-w"},
       {"[[sycl::device_has(1), /**/ gnu::used]] void f(); int a[3]; // more\n", NULL, "-w"}},
      {{"struct s { int f() { return later; } int later; }; s a;\n", NULL, NULL},
       {"struct s { int f() { return /**/later; } int later; }; s a;\n", NULL, NULL}},
  };
  for (size_t i = 0; i < TN_COUNT(pairs); i++) {
    if (!is_same(&pairs[i][0], &pairs[i][1])) {
      fail_msg("are to have one print: %s\nand %s", pairs[i][0].text, pairs[i][1].text);
    }
  }
}

static void others(void **state) {
  (void)state;
  static const source pairs[][2] = {
      {{"int a;\n", NULL, NULL}, {"int b;\n", NULL, NULL}},
      {{"int a = 1;\n", NULL, NULL}, {"int a = 2;\n", NULL, NULL}},
      {{"auto a = \"x\";\n", NULL, NULL}, {"auto a = \"y\";\n", NULL, NULL}},
      {{"auto a = R\"(\n\n)\";\n", NULL, NULL}, {"auto a = R\"(\n)\";\n", NULL, NULL}},
      {{"#include \"h.h\"\nint b = A;\n", "#define A 1\n", NULL},
       {"#include \"h.h\"\nint b = A;\n", "#define A 2\n", NULL}},
      {{"int a = __LINE__;\n", NULL, NULL}, {"\nint a = __LINE__;\n", NULL, NULL}},
      {{FN "#pragma unroll 4\n" LOOP, NULL, NULL}, {FN "#pragma unroll 2\n" LOOP, NULL, NULL}},
      {{FN "_Pragma(\"unroll 4\")\n" LOOP, NULL, NULL},
       {FN "_Pragma(\"unroll 2\")\n" LOOP, NULL, NULL}},
      {{"#define DO(n) _Pragma(#n)\n" FN "DO(unroll 4)\n" LOOP, NULL, NULL},
       {"#define DO(n) _Pragma(#n)\n" FN "DO(unroll 2)\n" LOOP, NULL, NULL}},
      {{FN "#pragma clang fp contract(fast)\n" LOOP, NULL, NULL}, {FN LOOP, NULL, NULL}},
      // A warning that is said for the one.
      {{"void g(int); void f(int x) { if (x)\n    g(1);\n  g(2); }\n", NULL, "-Wno-everything"},
       {"void g(int); void f(int x) { if (x)\n    g(1);\n    g(2); }\n", NULL, "-Wno-everything"}},
      // What is left for the text behind the source.
      {{"int one; int two;\n", NULL, NULL}, {"int one; int two;\n#define one two\n", NULL, NULL}},
      {{"int one; int two;\n#define one two\n", NULL, NULL},
       {"int one; int two;\n#define one 2\n", NULL, NULL}},
      {{"int a;\n", NULL, NULL}, {"int a;\n#define float double\n", NULL, NULL}},
  };
  for (size_t i = 0; i < TN_COUNT(pairs); i++) {
    if (is_same(&pairs[i][0], &pairs[i][1])) {
      fail_msg("are not to have one print: %s\nand %s", pairs[i][0].text, pairs[i][1].text);
    }
  }
}

static void none(void **state) {
  (void)state;
  static const source sources[] = {
      {"int a = __builtin_LINE();\n", NULL, NULL},
      {"#define HERE __builtin_FILE()\nauto a = HERE;\n", NULL, NULL},
      {"auto f() { return __PRETTY_FUNCTION__; }\n", NULL, NULL},
      {FN "#define FOUR 4\n#pragma unroll FOUR\n" LOOP, NULL, NULL},
  };
  for (size_t i = 0; i < TN_COUNT(sources); i++) {
    if (print_of(&sources[i]).has_print) {
      fail_msg("is to have no print: %s", sources[i].text);
    }
  }
  const printed unasked = print_of_by(&(source){"int a;\n", NULL, NULL}, tn_clang_compile);
  assert_false(unasked.has_print);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_same),
      cmocka_unit_test(others),
      cmocka_unit_test(none),
  };
  return cmocka_run_group_tests_name("clang_print", tests, NULL, NULL);
}
