# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""patch_object.py <in> <out> <what>: spoils the device code of a fat object in one way.

Ways that begin with "re" leave the object without a checksum, as objects that are not ours are.
"""
import struct
import sys

CHAR6 = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._"
source, target, what = sys.argv[1:4]
data = bytearray(open(source, "rb").read())
start = data.index(b"\x10\xff\x10\xad")


def find(text):
    return data.index(text, start)


def put(at, text):
    data[at:at + len(text)] = text


def char6(text):
    return [CHAR6.index(c) >> bit & 1 for c in text for bit in range(6)]


def replace_bits(at, old, new):
    bits = [data[at + i // 8] >> i % 8 & 1 for i in range(1600)]
    place = next(i for i in range(len(bits)) if bits[i:i + len(old)] == old)
    for i, bit in enumerate(new, place):
        data[at + i // 8] = data[at + i // 8] & ~(1 << i % 8) | bit << i % 8


if what.startswith("re"):
    put(find(b"tenon.checksum\0"), b"x")
if what == "flipped":
    data[find(b"BC\xc0\xde") + 200] ^= 1
elif what == "magic":
    data[start] = 0x11
elif what == "version":
    data[start + 4] = 7
elif what == "kind":  # of CUDA
    entry = start + struct.unpack_from("<Q", data, start + 16)[0]
    struct.pack_into("<H", data, entry + 2, 2)
elif what == "relist-lies":
    put(find(b"X\t_Z3libi") + 2, b"_Z3lobi")
elif what == "relist-number":
    put(find(b"X\t_Z3libi\t") + 10, b"-")
elif what == "relist-large":
    put(data.index(b"\n", find(b"tenon-symbols")) + 1, b"K\tk\t4294967296\t1\t1\t")
elif what == "relist-line":
    put(find(b"X\t_Z3libi"), b"Y")
elif what == "relist-version":
    put(find(b"tenon-symbols 1") + 14, b"9")
elif what == "rellvm":
    replace_bits(find(b"BC\xc0\xde"), char6("LLVM22."), char6("LLVM37."))
elif what == "retruncated":
    entry = start + struct.unpack_from("<Q", data, start + 16)[0]
    struct.pack_into("<Q", data, entry + 32, struct.unpack_from("<Q", data, entry + 32)[0] // 2)
elif what == "retenon":
    put(find(b"tenon.version\0") + 14, b"9")
    struct.pack_into("<Q", data, start + struct.unpack_from("<Q", data, start + 16)[0] + 32, 600)
elif what == "compressed":
    table = struct.unpack_from("<Q", data, 40)[0]
    for i in range(struct.unpack_from("<H", data, 60)[0]):
        header = table + 64 * i
        if struct.unpack_from("<Q", data, header + 24)[0] == start:
            struct.pack_into("<Q", data, header + 8, 0x800)
elif not what.startswith("re"):
    sys.exit("patch_object.py: unknown: " + what)
open(target, "wb").write(data)
