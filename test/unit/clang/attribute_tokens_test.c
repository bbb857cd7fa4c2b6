// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernel attributes in Clang's front end: where messages point to, what is warned of, and that
// caches see the source as it is written.
#include "unit/clang/clang_run.h"

static void run(const char *source, clang_do how, tn_status expected, tn_buf *log) {
  clang_run it;
  clang_run_init(&it, source);
  it.args[it.arg_count++] = "-include";
  it.args[it.arg_count++] = TN_TEST_SOURCE_DIR "/include/sycl/detail/attribute_values.hpp";
  clang_run_expect(&it, how, expected);
  tn_buf_add_str(log, tn_buf_str(&it.log));
  clang_run_deinit(&it);
}

static void says(const char *source, tn_status expected, const char *message) {
  tn_buf log;
  tn_buf_init(&log, (size_t)1 << 20);
  run(source, tn_clang_compile, expected, &log);
  if (message[0] == '\0' ? log.size > 0 : !clang_run_has(&log, message)) {
    fail_msg("not \"%s\" of %s but:\n%s", message, source, tn_buf_text(&log));
  }
  tn_buf_deinit(&log);
}

static void places(void **state) {
  (void)state;
  static const char *const errors[][2] = {
      {"[[sycl::reqd_work_group_size(0)]] void f();",
       "rtc_0.cpp:1:30: error: 'sycl::reqd_work_group_size' attribute requires a positive"},
      {"void f()\n  [[intel::reqd_sub_group_size(-1)]];",
       "rtc_0.cpp:2:32: error: 'intel::reqd_sub_group_size' attribute requires a positive"},
      {"auto l = [](auto) mutable\n [[using cl: reqd_sub_group_size(0)]] -> int { return 1; };",
       "rtc_0.cpp:2:34: error: 'cl::reqd_sub_group_size' attribute requires a positive"},
      {"#define A(x) [[sycl::reqd_work_group_size(x)]]\n\nvoid f() A(0);",
       "rtc_0.cpp:3:12: error: 'sycl::reqd_work_group_size' attribute requires a positive"},
      {"struct s { void f() const & noexcept [[sycl::reqd_work_group_size(nothing)]]; };",
       "rtc_0.cpp:1:67: error: use of undeclared identifier 'nothing'"},
      {"[[sycl::device_has(1)]] [[gnu::used]] int x;",
       "rtc_0.cpp:1:9: error: 'sycl::device_has' only applies to functions"},
      {"void f [[sycl::reqd_work_group_size(0)]] ();",
       "rtc_0.cpp:1:37: error: 'sycl::reqd_work_group_size' attribute requires a positive"},
      {"void f(int a [[sycl::reqd_work_group_size(1)]]);", "only applies to functions"},
      {"void [[sycl::reqd_work_group_size(1)]] f();", "cannot be applied to types"},
      {"void f() { [[sycl::reqd_work_group_size(1)]] ; }", "cannot be applied to a statement"},
      {"extern int n; [[sycl::reqd_work_group_size(n)]] void f();",
       "attribute requires parameter 1 to be an integer constant"},
  };
  for (size_t i = 0; i < TN_COUNT(errors); i++) {
    says(errors[i][0], TN_BUILD_FAILED, errors[i][1]);
  }
}

static void warnings(void **state) {
  (void)state;
  static const char *const texts[][2] = {
      {"[[sycl::reqd_wrok_group_size(1)]] void f();",
       "rtc_0.cpp:1:9: warning: unknown attribute 'sycl::reqd_wrok_group_size' ignored; did you "
       "mean 'reqd_work_group_size'? [-Wunknown-attributes]"},
      {"[[using sycl: device_hat(1), unheard]] void f();",
       "rtc_0.cpp:1:15: warning: unknown attribute 'sycl::device_hat' ignored; did you mean "
       "'device_has'?"},
      {"[[sycl::unheard]] void f();", "warning: unknown attribute 'sycl::unheard' ignored ["},
      // No words about these.
      {"[[sycl::vec_type_hint(float), sycl::work_group_size_hint(3), "
       "intel::num_simd_work_items(4)]] "
       "void f();",
       ""},
      {"[[maybe_unused]] int reqd_work_group_size(int); int device_has [[gnu::used]];", ""},
  };
  for (size_t i = 0; i < TN_COUNT(texts); i++) {
    says(texts[i][0], TN_OK, texts[i][1]);
  }
}

// A source that never includes a header of SYCL.
static void without_headers(void **state) {
  (void)state;
  clang_run it;
  clang_run_init(&it, "\nvoid f() [[sycl::device_has(1)]];");
  clang_run_expect(&it, tn_clang_compile, TN_OK);
  assert_true(clang_run_has(&it.log,
                            "rtc_0.cpp:2:18: warning: attribute 'sycl::device_has' "
                            "ignored: include a header of SYCL before it "
                            "[-Wignored-attributes]"));
  clang_run_deinit(&it);
}

static void odd_lists(void **state) {
  (void)state;
  static const char *const sources[] = {
      "[[,,sycl::reqd_work_group_size(4),,]] void f();",
      "[[using sycl:]] [[]] [[sycl::device_has]] void f();",
      "<:<:sycl::reqd_work_group_size(4):>:> void f();",
      "void f() { if (int x = 1; [=]() [[sycl::reqd_work_group_size(1)]] { return x; }()) {} }",
      "template <class T> struct s { template <int N> s(T) [[sycl::reqd_work_group_size(N)]]; };",
      "template <int N> auto f() [[sycl::reqd_work_group_size(N)]] -> decltype(N); int x = f<3>();",
      "struct s { int x = []() [[sycl::reqd_work_group_size(2)]] { return 1; }(); };",
      "struct s { void f(int = []() [[sycl::reqd_work_group_size(2)]] { return 1; }()); };",
      "void f() [\n#pragma clang diagnostic push\n[sycl::reqd_work_group_size(4)]];",
  };
  for (size_t i = 0; i < TN_COUNT(sources); i++) {
    says(sources[i], TN_OK, "");
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(places),
      cmocka_unit_test(warnings),
      cmocka_unit_test(without_headers),
      cmocka_unit_test(odd_lists),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
