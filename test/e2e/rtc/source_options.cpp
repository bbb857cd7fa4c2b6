// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Options of builds: what each does, and that those that make no sense are refused by name; the
// log; where errors say that they are; and that no files are written.
// GPU-SUITE: skip it writes files, and asks what files there are
// Of one thread.
// UNSUPPORTED: thread-sanitizer
// RUN: rm -rf %t && mkdir -p %t && cd %t && echo "#define FORCED 9" > forced.h
// RUN: %tenonxx -fsycl -O1 -Wall -Wextra -Werror %s -o app && ./app
// RUN: ls | %FileCheck %s --check-prefix=FILES
// FILES: app
// FILES-NEXT: forced.h
// FILES-NOT: {{.}}
#include "Inputs/sources.hpp"

using syclexp::build_options;

static int with_options(const sycl::queue &q, const build_options &options,
                        const std::string &text) {
  return result_of_source(q, text, options);
}

static void check_effects(const sycl::queue &q) {
  EXPECT(with_options(q, {"-DVALUE=42"}, storing("VALUE")) == 42);
  EXPECT(with_options(q, {"-D", "VALUE=43"}, storing("VALUE")) == 43);
  EXPECT(with_options(q, {"-DVALUE=1", "-UVALUE", "-DVALUE"}, storing("VALUE + 5")) == 6);
  EXPECT(with_options(q, {"-DTEXT=\"a b\""}, storing("sizeof(TEXT)")) == 4);
  EXPECT(with_options(q, {"-include", "forced.h"}, storing("FORCED")) == 9);
  EXPECT(with_options(q, {"-std=c++20"}, storing("__cplusplus >= 202002L")) == 1);
  EXPECT(with_options(q, {}, storing("__cplusplus == 201703L")) == 1);
  EXPECT(with_options(q, {"-fsycl"}, storing("1")) == 1);
  for (const char *level : {"-O0", "-O1", "-O2", "-O3", "-Os", "-O"}) {
    EXPECT(with_options(q, {level}, storing("0 * 3 + 7")) == 7);
  }
  EXPECT(with_options(q, {"-O0"},
                      "#ifdef __OPTIMIZE__\n#define OPT 1\n#else\n#define OPT 0\n"
                      "#endif\n" +
                          storing("OPT")) == 0);
  EXPECT(with_options(q, {"-g"}, storing("3")) == 3);
  EXPECT(with_options(q, {"-g", "-O0"}, storing("4")) == 4);
  // Not a number is equal to itself when there is none.
  const std::string nan_source =
      "#ifdef __FAST_MATH__\n#define FAST 1\n#else\n#define FAST 0\n#endif\n" + storing("FAST");
  EXPECT(with_options(q, {"-ffast-math"}, nan_source) == 1);
  EXPECT(with_options(q, {"-fno-fast-math"}, nan_source) == 0);
  EXPECT(with_options(q, {"-ffast-math", "-fno-fast-math"}, nan_source) == 0);
  EXPECT(with_options(q, {"-ftemplate-depth=50"}, storing("5")) == 5);
  const std::string two =
      storing("1") + "extern \"C\" " SINGLE_KERNEL " void g(int *out) { *out = 2; }\n";
  for (const char *mode : {"auto", "per_kernel", "per_source", "off"}) {
    const std::string option = std::string("-fsycl-device-code-split=") + mode;
    const executable_bundle bundle = build(q, two, build_options(option));
    EXPECT(result_of(q, bundle) == 1 && result_of(q, bundle, "g") == 2);
    const auto images = bundle.end() - bundle.begin();
    EXPECT(option == "-fsycl-device-code-split=per_kernel" ? images > 1 : images == 1);
  }
}

static void check_sub_groups(const sycl::queue &q) {
  const std::string source =
      storing("(int)sycl::ext::oneapi::this_work_item::get_sub_group().get_max_local_range()[0]");
  EXPECT(with_options(q, {}, source) == 32);
  EXPECT(with_options(q, {"-fsycl-default-sub-group-size=16"}, source) == 16);
  EXPECT(with_options(q, {"-fsycl-default-sub-group-size=8"}, source) == 8);
  EXPECT(with_options(q, {"-fsycl-default-sub-group-size=primary"}, source) == 32);
  EXPECT_FAILURE(invalid, PARTS("-fsycl-default-sub-group-size=wide"),
                 with_options(q, {"-fsycl-default-sub-group-size=wide"}, source));
}

static void check_refused(const sycl::queue &q) {
  const source_bundle source = source_of(q, storing("1"));
  for (const char *option : {"-o",
                             "-oout",
                             "-c",
                             "-S",
                             "-E",
                             "-fsycl-targets=spir64",
                             "-fsycl-device-only",
                             "-fsycl-link",
                             "-save-temps",
                             "-MD",
                             "-shared",
                             "-lm",
                             "-v",
                             "-###",
                             "--version",
                             "-x",
                             "-mllvm",
                             "-Xclang",
                             "-fplugin=x.so",
                             "--target=spir64",
                             "-Wl,-z",
                             "-emit-llvm",
                             "--config=x",
                             "-fsycl-host-compiler=g++",
                             "-ftime-trace",
                             "-gsplit-dwarf"}) {
    EXPECT_FAILURE(invalid, PARTS(option), syclexp::build(source, build_options(option)));
  }
  EXPECT_FAILURE(invalid, PARTS("forced.h"), syclexp::build(source, build_options("forced.h")));
  EXPECT_FAILURE(invalid, PARTS("@file"), syclexp::build(source, build_options("@file")));
  EXPECT_FAILURE(invalid, PARTS("-fsycl-no-such"),
                 syclexp::build(source, build_options("-fsycl-no-such")));
  EXPECT_FAILURE(invalid, PARTS("-std=c++14", "C++17"),
                 syclexp::build(source, build_options("-std=c++14")));
  EXPECT_FAILURE(invalid, PARTS("-fsycl-device-code-split=sometimes"),
                 syclexp::build(source, build_options("-fsycl-device-code-split=sometimes")));
  EXPECT_FAILURE(invalid, PARTS("-D"), syclexp::build(source, build_options("-D")));
  EXPECT_ERRC(invalid, syclexp::build(source, build_options("")));
  EXPECT_FAILURE(invalid, PARTS("build_options"),
                 syclexp::build(source, build_options(std::string("-DX\0Y", 5))));
  const failure unknown =
      failure_of([&] { syclexp::build(source, build_options("--no-such-option")); });
  EXPECT(unknown.code == static_cast<int>(sycl::errc::invalid) ||
         unknown.code == static_cast<int>(sycl::errc::build));
  EXPECT(has(unknown.text, "--no-such-option"));
}

static void check_log(const sycl::queue &q) {
  const std::string warned = "static int unused;\n#warning look here\n" + storing("1");
  std::string log = "old";
  EXPECT(result_of_source(q, warned, syclexp::save_log(&log)) == 1);
  EXPECT(has(log, "look here") && has(log, "warning") && has(log, "rtc_") && !has(log, "old"));
  std::string again;
  EXPECT(result_of_source(q, warned, syclexp::save_log(&again)) == 1);
  EXPECT(again == log);  // kept with what was built
  EXPECT(result_of_source(q, storing("2"), syclexp::save_log(&log)) == 2 && log.empty());
  EXPECT(result_of_source(q, storing("2"), syclexp::save_log(nullptr)) == 2);
  EXPECT(result_of_source(q, warned, build_options("-w"), syclexp::save_log(&log)) == 1);
  EXPECT(log.empty());
  EXPECT_FAILURE(build, PARTS("look here"), build(q, warned, build_options("-Werror")));

  const std::string broken = "int x = 1;\nint y = \"text\";\nint z = absent;\n" + storing("1");
  const failure got = failure_of([&] { build(q, broken, syclexp::save_log(&log)); });
  EXPECT(got.code == static_cast<int>(sycl::errc::build));
  // All errors, with the line of the source that was given.
  for (const std::string &text : {got.text, log}) {
    EXPECT(has(text, ".cpp:6:") && has(text, ".cpp:7:") && has(text, "absent"));
  }
  EXPECT_FAILURE(build, PARTS("rtc_", ".cpp:5:", "on purpose"), build(q, "#error on purpose\n"));
  EXPECT_FAILURE(build, PARTS("rtc_", ".cpp:5:"), build(q, "void f( {"));
  EXPECT_FAILURE(build, PARTS("deep"),
                 build(q,
                       "template <int N> struct deep { static constexpr int value = deep<N - "
                       "1>::value; };\nint x = deep<5>::value;\n",
                       build_options("-ftemplate-depth=20")));
  // What device code may not do, and what nobody defines.
  EXPECT_FAILURE(
      build, PARTS("throw"),
      build(q, "extern \"C\" " SINGLE_KERNEL " void f(int *out) { if (*out) { throw 1; } }\n"));
  EXPECT_FAILURE(build, PARTS("nobody"),
                 build(q, "SYCL_EXTERNAL int nobody(int);\n" + storing("nobody(1)")));
}

int main() {
  sycl::queue q;
  check_effects(q);
  check_sub_groups(q);
  check_refused(q);
  check_log(q);
  return failures != 0;
}
