# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""preamble_files.py FOLDER: the sources and headers of preamble.test.
preamble_files.py FOLDER HEADER FUNCTION: own.hpp anew, with another function."""
import os
import sys


def write(name, text):
    with open(os.path.join(sys.argv[1], name), "w", encoding="utf-8") as file:
        file.write(text)


def own(function):
    return f"""#pragma once
#include <cstddef>
int {function}();
#define FUNCTION {function}
template <class T> struct checked {{
  static_assert(sizeof(T) > 1, "a type of one byte");
  T value;
}};
template <class T> T twice(T value) {{ return value + value; }}
inline int counted() {{ static int count = __COUNTER__; return twice(count); }}
"""


if len(sys.argv) == 4:
    write(sys.argv[2], own(sys.argv[3]))
    sys.exit(0)

write("one/own.hpp", own("first_function"))
write("first.cpp", """#define OWN 1
#include <vector>
#include <own.hpp>
int unused() { int nothing; return counted() + __COUNTER__; }
int (*pointer)() = FUNCTION;
std::vector<int> numbers(const int *of, std::size_t count) { return {of, of + count}; }
const char *place() { return __FILE__; }
""")
write("second.cpp", """// A comment that first.cpp has not,
// of two lines.

#define OWN 1
#include <vector>
#include <own.hpp>
/* And one behind
   it. */
int unused() { return counted() + OWN; }
std::vector<int> none;

checked<char> wrong;
int missing = MISSING;
#define OWN 2
""")
kernel = """#include <sycl/queue.hpp>
#include <own.hpp>
void %s(sycl::queue &q, int *p) {
  q.parallel_for(sycl::range<1>(16), [=](sycl::id<1> i) { p[i] = twice(%d); });
}
"""
write("third.cpp", kernel % ("third", 3))
write("fourth.cpp", "\n// Another.\n" + kernel % ("fourth", 4))
write("other/near.hpp", "#pragma once\n#include <cstddef>\ninline std::size_t near() { return 1; }\n")
write("other/beside.cpp", '#include "near.hpp"\nstd::size_t beside() { return near(); }\n')
write("other/time.hpp", "inline const char *built() { return __TIME__; }\n")
write("time.cpp", '#include <cstddef>\n#include "time.hpp"\nconst char *p = built();\n')
write("other/first_of_all.hpp", "#define FORCED OWN + 1\n#include <cstdint>\n")
write("forced.cpp", "#include <cstddef>\n#include <vector>\nstd::int32_t forced = FORCED;\n")
