#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles the programs of test/e2e and examples for NVIDIA GPUs and has NVIDIA's assembler, ptxas,
read the PTX: code that no GPU is there to run is at least code. Each program is compiled once, by
its device pass and device link alone. Without ptxas it is skipped (exit status 77)."""
import argparse
import concurrent.futures
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

import shares

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SKIPPED = 77
# Programs that are not for these devices, and why.
LEFT_OUT = {
    "examples/mpi/*": "need MPI's headers",
    "examples/*/main.cpp": "host code",
    "test/e2e/aot/*": "are about machine code of CPUs",
    "test/e2e/errors/*": "have kernels that are refused",
    "test/e2e/headers/*": "have no kernels, or those of other programs",
    "test/e2e/linking/*": "are parts of programs",
    "test/e2e/math/c_functions.cpp": "calls what GPUs do not have",
}


def find_ptxas(folder):
    """The one that bootstrap fetched, CUDA's, or what is in PATH."""
    for place in (folder, os.environ.get("CUDA_PATH", "") + "/bin", "/usr/local/cuda/bin"):
        if place and os.access(os.path.join(place, "ptxas"), os.X_OK):
            return os.path.join(place, "ptxas")
    return shutil.which("ptxas")


def sources(filters):
    found = glob.glob(f"{ROOT}/test/e2e/*/*.cpp") + glob.glob(f"{ROOT}/examples/*/*.cpp")
    for path in sorted(found):
        name = os.path.relpath(path, ROOT)
        left_out = any(re.fullmatch(p.replace("*", "[^/]*"), name) for p in LEFT_OUT)
        with open(path, encoding="utf-8") as file:
            text = file.read()
        has_kernels = "sycl" in text and not re.search(r"^// RUN: not ", text, re.MULTILINE)
        if not left_out and has_kernels and all(f in name for f in filters):
            yield name


def options_of(name):
    """What a program's first RUN line defines."""
    with open(os.path.join(ROOT, name), encoding="utf-8") as file:
        for line in file:
            if line.startswith("// RUN: %tenonxx"):
                found = re.findall(r" (-[DI]\S+|-std=\S+|-isystem \S+)",
                                   line.replace("%S", os.path.dirname(name)))
                return [word for option in found for word in option.split()]
    return []


def run(command):
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)


def check(name, tools, arguments):
    """A sentence of what went wrong, and how many kernels there were."""
    with tempfile.TemporaryDirectory(prefix="tenon-ptx-") as folder:
        image = os.path.join(folder, "image")
        made = run([tools["tenon++"], "-fsycl", "-w", "-O2", f"-I{ROOT}/test/e2e", *options_of(name),
                    f"--persistent-auto-pch={arguments.preambles}",
                    "-fsycl-link-targets=nvptx64-nvidia-cuda", "-fno-sycl-link-cache",
                    "-fsycl-allow-device-image-dependencies", *arguments.options, name, "-o", image])
        if "nothing in the inputs becomes an image" in made.stderr:
            return "", 0
        if made.returncode != 0:
            return f"{name}: not compiled:\n{made.stderr}", 0
        run([tools["tenon-image"], "--extract-code", "-o", folder, image])
        kernels = 0
        for path in glob.glob(folder + "/*.ptx"):
            with open(path, encoding="utf-8") as file:
                kernels += file.read().count(".entry ")
            read = run([tools["ptxas"], f"-arch={arguments.arch}", "-O1", "-c", path,
                        "-o", path + ".cubin"])
            if read.returncode != 0:
                return (f"{name}: ptxas: exit status {read.returncode}\n"
                        f"{read.stdout}{read.stderr}", kernels)
        return "", kernels


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bin", required=True, help="the folder of tenon++")
    parser.add_argument("--ptxas-dir", default="", help="looked into first")
    parser.add_argument("--arch", default="sm_75", help="what ptxas makes code for")
    parser.add_argument("--options", nargs="*", default=[], help="for tenon++")
    shares.add_option(parser, "program")
    parser.add_argument("filters", nargs="*", help="only programs with these in their names")
    arguments = parser.parse_args()
    tools = {name: os.path.join(arguments.bin, name) for name in ("tenon++", "tenon-image")}
    tools["ptxas"] = find_ptxas(arguments.ptxas_dir)
    if not tools["ptxas"]:
        print("SKIPPED: there is no ptxas, NVIDIA's assembler: neither bootstrap could fetch it nor is "
              "CUDA installed, so that no PTX was assembled")
        return SKIPPED
    names = shares.take(sources(arguments.filters), arguments.share)
    began = time.time()
    failures = kernels = 0
    with tempfile.TemporaryDirectory(prefix="tenon-ptx-") as arguments.preambles, \
            concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 2) as pool:
        for message, count in pool.map(lambda name: check(name, tools, arguments), names):
            kernels += count
            if message:
                failures += 1
                print(message)
    shares.show("program", arguments.share)
    print(f"{len(names)} programs, {kernels} kernels, {failures} failures, "
          f"{time.time() - began:.0f} s; {tools['ptxas']}")
    return 1 if failures or not kernels else 0


if __name__ == "__main__":
    sys.exit(main())
