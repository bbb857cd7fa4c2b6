# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""preamble_damage.py CACHE flip|cut: damages all precompiled headers of a cache."""
import pathlib
import sys

for entry in pathlib.Path(sys.argv[1], "preamble").glob("??/*"):
    data = bytearray(entry.read_bytes())
    if sys.argv[2] == "flip":
        data[len(data) // 2] ^= 16
    else:
        del data[len(data) // 3:]
    entry.write_bytes(data)
