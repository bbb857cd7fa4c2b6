# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Looks through SPIR-V modules: no number names two things, switches are over integers, and the
module keeps below its bound. Prints how many modules there are, and their specialization constants,
and with --capabilities these before.
With spirv-val in PATH that has its say as well."""
import shutil
import struct
import subprocess
import sys

CAPABILITY, TYPE_BOOL, TYPE_INT, TYPE_FLOAT, SPEC_CONSTANT, VARIABLE, DECORATE = 17, 20, 21, 22, 50, 59, 71
LABEL, SWITCH = 248, 251
SPEC_ID = 1
# Instructions whose first number is the result, types but for OpTypeForwardPointer and labels; all
# others that have a result have its type before it.
RESULT_FIRST = {7, 11, LABEL, 73, 322} | set(range(19, 39))
TYPE_FIRST = (
    {1, 12, 41, 42, 43, 44, 45, 46, 48, 49, 50, 51, 52, 54, 55, 57, VARIABLE, 60, 61, 65, 66, 67}
    | {70} | set(range(77, 87)) | set(range(109, 217)) | set(range(227, 243)) | {245}
    | set(range(263, 274)) | set(range(333, 367))
)
NO_RESULT = {62, 228}


def check(path):
    with open(path, "rb") as file:
        data = file.read()
    words = struct.unpack(f"<{len(data) // 4}I", data)
    assert words[0] == 0x07230203, f"{path}: no SPIR-V"
    types, kinds, widths, spec_ids, at = {}, {}, {}, {}, 5
    while at < len(words):
        count, op = words[at] >> 16, words[at] & 0xFFFF
        args = words[at + 1 : at + count]
        result = None
        if op in RESULT_FIRST:
            result = args[0]
        elif op in TYPE_FIRST and op not in NO_RESULT:
            result, types[args[1]] = args[1], args[0]
        if result is not None:
            assert result < words[3], f"{path}: {result} is not below the bound"
            assert result not in kinds, f"{path}: {result} is defined twice"
            kinds[result] = op
        if op == CAPABILITY and shows_capabilities:
            print("capability", args[0])
        if op in (TYPE_INT, TYPE_FLOAT):
            widths[args[0]] = args[1]
        if op == DECORATE and args[1] == SPEC_ID:
            spec_ids[args[0]] = args[2]
        if op == SPEC_CONSTANT:
            found.add((spec_ids[args[1]], widths[args[0]] // 8))
        if op == SWITCH:
            assert kinds[types[args[0]]] != TYPE_BOOL, f"{path}: a switch over a boolean"
        at += count
    validator = shutil.which("spirv-val")
    if validator:
        subprocess.run([validator, "--target-env", "spv1.4", path], check=True)


found = set()
names = sys.argv[1:]
shows_capabilities = names[:1] == ["--capabilities"]
names = names[1:] if shows_capabilities else names
for name in names:
    check(name)
print(len(names), "modules")
for spec_id, size in sorted(found):
    print("SpecId", spec_id, size, "bytes")
