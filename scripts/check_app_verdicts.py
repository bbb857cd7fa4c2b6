#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the checks of scripts/apps: each has to accept a right output of its programs, and to
reject outputs that are wrong or end too early."""
import os
import struct
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from app_suites import amrex, celerity, cloverleaf, ggml, minibude, suite, table, tealeaf, verdict

GOOGLE = "[       OK ] A.b (0 ms)\n[  PASSED  ] 1 test.\n"
COLORED = "\x1b[0mtest cases: 14\x1b[0;37m | \x1b[0;32m13 passed\x1b[0m | \x1b[0;37m1 skipped\x1b[0m\n"
CATCH = "All tests passed (9 assertions in 3 test cases)\n"
CLOVER = " Test problem 2 is within {}% of the expected solution\n This test is considered {}\n"
TEA = " - Solver:   CG\n This run {} (Difference is within 0.{}%)\n - Outcome: PASSED\n"
END = "AMReX (24.10) finalized\n"
MLMG = "MLMG: Final Iter. 9 resid, resid/bnorm = 1e-9, {}\n"
BUDE = "  - outcome: {{ valid: true }}\n  - {}\n  - {}\n"
REFERENCES = [865.52, -25.07]
GGML = "  ADD(type=f32): {}\n  {} tests passed\n"
PROVED = "Verification passed for [0,0,0] + [4,4,1]\n"


def amrex_of(name):
    return lambda text: amrex.check(name, text)


def celerity_of(name, ranks, folder=""):
    return lambda text: celerity.EXAMPLES[name][1](text, ranks, folder)


def energies(text):
    return minibude.check(REFERENCES, text)


def two_ranks(text):
    return verdict.of_catch2(text, 2)


# Check, right output, wrong outputs.
CASES = [
    (verdict.of_googletest, GOOGLE,
     ["", "[       OK ] A.b (0 ms)\n", GOOGLE + "[  FAILED  ] A.c\n",
      "[  PASSED  ] 0 tests.\n"]),
    (verdict.of_catch2, CATCH,
     ["", "test cases: 3 | 2 passed | 1 failed\n", "No tests ran\n",
      "test cases: 2 | 2 skipped\n"]),
    (verdict.of_catch2, "test cases: 3 | 1 passed | 1 skipped | 1 failed as expected\n", []),
    (two_ranks, COLORED + COLORED, [COLORED, COLORED + COLORED.replace("skipped", "failed")]),
    (two_ranks, CATCH + CATCH, [CATCH, CATCH + "test cases: 3 | 1 failed\n"]),
    (cloverleaf.check, CLOVER.format("1e-11", "PASSED"),
     ["", CLOVER.format("103", "NOT PASSED"), "Result:\n - Outcome: PASSED\n"]),
    (tealeaf.check, TEA.format("PASSED", "00000000"),
     ["", TEA.format("FAILED", "12"), " - Outcome: PASSED\n"]),
    (energies, BUDE.format(865.52, -25.07),
     ["", BUDE.format(865.52, -24.07), BUDE.format(865.52, "nan"), BUDE.format(8.65, -25.07)]),
    (amrex_of("MultiPeriod"), "SUCCESS\n" + END, ["SUCCESS\n", END]),
    (amrex_of("Parser2"), "All 61 tests passed.\n" + END,
     [END, "1 out of 61 tests failed\n" + END]),
    (amrex_of("CTOParFor"), END,
     ["", "0::Assertion `x' failed\n" + END, "amrex::Abort::0::y\n" + END]),
    (amrex_of("LinearSolvers_NodalPoisson"), MLMG.format("1e-12") + END,
     [MLMG.format("1e-3") + END, MLMG.format("1e-12"), END]),
    (ggml.check, GGML.format("OK", "1/1"),
     ["", GGML.format("FAIL", "0/1"), "  0/0 tests passed\n", GGML.format("OK", "1/2")]),
    (celerity_of("hello_world", 2), "Hello World!\nHello World!\n", ["Hello World!\n", "Ifmmp"]),
    (celerity_of("matmul", 1), PROVED, ["", PROVED + "Verification failed for element 0,0\n"]),
    (celerity_of("matmul", 4), 4 * PROVED, [3 * PROVED]),
    (celerity_of("convolution", 4), "same image\n", ["", "one.png output.png differ: byte 90\n"]),
    (celerity_of("reduction", 1),
     "Before contrast stretch: min = 0.021219, max = 0.577580\n",
     ["", "Before contrast stretch: min = 0.000000, max = 0.577580\n"]),
]


def waves(folder):
    """The result of the simulation is a file."""
    right = celerity.wave()
    path = os.path.join(folder, "wave_sim_result.bin")
    check = celerity_of("wave_sim", 1, folder)
    results = [check("")]
    for heights in ([value + 0.01 for value in right], right):
        with open(path, "wb") as file:
            file.write(bytes(16) + struct.pack(f"{2 * len(right)}f", *right, *heights))
        results.append(check(""))
    return [result.kind == verdict.PASSED for result in results] == [False, False, True]


def merges_unnamed():
    """Whether results are merged into a long table that does not name who was not tried."""
    results = [{"name": f"p{number}", "kind": verdict.NOT_TRIED, "built": False, "reason": ""}
               for number in range(table.SHORT + 1)]
    old = table.whole("C", "C.", results)
    results[0].update(kind=verdict.PASSED, built=True)
    try:
        table.merged(old, "C", "T", results[:1], [one["name"] for one in results])
    except SystemExit:
        return False
    return True


def counts_built():
    """Whether a program that had not been tried and is built counts as built in the merged table."""
    result = {"name": "p", "kind": verdict.NOT_TRIED, "built": False, "reason": ""}
    old = table.whole("C", "C.", [result])
    result.update(kind=verdict.PASSED, built=True)
    return "| 1 | 1 | 1 | 1 | 1 |" in table.merged(old, "C", "T", [result], ["p"])


def main():
    failures = []
    for check, right, wrong in CASES:
        if check(right).kind != verdict.PASSED:
            failures.append(f"a right output is rejected: {check(right).reason!r} of {right!r}")
        failures += [f"a wrong output passes: {text!r}" for text in wrong
                     if check(text).kind == verdict.PASSED]
    with tempfile.TemporaryDirectory() as folder:
        if not waves(folder):
            failures.append("the result of wave_sim is not compared")
    if verdict.of_run(suite.Outcome(1, CATCH, 0, False), 1, verdict.of_catch2).kind == \
            verdict.PASSED:
        failures.append("an exit status of 1 passes")
    if not counts_built():
        failures.append("a merged table does not count a new program as built")
    if merges_unnamed():
        failures.append("a table counts as not tried what has been merged into it")
    for failure in failures:
        print(f"check_app_verdicts: {failure}")
    print(f"check_app_verdicts: {len(CASES) + 4} checks, {len(failures)} problems")
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
