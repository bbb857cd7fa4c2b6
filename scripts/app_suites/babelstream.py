# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""BabelStream: its SYCL models, which verify the sums of their arrays."""
import os
import re

from . import cmake, verdict
from .suite import Program, copy_tree

ARGUMENTS = ["-s", "1048576", "-n", "10"]
# The CMake file of this model rejects its own name, so the two variants are built directly.
DIRECT = {"sycl2020-acc": "SYCL2020ACC", "sycl2020-usm": "SYCL2020USM"}


def programs(source, keep, tools):
    work = os.path.join(keep, "src")
    copy_tree(source, work)
    tools.alias("icpx")
    tools.alias("icx", cxx=False)
    models = os.listdir(os.path.join(work, "src"))
    result = [configured(work, keep, m) for m in sorted(models)
              if m.startswith("sycl") and m != "sycl2020"]
    if "sycl2020" in models:
        result += [direct(work, tools, name, macro) for name, macro in DIRECT.items()]
    return result


def configured(work, keep, model):
    result = cmake.of_model(model, f"{model}-stream", work, keep, ["-DSYCL_COMPILER=ONEAPI-ICPX"],
                            check)
    result.runs[0] += ARGUMENTS
    return result


def direct(work, tools, name, macro):
    folder = os.path.join(work, "src")
    command = [tools.cxx, "-fsycl", "-O3", "-std=c++17", "-DSYCL2020", f"-D{macro}",
               "-I.", "-Isycl2020", "main.cpp", "sycl2020/SYCLStream2020.cpp", "-o", name]
    return Program(name, folder, [command], [["./" + name, *ARGUMENTS]], check)


def check(text):
    wrong = re.search(r"^.*[Vv]alidation failed.*$", text, re.MULTILINE)
    if wrong:
        return verdict.Verdict(verdict.WRONG, wrong[0])
    return verdict.Verdict(verdict.PASSED) if re.search(r"^Dot\b", text, re.MULTILINE) else None
