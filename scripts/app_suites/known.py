# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs that are wrong themselves, with the proof; a program that passes keeps its result."""

WRONG = {
    "BabelStream": {
        "sycl2020-acc": "SYCLStream2020.cpp:73 has '#elseif', which is no directive: the file's "
                        "conditionals do not nest (C++17 [cpp.cond]); no compiler accepts it",
        "sycl2020-usm": "as sycl2020-acc",
    },
    "HeCBench": {
        "bmf-sycl": "src/main.cpp includes cuBool_cpu.h, which lies in ../bmf-cuda/src; its "
                    "Makefile names -I../bmf-cuda/ only; no compiler finds the header",
    },
}
