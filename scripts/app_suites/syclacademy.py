# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""SYCL Academy: the solutions of its exercises (the exercises themselves are unfinished)."""
import glob
import os
import re

from . import cmake


def programs(source, keep, tools):
    work, build = cmake.configure_copy(source, keep, tools, [
        f"-DCMAKE_C_COMPILER={tools.cc}",
        "-DSYCL_ACADEMY_USE_DPCPP=ON", "-DSYCL_ACADEMY_ENABLE_SOLUTIONS=ON"])
    result = []
    for path in sorted(glob.glob(os.path.join(work, "Code_Exercises", "*", "CMakeLists.txt"))):
        folder = os.path.dirname(path)
        with open(path, encoding="utf-8") as file:
            found = re.findall(r"add_sycl_executable\((\w+) (\w+)\)", file.read())
        result += [cmake.program(f"{prefix}_{name}", build, os.path.relpath(folder, work),
                                 sources=[folder])
                   for prefix, name in found if not name.startswith("source")]
    return result
