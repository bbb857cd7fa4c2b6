# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The table of a collection: totals, then every program that does not pass, with its reason."""
import collections
import os
import re

from . import verdict


# A program with one of these results has no say on whether Tenon is right.
UNCHECKED = (verdict.NO_CHECK, verdict.NOT_RUN, verdict.NOT_TRIED, verdict.DATA, verdict.MISSING, verdict.NEEDS,
             verdict.PROGRAM)


def totals(results):
    return {kind: sum(r["kind"] == kind for r in results) for kind in verdict.ORDER}


def summary(results):
    counts = totals(results)
    built = sum(r["built"] for r in results)
    tried = len(results) - counts[verdict.MISSING] - counts[verdict.NEEDS]
    checked = sum(r["built"] and r["kind"] not in UNCHECKED for r in results)
    return {"programs": len(results), "without other libraries": tried, "built": built,
            "with a check": checked, **{k: v for k, v in counts.items() if v}}


def percent(part, whole):
    return f"{100.0 * part / whole:.1f} %" if whole else "-"


def text(results):
    """What a terminal shows: failures first, then the totals."""
    lines = [f"{r['kind']:<16} {r['name']:<32} {r['reason']}" for r in results
             if r["kind"] != verdict.PASSED]
    lines.append(", ".join(f"{value} {name}" for name, value in summary(results).items()))
    return "\n".join(lines)


def cell(value):
    return value.replace("|", "\\|").replace("<", "&lt;").replace("`", "'")


def markdown(collection, version, results):
    counts = summary(results)
    machines = collections.Counter(r["machine"] for r in results if r.get("machine"))
    version = " ".join([version] + [f"{count} programs ran on {name}."
                                    for name, count in machines.items()])
    head = [f"<!-- apps: {collection} -->", f"### {collection}", "", version, "",
            "| " + " | ".join(counts) + " |", "|" + " --- |" * len(counts),
            "| " + " | ".join(str(v) for v in counts.values()) + " |", ""]
    rows = ["| program | result | reason |", "| --- | --- | --- |"]
    for kind in verdict.ORDER[4:]:
        rows += [f"| {r['name']} | {kind} | {cell(r['reason'])} |" for r in results
                 if r["kind"] == kind]
    if len(rows) == 2:
        rows = ["No program fails."]
    return "\n".join(head + rows + ["", f"<!-- end: {collection} -->"])


def write(path, collection, version, results):
    """Replaces the section of the collection in the file, or appends it."""
    section = markdown(collection, version, results)
    old = ""
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            old = file.read()
    pattern = re.compile(f"<!-- apps: {collection} -->.*<!-- end: {collection} -->", re.DOTALL)
    if pattern.search(old):
        new = pattern.sub(lambda _: section, old)
    else:
        new = old.rstrip("\n") + ("\n\n" if old else "") + section + "\n"
    with open(path, "w", encoding="utf-8") as file:
        file.write(new)
