# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# run_many.py [--kill] COUNT COMMAND...: runs it so many times at once; prints the results, each
# once, and the sum of the builds. With --kill, one process more is started and killed.
import re
import subprocess
import sys
import time

arguments = sys.argv[1:]
kills = arguments[0] == "--kill"
count, *command = arguments[kills:]


def start():
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


victim = start() if kills else None
if victim:
    time.sleep(0.03)  # somewhere on its way; where does not matter to the result
running = [start() for _ in range(int(count))]
if victim:
    victim.kill()
    victim.communicate()
outputs = [process.communicate()[0] for process in running]
codes = {process.returncode for process in running}
for result in sorted({output.split("\n")[0] for output in outputs}):
    print("results:", result)
print("builds:", sum(int(re.search(r"builds (\d+)", output).group(1)) for output in outputs))
sys.exit(max(codes, key=abs))
