# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""torch-xpu-ops: the SYCL sources of PyTorch's operators, host and device code, syntax only.

TORCH_INCLUDE names the folder of PyTorch's headers (in its wheel: torch/include). Nothing is
linked, as that needs a PyTorch that was built for XPU.
"""
import glob
import os
import sys

from .suite import Program, copy_tree

# As in src/ATen/CMakeLists.txt: file(GLOB xpu_sycl …) and Sleep.cpp.
SOURCES = ("native/xpu/sycl", "native/sparse/xpu/sycl", "native/nested/xpu/sycl",
           "native/transformers/sycl", "native/quantized/sycl")
# The project's options for kernels and hosts (cmake/BuildFlags.cmake), and PyTorch's own.
OPTIONS = """-fsycl -std=c++20 -fno-sycl-unnamed-lambda -fno-sycl-id-queries-fit-in-int
-sycl-std=2020 -foffload-fp32-prec-div -foffload-fp32-prec-sqrt -fno-fast-math
-Wno-absolute-value -ffp-contract=fast -fPIC -w
-D_GLIBCXX_USE_CXX11_ABI=1 -D__INTEL_PREVIEW_BREAKING_CHANGES -DUSE_XPU=1
-DSYCL_COMPILER_VERSION=20260930 -DAT_PER_OPERATOR_HEADERS -DTORCH_XPU_BUILD_MAIN_LIB
-fsyntax-only""".split()
# PyTorch's build makes it; wheels for other devices lack it.
GENERATED = os.path.join("c10", "xpu", "impl", "xpu_cmake_macros.h")


def programs(source, keep, tools):
    torch = os.path.abspath(os.environ.get("TORCH_INCLUDE", ""))
    if not os.path.exists(os.path.join(torch, "ATen", "ATen.h")):
        sys.exit("apps: torch-xpu-ops includes PyTorch's headers: set TORCH_INCLUDE to a folder "
                 "that has ATen/ATen.h")
    work = os.path.join(keep, "src")
    copy_tree(source, work)
    generated = os.path.join(keep, "include")
    os.makedirs(os.path.join(generated, os.path.dirname(GENERATED)), exist_ok=True)
    with open(os.path.join(generated, GENERATED), "w", encoding="utf-8") as file:
        file.write("#pragma once\n#define C10_XPU_BUILD_SHARED_LIBS\n")
    folders = [generated, os.path.join(work, "src"), torch,
               os.path.join(torch, "torch", "csrc", "api", "include")]
    command = [tools.cxx, *OPTIONS, *(f"-I{folder}" for folder in folders)]
    aten = os.path.join(work, "src", "ATen")
    files = [path for folder in SOURCES for path in glob.glob(os.path.join(aten, folder, "*.cpp"))]
    return [program(command, aten, path) for path in
            sorted([*files, os.path.join(aten, "xpu", "Sleep.cpp")])]


def program(command, aten, path):
    name = os.path.splitext(os.path.relpath(path, aten))[0]
    result = Program(name, aten, [[*command, path]], [])
    result.sources = [path]
    return result
