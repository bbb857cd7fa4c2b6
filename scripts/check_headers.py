#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles every public header by itself: the C API as C17 and C++17, the SYCL headers as C++17; and
all SYCL headers together as C++20 and C++23, and by g++ as another compiler of the host's code."""
import argparse
import concurrent.futures
import os
import shutil
import subprocess
import sys

import shares

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
INCLUDE = os.path.join(ROOT, "include")
STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Werror"]
C_ONLY = ["-Wconversion", "-Wstrict-prototypes", "-Wmissing-prototypes"]
# What tenon++ gives its host pass.
SYCL_HOST_PASS = ["-Xclang", "-fsycl-is-host", "-D__TENON_UNIT_ID__=1ULL"]
# And what it gives another compiler's, with an integration header of a source without kernels.
OTHER_HOST_PASS = ["-D__TENON_UNIT_ID__=1ULL", "-D__TENON_INTEGRATION_HEADER__=1"]
NO_KERNELS = """namespace sycl::detail {
struct integration_kernel { const char *name; unsigned long size, alignment; bool is_unique; };
static constexpr integration_kernel integration_kernels[] = {{nullptr, 0, 0, false}};
}
#define __TENON_PLACES_OF__(T)
"""


# For C alone, and for sources that tenoncc compiles.
FOR_C = {"tenon/device_code.h": [], "tenon/single_source.h": ["-D__TENON_UNIT_ID__=1ULL"]}


def headers(top):
    for where, folders, names in os.walk(os.path.join(INCLUDE, top)):
        # The standard headers of sources compiled at run time never meet the host's.
        # What is private comes with the public headers.
        folders[:] = sorted(set(folders) - {"rtc", "detail"})
        for name in sorted(names):
            if name.endswith((".h", ".hpp")):
                yield os.path.relpath(os.path.join(where, name), INCLUDE)


def include_line(header):
    return f"#include <{header}>\n"


def is_modern(gxx):
    """Whether a g++ can be -fsycl-host-compiler."""
    version = subprocess.run([gxx, "-dumpversion"], capture_output=True, text=True).stdout
    return int(version.split(".")[0]) >= 12


def jobs_together(clang):
    """The same, of all SYCL headers at once."""
    tops = [top for top in sorted(os.listdir(INCLUDE)) if top != "tenon"]
    text = "".join(include_line(header) for top in tops for header in headers(top))
    for standard in ("c++20", "c++23"):
        yield (f"all SYCL headers as {standard}",
               [clang, "-x", "c++", f"-std={standard}", *SYCL_HOST_PASS, *STRICT, "-I", INCLUDE], text)
    if shutil.which("g++") and is_modern("g++"):
        for standard in ("c++17", "c++20", "c++23"):
            yield (f"all SYCL headers as {standard} by g++",
                   ["g++", "-x", "c++", f"-std={standard}", *OTHER_HOST_PASS, "-Wall", "-Wextra",
                    "-Werror", "-isystem", INCLUDE], NO_KERNELS + text)


def jobs(clang, share):
    """(what it is called, the command, the text to compile)"""
    yield from jobs_together(clang)
    c_compilers = [clang[:-2] if clang.endswith("++") else clang]
    cxx_compilers = [clang]
    if shutil.which("gcc"):
        c_compilers.append("gcc")
    if shutil.which("g++"):
        cxx_compilers.append("g++")
    for header in headers("tenon"):
        for compiler in c_compilers:
            yield (f"{header} as C17 by {os.path.basename(compiler)}",
                   [compiler, "-x", "c", "-std=c17", *STRICT, *C_ONLY, *FOR_C.get(header, []),
                    "-I", INCLUDE],
                   include_line(header))
        for compiler in cxx_compilers if header not in FOR_C else []:
            yield (f"{header} as C++17 by {os.path.basename(compiler)}",
                   [compiler, "-x", "c++", "-std=c++17", *STRICT, "-I", INCLUDE],
                   include_line(header))
    for top in sorted(os.listdir(INCLUDE)):
        if top != "tenon" and os.path.isdir(os.path.join(INCLUDE, top)):
            for header in shares.take(headers(top), share):
                yield (f"{header} as C++17",
                       [clang, "-x", "c++", "-std=c++17", *SYCL_HOST_PASS, *STRICT, "-I", INCLUDE],
                       include_line(header))


def compile_alone(job):
    name, command, text = job
    done = subprocess.run([*command, "-fsyntax-only", "-"], capture_output=True, input=text,
                          text=True)
    return name, done.returncode, done.stderr


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clang", default="clang++-22")
    shares.add_option(parser, "SYCL header by itself")
    options = parser.parse_args()
    count = failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for name, code, errors in pool.map(compile_alone, jobs(options.clang, options.share)):
            count += 1
            if code != 0:
                failed += 1
                print(f"{name}:\n{errors}")
    print(f"check_headers: {count} compilations, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
