# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The table of bench/run --toolchain: building a project of many units, and starting a program that
was compiled ahead of time."""
import concurrent.futures
import contextlib
import json
import os
import re
import shutil
import statistics
import subprocess
import tempfile
import time

import project

JOBS = 2
CHUNK = 10  # units that one side compiles before the other has its turn
RDC_UNITS = 8
STARTS = 151
LINKS = 7
TIME_LINE = re.compile(r"device link: (\d+) groups, (\d+) of them kept from before, ([\d.]+) ms")


class Failure(Exception):
    pass


class Done:
    """How a command went: wall and processor seconds, peak resident bytes of its largest process,
    its messages."""

    def __init__(self, argv, cwd, env):
        with tempfile.TemporaryFile() as messages:
            start = time.perf_counter()
            child = subprocess.Popen(argv, cwd=cwd, env=env, stdin=subprocess.DEVNULL,
                                     stdout=subprocess.DEVNULL, stderr=messages)
            _, status, usage = os.wait4(child.pid, 0)
            self.seconds = time.perf_counter() - start
            child.returncode = os.waitstatus_to_exitcode(status)
            messages.seek(0)
            self.text = messages.read().decode(errors="replace")
        self.peak = usage.ru_maxrss * 1024
        self.cpu = usage.ru_utime + usage.ru_stime
        if child.returncode != 0:
            words = ("undefined", "multiple", "error")
            lines = [line for word in words for line in self.text.splitlines() if word in line]
            raise Failure((lines or [f"{argv[0]} ended with {child.returncode}"])[0][:200])


@contextlib.contextmanager
def ahead():
    """What is run meanwhile goes ahead of whatever else the machine does, where that is allowed."""
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
    except OSError:
        yield ""
        return
    try:
        yield ", at real-time priority"
    finally:
        os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))


class Bench:
    def __init__(self, tenonxx, clangxx, folder, units, row, sample=0):
        self.tenonxx, self.clangxx, self.folder, self.row = tenonxx, clangxx, folder, row
        self.image_tool = os.path.join(os.path.dirname(tenonxx), "tenon-image")
        self.lib_dir = os.path.join(os.path.dirname(os.path.dirname(tenonxx)), "lib")
        self.sources = project.write(folder, units)
        self.units = units
        self.sample = min(sample or units, units)
        self.cache = os.path.join(folder, "cache")
        self.missed = []

    def run(self, argv, **variables):
        env = dict(os.environ, TENON_CACHE_DIR=self.cache, **variables)
        return Done(argv, self.folder, env)

    def compile_all(self, sources, command, suffix):
        """Wall and processor seconds for all, JOBS at a time."""
        start = time.perf_counter()
        with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
            jobs = [pool.submit(self.run, command + ["-c", name, "-o", name.replace(".cpp", suffix)])
                    for name in sources]
            cpu = sum(job.result().cpu for job in jobs)
        return time.perf_counter() - start, cpu

    def is_there(self, name, suffix):
        return os.path.exists(os.path.join(self.folder, name.replace(".cpp", suffix)))

    def objects(self, suffix, sources=None):
        return [name.replace(".cpp", suffix) for name in sources or self.sources]

    def bar(self, what, value, text, holds, note=""):
        self.row(what, value, text, note)
        if not holds:
            self.missed.append(what)

    def full_build(self):
        """All sides in turn, a few units at a time: what else the machine does falls on each alike."""
        sycl = [self.tenonxx, "-fsycl", "-O2"]
        sides = {
            "sycl": (sycl, ".o", sycl),
            "host": (sycl + ["-fsycl-host-only", "--no-auto-pch"], ".host.o",
                     [self.clangxx, "-L" + self.lib_dir, "-ltenon", "-Wl,-rpath," + self.lib_dir]),
            "plain": ([self.clangxx, "-std=c++17", "-O2", "-DPLAIN"], ".plain.o", [self.clangxx]),
        }
        total, cpu = dict.fromkeys(sides, 0.0), dict.fromkeys(sides, 0.0)
        measured = self.sources if self.sample == self.units else self.sources[:self.sample]
        for at in range(0, len(measured), CHUNK):
            for name, (command, suffix, _) in sides.items():
                spent = self.compile_all(measured[at:at + CHUNK], command, suffix)
                total[name] += spent[0]
                cpu[name] += spent[1]
        compile_only = total["sycl"]
        # The rest is there for the links.
        self.compile_all([name for name in self.sources if name not in measured and not self.is_there(name, ".o")], sycl, ".o")
        shutil.rmtree(self.cache, ignore_errors=True)
        links = {"sycl": (self.run(sycl + self.objects(".o") + ["-o", "app-sycl"]), self.sample / self.units)}
        for name in ("host", "plain"):
            suffix, link = sides[name][1:]
            links[name] = (self.run([link[0], "-Wl,--unresolved-symbols=ignore-all",
                                     *self.objects(suffix, measured), *link[1:], "-o", "app-" + name]), 1)
        for name, (done, share) in links.items():
            total[name] += done.seconds * share
            cpu[name] += done.cpu * share
        kernels = self.units * project.KERNELS_PER_UNIT
        sampled = f"; from {self.sample} of the units" if self.sample < self.units else ""
        ratio = total["sycl"] / total["host"]
        self.bar(f"full build, {self.units} units with {kernels} kernels, -j{JOBS}", f"{ratio:.2f} x", "<= 0.7 x",
                 ratio <= 0.7,
                 f"{total['sycl']:.1f} s ({compile_only:.1f} s of it compiling) against {total['host']:.1f} s "
                 "of the host code alone, headers read as they are; processor time "
                 f"{cpu['sycl'] / cpu['host']:.2f} x{sampled}")
        self.row("the same against plain loops without SYCL's headers", f"{total['sycl'] / total['plain']:.2f} x",
                 "printed", f"{total['plain']:.1f} s; processor time {cpu['sycl'] / cpu['plain']:.2f} x")

    def check_program(self):
        """The program computes what the loops compute."""
        sources = self.sources if self.sample == self.units else []
        sums = [subprocess.run([program], cwd=self.folder, capture_output=True, text=True, check=True).stdout.strip()
                for program in ["./app-sycl"] + ["./app-plain"] * bool(sources)]
        if sources and abs(float(sums[0]) - float(sums[1])) > 1e-4 * abs(float(sums[1])):
            raise Failure(f"the program says {sums[0]}, the loops {sums[1]}")

    def link(self, *options, **variables):
        """(seconds of the device link, groups, groups kept from before, all of it)"""
        with ahead():
            done = self.run([self.tenonxx, "-fsycl", "-O2", *options, *self.objects(".o"), "-o", "app"],
                            TENON_LOG="driver", **variables)
        found = TIME_LINE.search(done.text)
        if not found:
            raise Failure("tenon++ does not say how long the device link took")
        return float(found[3]) / 1000, int(found[1]), int(found[2]), done

    def rebuild(self):
        full, again, filling = [], [], []
        for _ in range(3):
            shutil.rmtree(self.cache, ignore_errors=True)
            filling.append(self.link()[0])
        shutil.rmtree(self.cache, ignore_errors=True)
        self.link()
        path = os.path.join(self.folder, self.sources[1])
        text = open(path).read()
        kept = None
        for number in range(LINKS):
            open(path, "w").write(text.replace("0.5f +", f"0.5{number + 1}f +"))
            self.compile_all(self.sources[1:2], [self.tenonxx, "-fsycl", "-O2"], ".o")
            seconds, groups, kept, _ = self.link()
            again.append(seconds)
            full.append(self.link(TENON_CACHE="0")[0])
        open(path, "w").write(text)
        self.compile_all(self.sources[1:2], [self.tenonxx, "-fsycl", "-O2"], ".o")
        a, b = statistics.median(again), statistics.median(full)
        self.bar("one file changed: device link", f"{100 * a / b:.1f} %", "<= 5 % of the full one", a <= 0.05 * b,
                 f"{a * 1000:.0f} ms against {b * 1000:.0f} ms, {LINKS} pairs; least of each: {min(again) * 1000:.0f} and "
                 f"{min(full) * 1000:.0f} ms; {groups - kept} of {groups} images lowered again; "
                 f"a full one that fills the cache: {statistics.median(filling) * 1000:.0f} ms")

    def bitcode_bytes(self):
        out = subprocess.run([self.image_tool, "--json", *self.objects(".o")], cwd=self.folder,
                             capture_output=True, text=True, check=True).stdout
        return sum(unit["code_size"] for file in json.loads(out)["files"] for unit in file["units"])

    def splits(self):
        times = {"off": [], "per_kernel": []}
        peak = {}
        for _ in range(LINKS):
            for mode, seconds in times.items():
                taken, groups, _, done = self.link("-fsycl-device-code-split=" + mode, TENON_CACHE="0")
                seconds.append(taken)
                peak[mode] = done.peak
        peak["auto"] = self.link(TENON_CACHE="0")[3].peak
        ratios = sorted(a / b for a, b in zip(times["per_kernel"], times["off"]))
        ratio = statistics.median(ratios)
        self.bar("-fsycl-device-code-split=per_kernel against off, device link",
                 f"{ratio:.2f} x ({ratios[0]:.2f} to {ratios[-1]:.2f})", "<= 3 x", ratio <= 3,
                 f"{statistics.median(times['per_kernel']) * 1000:.0f} ms against "
                 f"{statistics.median(times['off']) * 1000:.0f} ms")
        bitcode = self.bitcode_bytes()
        limit = 1.5 * bitcode + 200e6
        most = max(peak.values())
        self.bar("peak memory of the link", f"{most / 1e6:.0f} MB", f"<= {limit / 1e6:.0f} MB", most <= limit,
                 f"{bitcode / 1e6:.1f} MB of bitcode read; " +
                 ", ".join(f"{mode} {value / 1e6:.0f} MB" for mode, value in peak.items()))

    def linear(self):
        """per_kernel of a quarter of the units against all of them."""
        part = self.sources[:max(1, self.units // 4)] + ["main.cpp"]
        whole = statistics.median(self.link("-fsycl-device-code-split=per_kernel", TENON_CACHE="0")[0]
                                  for _ in range(LINKS))
        objects = self.objects(".o", part)
        times = []
        for _ in range(LINKS):
            # What the part does not define, it imports: nothing is run.
            with ahead():
                done = self.run([self.tenonxx, "-fsycl", "-O2", "-fsycl-device-code-split=per_kernel",
                                 "-fsycl-allow-device-image-dependencies", "-Wl,--unresolved-symbols=ignore-all",
                                 *objects, "-o", "part"], TENON_LOG="driver", TENON_CACHE="0")
            times.append(float(TIME_LINE.search(done.text)[3]) / 1000)
        quarter = statistics.median(times)
        self.row("per_kernel: all units against a quarter of them", f"{whole / quarter:.1f} x", "printed",
                 f"{whole * 1000:.0f} ms against {quarter * 1000:.0f} ms; 4.0 is linear")

    def no_rdc(self):
        sources = self.sources[:min(RDC_UNITS, self.units)]
        open(os.path.join(self.folder, "few.cpp"), "w").write(
            '#include "shared.hpp"\n#include <cstdio>\nint main() { std::puts(""); }\n')
        sources = sources + ["few.cpp"]
        base = [self.tenonxx, "-fsycl", "-O2", "-DALONE"]
        pairs = []
        for _ in range(2):
            shutil.rmtree(self.cache, ignore_errors=True)
            rdc = self.compile_all(sources, base, ".rdc.o")[0]
            rdc += self.run([self.tenonxx, "-fsycl", *self.objects(".rdc.o", sources), "-o", "app-rdc"],
                            TENON_CACHE="0").seconds
            alone = self.compile_all(sources, base + ["-fno-sycl-rdc"], ".alone.o")[0]
            # Any linker: plain clang++.
            alone += self.run([self.clangxx, *self.objects(".alone.o", sources), "-L" + self.lib_dir, "-ltenon",
                               "-Wl,-rpath," + self.lib_dir, "-o", "app-alone"]).seconds
            pairs.append((alone, rdc))
        ratio = statistics.median(a / b for a, b in pairs)
        self.bar("-fno-sycl-rdc build against the RDC build", f"{ratio:.2f} x", "<= 1 x", ratio <= 1.0,
                 f"{len(sources)} units: {min(p[0] for p in pairs):.1f} s against {min(p[1] for p in pairs):.1f} s; "
                 "linked by clang++-22, so without device work")
        plan = subprocess.run([self.tenonxx, "-fsycl", "-###", *self.objects(".alone.o", sources), "-o", "x"],
                              cwd=self.folder, capture_output=True, text=True)
        works = [line for line in (plan.stdout + plan.stderr).splitlines() if '"device-link"' in line]
        self.bar("device steps in tenon++'s link of such objects", str(len(works)), "0", not works)

    def start(self):
        with open(os.path.join(self.folder, "hello.cpp"), "w") as file:
            file.write("""#include <sycl/sycl.hpp>
#include <cstdio>
int main() {
  sycl::queue q;
  int *out = sycl::malloc_shared<int>(16, q);
  q.parallel_for(sycl::range<1>(16), [=](sycl::id<1> i) { out[i] = 2 * static_cast<int>(i[0]); }).wait();
  std::printf("%d\\n", out[15]);
  sycl::free(out, q);
}
""")
        open(os.path.join(self.folder, "empty.cpp"), "w").write("int main() {}\n")
        self.run([self.clangxx, "-O2", "empty.cpp", "-o", "empty"])
        self.run([self.tenonxx, "-fsycl", "-O2", "-fsycl-targets=native_cpu", "hello.cpp", "-o", "hello"])
        out = subprocess.run(["./hello"], cwd=self.folder, capture_output=True, text=True).stdout
        if out != "30\n":
            raise Failure(f"hello printed {out!r}")
        nowhere = os.open(os.devnull, os.O_WRONLY)

        def wall(name):
            path = os.path.join(self.folder, name)
            begin = time.perf_counter()
            pid = os.posix_spawn(path, [path], os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, nowhere, 1)])
            usage = os.wait4(pid, 0)[2]
            return (time.perf_counter() - begin) * 1000, (usage.ru_utime + usage.ru_stime) * 1000

        with ahead() as how:
            pairs = [(wall("hello"), wall("empty")) for _ in range(STARTS)][1:]
        more, cpu = (statistics.median(a[i] - b[i] for a, b in pairs) for i in (0, 1))
        a, b = (statistics.median(pair[i][0] for pair in pairs) for i in (0, 1))
        least = min(a[0] for a, _ in pairs) - min(b[0] for _, b in pairs)
        self.bar("native_cpu ahead of time, hello: wall over an empty C++ program", f"{more:.2f} ms", "<= 2 ms",
                 more <= 2, f"{a:.2f} ms against {b:.2f} ms, {STARTS - 1} pairs{how}; least of each: {least:.2f} ms more; "
                 f"processor time {cpu:.2f} ms more")


def table(tenonxx, clangxx, units, row, sample=0, kept=None):
    """Adds the rows; returns what missed its bar or could not be measured. In the folder `kept` objects
    stay for the next time."""
    with tempfile.TemporaryDirectory(prefix="tenon-bench-") as folder:
        bench = Bench(tenonxx, clangxx, kept or folder, units, row, sample)
        steps = [bench.start, bench.full_build, bench.check_program, bench.rebuild, bench.splits, bench.linear,
                 bench.no_rdc]
        for step in steps:
            try:
                step()
            except (Failure, subprocess.CalledProcessError) as failure:
                row(step.__name__.replace("_", " "), "not measured", "", str(failure))
                bench.missed.append(step.__name__)
        return bench.missed
