# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""oneDPL: its tests, each a program, but for those of kernels for Intel's GPUs (test/kt)."""
import os

from . import cmake, verdict

OPTIONS = ["-DONEDPL_BACKEND=dpcpp_only", "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_STANDARD=20"]


def programs(source, keep, tools):
    tools.environment["ONEAPI_DEVICE_SELECTOR"] = "*:cpu"
    work, build = cmake.configure_copy(source, keep, tools, OPTIONS)
    names = [n for n in cmake.targets(build) if n.endswith(".pass")]
    return [program(name, build, work) for name in sorted(names)]


def program(name, build, work):
    result = cmake.program(name, build, "test", check=check,
                           sources=[os.path.join(work, "include"), os.path.join(work, "test")])
    # 77 says that the test has nothing to do here.
    result.runs = [["bash", "-c", f"./{name} || [ $? = 77 ]"]]
    return result


def check(text):
    if "Skipped" in text:
        return verdict.Verdict(verdict.NO_CHECK, "it says that it is not for this configuration")
    return verdict.Verdict(verdict.PASSED) if "done" in text else None
