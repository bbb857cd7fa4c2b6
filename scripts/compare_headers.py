#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the names of the SYCL headers with those of a DPC++ installation: prints each header that
programs could include there and not here, unless docs/dpcpp-headers.md lists it or its folder."""
import argparse
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# Parts of DPC++'s implementation, which programs do not include.
INTERNAL = ("detail/", "__spirv/", "stl_wrappers/")


def headers(top):
    for where, _, names in os.walk(os.path.join(top, "sycl")):
        for name in names:
            if name.endswith(".hpp"):
                yield os.path.relpath(os.path.join(where, name), os.path.join(top, "sycl"))


def documented():
    with open(os.path.join(ROOT, "docs", "dpcpp-headers.md"), encoding="utf-8") as file:
        return set(re.findall(r"`([a-z0-9_/]+(?:\.hpp|/))`", file.read()))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("include", help="DPC++'s folder that has sycl/sycl.hpp")
    options = parser.parse_args()
    here = set(headers(os.path.join(ROOT, "include")))
    absent = documented()
    count = 0
    for name in sorted(set(headers(options.include)) - here):
        folders = [name[:i + 1] for i, c in enumerate(name) if c == "/"]
        if "/detail/" in name or name.startswith(INTERNAL) or name in absent:
            continue
        if any(folder in absent for folder in folders):
            continue
        count += 1
        print(name)
    listed_in_vain = sorted(name for name in absent if name in here)
    for name in listed_in_vain:
        print(f"docs/dpcpp-headers.md lists {name}, which exists")
    return 1 if count or listed_in_vain else 0


if __name__ == "__main__":
    sys.exit(main())
