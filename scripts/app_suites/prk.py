# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Parallel Research Kernels: the SYCL programs of Cxx11, each of which validates its result."""
import os
import shutil

from . import sizes
from .suite import Program, copy_tree


def programs(source, keep, tools):
    work = os.path.join(keep, "src")
    for folder in ("Cxx11", "common"):
        copy_tree(os.path.join(source, folder), os.path.join(work, folder))
    defs = os.path.join(work, "common", "make.defs")
    if not os.path.exists(defs):
        shutil.copy(os.path.join(work, "common", "make.defs.oneapi"), defs)
    folder = os.path.join(work, "Cxx11")
    return [program(folder, file[:-3], tools) for file in sorted(os.listdir(folder))
            if file.endswith(".cc") and ("-sycl" in file or "-dpcpp" in file)]


def program(folder, name, tools):
    make = ["make", name, f"SYCLCXX={tools.cxx}"]
    kind = name.split("-")[0]
    result = Program(name, folder, [make], [[f"./{name}", *sizes.PRK.get(kind, "5 128").split()]])
    result.sources = [os.path.join(folder, name + ".cc"), os.path.join(folder, "prk_sycl.h")]
    return result
