# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The table of a collection: totals, then its programs and their reasons."""
import collections
import os
import re
import sys

from . import verdict


# A program with one of these results has no say on whether Tenon is right.
UNCHECKED = (verdict.NO_CHECK, verdict.NOT_RUN, verdict.NOT_TRIED, verdict.DATA, verdict.MISSING, verdict.NEEDS,
             verdict.PROGRAM)


# A collection of at most so many programs has a row for each, others for those that fail.
SHORT = 60


def totals(results):
    return {kind: sum(r["kind"] == kind for r in results) for kind in verdict.ORDER}


def summary(results):
    counts = totals(results)
    built = sum(r["built"] for r in results)
    tried = len(results) - counts[verdict.MISSING] - counts[verdict.NEEDS]
    checked = sum(r["built"] and r["kind"] not in UNCHECKED and
                  not r["reason"].endswith(verdict.UNCHECKED) for r in results)
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


def row(result):
    return [result["name"], result["kind"], cell(result["reason"])]


def markdown(collection, version, counts, rows):
    head = [f"<!-- apps: {collection} -->", f"### {collection}", "", version, "",
            "| " + " | ".join(counts) + " |", "|" + " --- |" * len(counts),
            "| " + " | ".join(str(v) for v in counts.values()) + " |", ""]
    kinds = verdict.ORDER if counts["programs"] <= SHORT else verdict.ORDER[4:]
    lines = ["| " + " | ".join(cells) + " |" for kind in kinds for cells in rows
             if cells[1] == kind]
    if lines:
        lines = ["| program | result | reason |", "| --- | --- | --- |"] + lines
    else:
        lines = ["No program fails."]
    return "\n".join(head + lines + ["", f"<!-- end: {collection} -->"])


def whole(collection, version, results):
    """The section when all programs of the collection have been tried."""
    machines = collections.Counter(r["machine"] for r in results if r.get("machine"))
    version = " ".join([version] + [f"{count} programs ran on {name}."
                                    for name, count in machines.items()])
    return markdown(collection, version, summary(results), [row(r) for r in results])


def was_built(old_kind, result):
    """Whether the program was built the last time, as far as its row tells."""
    if old_kind in (verdict.COMPILE, verdict.LINK, verdict.NOT_TRIED):
        return False
    return old_kind in (*verdict.RAN, *verdict.ORDER[:3]) or result["built"]


def merged(old, collection, tenon, results, names):
    """The old section with the results of some programs replaced. In a long one, programs that
    have no row pass or have no check, which the totals alone tell."""
    version, head, numbers = re.search(r"^### .*\n\n(.*)\n\n\| (.*) \|\n.*\n\| (.*) \|$", old,
                                       re.MULTILINE).groups()
    counts = dict.fromkeys(summary([]), 0)
    counts.update({kind: 0 for kind in verdict.ORDER})
    counts.update(zip(head.split(" | "), map(int, numbers.split(" | "))))
    rows = {cells[0]: cells for cells in
            (line[2:-2].split(" | ", 2) for line in old.splitlines() if line.startswith("| "))
            if len(cells) == 3 and cells[1] in verdict.ORDER}
    for result in results:
        last = rows.pop(result["name"], None)
        if last:
            counts[last[1]] -= 1
            counts[result["kind"]] += 1
            counts["built"] += result["built"] - was_built(last[1], result)
        elif counts[verdict.NOT_TRIED]:
            sys.exit(f"apps: cannot merge '{result['name']}': the table counts programs that were "
                     "not tried, without their names; make the table of all programs again")
        elif result["kind"] not in verdict.ORDER[:2]:
            sys.exit(f"apps: cannot merge '{result['name']}': it passed or had no check, and is "
                     f"now '{result['kind']}'; make the table of all programs again")
        rows[result["name"]] = row(result)
    counts["without other libraries"] = (counts["programs"] - counts[verdict.MISSING] -
                                         counts[verdict.NEEDS])
    counts["with a check"] = (
        counts[verdict.PASSED] + sum(counts[kind] for kind in verdict.RAN) -
        sum(cells[2].endswith(verdict.UNCHECKED) for cells in rows.values()))
    again = f"{len(results)} programs were tried again with {tenon}."
    version = re.sub(r" \d+ programs were tried again with .*?\.(?= |$)", "", version) + " " + again
    kept = list(summary([])) + [kind for kind in verdict.ORDER if counts[kind]]
    return markdown(collection, version, {name: counts[name] for name in kept},
                    [rows[name] for name in names if name in rows])


def write(path, collection, make):
    """Replaces the section of the collection in the file, or appends it. `make` gets the old one."""
    old = ""
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            old = file.read()
    pattern = re.compile(f"<!-- apps: {collection} -->.*<!-- end: {collection} -->", re.DOTALL)
    found = pattern.search(old)
    section = make(found[0] if found else None)
    if found:
        new = old[:found.start()] + section + old[found.end():]
    else:
        new = old.rstrip("\n") + ("\n\n" if old else "") + section + "\n"
    with open(path, "w", encoding="utf-8") as file:
        file.write(new)
