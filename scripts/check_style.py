#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks what a formatter does not: licence lines, banned functions, names, sizes, README files."""
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SPDX = "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"
TOPS = ("src", "include", "test", "examples", "bench", "scripts", "cmake", ".ci")
C_FILES = (".c", ".h", ".hpp", ".cpp")
LICENSED = C_FILES + (".py", ".cmake", ".sh", ".in", ".map", ".ll", ".test")
# A function name -> the files of src/ that may call it (a folder ends in "/"), and why not others.
BANNED = {
    "malloc": (["src/base/alloc.c"], "tn_alloc"),
    "calloc": (["src/base/alloc.c"], "tn_alloc_array"),
    "realloc": (["src/base/alloc.c"], "tn_realloc"),
    "posix_memalign": (["src/base/alloc.c"], "tn_alloc_aligned"),
    "aligned_alloc": (["src/base/alloc.c"], "tn_alloc_aligned"),
    "free": (["src/base/alloc.c"], "tn_free"),
    "strdup": ([], "tn_str_copy"),
    "strndup": ([], "tn_str_copy"),
    "asprintf": ([], "tn_buf_add_format"),
    "getenv": (["src/base/config.c"], "tn_config_get"),
    "secure_getenv": (["src/base/config.c"], "tn_config_get"),
    "alloca": ([], "tn_alloc"),
    "gets": ([], "tn_file_read"),
    "strcpy": ([], "tn_buf"),
    "strcat": ([], "tn_buf"),
    "sprintf": ([], "snprintf or tn_buf"),
    "vsprintf": ([], "vsnprintf or tn_buf"),
    "strtok": ([], "tn_str_split"),
    "atoi": ([], "tn_str_to_u64"),
    "system": ([], "tn_process_start"),
    "popen": ([], "tn_process_start"),
    "exit": (["src/tools/"], "a status"),
    "_exit": (["src/tools/"], "a status"),
    "_Exit": (["src/tools/"], "a status"),
    "quick_exit": ([], "a status"),
    "abort": (["src/base/host_function.c"], "a status"),  # what a failed assertion is
    "printf": (["src/tools/", "src/compile/driver/"], "a status, TN_LOG or tn_buf"),
    "vprintf": (["src/tools/", "src/compile/driver/"], "a status, TN_LOG or tn_buf"),
    "puts": (["src/tools/", "src/compile/driver/"], "a status, TN_LOG or tn_buf"),
    "fputs": (["src/tools/", "src/compile/driver/"], "a status, TN_LOG or tn_buf"),
    "fprintf": (["src/tools/", "src/compile/driver/"], "a status, TN_LOG or tn_buf"),
    "perror": ([], "a status"),
}
CALL = re.compile(r"(?<![\w.>])(" + "|".join(BANNED) + r")\s*\(")
STRINGS_AND_COMMENTS = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|//[^\n]*')
MUST_USE = re.compile(r"\bTN_MUST_USE\b[^;(){}]*?\b(tn_\w+)\(")
IGNORED = re.compile(r"\(void\)\s*(tn_\w+)\(")
OPEN_ENDS = re.compile(r"\b(" + "TO" + r"DO|FIX" + r"ME|X" + r"XX)\b")
# Names that SYCL and its extensions give.
TWICE_ALLOWED = {"README.md", "CMakeLists.txt", "sycl.hpp", "builtins.hpp"}
LINE_LIMIT, FILE_LIMIT, FUNCTION_LIMIT, README_LIMIT = 100, 800, 100, 40
# A noun of its own is the name of a file.
VAGUE = re.compile(r"^(.*_)?(util|utils|common|misc|helper|helpers)\.(c|h|hpp|cpp)$")


def files():
    for top in TOPS:
        for where, folders, names in os.walk(os.path.join(ROOT, top)):
            folders[:] = sorted(f for f in folders if f not in ("__pycache__", "results"))
            for name in sorted(names):
                yield os.path.relpath(os.path.join(where, name), ROOT)
    for name in sorted(os.listdir(ROOT)):
        if os.path.isfile(os.path.join(ROOT, name)):
            yield name


def may_call(path, name):
    places = BANNED[name][0]
    return any(path == place or place.endswith("/") and path.startswith(place) for place in places)


def check_calls(path, code, report):
    for match in CALL.finditer(code):
        name = match.group(1)
        if not may_call(path, name):
            line = code.count("\n", 0, match.start()) + 1
            report(line, f"{name} is not used here; use {BANNED[name][1]}")


def check_ignored(paths, problems):
    """A result that has to be used is: Clang accepts (void) before such a call, GCC does not."""
    texts = {}
    for path in paths:
        if path.startswith(("src/", "include/tenon/", "test/unit/")) and path.endswith((".c", ".h")):
            with open(os.path.join(ROOT, path), encoding="utf-8") as file:
                texts[path] = file.read()
    needed = {name for text in texts.values() for name in MUST_USE.findall(text)}
    for path, text in texts.items():
        for match in IGNORED.finditer(text):
            if match.group(1) in needed:
                line = text.count("\n", 0, match.start()) + 1
                problems.append(f"{path}:{line}: the result of {match.group(1)} has to be used")


def check_functions(path, lines, report):
    """In formatted C a function's last line is the first '}' in column 1 after its '{'."""
    start = None
    for number, line in enumerate(lines, 1):
        if start is None and line.endswith("{") and ")" in line and not line.startswith(" "):
            start = number
        elif start is None and line == "{":
            start = number
        elif start is not None and line.startswith("}"):
            if number - start > FUNCTION_LIMIT:
                report(start, f"a function of {number - start} lines; at most {FUNCTION_LIMIT}")
            start = None


def only_forwards(path, lines):
    """Whether a header is another name of others: an SPDX line and #includes."""
    return (path.startswith("include/sycl/") and len(lines) >= 2
            and all(line.startswith("#include <") for line in lines[1:]))


def check_c(path, text, lines, report):
    code = STRINGS_AND_COMMENTS.sub(lambda m: " " * len(m.group(0)), text)
    library = path.startswith("src/")
    if library:
        check_calls(path, code, report)
    if library or path.startswith("include/"):
        if len(lines) > FILE_LIMIT:
            report(1, f"{len(lines)} lines; at most {FILE_LIMIT}")
        if len(lines) > 1 and not lines[1].startswith("//") and not only_forwards(path, lines):
            report(2, "the second line says in one sentence what the file is for")
        for number, line in enumerate(lines, 1):
            if line.lstrip().startswith("/*"):
                report(number, "comments are // lines")
    if library:
        check_functions(path, lines, report)
    if path.endswith(".c") and library:
        own = path[len("src/"):-2] + ".h"
        includes = re.findall(r'^#include [<"]([^">]+)', text, re.MULTILINE)
        if own in includes and includes[0] != own:
            report(1, f'"{own}" is included first')


def check_lines(path, lines, report):
    for number, line in enumerate(lines, 1):
        if line.endswith((" ", "\t", "\r")):
            report(number, "spaces at the end of the line")
        if "\t" in line:
            report(number, "a tab")
        if path.endswith(C_FILES) and len(line) > LINE_LIMIT and "RUN:" not in line:
            report(number, f"{len(line)} columns; at most {LINE_LIMIT}")
        if OPEN_ENDS.search(line):
            report(number, "unfinished work is an issue, not a comment")


def check_file(path, problems):
    def report(line, words):
        problems.append(f"{path}:{line}: {words}")

    name = os.path.basename(path)
    if not path.endswith(LICENSED) and name not in ("bootstrap", "run", "CMakeLists.txt", ".clang-format"):
        return
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        text = file.read()
    lines = text.split("\n")
    if not text.endswith("\n") or text.endswith("\n\n"):
        report(len(lines), "the file ends in one newline")
    if not any(SPDX in line for line in lines[:2]):
        report(1, f"the first line is: {SPDX}")
    if VAGUE.match(name) and not only_forwards(path, lines[:-1]):
        report(1, "a file is named after the noun it serves")
    check_lines(path, lines[:-1], report)
    if re.search(r'#include ".*/expect\.hpp"', text) and "int main" in text and "failures" not in text:
        report(len(lines) - 1, "a test with EXPECT returns `failures` from main")
    if path.endswith(C_FILES):
        check_c(path, text, lines[:-1], report)


def check_names(paths, problems):
    """File names are unique, so that a name in a stack trace says where. Public headers have a
    name space of their own: tenon/device.h is what run/device implements."""
    seen = {}
    for path in paths:
        name = os.path.basename(path)
        if not path.startswith(("src/", "include/", "test/unit/")) or name in TWICE_ALLOWED:
            continue
        with open(os.path.join(ROOT, path), encoding="utf-8") as file:
            if only_forwards(path, file.read().split("\n")[:-1]):
                continue
        space = "/".join(path.split("/")[:2]) if path.startswith("include/") else "src"
        if (space, name) in seen:
            problems.append(f"{path}: {seen[space, name]} has this name too")
        seen.setdefault((space, name), path)
        stem = name[:-2] if name.endswith((".c", ".h")) else "ok"
        if not re.fullmatch(r"[a-z0-9_]+", stem):
            problems.append(f"{path}: file names are lower_case")


def check_readmes(paths, problems):
    folders = {os.path.dirname(p) for p in paths if p.startswith("src/") and p.endswith(C_FILES)}
    for folder in sorted(folders):
        readme = os.path.join(ROOT, folder, "README.md")
        if not os.path.isfile(readme):
            problems.append(f"{folder}: has no README.md")
            continue
        with open(readme, encoding="utf-8") as file:
            count = len(file.read().split("\n")) - 1
        if count > README_LIMIT:
            problems.append(f"{folder}/README.md: {count} lines; at most {README_LIMIT}")


def main():
    global ROOT
    if len(sys.argv) > 1:
        ROOT = os.path.abspath(sys.argv[1])
    problems = []
    paths = list(files())
    for path in paths:
        check_file(path, problems)
    check_names(paths, problems)
    check_ignored(paths, problems)
    check_readmes(paths, problems)
    for problem in problems:
        print(problem)
    print(f"check_style: {len(paths)} files, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
