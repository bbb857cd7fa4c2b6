#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs two versions of somebody's program in turn and prints what both say of themselves.

    bench/pairs.py --rounds 3 --number 'Triad +([0-9.]+)' --ours './stream-sycl -s 67108864' --theirs './stream-omp -s 67108864'

Each expression has one group, a number; --number may be given several times. With --less smaller numbers
are better (seconds). Prints a line of a table for each: medians and the median of the ratios pair by
pair. Ends with 1 when a number is missing.
"""
import argparse
import re
import shlex
import statistics
import subprocess
import sys


def numbers(command, expressions, seconds):
    try:
        done = subprocess.run(shlex.split(command), capture_output=True, text=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        raise SystemExit(f"pairs: '{command}' was not finished in {seconds} s")
    text = done.stdout + done.stderr
    found = []
    for expression in expressions:
        all_of_it = re.findall(expression, text)
        if done.returncode != 0 or not all_of_it:
            raise SystemExit(f"pairs: '{command}' ended with {done.returncode} and has no "
                             f"'{expression}':\n{text[-500:]}")
        found.append(float(all_of_it[-1]))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ours", required=True, help="command of the SYCL version")
    parser.add_argument("--theirs", required=True, help="command of the version to compare with")
    parser.add_argument("--number", required=True, action="append", help="expression with a group")
    parser.add_argument("--less", action="store_true", help="smaller numbers are better")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=300, help="limit of a run")
    options = parser.parse_args()
    numbers(options.ours, options.number, options.seconds)  # compiles what is compiled once
    pairs = []
    for _ in range(options.rounds):
        theirs = numbers(options.theirs, options.number, options.seconds)
        pairs.append((numbers(options.ours, options.number, options.seconds), theirs))
    print("| number | ours | theirs | ratio |\n|---|---|---|---|")
    for n, expression in enumerate(options.number):
        ours = [pair[0][n] for pair in pairs]
        theirs = [pair[1][n] for pair in pairs]
        ratios = [b / a if options.less else a / b for a, b in zip(ours, theirs)]
        print(f"| {expression.split(' ')[0]} | {statistics.median(ours):.5g} | {statistics.median(theirs):.5g} "
              f"| {statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f}) |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
