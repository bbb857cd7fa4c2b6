// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernel attributes of preprocessed source become annotations, each where it has to stand.
#include "compile/frontend/frontend.h"

// clang-format off: cmocka.h needs these before it
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

static void check(const char *source, const char *expected) {
  tn_buf out;
  tn_diag diag;
  tn_buf_init(&out, 1 << 16);
  assert_int_equal(tn_frontend_attributes_rewrite(tn_str_from(source), &out, &diag), TN_OK);
  assert_string_equal(tn_buf_text(&out), expected);
  tn_buf_deinit(&out);
}

#define GROUP(values) "clang::annotate(\"tenon.reqd_work_group_size\"" values ")"
#define HAS(values) "annotate(\"tenon.device_has\"" values ")"

static void before_declarations(void **state) {
  (void)state;
  check("struct S { [[sycl::reqd_work_group_size(N)]] void operator()() const; };",
        "struct S { [[]] [[" GROUP(", +(N)") "]] void operator()() const; };");
  check("template <int... N> [[sycl::reqd_work_group_size(N...)]] void f();",
        "template <int... N> [[]] [[" GROUP(", +(N)...") "]] void f();");
  // The comma may be one of template arguments: the list stays as it is.
  check("template <int N> [[sycl::device_has(aspects<N>::a, b)]] inline void f();",
        "template <int N> [[ ]] [[clang::" HAS(", aspects<N>::a, b") "]] inline void f();");
  check("[[clang::sycl_external]] [[sycl::device_has()]] void f();",
        "[[clang::sycl_external]] [[]] [[clang::" HAS("") "]] void f();");
  check(
      "void g(); __attribute__((used)) [[sycl::device_has(a)]] void f();",
      "void g(); __attribute__((used)) [[]] [[clang::" HAS(", static_cast<int>(a)") "]] void f();");
}

static void lambdas(void **state) {
  (void)state;
  check("use([=](int i) [[sycl::reqd_work_group_size(a[0], 2)]] { });",
        "use([=] [[" GROUP(", +(a[0]), 2") "]](int i) [[ ]] { });");
  check("use([=](auto) mutable noexcept(f(1)) [[sycl::device_has(a)]] -> void { });",
        "use([=] [[clang::" HAS(
            ", static_cast<int>(a)") "]](auto) mutable noexcept(f(1)) [[]] -> void { });");
  check("use([=] [[sycl::device_has(a)]] { });",
        "use([=] [[]] [[clang::" HAS(", static_cast<int>(a)") "]] { });");
  check("use([&x]<class T>(T) [[sycl::device_has(a)]] { });",
        "use([&x]<class T> [[clang::" HAS(", static_cast<int>(a)") "]](T) [[]] { });");
  check("use([=]() [[other]] [[sycl::device_has(a), sycl::more]] { });",
        "use([=] [[clang::" HAS(", static_cast<int>(a)") "]]() [[other]] [[, sycl::more]] { });");
  check("use([=]() [[using sycl: device_has(a)]] { });",
        "use([=] [[clang::" HAS(", static_cast<int>(a)") "]]() [[using sycl: ]] { });");
}

static void functions(void **state) {
  (void)state;
  check("void operator()(int) const [[sycl::device_has(a)]] [[other]] { }",
        "void operator()(int) const [[]] [[other]] __attribute__((" HAS(
            ", static_cast<int>(a)") ")) { }");
  tn_buf out;
  tn_diag diag;
  tn_buf_init(&out, 1 << 16);
  assert_int_equal(tn_frontend_attributes_rewrite(
                       TN_STR_LIT("auto f() [[sycl::device_has(a)]] -> int;"), &out, &diag),
                   TN_BUILD_FAILED);
  assert_non_null(strstr(diag.text, "before the declaration"));
  tn_buf_deinit(&out);
}

static void lines_stay(void **state) {
  (void)state;
  check(
      "# 1 \"[[sycl::device_has(x)]]\"\nuse([=](int)\n[[sycl::device_has(\na,\n# 7 \"f\"\nb)]] "
      "{});",
      "# 1 \"[[sycl::device_has(x)]]\"\nuse([=] [[clang::" HAS(
          ", static_cast<int>(a), static_cast<int>(b)") "]](int)\n[[\n\n# 7 \"f\"\n]] {});");
}

static void other_text_stays(void **state) {
  (void)state;
  static const char *const texts[] = {
      "const char *s = \"[[sycl::device_has(x)]]\"; char c = '['; int n = 1'000;",
      "auto r = R\"x([[sycl::device_has(x)]])x\"; // [[sycl::device_has(x)]]\nint i;",
      "/* [[sycl::device_has(x)]] */ [[sycl::device_has]] void f(); [[sycl::unknown(3)]] int i;",
      "[[device_has(3)]] int i; [[noreturn]] void g(); a[b[0]] = 1;",
      "",
  };
  for (size_t i = 0; i < TN_COUNT(texts); i++) {
    check(texts[i], texts[i]);
  }
}

static bool wants(const char *text) {
  return tn_frontend_wants_attributes(tn_str_from(text));
}

static void who_wants_it(void **state) {
  (void)state;
  assert_false(wants("tenon.reqd_work_group_size|8, 16u|3|a.cpp"));
  assert_false(wants("tenon.device_has|sycl::aspect::cpu, aspect::gpu|3|a.cpp"));
  assert_false(wants("tenon.device_has||3|a.cpp tenon.sycl_external tenon."));
  assert_true(wants("tenon.reqd_work_group_size|8, N|3|a.cpp"));
  assert_true(wants("tenon.reqd_work_group_size|010|3|a.cpp"));
  assert_true(wants("tenon.reqd_work_group_size|0x10|3|a.cpp"));
  assert_true(wants("x tenon.reqd_sub_group_size|sizes[1]|3|a.cpp"));
  assert_true(wants("tenon.device_has|A|3|a.cpp"));
}

static void marks(void **state) {
  (void)state;
  tn_arena arena;
  tn_args options;
  tn_buf out;
  tn_diag diag;
  tn_arena_init(&arena);
  tn_args_init(&options, &arena);
  tn_args_add(&options, "-ffile-prefix-map=/home/=./");
  tn_buf_init(&out, 1 << 16);
  const tn_str text = TN_STR_LIT(
      "# 1 \"/home/a \\\"b\\\".cpp\"\nint reqd_work_group_size(int);\n"
      "void f() { [=]() [[sycl::reqd_work_group_size(8 ,16u)]] {}; }\n"
      "# 41 \"b.hpp\" 1\n\n[[using sycl: reqd_sub_group_size(4), device_has(\n"
      "aspect::cpu)]] void g();\n[[other::device_has(1)]] int i;\n"
      "[[intel::reqd_sub_group_size(N)]] void h();");
  assert_int_equal(tn_frontend_attributes_mark(text, &options, &out, &diag), TN_OK);
  assert_string_equal(tn_buf_text(&out),
                      "tenon.reqd_work_group_size|8 ,16u|2|./a \"b\".cpp\n"
                      "tenon.reqd_sub_group_size|4|42|b.hpp\n"
                      "tenon.device_has|aspect::cpu|43|b.hpp\n"
                      "tenon.reqd_sub_group_size|N|45|b.hpp\n");
  tn_buf_clear(&out);
  assert_int_equal(tn_frontend_attributes_mark(
                       TN_STR_LIT("bool device_has(int); bool b = x::device_has(1);"), &options,
                       &out, &diag),
                   TN_OK);
  assert_int_equal(out.size, 0);
  tn_buf_deinit(&out);
  tn_arena_deinit(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(before_declarations), cmocka_unit_test(lambdas),
      cmocka_unit_test(functions),           cmocka_unit_test(lines_stay),
      cmocka_unit_test(other_text_stays),    cmocka_unit_test(who_wants_it),
      cmocka_unit_test(marks),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
