# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The table of bench/run --compile: what SYCL sources take to compile, against the host's code alone."""
import os
import resource
import statistics
import subprocess
import time

ROUNDS = 9

# A small program, and what its host side is without SYCL: the standard headers that it names.
SMALL = """#include <sycl/sycl.hpp>
#include <iostream>
#include <vector>
int main() {
  sycl::queue q;
  std::vector<int> v(1024);
  {
    sycl::buffer<int> b(v.data(), v.size());
    q.submit([&](sycl::handler &h) {
      sycl::accessor a(b, h, sycl::write_only);
      h.parallel_for(sycl::range<1>(v.size()), [=](sycl::id<1> i) { a[i] = static_cast<int>(i[0]) * 2; });
    });
  }
  std::cout << v[10] << "\\n";
}
"""
PLAIN = """#include <iostream>
#include <vector>
int main() {
  std::vector<int> v(1024);
  for (int i = 0; i < 1024; i++) v[i] = i * 2;
  std::cout << v[10] << "\\n";
}
"""


def kernels(has_sycl):
    """A source of 500 lines: 40 kernels over vectors, or the same loops."""
    lines = ["#include <sycl/sycl.hpp>"] if has_sycl else []
    lines += ["#include <cmath>", "#include <cstdio>", "#include <vector>", ""]
    for k in range(40):
        body = [f"    float t = x[i] * {k + 1}.5f;", f"    for (int n = 0; n < {k % 5 + 2}; n++) {{",
                "      t = t * t + x[i];", "      if (t > 100.0f) t -= 99.0f;", "    }", "    y[i] = t;"]
        if has_sycl:
            lines += [f"void step{k}(sycl::queue &q, const float *x, float *y, std::size_t count) {{",
                      "  q.parallel_for(sycl::range<1>(count), [=](sycl::id<1> at) {", "    const std::size_t i = at[0];",
                      *body, "  });", "}", ""]
        else:
            lines += [f"void step{k}(const float *x, float *y, std::size_t count) {{",
                      "  for (std::size_t i = 0; i < count; i++) {", *body, "  }", "}", ""]
    return "\n".join(lines) + "\n"


def run(argv, folder, env):
    """Wall time, processor time of all that was started, and the largest resident size in MiB."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    child = subprocess.Popen(argv, cwd=folder, env=env, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if child.returncode != 0:
        raise subprocess.CalledProcessError(child.returncode, argv)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return wall, cpu, usage.ru_maxrss / 1024


def table(tenonxx, clangxx, folder, row):
    """Whether a bar was missed."""
    for name, text in (("small.cpp", SMALL), ("plain.cpp", PLAIN), ("kernels.cpp", kernels(True)),
                       ("loops.cpp", kernels(False))):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)
    env = dict(os.environ, TENON_CACHE="1", TENON_CACHE_DIR=os.path.join(folder, "cache"))
    ours = [tenonxx, "-fsycl", "-O2"]
    theirs = [clangxx, "-O2"]
    lines = [
        ("compile and link a small program, preamble there", [*ours, "small.cpp", "-o", "small"],
         [*theirs, "plain.cpp", "-o", "plain"], 0.8),
        ("the same, nothing kept, preambles of the installation", ["env", "TENON_CACHE=0", *ours, "small.cpp", "-o", "small"],
         [*theirs, "plain.cpp", "-o", "plain"], 1.0),
        ("the same, no preamble at all", [*ours, "--no-auto-pch", "small.cpp", "-o", "small"],
         [*theirs, "plain.cpp", "-o", "plain"], 2.0),
        ("compile 500 lines with 40 kernels after an edit", [*ours, "-c", "kernels.cpp", "-o", "kernels.o"],
         [*theirs, "-c", "loops.cpp", "-o", "loops.o"], 1.0),
    ]
    missed = False
    for what, mine, other, bar in lines:
        for _ in range(3):  # the second makes what is the source's own
            run(mine, folder, env)
        run(other, folder, env)
        pairs = [(run(mine, folder, env), run(other, folder, env)) for _ in range(ROUNDS)]
        wall, cpu, size = (statistics.median(a[i] / b[i] for a, b in pairs) for i in range(3))
        a, b = (statistics.median(p[k][1] for p in pairs) * 1000 for k in range(2))
        row(what, f"{cpu:.2f} x, wall {wall:.2f} x", f"<= {bar} x",
            f"processor time {a:.0f} ms against {b:.0f} ms of clang++; resident size {size:.2f} x (bar 1.3)")
        missed = missed or cpu > bar
    return missed
