# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Collections that one CMake project builds: the project is configured once, then each target."""
import os
import re
import subprocess
import sys

from .suite import Program, copy_tree


def configure(source, folder, tools, options):
    """Configures unless that has been done; programs are kept where the project puts them."""
    if not os.path.exists(os.path.join(folder, "CMakeCache.txt")):
        done = subprocess.run(["cmake", "-S", source, "-B", folder, *options],
                              env=tools.environment, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"apps: cmake cannot configure '{source}':\n{done.stdout}")
    return folder


def configure_copy(source, keep, tools, options):
    """The folders of a copy of the collection and of its build, with Tenon for C++."""
    work = os.path.join(keep, "src")
    copy_tree(source, work)
    return work, configure(work, os.path.join(keep, "build"), tools,
                           [f"-DCMAKE_CXX_COMPILER={tools.cxx}", *options])


def targets(folder):
    done = subprocess.run(["cmake", "--build", folder, "--target", "help"],
                          stdout=subprocess.PIPE, text=True, check=True)
    return [line[4:].split()[0] for line in done.stdout.splitlines() if line.startswith("... ")]


def program(name, build, below, arguments=(), check=None, sources=()):
    """A target whose program appears in a folder of the build tree, and runs there."""
    command = ["cmake", "--build", build, "--target", name]
    folder = os.path.join(build, below)
    result = Program(name, folder, [command], [[f"./{name}", *arguments]], check)
    result.sources = list(sources)
    return result


def of_model(model, name, work, keep, options=(), check=None):
    """A project that is configured for one of its models at a time, and builds one program."""
    build = os.path.join(keep, "build-" + model)
    os.makedirs(build, exist_ok=True)
    configuration = ["cmake", "-S", work, "-B", build, f"-DMODEL={model}", *options]
    result = Program(model, build, [configuration, ["cmake", "--build", build]], [[f"./{name}"]],
                     check)
    result.sources = [os.path.join(work, folder) for folder in ("src", "driver")]
    return result


def dpcpp(tools):
    """How the projects of UoB-HPC are told of a compiler with the names of DPC++."""
    return ["-DSYCL_COMPILER=DPCPP", f"-DSYCL_COMPILER_DIR={tools.dpcpp}"]


ADDED = re.compile(r"add_test\((?:\[=\[)?([^\s\]]+)(?:\]=\])? (.*)\)$", re.MULTILINE)


def ctests(build):
    """The tests that the project gives to CTest: name, command and folder of each. CTest itself
    lists commands of programs that exist."""
    for folder, _, files in os.walk(build):
        if "CTestTestfile.cmake" in files:
            with open(os.path.join(folder, "CTestTestfile.cmake"), encoding="utf-8") as file:
                text = file.read()
            for name, words in ADDED.findall(text):
                there = re.search(rf"set_tests_properties\(\S*{re.escape(name)}\S* PROPERTIES .*?"
                                  r'WORKING_DIRECTORY "([^"]+)"', text)
                yield name, re.findall(r'"([^"]*)"', words), there[1] if there else folder


def cpu_as_gpu(keep):
    """Options by which programs that select a GPU with sycl::gpu_selector_v get the default."""
    header = os.path.join(keep, "default_for_gpu.hpp")
    text = "#include <sycl/sycl.hpp>\n#define gpu_selector_v default_selector_v\n"
    if not os.path.exists(header):
        with open(header, "w", encoding="utf-8") as file:
            file.write(text)
    return f"-include {header}"
