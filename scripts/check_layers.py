#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks every #include of src/ and include/ against docs/layers.txt: direction, interface headers, circles."""
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]', re.MULTILINE)
DRIVER = re.compile(r"^(cuda|nvml|hip/|CL/|level_zero/|ze_)")
HEADERLESS = ("base", "image")


def read_table(path):
    table = {}
    with open(path, encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            line = line.split("#")[0].strip()
            if not line:
                continue
            folder, colon, allowed = line.partition(":")
            if not colon:
                sys.exit(f"{path}:{number}: a line is '<folder> : <what it may include>'")
            table[folder.strip()] = allowed.split()
    return table


def folder_of(path, table):
    """The longest folder of the table that holds a path relative to the root, or None."""
    inner = path[len("src/"):] if path.startswith("src/") else path
    while inner:
        inner = os.path.dirname(inner)
        if inner in table:
            return inner
    return None


def sources():
    for top in ("src", "include"):
        for where, folders, names in os.walk(os.path.join(ROOT, top)):
            folders.sort()
            for name in sorted(names):
                if name.endswith((".c", ".h", ".hpp", ".cpp")):
                    yield os.path.relpath(os.path.join(where, name), ROOT)


def resolve(target, includer):
    """The file of this tree that an include names, and whether it was found beside its includer."""
    for top in ("src", "include"):
        path = os.path.join(top, target)
        if os.path.isfile(os.path.join(ROOT, path)):
            return os.path.normpath(path), False
    path = os.path.normpath(os.path.join(os.path.dirname(includer), target))
    return (path, True) if os.path.isfile(os.path.join(ROOT, path)) else (None, False)


def check_foreign(folder, target, allowed):
    if target.startswith(("llvm-c/", "llvm/", "clang-c/", "clang/")):
        needed = "llvm-c" if target.startswith("llvm-c/") else "llvm-c++"
        if needed not in allowed:
            return f"{folder} may not include LLVM's {target}"
    elif DRIVER.match(target) and "drivers" not in allowed:
        return f"a driver's header belongs into its adapter's folder: {target}"
    return None


def check_ours(folder, target, path, table):
    """The rule that an include of our own file breaks, or None."""
    allowed = table[folder]
    if path.startswith("include/"):
        if path == "include/tenon/status.h" or path.split("/")[1] in allowed:
            return None
        if path.startswith("include/tenon/") and (target in allowed or "tenon/*" in allowed):
            return None
        return f"{folder} may not include {target}"
    other = folder_of(path, table)
    if other == folder:
        return None
    if other is None:
        return f"{target} lies in no folder of docs/layers.txt"
    last = os.path.basename(other)
    if last not in allowed:
        return f"{folder} may not include {other} ({target})"
    if other not in HEADERLESS and os.path.basename(path) != last + ".h":
        return f"{target} is private to {other}; its interface header is {other}/{last}.h"
    return None


def find_circle(graph):
    """The files of one circle of includes, or None."""
    state = {}
    for start in sorted(graph):
        stack = [(start, iter(graph[start]))] if start not in state else []
        if stack:
            state[start] = "open"
        while stack:
            node, rest = stack[-1]
            for other in rest:
                if state.get(other) == "open":
                    trail = [entry[0] for entry in stack]
                    return trail[trail.index(other):] + [other]
                if other not in state and other in graph:
                    state[other] = "open"
                    stack.append((other, iter(graph[other])))
                    break
            else:
                state[node] = "closed"
                stack.pop()
    return None


def main():
    global ROOT
    if len(sys.argv) > 1:
        ROOT = os.path.abspath(sys.argv[1])
    table = read_table(os.path.join(ROOT, "docs", "layers.txt"))
    problems = []
    graph = {}
    for path in sources():
        graph[path] = []
        folder = folder_of(path, table)
        if folder is None and path.startswith("src/"):
            problems.append(f"{path}: lies in no folder of docs/layers.txt")
            continue
        if folder is None:
            folder = "include/sycl"  # other folders of include/ forward to SYCL's
        with open(os.path.join(ROOT, path), encoding="utf-8") as file:
            text = file.read()
        for match in INCLUDE.finditer(text):
            line = text.count("\n", 0, match.start(2)) + 1
            target = match.group(2)
            found, beside = resolve(target, path)
            if found is None:
                problem = check_foreign(folder, target, table[folder])
            elif beside or ".." in target.split("/"):
                problem = f"includes start at src/ or include/, not beside the file: {target}"
            elif found.endswith((".c", ".cpp")):
                problem = f"a source file is not included: {target}"
            else:
                graph[path].append(found)
                problem = check_ours(folder, target, found, table)
            if problem:
                problems.append(f"{path}:{line}: {problem}")
    circle = find_circle(graph)
    if circle:
        problems.append("these files include each other in a circle: " + " -> ".join(circle))
    for problem in problems:
        print(problem)
    print(f"check_layers: {len(graph)} files, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
