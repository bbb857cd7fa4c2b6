#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles every public header by itself: the C API as C17 and C++17, the SYCL headers as C++17."""
import argparse
import concurrent.futures
import os
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
INCLUDE = os.path.join(ROOT, "include")
STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Werror"]
C_ONLY = ["-Wconversion", "-Wstrict-prototypes", "-Wmissing-prototypes"]
# What tenon++ gives its host pass.
SYCL_HOST_PASS = ["-Xclang", "-fsycl-is-host", "-D__TENON_UNIT_ID__=1ULL"]


def headers(top):
    for where, folders, names in os.walk(os.path.join(INCLUDE, top)):
        folders.sort()
        for name in sorted(names):
            if name.endswith((".h", ".hpp")):
                yield os.path.relpath(os.path.join(where, name), INCLUDE)


def jobs(clang):
    """(what it is called, the command, the text to compile)"""
    c_compilers = [clang[:-2] if clang.endswith("++") else clang]
    cxx_compilers = [clang]
    if shutil.which("gcc"):
        c_compilers.append("gcc")
    if shutil.which("g++"):
        cxx_compilers.append("g++")
    for header in headers("tenon"):
        for compiler in c_compilers:
            yield (f"{header} as C17 by {os.path.basename(compiler)}",
                   [compiler, "-x", "c", "-std=c17", *STRICT, *C_ONLY], header)
        for compiler in cxx_compilers:
            yield (f"{header} as C++17 by {os.path.basename(compiler)}",
                   [compiler, "-x", "c++", "-std=c++17", *STRICT], header)
    for top in sorted(os.listdir(INCLUDE)):
        if top != "tenon" and os.path.isdir(os.path.join(INCLUDE, top)):
            for header in headers(top):
                yield (f"{header} as C++17",
                       [clang, "-x", "c++", "-std=c++17", *SYCL_HOST_PASS, *STRICT],
                       header)


def compile_alone(job):
    name, command, header = job
    done = subprocess.run([*command, "-I", INCLUDE, "-fsyntax-only", "-"], capture_output=True,
                          input=f"#include <{header}>\n", text=True)
    return name, done.returncode, done.stderr


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clang", default="clang++-22")
    options = parser.parse_args()
    count = failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for name, code, errors in pool.map(compile_alone, jobs(options.clang)):
            count += 1
            if code != 0:
                failed += 1
                print(f"{name}:\n{errors}")
    print(f"check_headers: {count} compilations, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
