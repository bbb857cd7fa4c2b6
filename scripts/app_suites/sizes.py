# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Small sizes: arguments for programs whose own default takes minutes on a CPU."""

HECBENCH = {
    "accuracy-sycl": "512 1000 10 1",
}

SYCL_BENCH_DEFAULT = "--size=256 --local=64 --num-runs=1"
SYCL_BENCH = {}

PRK = {"nstream": "5 1000000", "dgemm": "3 128", "p2p": "5 512", "stencil": "5 256",
       "transpose": "5 256", "pic": "5 64 10000 1 0 1"}
