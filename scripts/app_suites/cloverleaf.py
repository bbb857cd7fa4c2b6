# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""CloverLeaf: its SYCL models, which compare the kinetic energy at the end with a reference."""
import os
import re

from . import cmake, verdict
from .suite import copy_tree

MODELS = ("sycl-acc", "sycl-usm")
# Test problem 2, of 960 x 960 cells, and problem 1, the built-in input, of 10 x 2 cells.
INPUTS = ("clover_bm_short.in", "")
OUTCOME = re.compile(r"^ This test is considered (NOT )?PASSED$", re.MULTILINE)
DISTANCE = re.compile(r"^ Test problem \d+ is within (\S+)% of the expected solution$",
                      re.MULTILINE)


def programs(source, keep, tools):
    work = os.path.join(keep, "src")
    copy_tree(source, work)
    return [program(model, work, keep, tools) for model in MODELS]


def program(model, work, keep, tools):
    result = cmake.of_model(model, f"{model}-cloverleaf", work, keep, cmake.dpcpp(tools), check)
    decks = os.path.join(work, "InputDecks")
    result.runs = [[*result.runs[0], "--file", name and os.path.join(decks, name)]
                   for name in INPUTS]
    return result


def check(text):
    """Its last line says PASSED of inputs without a reference as well; this one must be there."""
    outcome, distance = OUTCOME.search(text), DISTANCE.search(text)
    if not outcome:
        return verdict.Verdict(verdict.WRONG, "it ends without its comparison with the reference")
    if outcome[1] or not distance:
        return verdict.Verdict(verdict.WRONG, distance[0] if distance else outcome[0])
    return verdict.Verdict(verdict.PASSED, distance[0])
