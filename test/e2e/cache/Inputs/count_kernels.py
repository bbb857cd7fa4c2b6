# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# count_kernels.py FOLDER KERNEL...: in how many programs of a store each kernel's code is.
import os
import sys

folder, *kernels = sys.argv[1:]
objects = []
for where, _, names in os.walk(folder):
    for name in names:
        if len(name) == 62:
            with open(os.path.join(where, name), "rb") as file:
                data = file.read()
            elf = data.find(b"\x7fELF")
            if elf >= 0:
                objects.append(data[elf:])
for kernel in kernels:
    print(f"{kernel}: {sum(kernel.encode() in code for code in objects)}")
