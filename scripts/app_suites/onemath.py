# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""oneMath: its tests of BLAS over the Netlib interface, a set of GoogleTest cases.

REF_BLAS_ROOT names a folder with lib/libcblas.so, lib/libblas.so and include/cblas.h; on Debian all
of them are in libblas-dev, under other names.
"""
import os
import sys

from . import cmake, verdict

OPTIONS = ["-DENABLE_MKLCPU_BACKEND=OFF", "-DENABLE_MKLGPU_BACKEND=OFF", "-DENABLE_NETLIB_BACKEND=ON",
           "-DTARGET_DOMAINS=blas", "-DBUILD_EXAMPLES=OFF", "-DCMAKE_BUILD_TYPE=Release"]
TESTS = ("test_main_blas_ct", "test_main_blas_rt")


def programs(source, keep, tools):
    root = os.environ.get("REF_BLAS_ROOT")
    if not root:
        sys.exit("apps: oneMath's tests compare with a BLAS: set REF_BLAS_ROOT to its folder, with "
                 "lib/libcblas.so, lib/libblas.so and include/cblas.h")
    tools.environment["ONEAPI_DEVICE_SELECTOR"] = "*:cpu"
    # Beside the compiler it looks for DPC++'s library.
    tools.cxx = os.path.join(tools.dpcpp, "bin", "clang++")
    work, build = cmake.configure_copy(source, keep, tools,
                                       [*OPTIONS, f"-DREF_BLAS_ROOT={os.path.abspath(root)}"])
    sources = [os.path.join(work, name) for name in ("include", "src", "tests")]
    return [cmake.program(name, build, "bin", check=verdict.of_googletest, sources=sources)
            for name in TESTS]
