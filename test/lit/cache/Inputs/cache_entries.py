#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes caches by docs/formats/disk-cache.md alone, so that tests know what is in them.

cache_entries.py <folder> <entry>...: an entry is "link:<number>" or "program:<number>:<text>",
used so many hours ago as its number says. "damage:", "foreign:" or "temp:" in front of an entry
makes it one."""
import os
import struct
import sys
import time

MASK = (1 << 64) - 1


def mix(h):
    h ^= h >> 32
    h = h * 0x9E3779B97F4A7C15 & MASK
    return h ^ h >> 29


def hash_bytes(data, seed):
    h = mix(seed + 0x2545F4914F6CDD1D + len(data) & MASK)
    for at in range(0, len(data), 8):
        h = mix(h ^ int.from_bytes(data[at:at + 8], "little"))
    return mix(h)


def value_of(cache, number, text):
    content = b"content of %d " % number * 330
    if cache == "link":
        return content
    text = text.encode("utf-8").decode("unicode_escape").encode("latin-1")
    at = (16 + len(text) + 63) // 64 * 64
    return (b"TNPC" + struct.pack("<III", 1, len(text), at) + text).ljust(at, b"\0") + content


def write_entry(folder, entry):
    kind = ""
    if entry.split(":")[0] in ("damage", "foreign", "temp"):
        kind, entry = entry.split(":", 1)
    cache, number, *text = entry.split(":", 2)
    number = int(number)
    key = bytes([number] * 32)
    value = value_of(cache, number, text[0] if text else "")
    header = b"TNST" + struct.pack("<I", 1) + key + struct.pack("<Q", len(value))
    checksum = hash_bytes(value, hash_bytes(header, 0))
    data = bytearray(header + struct.pack("<Q", checksum) + value)
    if kind == "damage":
        data[-1] ^= 1
    if kind == "foreign":
        data[4] = 9
    sub = os.path.join(folder, cache, key.hex()[:2])
    os.makedirs(sub, mode=0o700, exist_ok=True)
    os.chmod(os.path.join(folder, cache), 0o700)
    path = os.path.join(sub, "tmp-1-2-3" if kind == "temp" else key.hex()[2:])
    with open(path, "wb") as out:
        out.write(data)
    used = time.time() - number * 3600
    os.utime(path, (used, used))


os.umask(0o077)
for each in sys.argv[2:]:
    write_entry(sys.argv[1], each)
