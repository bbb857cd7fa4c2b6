# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs that cannot pass whatever the compiler: wrong themselves, with the proof, or without
their data. A program that passes nevertheless keeps its result."""
from .verdict import DATA, PROGRAM

RACE = ("a data race (SYCL 2020, 3.8.3.1): {}; the program counts on the lockstep of 32 work-items, "
        "which no barrier asks for")
PROGRESS = ("work-items wait in a loop for others of their work-group; SYCL 2020, 3.8.3.4, gives no "
            "forward progress to them")

FACTS = {
    "BabelStream": {
        "sycl2020-acc": (PROGRAM, "SYCLStream2020.cpp:73 has '#elseif', which is no directive, so "
                                  "its conditionals do not nest (C++17 [cpp.cond])"),
        "sycl2020-usm": (PROGRAM, "as sycl2020-acc"),
    },
    "HeCBench": {
        "ans-sycl": (PROGRAM, "multians_gpu_decoder.cc shifts 32-bit values by 32 (`copy_next <<= "
                              "bits_in_unit - at` with at == 0), which C++17 [expr.shift] leaves "
                              "undefined; the state becomes an index out of the table"),
        "assert-sycl": (PROGRAM, "it expects to go on after a failed assert, which ends the process "
                                 "in SYCL (sycl_ext_oneapi_assert: std::abort)"),
        "b+tree-sycl": (DATA, "../data/b+tree holds .dvc links only"),
        "bh-sycl": (PROGRAM, PROGRESS),
        "bmf-sycl": (PROGRAM, "src/main.cpp includes cuBool_cpu.h, which lies in ../bmf-cuda/src; "
                              "the Makefile names -I../bmf-cuda/ only"),
        "cfd-sycl": (DATA, "../data/cfd holds .dvc links only"),
        "chacha20-sycl": (PROGRAM, RACE.format("32 work-items write raw_key, and work-item 0 reads "
                                               "it without a barrier")),
    },
}
