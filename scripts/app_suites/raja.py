# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""RAJA: the tests of its SYCL back end, each program a set of GoogleTest cases.

The checkout needs its submodules blt, tpl/camp and tpl/desul. RAJA's resources are of
sycl::gpu_selector_v alone, for which the CPU device stands in.
"""
import os
import re

from . import cmake, verdict

TESTS = re.compile(r"test-.*Sycl.*\.exe")


def programs(source, keep, tools):
    tools.environment["ONEAPI_DEVICE_SELECTOR"] = "*:cpu"
    tools.cxx = os.path.join(tools.dpcpp, "bin", "clang++")
    work, build = cmake.configure_copy(source, keep, tools, [
        "-DRAJA_ENABLE_SYCL=On", "-DENABLE_OPENMP=Off", "-DBLT_CXX_STD=c++17",
        f"-DCMAKE_C_COMPILER={tools.dpcpp}/bin/clang",
        f"-DCMAKE_CXX_FLAGS=-fsycl {cmake.cpu_as_gpu(keep)}",
        "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_FLAGS_RELEASE=-O1 -DNDEBUG"])
    names = [name for name in cmake.targets(build) if TESTS.fullmatch(name)]
    return [program(name, build, work) for name in sorted(names)]


def program(name, build, work):
    result = cmake.program(name, build, "test", (), verdict.of_googletest,
                           [os.path.join(work, folder) for folder in ("include", "test", "tpl")])
    result.name = name.removesuffix(".exe")
    return result
