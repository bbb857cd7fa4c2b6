# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""miniBUDE: its SYCL model with the input bm1.

The program divides differences by the reference's signed energy and keeps the largest quotient,
so that it accepts any energy where the reference is negative, and NaN everywhere. The energies
that it prints are therefore compared here, within the same 0.025 %.
"""
import os
import re

from . import cmake, verdict
from .suite import copy_tree

POSES = 4096
TOLERANCE = 0.00025  # main.cpp: DIFF_TOLERANCE_PCT
ROUNDED = 0.0051  # of two printed decimals
ENERGY = re.compile(r"^ +- (-?[\d.]+|-?nan|-?inf)$", re.MULTILINE)


def programs(source, keep, tools):
    work = os.path.join(keep, "src")
    copy_tree(source, work)
    deck = os.path.join(work, "data", "bm1")
    with open(os.path.join(deck, "ref_energies.out"), encoding="utf-8") as file:
        references = [float(line) for line in file][:POSES]
    result = cmake.of_model("sycl", "sycl-bude", work, keep, cmake.dpcpp(tools),
                            lambda text: check(references, text))
    result.runs[0] += ["--deck", deck, "-n", str(POSES), "--wgsize", "64", "--ppwi", "4",
                       "--rows", str(POSES)]
    return [result]


def check(references, text):
    energies = [float(value) for value in ENERGY.findall(text)]
    if len(energies) != len(references):
        return verdict.Verdict(verdict.WRONG,
                               f"it prints {len(energies)} energies of {len(references)}")
    for pose, (energy, reference) in enumerate(zip(energies, references)):
        if not abs(energy - reference) <= TOLERANCE * max(abs(reference), 1) + ROUNDED:
            return verdict.Verdict(verdict.WRONG,
                                   f"energy of pose {pose}: {energy} instead of {reference}")
    if "valid: true" not in text:
        return verdict.Verdict(verdict.WRONG, "its own check does not say 'valid: true'")
    return verdict.Verdict(verdict.PASSED, f"{len(energies)} energies within 0.025 %")
