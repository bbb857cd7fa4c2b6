# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The table of bench/run --opencl: SYCL on an OpenCL driver beside OpenCL by hand on the same."""
import glob
import os
import statistics
import subprocess

import cpu_table

# The largest ratio of times, by what a line's name begins with.
BARS = [("launches", 1.2), ("launch and wait", 1.2), ("graph", 1.2), ("build", 1.1), ("compile and link", 1.2), ("", 1 / 0.97)]
STARTS = 15
OWN_PAIRS = 5
LATER_BY = 2.0  # ms
CPU_LATER_BY = 1.0


def build(root, tenonxx, folder):
    place = os.path.join(root, "bench/opencl")
    base = [tenonxx, "-fsycl", "-O2", "-Wall", "-Wextra", "-fsycl-targets=spir64"]
    builds = os.path.join(place, "opencl_builds.cpp")
    libraries = []
    for part in "123":
        subprocess.run([*base, f"-DPART={part}", "-fPIC", "-shared", builds, "-o", f"libstep{part}.so"],
                       cwd=folder, check=True)
        libraries.append(f"-lstep{part}")
    loader = ["-l:libOpenCL.so.1"]
    subprocess.run([*base, "-fsycl-device-code-split=per_kernel", builds, "-L.", *libraries, "-Wl,-rpath,$ORIGIN",
                    "-o", "builds", *loader], cwd=folder, check=True)
    image = os.path.join(os.path.dirname(tenonxx), "tenon-image")
    for name in ["builds"] + [f"libstep{part}.so" for part in "123"]:
        subprocess.run([image, "--extract-code", "-o", "code", name], cwd=folder, check=True,
                       stdout=subprocess.DEVNULL)
    for name, source, targets in (("runtime", "runtime", "spir64"), ("graph", "graph", "spir64"), ("start", "start", "spir64"),
                                  ("start_cpu", "start", "native_cpu"), ("start_both", "start", "spir64,native_cpu")):
        subprocess.run([*base[:-1], "-fsycl-targets=" + targets, os.path.join(place, f"opencl_{source}.cpp"),
                        "-o", name, *loader], cwd=folder, check=True)


def run(driver, folder, words, **environment):
    env = {**os.environ, "ONEAPI_DEVICE_SELECTOR": "opencl:0", **environment}
    env = {name: value for name, value in env.items() if value is not None}
    done = subprocess.run([*([os.path.join(driver, "run")] if driver else []), *words], cwd=folder, env=env,
                          capture_output=True, text=True, timeout=600)
    if done.returncode != 0:
        raise SystemExit(f"bench: {' '.join(words)} failed:\n{done.stderr}")
    return done.stdout


def compared(driver, folder, words, row, **environment):
    missed = 0
    lines = run(driver, folder, words, **environment).splitlines()
    if not lines:
        raise SystemExit(f"bench: {' '.join(words)} measured nothing")
    for line in lines:
        name, ours, theirs, unit, ratio = line.split("\t")
        bar = next(bar for start, bar in BARS if name.startswith(start))
        is_missed = float(ratio) > bar
        missed += is_missed
        row(name, f"{ratio} x", f"<= {bar:.2f} x" + (", missed" if is_missed else ""),
            f"{ours} {unit} against {theirs} {unit}")
    return missed


def starts(driver, folder, row):
    """A process with the kernel in the cache, in turn with one that loads a binary."""
    kept = os.path.join(folder, "kept")
    run(driver, folder, ["./start", "sycl"], TENON_CACHE_DIR=kept)
    run(driver, folder, ["./start", "store", "binary"])
    pairs = [(float(run(driver, folder, ["./start", "sycl"], TENON_CACHE_DIR=kept)),
              float(run(driver, folder, ["./start", "binary", "binary"]))) for _ in range(STARTS)]
    later = statistics.median(a - b for a, b in pairs)
    ours, theirs = (statistics.median(pair[i] for pair in pairs) for i in (0, 1))
    row("start to the first kernel's end, program on disk", f"{later:+.2f} ms",
        f"<= {LATER_BY} ms later" + (", missed" if later > LATER_BY else ""),
        f"{ours:.1f} ms against {theirs:.1f} ms, OpenCL C's binary loaded")
    return later > LATER_BY


def cpu_starts(driver, folder, row):
    """The first queue of the default device, with ten drivers installed and with none."""
    with open(os.path.join(driver, "driver"), encoding="utf-8") as file:
        library = file.read().strip()
    installed = os.path.join(folder, "installed")
    os.makedirs(installed)
    for number in range(10):
        link = os.path.join(installed, f"driver{number}")
        os.symlink(os.path.dirname(library), link)
        with open(os.path.join(installed, f"{number}.icd"), "w", encoding="utf-8") as file:
            file.write(os.path.join(link, os.path.basename(library)) + "\n")

    def first(program, drivers):
        env = {"ONEAPI_DEVICE_SELECTOR": None, "OCL_ICD_FILENAMES": None, "OCL_ICD_VENDORS": drivers}
        return float(run(None, folder, [f"./{program}", "cpu"], **env))

    missed = 0
    for program, what, bar in (("start_cpu", "a program for the CPU", CPU_LATER_BY),
                               ("start_both", "one for OpenCL as well, which looks for a GPU", None)):
        pairs = [(first(program, installed), first(program, "/nonexistent")) for _ in range(STARTS)]
        later = statistics.median(a - b for a, b in pairs)
        is_missed = bar is not None and later > bar
        missed += is_missed
        row(f"first queue on the CPU, ten drivers installed, {what}", f"{later:+.2f} ms",
            (f"<= {bar} ms later" if bar else "printed") + (", missed" if is_missed else ""),
            f"{statistics.median(pair[1] for pair in pairs):.2f} ms with none")
    return missed


def own_device(root, tenonxx, driver, folder, row):
    """The kernels of bench/run --cpu on Tenon's CPU device, in turn with the same on the driver's."""
    # With native_cpu as well it would be machine code for the processor that all have.
    subprocess.run([tenonxx, "-fsycl", "-O3", "-fsycl-targets=spir64",
                    os.path.join(root, "bench/cpu/cpu_sycl_kernels.cpp"), "-o", "cpu_sycl"], cwd=folder, check=True)
    missed = 0
    for name, what, _, _, _, _ in cpu_table.KERNELS:
        times, results = [], []
        for _ in range(OWN_PAIRS):
            pair = [run(None, folder, ["./cpu_sycl", name], ONEAPI_DEVICE_SELECTOR="cpu:*").split(),
                    run(driver, folder, ["./cpu_sycl", name]).split()]
            times.append([float(words[1]) for words in pair])
            results += [float(words[3]) for words in pair]
        if max(results) - min(results) > 1e-5 * abs(results[0]):
            raise SystemExit(f"bench: {name}: results differ: {results}")
        ratio = statistics.median(theirs / ours for ours, theirs in times)
        missed += ratio < 1
        ours, theirs = (statistics.median(pair[i] for pair in times) * 1e3 for i in (0, 1))
        row(f"Tenon's CPU device: {what}", f"{ratio:.2f} x as fast", ">= 1.0 x" + (", missed" if ratio < 1 else ""),
            f"{ours:.4g} ms against {theirs:.4g} ms on the driver's device")
    return missed


def table(root, tenonxx, driver, folder, row):
    build(root, tenonxx, folder)
    codes = [sorted(glob.glob(os.path.join(folder, "code", f"{name}.*.spv")))
             for name in ("builds", "libstep1.so", "libstep2.so", "libstep3.so")]
    missed = compared(driver, folder, ["./runtime"], row)
    missed += compared(driver, folder, ["./graph"], row)
    missed += compared(driver, folder, ["./builds", *codes[0][:1], *codes[0][1:], *sum(codes[1:], [])], row, TENON_CACHE="0")
    missed += starts(driver, folder, row)
    missed += cpu_starts(driver, folder, row)
    missed += own_device(root, tenonxx, driver, folder, row)
    return missed
