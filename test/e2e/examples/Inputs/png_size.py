# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the size of a PNG file whose chunks, checksums and amount of data are right."""
import struct
import sys
import zlib

with open(sys.argv[1], "rb") as file:
    data = file.read()
assert data[:8] == b"\x89PNG\r\n\x1a\n", "not a PNG"
chunks, at = {}, 8
while at < len(data):
    size, name = struct.unpack(">I4s", data[at:at + 8])
    body = data[at + 8:at + 8 + size]
    assert struct.unpack(">I", data[at + 8 + size:at + 12 + size])[0] == zlib.crc32(name + body), name
    chunks[name] = body
    at += 12 + size
width, height = struct.unpack(">II", chunks[b"IHDR"][:8])
pixels = zlib.decompress(chunks[b"IDAT"])
assert len(pixels) == height * (width + 1), "too few or too many pixels"
assert len(set(pixels)) > 100, "hardly a picture"
print(f"{width} x {height}, {len(chunks[b'PLTE']) // 3} colors")
