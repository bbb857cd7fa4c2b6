# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Small sizes: arguments for programs whose own default takes minutes on a CPU."""

HECBENCH = {
    "accuracy-sycl": "512 1000 10 1",
    "ace-sycl": "1",
    "aop-sycl": "-runs 1 -paths 4 -timesteps 20",
    "asmooth-sycl": "128 200 9 1",
    "asta-sycl": "-w 0 -r 1 -m 197 -n 35",
    "atomicIntrinsics-sycl": "20 1",
    "atomicReduction-sycl": "1048576 4",
    "axpby-sycl": "10",
    "adv-sycl": "7 8 1",
    "babelstream-sycl": "-s 1048576 -n 5",
    "bezier-surface-sycl": "-n 64",
    "bh-sycl": "1000 2",
    "bilateral-sycl": "256 256 0.5 0.5 1",
}

SYCL_BENCH_DEFAULT = "--size=256 --local=64 --num-runs=1"
SYCL_BENCH = {}

PRK = {"nstream": "5 1000000", "dgemm": "3 128", "p2p": "5 512", "stencil": "5 256",
       "transpose": "5 256", "pic": "5 64 10000 1 0 1"}
