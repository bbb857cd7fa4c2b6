// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a source includes: files from memory before those of the disk, standard headers, and names
// that cannot be.
// GPU-SUITE: needs g++
// GPU-SUITE: build %tenonxx -fsycl -O1 %s -o program
// GPU-SUITE: run mkdir -p folder/sub && echo "#define ON_DISK 5" > folder/disk.h
// GPU-SUITE: run echo "#define SHADOWED 1" > folder/shadowed.h
// GPU-SUITE: run echo "#define DEEP 11" > folder/sub/deep.h
// GPU-SUITE: run ./program folder
// Of one thread.
// UNSUPPORTED: thread-sanitizer
// RUN: rm -rf %t && mkdir -p %t/folder/sub && cd %t
// RUN: echo "#define ON_DISK 5" > folder/disk.h
// RUN: echo "#define SHADOWED 1" > folder/shadowed.h
// RUN: echo "#define DEEP 11" > folder/sub/deep.h
// RUN: %tenonxx -fsycl -O1 -Wall -Wextra -Werror %s -o app && ./app folder
#include "Inputs/sources.hpp"

#include <fstream>

using syclexp::include_files;

static int with_files(const sycl::queue &q, const include_files &files, const std::string &text,
                      const syclexp::build_options &options = {}) {
  const source_bundle source = source_of(q, text, syclexp::properties{files});
  return result_of(q, syclexp::build(source, options));
}

static void check_memory(const sycl::queue &q, const std::string &folder) {
  const syclexp::build_options search{"-I", "folder"};
  include_files files("shadowed.h", "#define SHADOWED 2\n");
  files.add("math/poly.h", "#pragma once\n#include \"term.h\"\n#include <math/other.h>\n");
  files.add("math/term.h", "constexpr int term = 30;");
  files.add("math/other.h", "constexpr int other = 400;");
  EXPECT(with_files(q, files, "#include \"shadowed.h\"\n" + storing("SHADOWED")) == 2);
  EXPECT(with_files(q, files, "#include \"shadowed.h\"\n" + storing("SHADOWED"), search) == 2);
  EXPECT(with_files(q, files, "#include <shadowed.h>\n" + storing("SHADOWED"), search) == 2);
  EXPECT(with_files(q, files,
                    "#include \"math/poly.h\"\n#include \"math/poly.h\"\n" +
                        storing("term + other")) == 430);
  EXPECT(with_files(q, {},
                    "#include \"shadowed.h\"\n#include <disk.h>\n#include \"sub/deep.h\"\n" +
                        storing("100 * SHADOWED + 10 * ON_DISK + DEEP"),
                    search) == 161);
  const std::string absolute = "-I" + folder;
  EXPECT(with_files(q, {}, "#include \"disk.h\"\n" + storing("ON_DISK"),
                    syclexp::build_options{absolute.c_str()}) == 5);
  // By a name that starts where the process stands.
  EXPECT(with_files(q, {}, "#include \"folder/disk.h\"\n" + storing("ON_DISK")) == 5);
  // The same names with other texts are other sources.
  for (int i = 0; i < 3; ++i) {
    EXPECT(with_files(q, {"value.h", "#define VALUE " + std::to_string(i)},
                      "#include \"value.h\"\n" + storing("VALUE")) == i);
  }
  EXPECT(with_files(q, {"empty.h", ""}, "#include \"empty.h\"\n" + storing("8")) == 8);
  EXPECT(with_files(q, {"a/../b/./c.h", "#define C 3"}, "#include \"b/c.h\"\n" + storing("C")) ==
         3);
}

// An edited header is never missed, whatever was kept of the first build.
static void check_edits(const sycl::queue &q) {
  const std::string source = "#include \"edited.h\"\n" + storing("EDITED");
  for (const int value : {1, 2, 1, 3}) {
    std::ofstream("folder/edited.h") << "#define EDITED " << value << "\n";
    EXPECT(with_files(q, {}, source, syclexp::build_options{"-Ifolder"}) == value);
  }
}

static void check_standard_headers(const sycl::queue &q) {
  EXPECT(result_of_source(q,
                          "#include <array>\n#include <cstdint>\n#include <limits>\n#include "
                          "<type_traits>\n#include <utility>\n"
                          "static int sum() { std::array<std::int8_t, 3> a{1, 2, 3}; int s = 0;\n"
                          "for (auto x : a) { s += x; } return s; }\n" +
                              storing("sum() + (std::is_same_v<int, int> ? 100 : 0)")) == 106);
  EXPECT(result_of_source(q, "#include <cmath>\n#include <vector>\n" +
                                 storing("static_cast<int>(sycl::sqrt(16.0f))")) == 4);
}

// Found by the name, and by a folder of -I that is not on the disk.
static void check_absolute(const sycl::queue &q) {
  include_files files("/nowhere/./deep/one.h",
                      "#include \"two.h\"\nconstexpr int one = two + 1;\n");
  files.add("/nowhere/deep/two.h", "constexpr int two = 20;\n");
  for (int twice = 0; twice < 2; twice++) {
    EXPECT(with_files(q, files, "#include \"/nowhere/deep/one.h\"\n" + storing("one")) == 21);
  }
  EXPECT(with_files(q, files, "#include <deep/one.h>\n" + storing("one + two"),
                    syclexp::build_options{"-I/nowhere"}) == 41);
}

static void check_bad_names(const sycl::queue &q) {
  for (const char *name : {"", "/", "/../above.h", "/tenon/include/own.h", "../outside.h",
                           "a/../../b.h", "folder/", ".."}) {
    EXPECT_FAILURE(invalid, PARTS(name), with_files(q, {name, "int x;"}, storing("1")));
  }
  EXPECT_FAILURE(invalid, PARTS("twice.h"), include_files files("twice.h", "int x;");
                 files.add("twice.h", "int x;"));
  EXPECT_FAILURE(invalid, PARTS("twice.h"), include_files files("twice.h", "int x;");
                 files.add("./twice.h", "int y;"); with_files(q, files, storing("1")));
  EXPECT_FAILURE(build, PARTS("absent.h", "rtc_", ".cpp:5"),
                 with_files(q, {}, "#include \"absent.h\"\n" + storing("1")));
  EXPECT_FAILURE(
      build, PARTS("broken.h:2"),
      with_files(q, {"broken.h", "\nint x = ;\n"}, "#include \"broken.h\"\n" + storing("1")));
  EXPECT_FAILURE(
      build, PARTS("loop.h"),
      with_files(q, {"loop.h", "#include \"loop.h\"\n"}, "#include \"loop.h\"\n" + storing("1")));
}

int main(int, char **argv) {
  sycl::queue q;
  check_memory(q, argv[1]);
  check_edits(q);
  check_standard_headers(q);
  check_absolute(q);
  check_bad_names(q);
  return failures != 0;
}
