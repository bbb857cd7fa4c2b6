# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""HeCBench: one folder a program, each with a Makefile; the folders use files of each other."""
import os
import re
import shlex

from . import sizes
from .suite import Program, copy_tree

REPEAT = re.compile(r"repe(?:at|tition)|iteration|\btimes\b|\btrials\b|\bruns?\b|nIter|\bloop",
                    re.IGNORECASE)
# Folders whose Makefile lies elsewhere.
MAKEFILES = {"hpl-sycl": "", "logic-resim-sycl": "Simulation", "mf-sgd-sycl": "src",
             "snicit-sycl": "src", "tgvnn-sycl": "src", "daphne-sycl": "src", "clock-sycl": ""}


def programs(source, keep, tools):
    tools.alias("icpx")  # three Makefiles have no variable for the compiler
    tools.alias("icx", cxx=False)
    work = os.path.join(keep, "src")
    copy_tree(os.path.join(source, "src"), work)
    names = sorted(n for n in os.listdir(work) if n.endswith("-sycl"))
    return [program(work, name, tools) for name in names]


def makefile_folder(work, name):
    folder = os.path.join(work, name)
    for below in ("", MAKEFILES.get(name, "")):
        if os.path.exists(os.path.join(folder, below, "Makefile")):
            return os.path.join(folder, below)
    for below, _, files in sorted(os.walk(folder)):
        if "Makefile" in files:
            return below
    return None


def program(work, name, tools):
    folder = makefile_folder(work, name)
    if folder is None:
        return whole_sources(work, name, tools)
    # Without GPU=no the programs ask for a GPU by name.
    make = ["make", f"CC={tools.cxx}", f"CXX={tools.cxx}", "GPU=no", "CUDA=no", "HIP=no"]
    text = read(os.path.join(folder, "Makefile"))
    result = Program(name, folder, [make], [])
    result.sources = [os.path.join(work, name)]
    result.runs = runs_of(name, folder, text)
    result.reduce = None if name in sizes.HECBENCH else reduced
    return result


def whole_sources(work, name, tools):
    """Folders without a Makefile: their CMake file names the sources; clock has one file only."""
    folder = os.path.join(work, name)
    listing = os.path.join(folder, "CMakeLists.txt")
    files = ["main.cpp"]
    if os.path.exists(listing):
        files = re.findall(r"^\s+(\S+\.(?:cpp|cc|c))\s*$", read(listing), re.MULTILINE) or files
    command = [tools.cxx, "-fsycl", "-O3", "-std=c++17", *files, "-o", "main"]
    result = Program(name, folder, [command], [["./main"]])
    if name in sizes.HECBENCH:
        result.runs = [["./main", *shlex.split(sizes.HECBENCH[name])]]
    return result


def runs_of(name, folder, makefile):
    """The commands of `make run`, with small sizes."""
    variables = dict(re.findall(r"^[ \t]*(\w+)[ \t]*[:?]?=[ \t]*(.*?)\s*$", makefile,
                                re.MULTILINE))
    rule = re.search(r"^run\s*:[^\n]*\n((?:\t[^\n]*\n?|#[^\n]*\n|[ ]{2,}[^\n]*\n?)+)", makefile,
                     re.MULTILINE)
    if not rule:
        return [["./main"]]
    lines = re.sub(r"\\\n", " ", rule[1]).splitlines()
    lines = [line.strip() for line in lines if line.strip() and not line.strip().startswith("#")]
    lines = [re.sub(r"\$[({](\w+)[)}]", lambda m: variables.get(m[1], ""), line) for line in lines]
    lines = [re.sub(r"\$[({](\w+)[)}]", lambda m: variables.get(m[1], ""), line) for line in lines]
    if name in sizes.HECBENCH:
        start = next((line.split()[0] for line in lines if line.startswith("./")), "./main")
        return [[start, *shlex.split(sizes.HECBENCH[name])]]
    repeat = repeat_positions(folder)
    return [["bash", "-c", smaller(line, repeat)] for line in lines[:3]]


def repeat_positions(folder):
    """The positions of arguments that only say how often the work is repeated."""
    for file in sorted(os.listdir(folder)):
        if not file.endswith((".cpp", ".cc", ".h", ".hpp")):
            continue
        usage = re.search(r"[Uu]sage:?\s*(?:%s|\./\w+|\"[^\"]*\")([^;]*);",
                          read(os.path.join(folder, file)))
        if usage:
            words = re.findall(r"<([^<>]*)>|\[([^\[\]]*)\]", usage[1])
            words = [a or b for a, b in words]
            return [i + 1 for i, word in enumerate(words) if REPEAT.search(word)]
    return []


def smaller(line, positions):
    words = line.split()
    starts = [i for i, word in enumerate(words) if word.startswith("./")]
    if not starts:
        return line
    for position in positions:
        index = starts[0] + position
        if index < len(words) and re.fullmatch(r"\d+", words[index]):
            words[index] = "1"
    return " ".join(words)


def reduced(command):
    """Sizes divided by 16, for a program that has run out of time with those of its Makefile. A
    round number at the end is a count of repetitions more often than a size."""
    words = command[-1].split()
    starts = [i for i, word in enumerate(words) if word.startswith("./")]
    if command[:2] != ["bash", "-c"] or not starts:
        return None
    arguments = range(starts[0] + 1, len(words))
    for index in arguments:
        if not re.fullmatch(r"\d+", words[index]):
            continue
        if index == len(words) - 1 and re.fullmatch(r"[1-9]0{1,4}", words[index]):
            words[index] = "2"
        elif int(words[index]) > 256:
            words[index] = str(int(words[index]) // 16)
    line = " ".join(words)
    return None if line == command[-1] else ["bash", "-c", line]


def read(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()
