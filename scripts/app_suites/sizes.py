# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Small sizes: arguments for programs whose own default takes minutes on a CPU."""

HECBENCH = {
    "accuracy-sycl": "512 1000 10 1",
    "ace-sycl": "1",
    "adamw-sycl": "1000000 2",  # a multiple of 64
    "adv-sycl": "7 8 1",
    "aidw-sycl": "2 1 1",
    "aop-sycl": "-runs 1 -paths 4 -timesteps 20",
    "asmooth-sycl": "128 200 9 1",
    "asta-sycl": "-w 0 -r 1 -m 197 -n 35",
    "atomicCost-sycl": "16 1",
    "atomicIntrinsics-sycl": "20 1",
    "atomicReduction-sycl": "1048576 4",
    "attention-paged-sycl": "8 32 128 4096 128 1",
    "axpby-sycl": "10",
    "babelstream-sycl": "-s 1048576 -n 5",
    "bezier-surface-sycl": "-n 64",
    "bh-sycl": "1000 2",
    "bilateral-sycl": "256 256 0.5 0.5 1",
    "bitonic-sort-sycl": "18 2",
    "bn-sycl": "result 1",
    "btree-sycl": "1024 1024",  # multiples of 32
    "channelShuffle-sycl": "2 32 32 1",
    "channelSum-sycl": "32 32 1",
    "compute-score-sycl": "-p=1",
    "contract-sycl": "8 1",
    "convolution3D-sycl": "32 6 16 14 14 5 1",
    "crs-sycl": "1 1",
    "d3q19-bgk-sycl": "8",
    "dense-embedding-sycl": "4000 32 2",
    "dwconv-sycl": "2 16 56 56 1",
    "ert-sycl": "16 64",
    "fdtd3d-sycl": "--dimx=96 --dimy=96 --timesteps=5",
    "fft-sycl": "0 1",
    "fma-sycl": "256 256 1031 256 1",
    "fsm-sycl": "64",
    "gemv-sycl": "-s 2048 -i 2 -x 128 -y 8",
    "goulash-sycl": "1 0.1",
    "gpp-sycl": "test",
    "hadamard-sycl": "64 1",
    "lfib4-sycl": "20000000",
    "linearprobing-sycl": "1 1",
    "lulesh-sycl": "-i 10 -s 16 -r 11 -b 1 -c 1",
    "minisweep-sycl": "--niterations 1 --ncell_x 8 --ncell_y 8 --ncell_z 8 --ne 4 --na 8 "
                      "--nblock_z 8",
    "mixbench-sycl": "8192 20",  # its check holds after some repetitions only
    "mxfp4-sycl": "536576 1",  # a multiple of 64
    "pad-sycl": "-a 0.1 -g 1 -m 1000 -n 999 -w 0 -r 1",  # its groups wait for each other
    "page-rank-sycl": "-n 1000 -i 2",
    "pathfinder-sycl": "10000 100 5",
    "pnpoly-sycl": "1",
    "rsbench-sycl": "-s small -m event",  # the check knows the sum of the default sizes only
    "simpleSpmv-sycl": "65536 1024 2",
    "topk-sycl": "16 1",
    "tridiagonal-sycl": "-num_systems=512",
    "wedford-sycl": "64 64 64 2",
    "wmma-sycl": "0 256 256 256 1 1",
    "xsbench-sycl": "-s small -m event -l 1000 -r 1",
}

SYCL_BENCH_DEFAULT = "--size=256 --local=64 --num-runs=1"
SYCL_BENCH = {}

PRK = {"nstream": "5 1000000", "dgemm": "3 128", "p2p": "5 512", "stencil": "5 256",
       "transpose": "5 256", "pic": "5 64 10000 1 0 1"}

# Programs of the GPU Optimization Guide that want arguments, or smaller sizes.
ONEAPI_GUIDE = {"naive_matmul": ["64", "32"], "naive_matmul_sycl": ["64", "32"],
                "sycl_prepare_bench": ["-i", "2"]}
# Instead of the commands of sample.json, whose grids take minutes, or more memory than is given.
ONEAPI_RUNS = {
    "C++SYCL/Jupyter/C++-to-sycl-migration": [
        "build/src/1_CPU_only 64 64 64 10", "build/src/2_GPU_basic 64 64 64 10 1",
        "build/src/3_GPU_linear 64 64 64 10 1", "build/src/4_GPU_optimized 64 64 64 32 4 8 10"],
    "C++SYCL/StructuredGrids/guided_iso3dfd_GPUOptimization": [
        "build/src/1_CPU_only 64 64 64 10", "build/src/2_GPU_basic 64 64 64 10 1",
        "build/src/3_GPU_linear 64 64 64 10 1", "build/src/4_GPU_private_memory_I 64 64 64 10 1",
        "build/src/5_GPU_optimized 64 64 64 10 64 8 8 1"],
}

AMREX = {
    "LinearSolvers_CurlCurl": "n_cell=32",
    "LinearSolvers_NodalPoisson": "n_cell=64",
    "Particles_AssignDensity": "nx=32 ny=32 nz=32",
    "Particles_AssignMultiLevelDensity": "nx=32 ny=32 nz=32",
    "Particles_DenseBins": "nitems=1000017",
    "Particles_ParticleMesh": "nx=32 ny=32 nz=32",
    "Particles_ParticleMeshMultiLevel": "nx=32 ny=32 nz=32",
}
