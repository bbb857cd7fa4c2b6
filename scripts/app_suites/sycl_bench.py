# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""SYCL-Bench: each benchmark verifies its own result, and prints PASS or FAIL a variant."""
import os
import re

from . import cmake, sizes, verdict
from .suite import write_bitmap

# The project looks for these features and never uses the answer: its lists ask for the variables.
FEATURES = [f"-DSYCL_BENCH_HAS_{name}=ON"
            for name in ("SPEC_CONSTANTS", "KERNEL_REDUCTIONS", "GROUP_ALGORITHMS")]


def programs(source, keep, tools):
    work, build = cmake.configure_copy(source, keep, tools, [
        f"-DCMAKE_C_COMPILER={tools.cc}",
        "-DSYCL_IMPL=dpcpp", "-DCMAKE_BUILD_TYPE=Release", *FEATURES])
    put_image(work, os.path.join(keep, "share"))
    text = open(os.path.join(work, "CMakeLists.txt"), encoding="utf-8").read()
    files = re.findall(r"^\s*(?:list\(APPEND benchmarks )?([\w/-]+/\w+\.cpp)\)?\s*$", text,
                       re.MULTILINE)
    files = [f for f in files if not f.startswith("compiletime")]
    return [program(name, build, work) for name in files]


def program(file, build, work):
    name = os.path.splitext(os.path.basename(file))[0]
    options = sizes.SYCL_BENCH.get(name, sizes.SYCL_BENCH_DEFAULT).split()
    result = cmake.program(name, build, "", options, check, [os.path.join(work, file)])
    if name in ("sobel5", "sobel7"):  # they read ../../share, the others ../share
        result.folder = os.path.join(build, "run")
        os.makedirs(result.folder, exist_ok=True)
        result.runs[0][0] = f"../{name}"
        result.builds[0][2] = build
    return result


def put_image(work, folder):
    """The image that four programs read; where the checkout lacks it, one of our own."""
    path = os.path.join(folder, "Brommy.bmp")
    if os.path.exists(path):
        return
    os.makedirs(folder, exist_ok=True)
    given = os.path.join(work, "share", "Brommy.bmp")
    if os.path.exists(given):
        os.symlink(given, path)
        return
    write_bitmap(path, 256, lambda x, y, channel: (x * y + channel * (x ^ y)) % 256)


def check(text):
    """Every variant reports; one that fails makes the program fail."""
    results = re.findall(r"Verification[^\n]*?(PASS|FAIL|N/A)", text)
    if "FAIL" in results:
        start = text[:text.index("FAIL")].rfind("Results for")
        return verdict.Verdict(verdict.WRONG, text[max(start, 0):].splitlines()[0])
    return verdict.Verdict(verdict.PASSED) if "PASS" in results else None
