# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The CPU table of bench/run --cpu: SYCL kernels against the same in C with OpenMP, in turn."""
import glob
import os
import shutil
import statistics
import subprocess
import sys

# name in both programs, what it is, against what, the least ratio, work of one run and its unit
KERNELS = [
    ("triad", "STREAM triad, 3 x 128 MiB", "omp parallel for simd", 0.97, 3 * 8 * 2**24, "GB/s"),
    ("n-body", "n-body, 8192 bodies, a work-item each", "16 bodies as SIMD lanes", 0.8,
     20 * 8192**2, "GFLOP/s"),
    ("sgemm-naive", "naive sgemm, 1024", "ikj", 0.7, 2 * 1024**3, "GFLOP/s"),
    ("sgemm-tiled", "tiled sgemm, 1024, local memory", "16 x 16 tiles in vector registers", 0.8,
     2 * 1024**3, "GFLOP/s"),
    ("black-scholes", "black-scholes, 2 Mi options", "omp simd", 0.9, 2**21, "Goption/s"),
    ("stencil", "5-point stencil, 2048 x 2048", "omp simd", 0.9, 2**22, "Gpoint/s"),
    ("mandelbrot", "mandelbrot, 1024 x 1024, 256 steps", "16 pixels as SIMD lanes", 0.9,
     2**20, "Gpixel/s"),
    ("reduce-tree", "tree reduction with barriers, 16 Mi floats", "omp simd reduction", 0.7,
     4 * 2**24, "GB/s"),
    ("reduce-sycl", "sycl::reduction, 16 Mi floats", "omp simd reduction", 0.9, 4 * 2**24, "GB/s"),
    ("histogram", "256-bin histogram, local atomics, 32 MiB", "omp reduction of an array", 0.9,
     2**25, "GB/s"),
    ("scan", "exclusive scan, 16 Mi numbers", "two passes, a part a thread", 0.9, 2**24,
     "Gnumber/s"),
]
PAIRS = 7
# errno is for nobody here, and would keep sqrtf from being an instruction; nothing else is relaxed.
C_FLAGS = ["-std=gnu17", "-O3", "-march=native", "-fopenmp", "-fno-math-errno"]


def openmp_library():
    """Where clang's OpenMP runtime is, which may be another version's: ["-L..."], or nothing."""
    found = glob.glob("/usr/lib/llvm-*/lib/libomp.so")
    number = lambda path: int(path.split("llvm-")[1].split("/")[0])
    return ["-L" + os.path.dirname(path) for path in sorted(found, key=number, reverse=True)]


def build(root, tenonxx, folder):
    clang = shutil.which("clang-22") or "clang"
    source = os.path.join(root, "bench/cpu/cpu_c_kernels.c")
    base = [clang, *C_FLAGS, source, "-lm", *openmp_library()]
    done = subprocess.run(base + ["-o", "cpu_c"], cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit("bench: the C side needs clang's OpenMP runtime (libomp-14-dev or newer):\n"
                         + done.stderr)
    # Also with a library of vector functions, which the C side may choose and C's flags do not name.
    subprocess.run(base + ["-fveclib=libmvec", "-lmvec", "-o", "cpu_c_mvec"], cwd=folder, check=True)
    subprocess.run([tenonxx, "-fsycl", "-O3", os.path.join(root, "bench/cpu/cpu_sycl_kernels.cpp"),
                    "-o", "cpu_sycl"], cwd=folder, check=True)


def sample(folder, program, kernel, threads):
    # The full tier from the start: what is measured is its code.
    env = dict(os.environ, OMP_NUM_THREADS=str(threads), TENON_CPU_THREADS=str(threads), TENON_TIERED="0")
    out = subprocess.run([os.path.join(folder, program), kernel], env=env, capture_output=True,
                         text=True, timeout=300)
    words = out.stdout.split()
    if out.returncode != 0 or len(words) != 4:
        raise RuntimeError((out.stderr.strip() or f"{program} {kernel}: no result").splitlines()[-1])
    return float(words[1]), float(words[3])


def compare(folder, kernel, threads, c_program="cpu_c"):
    """Medians of both sides, and of the throughput ratios pair by pair, which are sorted."""
    pairs = []
    for _ in range(PAIRS):
        c = sample(folder, c_program, kernel, threads)
        ours = sample(folder, "cpu_sycl", kernel, threads)
        if abs(c[1] - ours[1]) > 1e-5 * abs(c[1]):
            raise RuntimeError(f"results differ: C {c[1]:.12g}, SYCL {ours[1]:.12g}")
        pairs.append((c[0], ours[0]))
    ratios = sorted(c / ours for c, ours in pairs)
    return statistics.median(p[0] for p in pairs), statistics.median(p[1] for p in pairs), ratios


def table(root, tenonxx, folder, only=()):
    """(rows, names of kernels below their bar or wrong)"""
    threads = min(2, os.cpu_count())
    build(root, tenonxx, folder)
    rows, missed = [], []
    for name, what, against, bar, work, unit in KERNELS:
        if only and name not in only:
            continue
        versions = [("cpu_c", against, bar)]
        if name == "black-scholes":
            versions.append(("cpu_c_mvec", "the same with -fveclib=libmvec", None))
        for program, c_side, least in versions:
            try:
                c, ours, ratios = compare(folder, name, threads, program)
            except (RuntimeError, subprocess.TimeoutExpired) as problem:
                rows.append((what, c_side, "-", "-", "FAILED", f"{least}", str(problem)))
                missed.append(name)
                continue
            ratio = statistics.median(ratios)
            note = "" if least is None or ratio >= least else "below"
            missed += [name] if note else []
            rows.append((what, c_side, f"{work / ours / 1e9:.3g} {unit}",
                         f"{work / c / 1e9:.3g} {unit}",
                         f"{ratio:.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f})",
                         "printed" if least is None else f">= {least}", note))
            print(rows[-1][0], rows[-1][4], note, file=sys.stderr)
    return rows, missed
