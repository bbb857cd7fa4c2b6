# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# spoil.py FOLDER WHAT: does something to a store, or to each of its entries.
import os
import sys

folder, what = sys.argv[1:]
for where, folders, names in os.walk(folder):
    for name in names:
        path = os.path.join(where, name)
        if len(name) != 62:
            continue
        with open(path, "rb") as file:
            data = bytearray(file.read())
        if what == "damage":
            data[len(data) // 2] ^= 0x10
        elif what == "truncate":
            del data[len(data) // 2 :]
        elif what == "version":
            data[4] += 1
        else:
            continue
        with open(path, "wb") as file:
            file.write(data)
    if what == "protect":
        os.chmod(where, 0o500)
    elif what == "unprotect":
        os.chmod(where, 0o700)
