#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Documentation says what the code says: functions, files and environment variables that it names
exist, and every environment variable that is read is documented."""
import pathlib
import re
import sys

FOLDERS = "(?:src|include|docs|test|examples|scripts|bench)"
ROOT = pathlib.Path(__file__).resolve().parent.parent


def sources():
    for folder in ("src", "include"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in (".c", ".h", ".hpp"):
                yield path.read_text()


def main():
    code = "\n".join(sources())
    problems = []
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
    pages += sorted((ROOT / "docs").rglob("*.md")) + sorted((ROOT / "src").rglob("README.md"))
    text = {page: page.read_text() for page in pages}
    for page, words in text.items():
        where = page.relative_to(ROOT)
        for name in sorted(set(re.findall(r"`(tn_[a-z0-9_]+)(?:\(\))?`", words))):
            if not re.search(rf"\b{name}\b", code):
                problems.append(f"{where}: {name} is not in the code")
        for name in sorted(set(re.findall(rf"`({FOLDERS}/[\w./-]+)`", words))):
            if not (ROOT / name).exists():
                problems.append(f"{where}: {name} does not exist")
    config = (ROOT / "src/base/config.c").read_text()
    read = set(re.findall(r'"((?:TENON|ONEAPI|SYCL|CUDA|ROCM|LIBRARY|LD|C|CPLUS)_[A-Z_]+|CPATH)"',
                          config))
    table = (ROOT / "docs/environment.md").read_text()
    documented = set(re.findall(r"^\| `([A-Z_]+)`", table, re.M))
    for name in sorted(read ^ documented):
        what = "read but not documented" if name in read else "documented but not read"
        problems.append(f"docs/environment.md: {name} is {what}")
    for problem in problems:
        print(problem)
    print(f"check_docs: {len(pages)} pages, {len(problems)} problems")
    return 1 if problems else 0


sys.exit(main())
