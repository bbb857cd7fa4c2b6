# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The table of bench/run --cache: starting on warm caches, what hits cost, and many processes that
start on one cold cache."""
import contextlib
import glob
import importlib.machinery
import importlib.util
import os
import resource
import shutil
import statistics
import subprocess
import time

STARTS = 101
FIRST_HITS = 41
CROWD = 64
# (what, macros, rounds): programs whose cold start in one process takes about a second, and little.
CROWDS = [
    ("8 programs", ["-DPARTS=8", "-DLENGTH=4"], 5, "<= 1.5 x"),
    ("1 small program", ["-DPARTS=1", "-DLENGTH=0"], 5, "printed"),
]
HUNDRED_KB = ["-DPARTS=3", "-DLENGTH=4"]


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


def values_of(text):
    """{name: number} of "name value" lines, or of one line of them."""
    words = text.split()
    return {name: float(value) for name, value in zip(words[::2], words[1::2])}


class Bench:
    def __init__(self, root, tenonxx, folder, row):
        self.root, self.tenonxx, self.folder, self.row = root, tenonxx, folder, row
        self.lib_dir = os.path.join(os.path.dirname(os.path.dirname(tenonxx)), "lib")
        self.missed = []

    def bar(self, what, value, text, holds, note=""):
        self.row(what, value, text, note)
        if not holds:
            self.missed.append(what)

    def compile(self, *arguments):
        env = dict(os.environ, TENON_CACHE="0")
        subprocess.run([self.tenonxx, "-fsycl", "-O2", *arguments], cwd=self.folder, env=env, check=True)

    def environment(self, cache, **more):
        return dict(os.environ, LD_LIBRARY_PATH=f"{self.folder}:{self.lib_dir}", TENON_CACHE="1",
                    TENON_CACHE_DIR=cache, **more)

    def run(self, program, cache, *arguments, **more):
        return subprocess.run([os.path.join(self.folder, program), *arguments], check=True, text=True,
                              env=self.environment(cache, **more), capture_output=True).stdout

    def timed(self, program, env):
        start = time.perf_counter()
        child = subprocess.Popen([os.path.join(self.folder, program)], env=env, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
        seconds = time.perf_counter() - start
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode != 0:
            raise SystemExit(f"bench: {program} ended with {child.returncode}")
        return seconds, usage.ru_utime + usage.ru_stime

    def libraries_of(self, program, cache):
        """Those of LLVM and the compiler that the process has mapped at its end. What is preloaded is
        part of what a cache knows a toolchain by, so that the second such start is the warm one."""
        out = os.path.join(self.folder, "maps")
        for _ in range(2):
            self.run(program, cache, LD_PRELOAD=os.path.join(self.folder, "watch_maps.so"), WATCH_MAPS=out)
        with open(out) as lines:
            return sorted({os.path.basename(line.strip()) for line in lines})

    def starts(self):
        examples = os.path.join(self.root, "examples/dynamic-link")
        app, lib = os.path.join(examples, "app.cpp"), os.path.join(examples, "lib.cpp")
        self.compile(lib, "-fPIC", "-shared", "-o", "libhelpers.so")
        self.compile(app, "-L.", "-lhelpers", "-o", "dynamic")
        self.compile(app, lib, "-o", "static")
        subprocess.run(["clang-22", "-O1", "-shared", "-fPIC", "-o", "watch_maps.so",
                        os.path.join(self.root, "bench/cache/watch_maps.c")], cwd=self.folder, check=True)
        cache = os.path.join(self.folder, "cache-start")
        outputs = [self.run(program, cache) for program in ("dynamic", "static", "dynamic", "static")]
        if len(set(outputs)) != 1:
            raise SystemExit(f"bench: the programs print different things: {outputs}")
        env = self.environment(cache)
        cold = [self.timed("dynamic", dict(env, TENON_CACHE="0"))[0] for _ in range(5)]
        pairs = []
        with ahead() as how:
            for _ in range(STARTS):
                pairs.append((self.timed("dynamic", env), self.timed("static", env)))
        ratios = sorted(a[0] / b[0] for a, b in pairs)
        ratio = statistics.median(ratios)
        wall = [statistics.median(p[side][0] for p in pairs) * 1000 for side in (0, 1)]
        cpu = [statistics.median(p[side][1] for p in pairs) * 1000 for side in (0, 1)]
        self.bar("dynamic-link example, warm start: against one file", f"{ratio:.2f} x", "<= 1.3 x", ratio <= 1.3,
                 f"{wall[0]:.2f} ms against {wall[1]:.2f} ms, {STARTS} pairs{how}; middle half of the ratios "
                 f"{ratios[STARTS // 4]:.2f} to {ratios[STARTS * 3 // 4]:.2f}; processor time {cpu[0]:.2f} and "
                 f"{cpu[1]:.2f} ms; without a cache {statistics.median(cold) * 1000:.0f} ms")
        loaded = {program: self.libraries_of(program, cache) for program in ("dynamic", "static")}
        self.bar("libraries of the compiler and LLVM in these processes", str(sum(map(len, loaded.values()))), "0",
                 not any(loaded.values()), ", ".join(sum(loaded.values(), [])))

    def hits(self):
        source = os.path.join(self.root, "bench/cache/cache_hit.cpp")
        self.compile(*HUNDRED_KB, source, "-o", "hit")
        cache = os.path.join(self.folder, "cache-hit")
        cold = values_of(self.run("hit", cache, "disk"))
        sizes = [os.path.getsize(name) for name in glob.glob(cache + "/program/*/*") if len(os.path.basename(name)) > 8]
        with ahead() as how:
            runs = [values_of(self.run("hit", cache, "disk")) for _ in range(FIRST_HITS)]
        if any(run["builds"] or run["disk_hits"] != 1 for run in runs):
            raise SystemExit("bench: a warm start built something")
        times = sorted(run["first_ns"] / 1e6 for run in runs)
        hit = statistics.median(times)
        self.bar(f"hit on disk, entry of {sum(sizes) // 1000} kB", f"{hit:.2f} ms", "<= 1 ms", hit <= 1,
                 f"the first tn_kernel_from_slot of a process, {FIRST_HITS} processes{how}; "
                 f"{times[0]:.2f} to {times[-1]:.2f} ms; when it has to be built {cold['first_ns'] / 1e6:.0f} ms")
        self.compile("-DPARTS=1", "-DLENGTH=1", source, "-o", "hit")
        with ahead():
            memory = values_of(self.run("hit", cache))
        self.bar("hit in memory, added to a launch", f"{memory['added_ns']:.0f} ns", "<= 50 ns", memory["added_ns"] <= 50,
                 f"launches that name the slot, {memory['launch_by_slot_ns']:.0f} ns, against launches that have the "
                 f"kernel, {memory['launch_by_kernel_ns']:.0f} ns; tn_kernel_from_slot alone {memory['look_up_ns']:.0f} ns")

    def crowd_once(self, count, cache, keep=False):
        """(wall and processor seconds, what the processes say) of so many that start together, on an
        empty cache unless it is kept."""
        if not keep:
            shutil.rmtree(cache, ignore_errors=True)
        env = self.environment(cache)
        spent = resource.getrusage(resource.RUSAGE_CHILDREN)
        start = time.perf_counter()
        children = [subprocess.Popen([os.path.join(self.folder, "crowd")], env=env, stdout=subprocess.PIPE, text=True)
                    for _ in range(count)]
        said = [child.communicate()[0] for child in children]
        seconds = time.perf_counter() - start
        if any(child.returncode != 0 for child in children):
            raise SystemExit(f"bench: one of {count} processes failed: {said}")
        now = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = now.ru_utime + now.ru_stime - spent.ru_utime - spent.ru_stime
        return (seconds, cpu), [values_of(text) for text in said]

    def crowds(self):
        source = os.path.join(self.root, "bench/cache/cache_crowd.cpp")
        places = [("local disk", self.folder)]
        if os.access("/dev/shm", os.W_OK):
            places.append(("tmpfs", "/dev/shm"))
        for what, macros, rounds, text in CROWDS:
            self.compile(*macros, "-fsycl-device-code-split=per_kernel", source, "-o", "crowd")
            for place, folder in places:
                cache = os.path.join(folder, f"tenon-bench-{os.getpid()}")
                alone, all_of_them, warm, waits, programs, builds = [], [], [], [], set(), set()
                with ahead() as how:
                    for _ in range(rounds):
                        spent, said = self.crowd_once(1, cache)
                        alone.append(spent)
                        programs.add(int(said[0]["builds"]))
                        spent, said = self.crowd_once(CROWD, cache)
                        all_of_them.append(spent)
                        builds.add(int(sum(one["builds"] for one in said)))
                        waits.append(sum(one["waits"] for one in said))
                        warm.append(self.crowd_once(CROWD, cache, keep=True)[0][0])
                shutil.rmtree(cache, ignore_errors=True)
                ratio = statistics.median(a[0] / b[0] for a, b in zip(all_of_them, alone))
                middle = lambda spent, which: statistics.median(one[which] for one in spent) * 1000
                shown = "/".join(map(str, sorted(builds)))
                self.bar(f"{CROWD} processes cold on one cache, {what}, {place}: compiles", shown,
                         "/".join(map(str, sorted(programs))), builds == programs,
                         f"{statistics.median(waits):.0f} look-ups waited for another process")
                self.bar(f"the same, wall against one process", f"{ratio:.2f} x", text,
                         ratio <= 1.5 or text == "printed",
                         f"{middle(all_of_them, 0):.0f} ms against {middle(alone, 0):.0f} ms, {rounds} rounds{how}; "
                         f"processor time {middle(all_of_them, 1):.0f} and {middle(alone, 1):.0f} ms; {CROWD} processes on the warm cache take {statistics.median(warm) * 1000:.0f} ms")


    def libraries(self):
        """What bench/linking/run measures."""
        path = os.path.join(self.root, "bench/linking/run")
        loader = importlib.machinery.SourceFileLoader("linking_run", path)
        module = importlib.util.module_from_spec(importlib.util.spec_from_loader("linking_run", loader))
        loader.exec_module(module)
        for what, value, text, holds in module.rows(1000):
            self.bar(what, value, text, holds)


def table(root, tenonxx, folder, row):
    """Names of the bars that are missed."""
    bench = Bench(root, tenonxx, folder, row)
    bench.starts()
    bench.hits()
    bench.crowds()
    bench.libraries()
    return bench.missed
