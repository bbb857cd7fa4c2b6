# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# another_build.py [--llvm] LIBRARY OUT: a copy of the library, or of the LLVM that it is linked
# with (into a folder), with another build-id.
import os
import re
import subprocess
import sys

arguments = sys.argv[1:]
wants_llvm = arguments[0] == "--llvm"
library, out = arguments[wants_llvm:]
if wants_llvm:
    listed = subprocess.run(["ldd", library], capture_output=True, text=True, check=True).stdout
    library = re.search(r"=> (\S*libLLVM\S*)", listed).group(1)
    out = os.path.join(out, os.path.basename(library))
with open(library, "rb") as file:
    data = bytearray(file.read())
# A note: sizes of name and contents, type 3, "GNU".
note = re.search(rb"\x04\0\0\0.\0\0\0\x03\0\0\0GNU\0", data, re.DOTALL)
if note:
    data[note.end()] ^= 1
else:
    data.append(0)
if os.path.exists(out):
    os.remove(out)
with open(out, "wb") as file:
    file.write(data)
