# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""read_elf.py [--hardened] <file or folder>...: checks how executables and libraries are loaded.

No element of a RUNPATH or RPATH is empty or relative ($ORIGIN is neither): it would name the working
folder, from which the dynamic linker would load libraries. With --hardened, all is bound at the start
(BIND_NOW), what is relocated is read-only then (RELRO), and no memory is writable and executable.
Prints each defect and how many files were read; exits 1 when there is a defect.
"""
import os
import struct
import sys

PT_LOAD, PT_DYNAMIC, PT_GNU_STACK, PT_GNU_RELRO = 1, 2, 0x6474E551, 0x6474E552
DT_STRTAB, DT_RPATH, DT_FLAGS, DT_RUNPATH, DT_FLAGS_1 = 5, 15, 30, 29, 0x6FFFFFFB
DF_BIND_NOW, DF_1_NOW, PF_X, PF_W = 8, 1, 1, 2


class Elf:
    def __init__(self, data):
        self.data = data
        table, size, count = (struct.unpack_from("<Q", data, 32)[0], *struct.unpack_from("<HH", data, 54))
        self.segments = [struct.unpack_from("<IIQQQQQQ", data, table + i * size) for i in range(count)]
        self.dynamic = []
        for kind, _, offset, _, _, file_size, _, _ in self.segments:
            if kind == PT_DYNAMIC:
                pairs = struct.iter_unpack("<qQ", data[offset:offset + file_size])
                self.dynamic = [(tag, value) for tag, value in pairs if tag != 0]

    def values(self, tag):
        return [value for found, value in self.dynamic if found == tag]

    def text_at(self, offset):
        address = self.values(DT_STRTAB)[0]
        for kind, _, at, start, _, file_size, _, _ in self.segments:
            if kind == PT_LOAD and start <= address < start + file_size:
                begin = address - start + at + offset
                return self.data[begin:self.data.index(b"\0", begin)].decode()
        raise ValueError("no string table")


def path_defects(elf):
    for tag in (DT_RPATH, DT_RUNPATH):
        for value in elf.values(tag):
            text = elf.text_at(value)
            for element in text.split(":"):
                if not element.startswith(("/", "$ORIGIN", "${ORIGIN}")):
                    yield f"RUNPATH '{text}' has the element '{element}'"


def hardening_defects(elf):
    now = any(v & DF_BIND_NOW for v in elf.values(DT_FLAGS)) or \
        any(v & DF_1_NOW for v in elf.values(DT_FLAGS_1))
    if not now:
        yield "is bound lazily"
    if not any(segment[0] == PT_GNU_RELRO for segment in elf.segments):
        yield "has no RELRO"
    for segment in elf.segments:
        if segment[0] in (PT_LOAD, PT_GNU_STACK) and segment[1] & PF_W and segment[1] & PF_X:
            yield "has memory that is writable and executable"


def files(paths):
    for path in paths:
        if os.path.isfile(path):
            yield path
        for folder, _, names in os.walk(path):
            yield from (os.path.join(folder, name) for name in sorted(names))


def main():
    words = sys.argv[1:]
    hardened = "--hardened" in words
    count = defects = 0
    for path in files(word for word in words if word != "--hardened"):
        with open(path, "rb") as file:
            head = file.read(20)
            if head[:5] != b"\x7fELF\x02" or struct.unpack_from("<H", head, 16)[0] not in (2, 3):
                continue
            elf = Elf(head + file.read())
        count += 1
        for defect in [*path_defects(elf), *(hardening_defects(elf) if hardened else [])]:
            defects += 1
            print(f"{path}: {defect}")
    print(f"{count} files")
    return 1 if defects or not count else 0


if __name__ == "__main__":
    sys.exit(main())
