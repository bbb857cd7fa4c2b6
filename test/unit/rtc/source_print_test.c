// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints of builds: identify_source gives the one that compile_source gives, with the real headers
// and with the host's; comments, folders and macros that end in the preprocessor do not count, all
// else does; there is none where the result tells lines.
#include "unit/rtc/source_build.h"

typedef struct printed {
  bool has_print;
  uint8_t print[32];
  size_t input_count;
} printed;

static uint32_t language = TN_LANGUAGE_SYCL;  // of the sources to come

static printed run(const char *text, const char *header, const char *const *words, bool compiles) {
  const tn_compiler *compiler = tn_compiler_query(TN_COMPILER_VERSION);
  source_build it;
  build_of(&it, text);
  it.params.language = language;
  if (header) {
    build_add_include(&it, "h.h", header);
  }
  for (size_t i = 0; words && words[i]; i++) {
    build_add_option(&it, words[i]);
  }
  const tn_status status = (compiles ? compiler->compile_source : compiler->identify_source)(
      &it.params, &it.result, &it.diag);
  if (status != TN_OK) {
    fail_msg("%s\n%s", it.diag.text, it.result.log);
  }
  assert_int_equal(it.result.fatbin != NULL, compiles);
  printed out = {it.result.has_print == 1, {0}, it.result.input_count};
  memcpy(out.print, it.result.print, sizeof(out.print));
  build_end(&it);
  return out;
}

static printed print_of(const char *text, const char *header, const char *const *words) {
  const printed compiled = run(text, header, words, true);
  const printed identified = run(text, header, words, false);
  if (compiled.has_print != identified.has_print ||
      memcmp(compiled.print, identified.print, sizeof(compiled.print)) != 0) {
    fail_msg("compiled and identified differ (%d, %d): %s", compiled.has_print,
             identified.has_print, text);
  }
  assert_int_equal(compiled.input_count, identified.input_count);
  return compiled;
}

static bool is_one(printed a, printed b) {
  assert_true(a.has_print && b.has_print);
  return memcmp(a.print, b.print, sizeof(a.print)) == 0;
}

#define KERNEL_TEXT                                                                            \
  "SYCL_EXTERNAL int f(int x) {\n"                                                             \
  "  return x + 1;\n}\n"                                                                       \
  "extern \"C\" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((sycl::ext::oneapi::experimental::"          \
  "nd_range_kernel<1>))\nvoid add(float *a) {\n"                                               \
  "  a[sycl::ext::oneapi::this_work_item::get_nd_item<1>().get_global_linear_id()] += f(2);\n" \
  "}\n"
#define SYCL_TEXT "#include <sycl/sycl.hpp>\n"

static void with_the_headers(void **state) {
  (void)state;
  static const char *const defined[] = {"-DUNUSED=1", "-I", "/nowhere", NULL};
  static const char *const faster[] = {"-O3", NULL};
  for (int i = 0; i < 2; i++) {  // the second one makes the precompiled header
    (void)run(SYCL_TEXT KERNEL_TEXT, NULL, NULL, true);
    (void)run(SYCL_TEXT KERNEL_TEXT, NULL, faster, true);
  }
  const printed plain = print_of(SYCL_TEXT KERNEL_TEXT, NULL, NULL);
  assert_true(is_one(plain, print_of("// sum\n" SYCL_TEXT "\n/* f */\n" KERNEL_TEXT, NULL, NULL)));
  assert_true(is_one(plain, print_of(SYCL_TEXT KERNEL_TEXT, NULL, defined)));
  assert_true(is_one(plain, print_of(SYCL_TEXT "#include \"h.h\"\n" KERNEL_TEXT, "// h\n", NULL)));
  assert_false(is_one(plain, print_of(SYCL_TEXT KERNEL_TEXT, NULL, faster)));
  assert_false(is_one(plain, print_of(SYCL_TEXT "int g();" KERNEL_TEXT, NULL, NULL)));
  assert_false(
      is_one(plain, print_of(SYCL_TEXT "#include \"h.h\"\n" KERNEL_TEXT, "int g();", NULL)));
}

static void with_the_host(void **state) {
  (void)state;
  static const char text[] =
      "#include <vector>\n#include <algorithm>\n#include \"h.h\"\n" SYCL_TEXT KERNEL_TEXT;
  const printed plain = print_of(text, "// one\n", NULL);
  assert_true(is_one(plain, print_of(text, "\n\n// two\n", NULL)));
  assert_false(is_one(plain, print_of(text, "int g();\n", NULL)));
}

static void in_c(void **state) {
  (void)state;
  static const char text[] =
      "#include <tenon/device_code.h>\n#include \"h.h\"\nTN_KERNEL void k(int *a) { *a = VALUE; "
      "}\n";
  static const char *const kept[] = {"--auto-pch", NULL};
  language = TN_LANGUAGE_C;
  const printed plain = print_of(text, "#define VALUE 1\n", NULL);
  assert_true(is_one(plain, print_of(text, "\n#define VALUE 1 // one\n", NULL)));
  assert_false(is_one(plain, print_of(text, "#define VALUE 2\n", NULL)));
  for (int i = 0; i < 2; i++) {
    assert_false(run(text, "#define VALUE 1\n", kept, true).has_print);
  }
  language = TN_LANGUAGE_SYCL;
}

static void without_one(void **state) {
  (void)state;
  static const char *const debug[] = {"-g", NULL};
  static const char *const kept[] = {"--auto-pch", NULL};
  assert_false(print_of(SYCL_TEXT KERNEL_TEXT, NULL, debug).has_print);
  assert_false(print_of(SYCL_TEXT KERNEL_TEXT, NULL, kept).has_print);
  assert_false(print_of(SYCL_TEXT "#warning here\n" KERNEL_TEXT, NULL, NULL).has_print);
  assert_false(
      print_of(SYCL_TEXT "inline int line() { return __builtin_LINE(); }\n" KERNEL_TEXT, NULL, NULL)
          .has_print);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(with_the_headers),
      cmocka_unit_test(with_the_host),
      cmocka_unit_test(in_c),
      cmocka_unit_test(without_one),
  };
  return cmocka_run_group_tests_name("source_print", tests, NULL, NULL);
}
