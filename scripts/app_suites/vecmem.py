# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""vecmem: the tests of its SYCL library and of its core, sets of GoogleTest cases.

GoogleTest is the system's. Its CMake files know DPC++ by the output of --version.
"""
import os

from . import cmake, verdict

OPTIONS = ["-DVECMEM_BUILD_SYCL_LIBRARY=ON", "-DVECMEM_BUILD_CUDA_LIBRARY=OFF",
           "-DVECMEM_BUILD_HIP_LIBRARY=OFF", "-DVECMEM_USE_SYSTEM_LIBS=ON",
           "-DCMAKE_BUILD_TYPE=Release"]
TESTS = ("vecmem_test_core", "vecmem_test_sycl")


def programs(source, keep, tools):
    tools.environment["ONEAPI_DEVICE_SELECTOR"] = "*:cpu"
    tools.cxx = os.path.join(tools.dpcpp, "bin", "clang++")
    tools.environment["SYCLCXX"] = f"{tools.cxx} -fsycl"
    work, build = cmake.configure_copy(source, keep, tools,
                                       [*OPTIONS, "-DCMAKE_CXX_FLAGS=-fsycl"])
    sources = [os.path.join(work, name) for name in ("core", "sycl", "tests")]
    return [cmake.program(name, build, "bin", (), verdict.of_googletest, sources)
            for name in TESTS]
