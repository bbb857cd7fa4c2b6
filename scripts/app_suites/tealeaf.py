# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""TeaLeaf: its SYCL models, which compare the sum of temperatures with that of a known problem."""
import os
import re

from . import cmake, verdict
from .suite import copy_tree

MODELS = ("sycl-acc", "sycl-usm")
SOLVERS = ("cg", "chebyshev", "ppcg", "jacobi")
OUTCOME = re.compile(r"^ This run (PASSED|FAILED) \(Difference is (.*)\)$", re.MULTILINE)


def programs(source, keep, tools):
    work = os.path.join(keep, "src")
    copy_tree(source, work)
    decks = [small(os.path.join(work, "tea.in"), keep, solver) for solver in SOLVERS]
    return [program(model, work, keep, tools, decks) for model in MODELS]


def small(source, keep, solver):
    """The default input as the smallest problem of tea.problems: 64 x 64 cells, one step."""
    with open(source, encoding="utf-8") as file:
        text = re.sub(r"(?m)^([xy]_cells)=.*$", r"\1=64", file.read())
    text = re.sub(r"(?m)^end_step=.*$", "end_step=1", text)
    target = os.path.join(keep, f"tea_{solver}.in")
    with open(target, "w", encoding="utf-8") as file:
        file.write(re.sub(r"(?m)^use_cg$", f"use_{solver}", text))
    return target


def program(model, work, keep, tools, decks):
    # With the profiler, sycl-usm waits for each kernel. Without, kernels of its Chebyshev and PPCG
    # solvers race with each other: its queue is out of order (SYCL 2020, 4.6.5).
    result = cmake.of_model(model, f"{model}-tealeaf", work, keep,
                            [*cmake.dpcpp(tools), "-DENABLE_PROFILING=ON"], check)
    problems = os.path.join(work, "tea.problems")
    result.runs = [[*result.runs[0], "--file", deck, "--problems", problems] for deck in decks]
    return result


def check(text):
    outcome = OUTCOME.search(text)
    if not outcome:
        return verdict.Verdict(verdict.WRONG, "it ends without its comparison with the reference")
    solver = re.search(r"^ - Solver: +(.*)$", text, re.MULTILINE)
    kind = verdict.PASSED if outcome[1] == "PASSED" else verdict.WRONG
    return verdict.Verdict(kind, f"{solver[1] if solver else ''} {outcome[2]}")
