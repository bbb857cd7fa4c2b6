#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles the programs of test/ and examples/ with and without precompiled preambles: objects,
messages and dependency files are to be the same, byte for byte. With preambles one source in four
is compiled until it has one of its own (the second time makes the base, the third what stands on
it, the fourth finds both)."""
import argparse
import concurrent.futures
import glob
import os
import re
import subprocess
import sys
import tempfile

import shares
from ptx_check import options_of

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# Each source gets one of the rows; those with options of its own (-D, -I, -std) keep these.
ROWS = [
    ["-O0", "-g", "-Wall", "-Wextra"],
    ["-O1", "-std=c++20", "-gline-tables-only", "-DNDEBUG"],
    ["-Os", "-std=gnu++23", "-fPIC", "-ffunction-sections", "-fno-sycl-rdc"],
]


def sources(filters):
    found = glob.glob(f"{ROOT}/test/**/*.cpp", recursive=True) + glob.glob(f"{ROOT}/examples/*/*.cpp")
    for path in sorted(found):
        name = os.path.relpath(path, ROOT)
        with open(path, encoding="utf-8", errors="replace") as file:
            has_headers = re.search(r"^\s*# *include", file.read(), re.MULTILINE)
        if has_headers and all(f in name for f in filters):
            yield name


def compile(compiler, name, options, folder, cache):
    """The object, the rule of make, the messages and the status."""
    environment = dict(os.environ, TENON_CACHE="1" if cache else "0", TENON_CACHE_DIR=cache or "/")
    out = os.path.join(folder, "out.o")
    for path in (out, out + ".d"):
        if os.path.exists(path):
            os.unlink(path)
    command = [compiler, "-fsycl", "-c", name, "-o", out, "-MD", "-MF", out + ".d", *options]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=False)
    files = []
    for path in (out, out + ".d"):
        if os.path.exists(path):
            with open(path, "rb") as file:
                files.append(file.read())
        else:
            files.append(None)
    return {"object": files[0], "dependencies": files[1], "messages": done.stderr, "status": done.returncode}


def compare(compiler, turns, name, row, cache):
    """What differs, in a sentence."""
    own = options_of(name)
    row = [o for o in row if not (o.startswith("-std=") and any(p.startswith("-std=") for p in own))]
    with tempfile.TemporaryDirectory() as folder:
        without = compile(compiler, name, [*row, *own, "--no-auto-pch"], folder, None)
        for turn in range(turns):
            made = compile(compiler, name, [*row, *own], folder, cache)
            different = [what for what in made if made[what] != without[what]]
            if different:
                text = "".join(f"\n--- {how}\n{said['messages'].decode(errors='replace')}"
                               for how, said in (("without", without), ("with", made)))
                return (f"{name} {' '.join(row + own)}: not the same, compilation {turn + 1}: {', '.join(different)}"
                        + (text if "messages" in different else ""))
    return None


def count(cache):
    sizes = (os.path.getsize(os.path.join(place, name)) for place, _, names in os.walk(cache) for name in names)
    return sum(size > 100_000 for size in sizes)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bin", default=f"{ROOT}/build/bin")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--all-rows", action="store_true", help="each source with all rows of options")
    parser.add_argument("--all-turns", action="store_true", help="all sources with a preamble of their own")
    shares.add_option(parser, "source")
    parser.add_argument("filter", nargs="*", help="part of a path")
    args = parser.parse_args()
    compiler = os.path.join(args.bin, "tenon++")
    work = []
    shares.show("source", args.share)
    for i, name in enumerate(shares.take(sources(args.filter), args.share)):
        work += [(name, row) for row in (ROWS if args.all_rows else [ROWS[i % len(ROWS)]])]
    with tempfile.TemporaryDirectory() as cache, concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        results = list(pool.map(lambda i: compare(compiler, 1 if i % 4 and not args.all_turns else 3, *work[i], cache),
                                range(len(work))))
        made = count(cache)
    wrong = [result for result in results if result]
    for result in wrong:
        print(result)
    print(f"{len(work)} compilations compared, {len(wrong)} differ; {made} precompiled headers were made")
    if not work or made == 0:
        sys.exit("nothing was compared")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
