#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares what libtenon.so exports with test/abi/exports.txt; --update writes new ones there."""
import argparse
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LIST = os.path.join(ROOT, "test", "abi", "exports.txt")
# Not ours to name: debuggers look for them (src/adapter/cpu/cpu_debugger.c).
FOR_DEBUGGERS = {"__jit_debug_descriptor", "__jit_debug_register_code"}
HEAD = """# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What libtenon.so exports, and the version that added it. A name leaves only with a new soname.
# scripts/check_exports.py compares; with --update VERSION it adds what is new.
"""


def exported(library):
    out = subprocess.run(["nm", "-D", "--defined-only", library], check=True, capture_output=True,
                         text=True).stdout
    return {line.split()[-1].split("@")[0] for line in out.splitlines()
            if line.split()[-2] in "TDBRVW"}


def listed():
    rows = {}
    if os.path.isfile(LIST):
        with open(LIST, encoding="utf-8") as lines:
            for line in lines:
                words = line.split("#")[0].split()
                if words:
                    rows[words[0]] = words[1]
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("library")
    parser.add_argument("--update", metavar="VERSION")
    options = parser.parse_args()
    have, want = exported(options.library), listed()
    if options.update:
        rows = {name: want.get(name, options.update) for name in have}
        width = max(len(name) for name in rows)
        with open(LIST, "w", encoding="utf-8") as out:
            out.write(HEAD)
            out.writelines(f"{name:<{width}} {rows[name]}\n" for name in sorted(rows))
        return 0
    problems = [f"{name}: exported, but not in test/abi/exports.txt" for name in have - set(want)]
    problems += [f"{name}: in test/abi/exports.txt, but not exported" for name in set(want) - have]
    problems += [f"{name}: exported names begin with tn_" for name in have
                 if not name.startswith("tn_") and name not in FOR_DEBUGGERS]
    if list(want) != sorted(want):
        problems.append("test/abi/exports.txt is not sorted")
    print("\n".join(sorted(problems)))
    print(f"check_exports: {len(have)} exports, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
