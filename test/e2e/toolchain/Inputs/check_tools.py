# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# clangd and clang-tidy over the examples, with what docs/tools.md says, for tools.test.
# usage: check_tools.py clangd|clang-tidy PROGRAM TENON ROOT
import glob
import json
import os
import re
import shlex
import subprocess
import sys

tool, program, tenon, root = sys.argv[1:]
include = os.path.join(os.path.dirname(os.path.dirname(tenon)), "include")
page = open(os.path.join(root, "docs", "tools.md")).read().replace("/opt/tenon/include", include)

entries = []
for source in sorted(glob.glob("examples/*/*.cpp")):
    if os.path.dirname(source) == "examples/mpi":
        continue
    entries.append({"directory": os.getcwd(), "file": os.path.abspath(source),
                    "arguments": [tenon, "-fsycl", "-fsycl-targets=native_cpu", "-O2", "-c",
                                  os.path.abspath(source)]})
with open("compile_commands.json", "w") as database:
    json.dump(entries, database)

failed = 0
if tool == "clangd":
    with open(".clangd", "w") as recipe:
        recipe.write(re.search(r"```yaml\n(.*?)```", page, re.S).group(1))
    for entry in entries:
        # Of one line what people ask about code; of the whole file its errors.
        run = subprocess.run([program, "--check=" + entry["file"], "--check-lines=20-24"],
                             capture_output=True, text=True)
        if run.returncode != 0 or "All checks completed, 0 errors" not in run.stderr:
            failed += 1
            print(entry["file"])
            print("\n".join(line for line in run.stderr.splitlines() if line.startswith("E[")))
else:
    line = re.search(r"^    clang-tidy (-p.*?) FILE$", page, re.S | re.M).group(1)
    words = shlex.split(line.replace("\\\n", " ").replace("-p build", "-p ."))
    words.append("--removed-arg=-fsycl-targets=native_cpu")
    for entry in entries[:3]:
        run = subprocess.run([program, *words, "--quiet", "--checks=-*,bugprone-use-after-move",
                              entry["file"]], capture_output=True, text=True)
        if run.returncode != 0 or "error:" in run.stdout:
            failed += 1
            print(entry["file"], run.stdout, run.stderr)
print(f"{len(entries)} examples, {failed} failed")
sys.exit(failed != 0)
