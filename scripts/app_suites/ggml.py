# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ggml: its SYCL back end and test-backend-ops, which compares operations with the CPU back end.

The back end takes GPUs only, so that the test runs where SYCL has one. ONEMATH_ROOT names an
installation of oneMath, which stands in for oneMKL.
"""
import os
import re
import sys

from . import cmake, verdict
from .suite import Program

OPTIONS = ["-DGGML_SYCL=ON", "-DGGML_SYCL_SUPPORT_LEVEL_ZERO_API=OFF", "-DGGML_BUILD_TESTS=ON",
           "-DGGML_BUILD_EXAMPLES=OFF", "-DGGML_NATIVE=OFF", "-DGGML_CCACHE=OFF",
           "-DCMAKE_BUILD_TYPE=Release"]
# The package that the back end's CMake file looks for.
PACKAGE = """include(CMakeFindDependencyMacro)
find_dependency(oneMath)
if(NOT TARGET MKL::MKL_SYCL::BLAS)
  add_library(MKL::MKL_SYCL::BLAS INTERFACE IMPORTED)
  target_link_libraries(MKL::MKL_SYCL::BLAS INTERFACE ONEMATH::onemath)
endif()
include_directories(BEFORE ${CMAKE_CURRENT_LIST_DIR}/include)
"""
# oneMKL's functions without a layout are those of columns.
HEADER = """#pragma once
#include_next <oneapi/{}.hpp>
namespace oneapi::math::blas {{ using namespace column_major; }}
"""
# Those that no back end fails for a reason of its own (docs/programs.md). Types of bf16 are left
# out, as the back end ends with 'unsupported types' without __INTEL_LLVM_COMPILER.
OPERATIONS = """ABS ACC ADD ADD_ID ARANGE ARGMAX CEIL CLAMP COL2IM_1D CONCAT CONT CONV_2D_DW
CONV_TRANSPOSE_1D CONV_TRANSPOSE_2D COS COUNT_EQUAL CUMSUM DIAG DIAG_MASK_INF DIV DUP ELU EXP EXPM1
FILL FLOOR GATED_DELTA_NET GATED_LINEAR_ATTN GEGLU GEGLU_ERF GEGLU_QUICK GELU GELU_ERF GELU_QUICK
HARDSIGMOID HARDSWISH IM2COL L2_NORM LEAKY_RELU LOG MEAN MUL NEG NORM OUT_PROD PAD POOL_1D POOL_2D
REGLU RELU REPEAT RMS_NORM ROUND RWKV_WKV6 RWKV_WKV7 SCALE SET SET_ROWS SGN SIGMOID SILU SIN
SOFTPLUS SOFT_MAX SOFT_MAX_BACK SQR SQRT SSM_CONV SSM_SCAN STEP SUB SUM SUM_ROWS SWIGLU SWIGLU_OAI
TANH TIMESTEP_EMBEDDING TOP_K TRI TRUNC UPSCALE XIELU""".split()


def programs(source, keep, tools):
    root = os.path.abspath(os.environ.get("ONEMATH_ROOT", ""))
    config = os.path.join(root, "lib", "cmake", "oneMath")
    if not os.path.isdir(config):
        sys.exit("apps: ggml's back end needs oneMKL or oneMath: set ONEMATH_ROOT to an "
                 "installation of oneMath, with lib/cmake/oneMath")
    tools.cxx = os.path.join(tools.dpcpp, "bin", "clang++")
    work, build = cmake.configure_copy(source, keep, tools, [
        *OPTIONS, f"-DCMAKE_C_COMPILER={tools.dpcpp}/bin/clang", f"-DoneMath_DIR={config}",
        f"-DMKL_DIR={package(keep)}"])
    library = Program("ggml-sycl", build, [["cmake", "--build", build, "--target", "ggml-sycl"]],
                      [])
    library.sources = [os.path.join(work, folder) for folder in ("src", "include")]
    test = cmake.program("test-backend-ops", build, "bin",
                         ["test", "-b", "SYCL0", "-o", ",".join(OPERATIONS),
                          "-p", "^(?!.*bf16).*$"], check, [*library.sources, work + "/tests"])
    tools.environment["GGML_NO_BACKTRACE"] = "1"
    return [library, test]


def package(keep):
    """The CMake package MKL, which gives oneMath for oneMKL."""
    folder = os.path.join(keep, "mkl")
    headers = os.path.join(folder, "include", "oneapi")
    os.makedirs(os.path.join(headers, "mkl"), exist_ok=True)
    files = {os.path.join(folder, "MKLConfig.cmake"): PACKAGE,
             os.path.join(headers, "mkl.hpp"): HEADER.format("mkl"),
             os.path.join(headers, "mkl", "blas.hpp"): HEADER.format("mkl/blas")}
    for path, text in files.items():
        if not os.path.exists(path):
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
    return folder


def check(text):
    """Each operation prints how many of its cases agree; the back end must have passed, too."""
    passed = re.search(r"^ *(\d+)/(\d+) tests passed", text, re.MULTILINE)
    wrong = re.search(r"^.*\bFAIL\b.*$", text, re.MULTILINE)
    if wrong:
        return verdict.Verdict(verdict.WRONG, wrong[0])
    if not passed or passed[1] != passed[2] or passed[1] == "0":
        return verdict.Verdict(verdict.WRONG, passed[0] if passed else
                               f"it ends before its totals: {verdict.last_line(text)}")
    return verdict.Verdict(verdict.PASSED, f"{passed[1]} cases agree with the CPU back end")
