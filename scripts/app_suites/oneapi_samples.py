# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""oneAPI samples: every sample that icpx compiles, by the steps that its sample.json names."""
import json
import os
import re

from .suite import Program, copy_tree

FOLDERS = ("DirectProgramming/C++SYCL", "Tools/ApplicationDebugger", "Tools/Benchmarks",
           "Tools/Advisor", "Tools/VTuneProfiler", "Libraries", "Publications")
RUNS = re.compile(r"^(?:make|cmake --build \S+ --target) \S*run|^(?:\w+=\S+\s+)*\./|"
                  r"^make Run|^ctest")


def programs(source, keep, tools):
    tools.alias("icpx", "dpcpp")
    tools.alias("icx", cxx=False)
    work = os.path.join(keep, "src")
    for folder in FOLDERS + ("common",):
        if os.path.isdir(os.path.join(source, folder)):
            copy_tree(os.path.join(source, folder), os.path.join(work, folder))
    result = []
    for top in FOLDERS:
        for folder, folders, files in sorted(os.walk(os.path.join(work, top))):
            if "sample.json" in files:
                result += samples(work, folder)
                folders[:] = []
    return result


def samples(work, folder):
    try:
        with open(os.path.join(folder, "sample.json"), encoding="utf-8") as file:
            sample = json.load(file)
    except ValueError:
        return []
    tests = sample.get("ciTests", {}).get("linux", [])
    if "icpx" not in json.dumps(sample.get("toolchain", "")) + json.dumps(tests) \
            and "dpcpp" not in json.dumps(sample):
        return []
    if not uses_sycl(folder):
        return []
    result, seen = [], set()
    for number, test in enumerate(tests):
        steps = test.get("steps", [])
        if tuple(steps) not in seen:
            name = os.path.relpath(folder, work).split("/", 1)[1]
            name += f"#{number}" if seen else ""
            seen.add(tuple(steps))
            result.append(program(name, folder, number, test))
    return result


def uses_sycl(folder):
    for below, _, files in os.walk(folder):
        for file in files:
            if file.endswith((".cpp", ".hpp", ".cc", ".h")):
                with open(os.path.join(below, file), encoding="utf-8", errors="replace") as text:
                    if re.search(r"#include\s*[<\"](?:CL/)?sycl", text.read()):
                        return True
    return False


def program(name, folder, number, test):
    """The steps up to the first that runs something build; each test has a folder of its own."""
    build, runs = f"build-{number}", []
    setup = [step for step in test.get("env", []) if step.startswith("export")]
    builds = []
    for step in test.get("steps", []):
        step = step.strip()
        if re.match(r"make clean|rm |mkdir (?:-p )?build|cd build$|cd \.\.", step):
            continue
        (runs if RUNS.match(step) else builds).append(step.replace("-j$(nproc)", ""))
    if any(step.startswith("cmake") for step in builds):
        setup.append(f"mkdir -p {build} && cd {build}")
    prefix = " && ".join(setup)
    shell = [["bash", "-c", " && ".join(filter(None, [prefix, *builds]))]]
    result = Program(name, folder, shell, [
        ["bash", "-c", " && ".join(filter(None, [prefix, run]))] for run in runs
        if not re.search(r"gpu", run.lower().replace("cpu-gpu", "")) or "gpu" in name.lower()])
    result.sources = []
    return result
