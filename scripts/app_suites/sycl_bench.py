# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""SYCL-Bench: each benchmark verifies its own result, and prints PASS or FAIL a variant."""
import os
import re

from . import cmake, sizes, verdict
from .suite import copy_tree


def programs(source, keep, tools):
    work = os.path.join(keep, "src")
    copy_tree(source, work)
    build = cmake.configure(work, os.path.join(keep, "build"), tools, [
        f"-DCMAKE_CXX_COMPILER={tools.cxx}", f"-DCMAKE_C_COMPILER={tools.cc}",
        "-DSYCL_IMPL=dpcpp", "-DCMAKE_BUILD_TYPE=Release"])
    text = open(os.path.join(work, "CMakeLists.txt"), encoding="utf-8").read()
    files = re.findall(r"^\s*(?:list\(APPEND benchmarks )?([\w/-]+/\w+\.cpp)\)?\s*$", text,
                       re.MULTILINE)
    files = [f for f in files if not f.startswith("compiletime")]
    return [program(name, build, work) for name in files]


def program(file, build, work):
    name = os.path.splitext(os.path.basename(file))[0]
    options = sizes.SYCL_BENCH.get(name, sizes.SYCL_BENCH_DEFAULT).split()
    result = cmake.program(name, build, "", options, check, [os.path.join(work, file)])
    if name.startswith("sobel") or name == "median":
        result.runs[0].append(f"--image={os.path.join(work, 'share', 'Brommy.bmp')}")
    return result


def check(text):
    """Every variant reports; one that fails makes the program fail."""
    results = re.findall(r"Verification[^\n]*?(PASS|FAIL|N/A)", text)
    if "FAIL" in results:
        start = text[:text.index("FAIL")].rfind("Results for")
        return verdict.Verdict(verdict.WRONG, text[max(start, 0):].splitlines()[0])
    return verdict.Verdict(verdict.PASSED) if "PASS" in results else None
