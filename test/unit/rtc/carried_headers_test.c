// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sources with the headers that the library carries: without the host's where they need none, with
// them where they do, and the same from precompiled headers.
#include "rtc/carried_pch.h"
#include "rtc/carried_scan.h"
#include "unit/rtc/source_build.h"

#include <dirent.h>

#define KERNEL_TEXT                                                                \
  "extern \"C\" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((\n"                             \
  "    sycl::ext::oneapi::experimental::nd_range_kernel<1>))\n"                    \
  "void k(float *out) { out[sycl::ext::oneapi::this_work_item::get_nd_item<1>()\n" \
  "                         .get_global_linear_id()] = sycl::sin(out[0]) + VALUE; }\n"

static void expect_inputs(const char *text, bool has_some) {
  source_build it;
  build_of(&it, text);
  build_add_option(&it, "-DVALUE=1");
  build_run(&it, TN_OK);
  expect_kernel(&it, build_symbol(&it, "k"));
  assert_int_equal(it.result.input_count > 0, has_some);
  build_end(&it);
}

static void takes_the_hosts_headers_only_when_needed(void **state) {
  (void)state;
  expect_inputs("#include <sycl/sycl.hpp>\n" KERNEL_TEXT, false);
  expect_inputs(
      "#include <cmath>\n#include <type_traits>\n#include <sycl/sycl.hpp>\n"
      "static_assert(std::is_same_v<decltype(std::sqrt(1.0f)), float>);\n" KERNEL_TEXT,
      false);
  expect_inputs(
      "#include <sycl/sycl.hpp>\n#include <algorithm>\n"
      "static_assert(std::max(1, 2) == 2);\n" KERNEL_TEXT,
      true);
  // A macro in place of the name is not seen before it is compiled.
  expect_inputs(
      "#define HEADER <algorithm>\n#include HEADER\n#include <sycl/sycl.hpp>\n"
      "static_assert(std::max(1, 2) == 2);\n" KERNEL_TEXT,
      true);
}

static void a_header_of_the_build_may_ask_for_the_hosts(void **state) {
  (void)state;
  source_build it;
  build_of(&it, "#include <sycl/sycl.hpp>\n#include \"sizes.h\"\n" KERNEL_TEXT);
  build_add_include(&it, "sizes.h", "#include <tuple>\nusing sizes = std::tuple<int, float>;\n");
  build_add_option(&it, "-DVALUE=sizeof(sizes)");
  build_run(&it, TN_OK);
  assert_true(it.result.input_count > 0);
  build_end(&it);
}

// Each of the pieces, with what tells them from others.
static const char standard_text[] =
    "#include <array>\n#include <cfloat>\n#include <climits>\n#include <cmath>\n"
    "#include <cstddef>\n#include <cstdint>\n#include <initializer_list>\n#include <iterator>\n"
    "#include <limits>\n#include <new>\n#include <type_traits>\n#include <utility>\n"
    "#include <math.h>\n#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n"
    "#include <limits.h>\n#include <float.h>\n#include <sycl/sycl.hpp>\n"
    "static_assert(std::numeric_limits<int>::max() == INT_MAX);\n"
    "static_assert(std::numeric_limits<signed char>::min() == -128);\n"
    "static_assert(std::numeric_limits<unsigned long>::digits10 == 19);\n"
    "static_assert(std::numeric_limits<float>::max() == FLT_MAX);\n"
    "static_assert(std::numeric_limits<double>::infinity() > DBL_MAX);\n"
    "static_assert(UINT64_MAX == ~std::uint64_t{0} && INT8_MIN == -128);\n"
    "struct S { int f(int); int m; };\n"
    "static_assert(std::is_invocable_v<decltype(&S::f), S &, int>);\n"
    "static_assert(!std::is_invocable_v<decltype(&S::f), S &>);\n"
    "static_assert(std::is_invocable_r_v<long, decltype(&S::m), S *>);\n"
    "static_assert(std::is_same_v<std::common_type_t<int, long, float>, float>);\n"
    "static_assert(std::is_same_v<std::decay_t<const int (&)[3]>, const int *>);\n"
    "static_assert(!std::is_floating_point_v<_Float16>);\n"
    "static_assert(std::is_same_v<std::conditional_t<false, int, char>, char>);\n"
    "static_assert(std::is_trivially_copy_constructible_v<std::pair<int, int>>);\n"
    "static_assert(std::disjunction_v<std::false_type, std::true_type>);\n"
    "constexpr std::array<int, 3> three{1, 2, 3};\n"
    "static_assert(three[1] == 2 && std::get<2>(three) == 3 && three.size() == 3);\n"
    "static_assert(std::tuple_size_v<std::array<int, 3>> == 3);\n"
    "constexpr int sum(std::initializer_list<int> l) { int s = 0; for (int i : l) s += i;\n"
    "  return s; }\n"
    "static_assert(sum({1, 2, 3}) == 6 && *std::next(three.begin()) == 2);\n"
    "static_assert(*three.rbegin() == 3 && std::distance(three.begin(), three.end()) == 3);\n"
    "static_assert(std::is_same_v<decltype(std::pow(2.f, 2)), double>);\n"
    "static_assert(std::abs(-2.f) == 2.f && std::isnan(NAN));\n"
    "static_assert(std::to_integer<int>(std::byte{3} << 1) == 6);\n" KERNEL_TEXT;

static void standard_pieces_are_what_they_say(void **state) {
  (void)state;
  static const char *const standards[] = {"-std=c++17", "-std=c++20", "-std=gnu++23"};
  for (size_t i = 0; i < TN_COUNT(standards); i++) {
    source_build it;
    build_of(&it, standard_text);
    build_add_option(&it, "-DVALUE=1");
    build_add_option(&it, "-Wall");
    build_add_option(&it, standards[i]);
    build_run(&it, TN_OK);
    assert_int_equal(it.result.input_count, 0);
    assert_string_equal(it.result.log, "");
    build_end(&it);
  }
}

// A precompiled header does not see the user's macros, and the source does.
static void precompiled_headers_change_nothing(void **state) {
  (void)state;
  static const char text[] =
      "#include <sycl/sycl.hpp>\n"
      "#if VALUE != 42 || defined(GONE)\n#error the macros are not those of the options\n#endif\n"
      "static_assert(N == 7);\n" KERNEL_TEXT;
  static const char *const targets[] = {TN_TARGET_NATIVE_CPU, "spirv64", "nvptx64-nvidia-cuda"};
  for (size_t i = 0; i < TN_COUNT(targets); i++) {
    for (int round = 0; round < 3; round++) {
      source_build it;
      build_of(&it, text);
      it.params.target = targets[i];
      build_add_option(&it, "-DVALUE=42");
      build_add_option(&it, "-DN=7");
      build_add_option(&it, "-UGONE");
      if (round > 0) {
        build_add_option(&it, "--auto-pch");
      }
      build_run(&it, TN_OK);
      assert_string_equal(it.result.log, "");
      expect_kernel(&it, build_symbol(&it, "k"));
      build_end(&it);
    }
  }
}

static size_t count_files(const char *folder, const char *suffix) {
  DIR *files = opendir(folder);
  assert_non_null(files);
  size_t count = 0;
  for (const struct dirent *file; (file = readdir(files));) {
    count += tn_str_has_suffix(tn_str_from(file->d_name), tn_str_from(suffix));
  }
  (void)closedir(files);
  return count;
}

static void headers_of_the_build_come_first(void **state) {
  (void)state;
  for (int round = 0; round < 2; round++) {
    source_build it;
    build_of(&it, "#include <sycl/sycl.hpp>\nextern \"C\" KERNEL void k(int *p) { *p = 1; }\n");
    build_add_include(&it, "sycl/sycl.hpp", SOURCE_STAND_IN);
    build_add_option(&it, "--auto-pch");
    build_run(&it, TN_OK);
    expect_kernel(&it, build_symbol(&it, "k"));
    build_end(&it);
  }
}

static void keeps_precompiled_headers_in_a_folder(void **state) {
  (void)state;
  char *folder = NULL;
  tn_diag diag = {0};
  assert_int_equal(tn_temp_dir_create("tn-pch", &folder, &diag), TN_OK);
  for (int round = 0; round < 2; round++) {
    source_build it;
    tn_buf option;
    tn_buf_init(&option, 4096);
    tn_buf_add_format(&option, "--persistent-auto-pch=%s", folder);
    build_of(&it, "#include <sycl/sycl.hpp>\n" KERNEL_TEXT);
    build_add_option(&it, tn_buf_text(&option));
    build_add_option(&it, "-DVALUE=1");
    build_add_option(&it, "-std=c++20");
    build_run(&it, TN_OK);
    build_end(&it);
    tn_buf_deinit(&option);
  }
  assert_int_equal(count_files(folder, ".pch"), 1);
  tn_temp_dir_remove(folder);
}

static void errors_are_told_once_and_of_the_source(void **state) {
  (void)state;
  source_build it;
  build_of(&it, "#include <sycl/sycl.hpp>\nSYCL_EXTERNAL int f(int x) { return x + ; }\n");
  build_run(&it, TN_BUILD_FAILED);
  expect_has(it.result.log, "rtc_7.cpp:2:");
  const char *first = strstr(it.result.log, "error: ");
  assert_non_null(first);
  assert_null(strstr(first + 1, "error: "));
  build_end(&it);
  // What neither has is an error of the run with the host's headers.
  build_of(&it, "#include <sycl/sycl.hpp>\n#include <no_such_header>\n");
  build_run(&it, TN_BUILD_FAILED);
  expect_has(it.diag.text, "'no_such_header' file not found");
  build_end(&it);
}

static void reads_includes_off_the_text(void **state) {
  (void)state;
  assert_true(tn_carried_scan_begins_with_sycl(
      TN_STR_LIT("/* a\n b */ // c\n #  include <cmath>\n#include <sycl/sycl.hpp>")));
  assert_true(tn_carried_scan_begins_with_sycl(TN_STR_LIT("#include\"sycl/sycl.hpp\"")));
  assert_false(tn_carried_scan_begins_with_sycl(TN_STR_LIT("#define X\n#include <sycl/sycl.hpp>")));
  assert_false(
      tn_carried_scan_begins_with_sycl(TN_STR_LIT("#include \"a.h\"\n#include <sycl/sycl.hpp>")));
  assert_false(tn_carried_scan_begins_with_sycl(TN_STR_LIT("/* not closed")));
  assert_false(tn_carried_scan_begins_with_sycl(TN_STR_LIT("")));
  assert_true(tn_carried_has(TN_STR_LIT("sycl/vec.hpp")));
  assert_true(tn_carried_has(TN_STR_LIT("type_traits")));
  assert_false(tn_carried_has(TN_STR_LIT("vector")));
}

// The host has its C++ library, and no Clang with its headers.
static void stands_in_for_the_compilers_headers(void **state) {
  (void)state;
  source_build it;
  build_of(&it,
           "#include <algorithm>\n#include <cstdio>\n#include <limits.h>\n"
           "#include <sycl/sycl.hpp>\n"
           "static_assert(std::max(1, 2) == 2 && INT_MAX > 0 && sizeof(std::size_t) == 8);\n"
           "#define VALUE 1\n" KERNEL_TEXT);
  build_add_option(&it, "-nobuiltininc");
  build_run(&it, TN_OK);
  expect_kernel(&it, build_symbol(&it, "k"));
  build_end(&it);
}

// One precompiled header is for all of NVIDIA's processors.
static void words_of(tn_arena *arena, const char *processor, const char *ptx, tn_list *out) {
  const char *const args[] = {"clang++", "-Xclang", "-target-cpu", "-Xclang",
                              processor, "-O2",     "-Xclang",     "-target-feature",
                              "-Xclang", ptx,       "a.cpp",       NULL};
  const tn_clang_run run = {.args = args};
  assert_true(tn_carried_pch_words(&run, arena, out));
}

static void processors_share_headers(void **state) {
  (void)state;
  tn_arena arena;
  tn_list first = {0};
  tn_list second = {0};
  tn_arena_init(&arena);
  words_of(&arena, "sm_70", "+ptx74", &first);
  words_of(&arena, "sm_90", "+ptx78", &second);
  assert_int_equal(first.count, second.count);
  for (size_t i = 0; i < first.count; i++) {
    assert_string_equal(first.items[i], second.items[i]);
  }
  words_of(&arena, "sm_90", "+sm_90", &second);  // no version: something else
  assert_true(second.count > 2 * first.count);
  tn_arena_deinit(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(takes_the_hosts_headers_only_when_needed),
      cmocka_unit_test(a_header_of_the_build_may_ask_for_the_hosts),
      cmocka_unit_test(standard_pieces_are_what_they_say),
      cmocka_unit_test(precompiled_headers_change_nothing),
      cmocka_unit_test(headers_of_the_build_come_first),
      cmocka_unit_test(keeps_precompiled_headers_in_a_folder),
      cmocka_unit_test(errors_are_told_once_and_of_the_source),
      cmocka_unit_test(reads_includes_off_the_text),
      cmocka_unit_test(processors_share_headers),
      cmocka_unit_test(stands_in_for_the_compilers_headers),
  };
  return cmocka_run_group_tests_name("carried_headers", tests, NULL, NULL);
}
