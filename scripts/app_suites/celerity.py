# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Celerity: its examples on 1 and 4 MPI ranks, and its tests, sets of Catch2 cases.

The checkout needs its submodules in vendor/, fmt of version 10, which Clang 22 compiles without
consteval only.
"""
import math
import os
import re
import struct

from . import cmake, verdict
from .suite import Program, write_bitmap

OPTIONS = ["-DCELERITY_SYCL_IMPL=DPC++", "-DCELERITY_DPCPP_TARGETS=native_cpu",
           "-DCELERITY_ENABLE_CUDA_BACKEND=OFF", "-DCMAKE_CXX_FLAGS=-DFMT_CONSTEVAL=",
           "-DCMAKE_BUILD_TYPE=Release"]
# Tests take a warning for a failure, and it warns of fewer processors than it has threads.
ENVIRONMENT = {"CELERITY_THREAD_PINNING": "0", "OMPI_ALLOW_RUN_AS_ROOT": "1",
               "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1"}
RANKS = (1, 4)
UNIONS = ("all_tests", "instruction_graph_tests")  # the cases of others again
# Cases of affinity_tests that set affinity masks of the processors 0 to 4, and do not skip themselves
# where there are fewer.
MASKS = ("a warning is emitted if insufficient cores are available",
         "a warning is emitted if hardcoded threads are not available to this process",
         "do not plan for device submission threads if they are unused")
SYSTEM = ("distr_tests", "mpi_tests")  # they want several ranks
# The simulation that is computed again here: 40 steps of a quarter, and the state after them.
SIDE, STEPS, QUARTER = 64, 40, 0.25
WAVE = f"-N {SIDE} -T {int(STEPS * QUARTER)} --sample-rate {STEPS}"
DARK, BRIGHT = 40, 200  # of the image


def programs(source, keep, tools):
    tools.environment.update(ENVIRONMENT, ONEAPI_DEVICE_SELECTOR="*:cpu")
    tools.cxx = os.path.join(tools.dpcpp, "bin", "clang++")
    work, build = cmake.configure_copy(source, keep, tools, OPTIONS)
    image = os.path.join(keep, "image.bmp")
    write_bitmap(image, 128, lambda x, y, channel: DARK + (x * y + channel * (x ^ y)) %
                 (BRIGHT - DARK + 1))
    tests = [name for name in cmake.targets(build) if name.endswith("_tests")]
    sources = [os.path.join(work, name) for name in ("include", "src", "examples", "test")]
    result = [example(name, ranks, build, image) for name in EXAMPLES for ranks in RANKS]
    result += [test(name, build) for name in sorted(tests) if name not in UNIONS]
    for one in result:
        one.sources = sources
    return result


def example(name, ranks, build, image):
    folder = os.path.join(build, "examples", name, f"ranks-{ranks}")
    os.makedirs(folder, exist_ok=True)
    words, check = EXAMPLES[name]
    run = f"mpirun -n {ranks} ../{name} {words.format(image)}"
    if name == "wave_sim":
        run = f"rm -f wave_sim_result.bin; {run}"
    if name == "convolution" and ranks > 1:
        run = (f"rm -f *.png; ../{name} {image} && mv output.png one.png && {run} && "
               "cmp one.png output.png && echo 'same image'")
    return Program(f"{name}, {ranks} MPI ranks" if ranks > 1 else name, folder,
                   [["cmake", "--build", build, "--target", name]], [["bash", "-c", run]],
                   lambda text: check(text, ranks, folder))


def test(name, build):
    ranks = RANKS[-1] if name in SYSTEM else 1
    below = os.path.join("test", "system" if name in SYSTEM else "")
    result = cmake.program(name, build, below)
    if ranks > 1:
        result.name += f", {ranks} MPI ranks"
        result.runs[0][:0] = ["mpirun", "-n", str(ranks)]
    left_out = ""
    if name == "affinity_tests" and not set(range(5)) <= os.sched_getaffinity(0):
        result.runs[0] += ["~" + case for case in MASKS]
        left_out = f"; {len(MASKS)} others need the processors 0 to 4"
    result.check = lambda text: catch2(text, ranks, left_out)
    return result


def catch2(text, ranks, left_out):
    found = verdict.of_catch2(text, ranks)
    return verdict.Verdict(found.kind, found.reason + left_out)


def counted(line, text, ranks):
    """Every rank has to print the line."""
    found = text.count(line)
    if found == ranks:
        return verdict.Verdict(verdict.PASSED, f"'{line}'" + (", each rank" if ranks > 1 else ""))
    return verdict.Verdict(verdict.WRONG, f"{found} of {ranks} ranks print '{line}'")


def check_hello(text, ranks, _):
    return counted("Hello World!", text, ranks)


def check_product(text, ranks, _):
    wrong = re.search(r"Verification failed.*", text)
    return (verdict.Verdict(verdict.WRONG, wrong[0]) if wrong else
            counted("Verification passed", text, ranks))


def check_syncing(_text, _ranks, _folder):
    """Each rank ends with 1 if its 512 values are not right, which counts more than this."""
    return verdict.Verdict(verdict.PASSED, "its exit status says that 512 values are right")


def check_image(text, ranks, folder):
    if ranks > 1:
        return verdict.Verdict(*((verdict.PASSED, "the image of one rank") if "same image" in text
                                 else (verdict.WRONG, "not the image of one rank")))
    if not os.path.exists(os.path.join(folder, "output.png")):
        return verdict.Verdict(verdict.WRONG, "it writes no image")
    return verdict.Verdict(verdict.NO_CHECK, "it writes an image")


def linear(value):
    value /= 255.0
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def check_reduction(text, _ranks, _folder):
    line = re.search(r"Before contrast stretch: min = (\S+), max = (\S+)", text)
    if not line:
        return verdict.Verdict(verdict.WRONG, "it prints no minimum and maximum")
    right = (abs(float(line[1]) - linear(DARK)) < 1e-5 and
             abs(float(line[2]) - linear(BRIGHT)) < 1e-5)
    return verdict.Verdict(verdict.PASSED if right else verdict.WRONG, line[0])


def wave():
    """The heights at the end, as wave_sim computes them but in double precision."""
    def step(up, u, keep, forward):
        new = []
        for y in range(SIDE):
            above, row, below = u[max(y - 1, 0)], u[y], u[min(y + 1, SIDE - 1)]
            new.append([2 * forward * row[x] - keep * up[y][x] + forward * QUARTER ** 2 *
                        (above[x] + below[x] + row[max(x - 1, 0)] + row[min(x + 1, SIDE - 1)] -
                         4 * row[x]) for x in range(SIDE)])
        return new

    sigma = 2 * (SIDE / 8) ** 2
    u = [[math.exp(-((x - SIDE / 4) ** 2 + (y - SIDE / 4) ** 2) / sigma) for x in range(SIDE)]
         for y in range(SIDE)]
    up = step(u, u, 0, 0.5)
    for _ in range(STEPS - 1):
        up, u = u, step(up, u, 1, 1)
    return [value for row in u for value in row]


def check_wave(_text, _ranks, folder):
    count = SIDE * SIDE
    path = os.path.join(folder, "wave_sim_result.bin")
    data = b""
    if os.path.exists(path):
        with open(path, "rb") as file:
            data = file.read()
    if len(data) != 16 + 2 * 4 * count:
        return verdict.Verdict(verdict.WRONG, f"it writes {len(data)} bytes")
    heights = struct.unpack(f"{count}f", data[-4 * count:])
    distance = max(abs(one - other) for one, other in zip(heights, wave()))
    return verdict.Verdict(verdict.PASSED if distance < 1e-4 else verdict.WRONG,
                           f"heights are at most {distance:.1e} off")


# The words behind the name of each, and its check.
EXAMPLES = {"convolution": ("{}", check_image), "hello_world": ("", check_hello),
            "matmul": ("", check_product), "reduction": ("{}", check_reduction),
            "syncing": ("", check_syncing), "wave_sim": (WAVE, check_wave)}
