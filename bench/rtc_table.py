# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The table of bench/run --rtc: from source to code while a program runs, beside NVRTC."""
import os
import statistics
import subprocess

import cache_table

PROCESSES = 7
GROWTH_BUILDS = 1000


class Bench:
    def __init__(self, root, build, clangxx, folder, row):
        self.folder, self.row, self.missed = folder, row, []
        self.compiler = os.path.join(build, "lib/libtenon-compiler.so")
        clang = clangxx.replace("clang++", "clang")
        lib = os.path.join(build, "lib")
        subprocess.run([clang, "-std=gnu17", "-O2", os.path.join(root, "bench/rtc/rtc_speed.c"),
                        "-I", os.path.join(root, "include"), "-L", lib, "-ltenon", "-lpthread",
                        "-ldl", "-Wl,-rpath," + lib, "-o", "rtc_speed"], cwd=folder, check=True)

    def bar(self, what, value, text, holds, note=""):
        self.row(what, value, text if holds else text + " **missed**", note)
        if not holds:
            self.missed.append(what)

    def ask(self, *arguments, cache="0"):
        """What one process says."""
        env = dict(os.environ, TENON_CACHE=cache, TENON_CACHE_DIR=os.path.join(self.folder, "cache"))
        out = subprocess.run(["./rtc_speed", *arguments], cwd=self.folder, env=env, check=True,
                             capture_output=True, text=True).stdout
        return cache_table.values_of(out)

    def in_turn(self, questions):
        """{name: medians of what processes say}, one process of each in turn."""
        answers = {name: [] for name in questions}
        for _ in range(PROCESSES):
            for name, question in questions.items():
                answers[name].append(self.ask(*question))
        return {name: {key: statistics.median(one[key] for one in all_of) for key in all_of[0]}
                for name, all_of in answers.items()}

    def targets(self, note):
        compiled = {"nvrtc": ["nvrtc"],
                    "PTX": ["target", self.compiler, "nvptx64-nvidia-cuda", "sm_90"],
                    "SPIR-V": ["target", self.compiler, "spirv64"],
                    "CPU": ["cpu"]}
        got = self.in_turn(compiled)
        ptx, nvrtc = got["PTX"], got["nvrtc"]
        has_nvrtc = "absent" not in nvrtc
        for which, most in (("first", 0.75), ("later", 0.5)):
            value = ptx[which + "_ms"]
            other = nvrtc[which + "_ms"] if has_nvrtc else 0
            text = f"NVRTC {nvrtc['version']}: {other:.1f} ms" if has_nvrtc else "NVRTC is not installed"
            ratio = f", {value / other:.2f} x NVRTC's" if has_nvrtc else ""
            self.bar(f"vec_add to PTX, {which} build", f"{value:.1f} ms{ratio}",
                     f"<= {most} x NVRTC's", not has_nvrtc or value <= most * other, text + note)
        for name, what in (("CPU", "to a kernel on the CPU"), ("SPIR-V", "to SPIR-V")):
            for which, most in (("first", 60), ("later", 25)):
                value = got[name][which + "_ms"]
                self.bar(f"vec_add {what}, {which} build", f"{value:.1f} ms", f"<= {most} ms",
                         value <= most, note.strip(", "))
        self.bar("hit in memory", f"{got['CPU']['hit_us']:.1f} us", "<= 20 us",
                 got["CPU"]["hit_us"] <= 20)
        for name, one in got.items():
            if "peak_kb" in one:
                self.row(f"peak resident size, {name}", f"{one['peak_kb'] / 1024:.0f} MB", "printed", "")

    def disk(self):
        os.mkdir(os.path.join(self.folder, "cache"), 0o700)
        self.ask("disk", cache="1")
        found = [self.ask("disk", cache="1") for _ in range(PROCESSES)]
        ms = statistics.median(one["first_ms"] for one in found)
        is_light = all(one["llvm"] == 0 for one in found)
        self.bar("hit on disk, a process's first build", f"{ms:.2f} ms", "<= 1.5 ms, without LLVM",
                 ms <= 1.5 and is_light, "LLVM is not in the process" if is_light else "with LLVM")

    def threads(self):
        got = self.in_turn({n: ["threads", self.compiler, n] for n in ("1", "2")})
        ratio = got["1"]["all_ms"] / got["2"]["all_ms"]
        self.bar("100 different kernels, 2 threads against one", f"{ratio:.2f} x", ">= 1.8 x",
                 ratio >= 1.8, f"{got['1']['all_ms']:.0f} ms against {got['2']['all_ms']:.0f} ms")

    def growth(self):
        got = self.ask("grow", self.compiler, str(GROWTH_BUILDS))
        self.bar(f"growth over {GROWTH_BUILDS} builds", f"{got['growth_kb'] / 1024:.1f} MB", "<= 10 MB",
                 got["growth_kb"] <= 10 * 1024, f"peak {got['peak_kb'] / 1024:.0f} MB")


def table(root, build, clangxx, folder, row):
    bench = Bench(root, build, clangxx, folder, row)
    with cache_table.ahead() as note:
        bench.targets(note)
        bench.disk()
        bench.threads()
    bench.growth()
    return bench.missed
