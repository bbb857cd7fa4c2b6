# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""AMReX: its SYCL back end and the tests that its project gives to CTest.

MKLROOT names a folder with oneMKL's headers (include/oneapi/mkl.hpp), whose random generators
kernels use. Nothing of oneMKL is linked: tests that call its library end with a message.
"""
import os
import re
import subprocess
import sys

from . import cmake, sizes, verdict
from .suite import Program

OPTIONS = ["-DAMReX_GPU_BACKEND=SYCL", "-DAMReX_MPI=OFF", "-DAMReX_ENABLE_TESTS=ON",
           "-DAMReX_TEST_TYPE=All", "-DAMReX_ASSERTIONS=ON", "-DCMAKE_BUILD_TYPE=Release"]
# It allocates three quarters of the device's memory at its start, unless it is told otherwise.
PARAMETERS = ["amrex.the_arena_init_size=0"]
# What the library takes from oneMKL's: construction, destruction and generation on the host.
RNG = "_ZN6oneapi3mkl3rng"
REST = "EEENS1_13philox4x32x10EEEN4sycl5eventERKT_RT0_lPNSA_11result_typeERKSt6vectorIS9_SaIS9_EE"
STUB = f"""
#include <stdio.h>
#include <stdlib.h>
static void lacks(void) {{ fputs("no oneMKL: rng::generate\\n", stderr); _Exit(1); }}
void {RNG}13philox4x32x10C1EN4sycl5queueEm(void) {{}}
void {RNG}13philox4x32x10D1Ev(void) {{}}
#define GENERATE(name) void name(void) {{ lacks(); }}
GENERATE({RNG}8generateINS1_7uniformIdNS1_14uniform_method8standard{REST})
GENERATE({RNG}8generateINS1_8gaussianIdNS1_15gaussian_method11box_muller2{REST})
"""
# Tests that check with assertions on the host, or print a line of what is wrong, and nothing else.
# Assertions in kernels, all that CLZ, DenseBins and ParticleArray have for them, are none in a
# release build.
ASSERTING = re.compile(
    r"AsyncOut_multifab|CTOParFor|Enum|MultiBlock_IndexType|RoundoffDomain|SmallMatrix|"
    r"Particles_(CheckpointRestart\w*|GhostsAndVirtuals|InitFromAscii|Intersection|"
    r"NeighborParticles|ParallelContext|ParticleTransformations|Redistribute\w*|SOAParticle|"
    r"TypeDescriptor)")
# Lines that others print where they have found their results right.
PRINTED = {
    "Amr_Advection_AmrCore": r"amrex::FillPatchNLevels test passed",
    "MultiPeriod": r"SUCCESS",
    "ParmParse": r"SUCCESS",
    "Parser": r"All IParser tests passed",
    "Parser2": r"All \d+ tests passed\.",
    "Particles_ParticleReduce": r"pass",
}
SILENT = ("ParmParse",)  # its input turns messages off
WRONG = re.compile(r"^.*(?:Assertion `|amrex::Abort|amrex::Error|(?:Min|Max) failed:|"
                   r"\d+ out of \d+).*$", re.MULTILINE)
# Linear solvers abort unless they converge.
RESIDUAL = re.compile(r"^MLMG: Final Iter\. \d+ resid, resid/\w+ = \S+, (\S+)$", re.MULTILINE)


def programs(source, keep, tools):
    root = os.environ.get("MKLROOT", "")
    if not os.path.exists(os.path.join(root, "include", "oneapi", "mkl.hpp")):
        sys.exit("apps: AMReX includes oneMKL's headers: set MKLROOT to a folder that has "
                 "include/oneapi/mkl.hpp")
    tools.environment["ONEAPI_DEVICE_SELECTOR"] = "*:cpu"
    tools.cxx = os.path.join(tools.dpcpp, "bin", "clang++")
    flags = f"-fsycl {cmake.cpu_as_gpu(keep)} -isystem {os.path.abspath(root)}/include"
    work, build = cmake.configure_copy(source, keep, tools, [
        *OPTIONS, f"-DCMAKE_C_COMPILER={tools.dpcpp}/bin/clang", f"-DCMAKE_CXX_FLAGS={flags}",
        f"-DCMAKE_CXX_STANDARD_LIBRARIES={stub(keep, tools)}"])
    library = Program("amrex_3d", build, [["cmake", "--build", build, "--target", "amrex_3d"]], [])
    library.sources = [os.path.join(work, "Src")]
    return [library, *(program(build, work, *test) for test in sorted(cmake.ctests(build)))]


def stub(keep, tools):
    source, target = os.path.join(keep, "rng.c"), os.path.join(keep, "rng.o")
    with open(source, "w", encoding="utf-8") as file:
        file.write(STUB)
    subprocess.run([os.path.join(tools.bin, tools.cc), "-c", source, "-o", target], check=True)
    return target


def program(build, work, name, command, folder):
    target = os.path.basename(command[0])
    name = name.removesuffix("_3d")
    run = [*command, *PARAMETERS, *sizes.AMREX.get(name, "").split()]
    result = Program(name, folder, [["cmake", "--build", build, "--target", target]], [run],
                     lambda text: check(name, text))
    result.sources = [os.path.join(work, "Src"), os.path.join(work, "Tests")]
    return result


def check(name, text):
    if "no oneMKL: " in text:
        return verdict.Verdict(verdict.MISSING, "oneMKL: random numbers made on the host")
    wrong = WRONG.search(text)
    if wrong:
        return verdict.Verdict(verdict.WRONG, wrong[0])
    if name not in SILENT and not re.search(r"^AMReX \(.*\) finalized$", text, re.MULTILINE):
        return verdict.Verdict(verdict.WRONG, "it ends without 'AMReX finalized'")
    return passed(name, text)


def passed(name, text):
    """The result of a test that has come to its end."""
    if name in PRINTED:
        line = re.search(rf"^{PRINTED[name]}\s*$", text, re.MULTILINE)
        return (verdict.Verdict(verdict.PASSED, line[0]) if line else
                verdict.Verdict(verdict.WRONG, f"it does not print '{PRINTED[name]}'"))
    residuals = [float(value) for value in RESIDUAL.findall(text)]
    if residuals:
        return verdict.Verdict(verdict.PASSED if max(residuals) < 1e-4 else verdict.WRONG,
                               f"relative residuals at most {max(residuals):.1e}")
    if ASSERTING.fullmatch(name):
        return verdict.Verdict(verdict.PASSED, "its assertions hold")
    return verdict.Verdict(verdict.NO_CHECK, "it runs to its end")
