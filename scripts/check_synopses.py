#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that the SYCL headers declare what the specification's synopses declare: reads a checkout of
the specification, writes C++ of static assertions for each declaration, compiles it with tenon++ and
prints the declarations that do not hold, and why. Nothing of the specification is kept."""

import argparse
import collections
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "scripts", "synopses"))

from examples import ONLY_SHOWN, PROLOGUE  # noqa: E402
from read_synopsis import Reader  # noqa: E402
from write_checks import Writer  # noqa: E402

CHAPTERS = ("programming_interface", "information_descriptors", "opencl_backend", "device_compiler")
# Aspects that make a declaration false; the others are reported as differences.
FALSE = ("call", "exact", "constant", "value", "same", "defaults", "complete", "deleted")


def header_synopses(top):
    folder = os.path.join(top, "adoc", "headers")
    for where, _, names in sorted(os.walk(folder)):
        for name in sorted(names):
            path = os.path.join(where, name)
            short = os.path.relpath(path, folder)
            if name.endswith(".h") and short not in ONLY_SHOWN["headers"]:
                with open(path, encoding="utf-8") as file:
                    yield short, file.read()


# Sections whose blocks of source are functions of namespace sycl, or declarations in a namespace.
FUNCTION_SECTIONS = {
    "Kinds of unified shared memory": "",
    "Device allocation functions": "sycl", "Host allocation functions": "sycl",
    "Shared allocation functions": "sycl", "Parameterized allocation functions": "sycl",
    "Memory deallocation functions": "sycl", "Unified shared memory pointer queries": "sycl",
    "Extension query": "sycl::opencl", "Reference counting": "sycl::opencl",
}
NUMBER = re.compile(r"\s*(//)?[ ]*\(\d+\)[ ]*((/\*.*\*/)[ ]*)?$", re.M)


def as_functions(body, namespace):
    """Functions without semicolons, in their namespace."""
    body = re.sub(r"\)\s*(noexcept)?[ ]*;?[ ]*(/\*.*\*/)?[ ]*(?=\n\s*\n|\n(?!\s)|$)", r") \1; \2", body)
    body = re.sub(r"\bsycl::(?=\w+\()", "", body)
    return f"namespace {namespace} {{\n{body}\n}}"


def chapter_synopses(top):
    """Synopses inside the chapters: those in namespaces, and free functions of some sections."""
    block = re.compile(r"^=+ (?P<section>[^\n]*)$|apidef\]#(?P<name>[\w:]+)#|"
                       r"^\[source(?P<options>[^\]]*)\]\n----\n(?P<body>.*?)\n----$", re.M | re.S)
    for chapter in CHAPTERS:
        with open(os.path.join(top, "adoc", "chapters", chapter + ".adoc"), encoding="utf-8") as file:
            text = file.read()
        section = name = ""
        for match in block.finditer(text):
            if match.group("section"):
                section = match.group("section")
            elif match.group("name"):
                name = match.group("name")
            elif "include::" not in match.group("body"):
                body = NUMBER.sub(lambda m: " " + (m.group(3) or ""), match.group("body"))
                where = f"{chapter}:{text.count(chr(10), 0, match.start()) + 1}"
                options = match.group("options")
                built_in = re.search(r"\bid=api:", options) and chapter == "programming_interface" \
                    and text.find("== SYCL built-in functions") < match.start()
                if body.startswith("namespace sycl") and ("synopsis" in options or section in
                                                          FUNCTION_SECTIONS):
                    yield where, body
                elif section in FUNCTION_SECTIONS:
                    yield where, as_functions(body, FUNCTION_SECTIONS[section] or "sycl")
                elif built_in and "namespace" not in body:
                    inside = name.rpartition("::")[0]
                    yield where, as_functions(body, "sycl" + (f"::{inside}" if inside else ""))


def read_all(options):
    declarations, problems = [], []
    for source, text in [*header_synopses(options.specification),
                         *chapter_synopses(options.specification)]:
        if options.only and not re.search(options.only, source):
            continue
        reader = Reader(text, source)
        found = reader.read()
        problems += reader.problems
        declarations += [d for d in found if (source, d.name) not in ONLY_SHOWN["classes"]]
    return declarations, problems


def compile_checks(options, writer, folder):
    """The diagnostics by line, for the host's and the device's pass."""
    path = os.path.join(folder, "checks.cpp")
    head = PROLOGUE.strip().split("\n")
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(head + [text for text, _ in writer.lines]) + "\n")
    if options.keep:
        with open(options.keep, "w", encoding="utf-8") as file:
            file.write(open(path, encoding="utf-8").read())
    errors, warnings = collections.defaultdict(list), set()
    for which in ("host", "device"):
        command = [options.tenon, "-fsycl", f"-fsycl-{which}-only", "-fsyntax-only", "-std=c++20",
                   "-ferror-limit=0", "-fno-caret-diagnostics", "-Wno-everything",
                   "-Wdeprecated-declarations", path, *options.flags]
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        last = None
        for line in result.stderr.split("\n"):
            match = re.match(re.escape(path) + r":(\d+):\d+: (error|warning|note): (.*)", line)
            inside = re.search(re.escape(path) + r":(\d+):\d+: note: (in instantiation|while)", line)
            if match and match.group(2) == "error":
                errors[int(match.group(1))].append(f"{which}: {match.group(3)}")
            elif match and match.group(2) == "warning":
                warnings.add(int(match.group(1)))
            elif re.match(r"\S+:\d+:\d+: (fatal )?error: ", line):
                last = line
                if "fatal" in line:
                    print(line)
            if inside and last:
                errors[int(inside.group(1))].append(f"{which}: {last}")
                last = None
    offset = len(head) + 1
    return {n - offset: e for n, e in errors.items()}, {n - offset for n in warnings}


def judge(writer, errors, warnings):
    """By declaration: aspects that hold at no choice of arguments, with an error each."""
    states = collections.OrderedDict()
    deprecated = collections.defaultdict(set)
    context = [(n, e) for n, e in errors.items() if n < 0 or writer.lines[n][1] is None]
    for index, (_, check) in enumerate(writer.lines):
        if check is None:
            continue
        key = id(check.declaration)
        state = states.setdefault(key, (check.declaration, {}))[1]
        failed = errors.get(index)
        aspects = state.setdefault((check.aspect, check.group), [False, None, check.code])
        if failed:
            aspects[1] = aspects[1] or (failed[0], check.code)
        else:
            aspects[0] = True
        if not failed:
            deprecated[key].add(index in warnings)
    return states, deprecated, context


def name_of(declaration):
    owner = f"{declaration.owner.name}: " if declaration.owner else ""
    return f"{declaration.source}: {owner}{declaration.text or declaration.name}"


def report(options, writer, states, deprecated, context):
    total = false = differing = 0
    for key, (declaration, aspects) in states.items():
        total += 1
        failing = {}
        for (aspect, group), (holds, error, _) in aspects.items():
            if not holds:
                failing.setdefault(aspect, (group, error))
        # A call with the declared types that works makes the exact type a difference only.
        is_false = any(a in FALSE for a in failing) and not (
            set(failing) & set(FALSE) == {"exact"} and "call" in {a for a, _ in aspects})
        if declaration.templates and not options.exact and not is_false and \
                set(failing) <= {"exact", "arguments"}:
            failing = {}
        if failing:
            false += is_false
            differing += not is_false
            print(("FALSE " if is_false else "differs ") + name_of(declaration))
            for aspect, (group, error) in failing.items():
                print(f"    {aspect}{' ' + group if group else ''}: {error[0][:200]}")
                if options.verbose:
                    print(f"        {error[1][:600]}")
        elif options.deprecated:
            marked = deprecated[key]
            if declaration.is_deprecated and True not in marked:
                print(f"deprecated, not marked: {name_of(declaration)}")
            if not declaration.is_deprecated and False not in marked and marked:
                print(f"marked deprecated: {name_of(declaration)}")
    for number, error in context:
        print(f"context, line {number}: {error[0][:200]}\n    {writer.lines[number][0][:200]}")
    for declaration, why in writer.unchecked:
        print(f"not checked: {name_of(declaration)}: {why}")
    print(f"{total} declarations: {total - false - differing} hold, {differing} differ, {false} do not "
          f"hold; {len(writer.unchecked)} not checked")
    return false


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--specification", required=True, metavar="DIR",
                        help="a checkout of KhronosGroup/SYCL-Docs; its branch sycl-2020 has SYCL 2020")
    parser.add_argument("--tenon", default=os.path.join(ROOT, "build", "bin", "tenon++"))
    parser.add_argument("--only", metavar="PATTERN", help="only the synopses whose file matches")
    parser.add_argument("--keep", metavar="FILE", help="write the C++ source there as well")
    parser.add_argument("--deprecated", action="store_true",
                        help="also report deprecated declarations that give no warning")
    parser.add_argument("--exact", action="store_true", help="also report function templates "
                        "whose calls work, but not with explicit template arguments, or as pointers")
    parser.add_argument("--verbose", action="store_true", help="print the code of failing checks")
    parser.add_argument("flags", nargs="*", help="options for the compiler, after --")
    options = parser.parse_args()
    declarations, problems = read_all(options)
    writer = Writer()
    for declaration in declarations:
        writer.write(declaration)
    with tempfile.TemporaryDirectory() as folder:
        errors, warnings = compile_checks(options, writer, folder)
    for problem in problems:
        print(problem)
    return 1 if report(options, writer, *judge(writer, errors, warnings)) else 0


if __name__ == "__main__":
    sys.exit(main())
