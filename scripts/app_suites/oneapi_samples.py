# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""oneAPI samples: every SYCL sample, by the steps that its sample.json names for Linux, and the
examples of the GPU Optimization Guide, by the CMake project that holds them all.

Their CMake files look for the package IntelSYCL: --tenon is an installation.
"""
import glob
import json
import os
import re

from . import cmake, sizes
from .suite import Program, copy_tree

FOLDERS = ("DirectProgramming/C++SYCL", "Tools", "Libraries/oneMKL")
GUIDE = "Publications/GPU-Opt-Guide"
# The guide's project asks for oneMKL as a whole; examples that use it fail by themselves.
NO_MKL = "add_library(MKL::MKL_DPCPP INTERFACE IMPORTED)\n"
RUNS = re.compile(r"(?:\w+=\S+\s+)*\./|(?:make|cmake --build \S+ --target) \S*[Rr]un|ctest")
OTHER_DEVICE = re.compile(r"level_zero|DEVICE_TYPE=(?:GPU|HOST)|:fpga|:gpu|\S*run\S*_gpu|gen9|opencl:acc")
# Without it the projects of migrated programs build for the CPU.
FOR_A_GPU = re.compile(r" -D ?INTEL_MAX_GPU=1")
INCLUDES = re.compile(r"#include\s*[<\"](?:(?:CL/)?sycl|dpc_common|oneapi/)")


def programs(source, keep, tools):
    tools.alias("icpx", "dpcpp")
    tools.alias("icx", cxx=False)
    # dpc_common.hpp and stb, which an installation of oneAPI has among its headers.
    common = os.path.join(source, "common")
    tools.environment["CPATH"] = os.pathsep.join(
        [common] + [path for path in [tools.environment.get("CPATH")] if path])
    work = os.path.join(keep, "src")
    for folder in FOLDERS + (GUIDE,):
        copy_tree(os.path.join(source, folder), os.path.join(work, folder))
    result = []
    for top in FOLDERS:
        for folder, folders, files in sorted(os.walk(os.path.join(work, top))):
            if "sample.json" in files and not folder.endswith(".test"):
                result += samples(work, folder)
                folders[:] = []
    return result + guide(work, keep, tools)


def samples(work, folder):
    """A sample has several tests where it is built in several ways."""
    with open(os.path.join(folder, "sample.json"), encoding="utf-8") as file:
        try:
            tests = json.load(file).get("ciTests", {}).get("linux", [])
        except ValueError:
            return []
    if not uses_sycl(folder):
        return []
    result, seen = [], set()
    for test in tests:
        steps = [step.strip() for step in test.get("steps", [])]
        if tuple(steps) in seen:
            continue
        name = os.path.relpath(folder, work).split("/", 1)[1]
        name += f" ({test.get('id', len(seen))})" if seen else ""
        result.append(program(name, folder, len(seen), test.get("env", []) + steps))
        seen.add(tuple(steps))
    return result


def uses_sycl(folder):
    for path in glob.glob(os.path.join(folder, "**", "*"), recursive=True):
        if path.endswith((".cpp", ".hpp", ".cc", ".h")) and os.path.isfile(path):
            with open(path, encoding="utf-8", errors="replace") as text:
                if INCLUDES.search(text.read()):
                    return True
    return False


def program(name, folder, number, steps):
    """Each test has a folder of its own. What a step runs is run where the step stands."""
    sources = folder
    if number:
        folder = f"{folder}.{number}.test"
        copy_tree(sources, folder)
    builds, where, runs, other = ["set -e"], [], [], ""
    for step in steps:
        step = re.sub(r"\bmkdir (?:-p )?", "mkdir -p ", step.replace("-j$(nproc)", ""))
        step = FOR_A_GPU.sub("", step)
        other = other or (step if OTHER_DEVICE.search(step) else "")
        if re.match(r"make clean|rm ", step) or "mpirun" in step:
            continue
        if RUNS.match(step):
            if not OTHER_DEVICE.search(step):
                runs.append(["bash", "-c", "\n".join(where + [step])])
            continue
        builds.append(step)
        where += [part for part in re.split(r";|&&", step)
                  if re.match(r"\s*(?:cd|export) ", part)]
    if name in sizes.ONEAPI_RUNS:
        runs = [["./" + command.split()[0], *command.split()[1:]]
                for command in sizes.ONEAPI_RUNS[name]]
    result = Program(name, folder, [["bash", "-c", "\n".join(builds)]], runs)
    if other and not runs:
        result.needs = "it selects a GPU or an FPGA"
    result.sources = [sources]
    return result


def guide(work, keep, tools):
    package = os.path.join(keep, "no-mkl")
    os.makedirs(package, exist_ok=True)
    with open(os.path.join(package, "MKLConfig.cmake"), "w", encoding="utf-8") as file:
        file.write(NO_MKL)
    build = cmake.configure(os.path.join(work, GUIDE), os.path.join(keep, "guide"), tools, [
        "-DBUILD_FORTRAN_EXAMPLES=OFF", f"-DMKL_DIR={package}",
        f"-DCMAKE_PREFIX_PATH={os.path.dirname(tools.bin)}"])
    result = []
    for listing in sorted(glob.glob(os.path.join(work, GUIDE, "**", "CMakeLists.txt"),
                                    recursive=True)):
        with open(listing, encoding="utf-8") as file:
            names = re.findall(r"^ *add_(?:openmp_)?example(?:_with_mkl)?\(([\w.-]+)", file.read(),
                               re.MULTILINE)
        folder = os.path.dirname(listing)
        below = os.path.relpath(folder, os.path.join(work, GUIDE))
        if not os.path.isdir(os.path.join(build, below)):
            continue  # the project leaves it out
        for name in names:
            one = cmake.program(name, build, below, sizes.ONEAPI_GUIDE.get(name, []),
                                sources=[folder])
            one.name = f"GPU-Opt-Guide/{name}"
            result.append(one)
    return result
