# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs that cannot pass whatever the compiler: wrong themselves, with the proof, or without
their data. A program that passes nevertheless keeps its result."""
from .verdict import DATA, NEEDS, PROGRAM

RACE = ("a data race (SYCL 2020, 3.8.3.1): {}; the program counts on the lockstep of 32 work-items, "
        "which no barrier asks for")
PROGRESS = ("work-items wait in a loop for others, which SYCL 2020, 3.8.3.4, does not promise to "
            "make progress meanwhile")
SIZE = ("it takes the largest of info::device::sub_group_sizes for the size of its sub-groups, which "
        "its kernels do not require (SYCL 2020, 5.8.1: [[sycl::reqd_sub_group_size]]); ")

FACTS = {
    "BabelStream": {
        "sycl2020-acc": (PROGRAM, "SYCLStream2020.cpp:73 has '#elseif', which is no directive, so "
                                  "its conditionals do not nest (C++17 [cpp.cond])"),
        "sycl2020-usm": (PROGRAM, "as sycl2020-acc"),
    },
    "Kokkos": {
        "Kokkos_CoreUnitTest_SYCLInterOpStreamsMultiGPU": (
            NEEDS, "it takes the first and the last of the list of GPUs"),
    },
    "PRK": {
        "dgemm-sycl": (PROGRAM, "it names cl::sycl after <sycl/sycl.hpp> alone, which declares no "
                                "such namespace (SYCL 2020, 4.3); its Makefile's list leaves it "
                                "out"),
        "nstream-sycl": (NEEDS, "it takes a GPU only; the part for CPUs is behind #if 0"),
        "nstream-multigpu-dpcpp": (NEEDS, "it takes GPUs only"),
        "p2p-hyperplane-sycl-graph": (PROGRAM, "its Makefile has no rule that fits"),
    },
    "sycl-bench": {
        "kernel_reduction": (PROGRAM, "kernel_reduction.cpp:37 initializes sycl::range by {int}, a "
                                      "narrowing conversion (C++17 [dcl.init.list]); its project "
                                      "leaves it out"),
    },
    "oneAPI-samples": {
        "C++SYCL/DenseLinearAlgebra/address_sanitizer": (PROGRAM, "its programs free memory twice "
                                                                  "and write past ends on purpose"),
        "C++SYCL/Jupyter/C++-to-sycl-migration": (
            PROGRAM, "4_GPU_optimized.cpp frees prev, and main deletes what it is copied to, while "
                     "q.memcpy(ptr_prev, prev, …) runs, which nobody waits for (SYCL 2020, "
                     "4.9.4.3: a command runs asynchronously)"),
        "C++SYCL/SYCLMigration/guided_shflScan_SYCLMigration": (
            PROGRAM, "dpct's shift_sub_group_right for masks (util.hpp:509) has code for SPIR-V and "
                     "PTX alone; in other device code it ends without returning a value (C++17 "
                     "[stmt.return])"),
        "GPU-Opt-Guide/external_rand": (
            PROGRAM, "it declares rand SYCL_EXTERNAL and calls it in a kernel, but no device code "
                     "defines it (SYCL 2020, 5.10.1); it shows that this is an error"),
        "GPU-Opt-Guide/out": (PROGRAM, "out5 writes through a null pointer on purpose"),
    },
    "syclacademy": {
        name: (NEEDS, "it selects a GPU")
        for name in ("Advanced_Data_Flow_solution", "Device_Discovery_solution",
                     "In_Order_Queue_solution_vector_add")
    },
    "HeCBench": {
        "ans-sycl": (PROGRAM, "multians_gpu_decoder.cc shifts 32-bit values by 32 (`copy_next <<= "
                              "bits_in_unit - at` with at == 0), which C++17 [expr.shift] leaves "
                              "undefined; the state becomes an index out of the table"),
        "assert-sycl": (PROGRAM, "it expects to go on after a failed assert, which ends the process "
                                 "in SYCL (sycl_ext_oneapi_assert: std::abort)"),
        "b+tree-sycl": (DATA, "../data/b+tree holds .dvc links only"),
        "bm3d-sycl": (DATA, "the image is a .dvc link only"),
        "bh-sycl": (PROGRAM, "work-items leave the loops of the barriers at main.cpp:493 and :692 at "
                             "different times, which SYCL 2020, 4.17.3, leaves undefined; "
                             "TENON_CHECK=1 names the first work-item that is missing there"),
        "bn-sycl": (PROGRAM, "computeKernel (kernels.cpp:117) hands D_findComb one place more than pre "
                             "has, so that it reads pre[45] of 45 for the last node of an order "
                             "(C++17 [expr.add]), and Pre_logGamma leaves LG[0] unset, which the "
                             "kernel reads; it crashes or not, as memory happens to be"),
        "bmf-sycl": (PROGRAM, "src/main.cpp includes cuBool_cpu.h, which lies in ../bmf-cuda/src; "
                              "the Makefile names -I../bmf-cuda/ only"),
        "cfd-sycl": (DATA, "../data/cfd holds .dvc links only"),
        "cmp-sycl": (DATA, "the input is a .dvc link only"),
        **{name: (DATA, "a header is a .dvc link only, so make's own rule builds without -fsycl")
           for name in ("sad-sycl", "seam-carving-sycl", "ssm-sycl")},
        "dxtc2-sycl": (PROGRAM, RACE.format("main.cpp:238 permutes s_colors in place, so that a "
                                            "work-item reads an element that another has written; "
                                            "with a barrier between the reads and the writes the "
                                            "program passes")),
        "sosfil-sycl": (PROGRAM, RACE.format("main.cpp:74 and :95 read s_out[tx - 1], which the "
                                             "neighbor writes before the next barrier")),
        "threadcpy-sycl": (PROGRAM, "remaining = n - index (main.cpp:17) wraps where index is over n, so "
                                    "that work-items of the last group write behind the end of the "
                                    "allocation (C++17 [expr.add])"),
        "gc-sycl": (PROGRAM, PROGRESS + ": runLarge and runSmall repeat until neighbors, which are "
                             "those of others, have their colors; with a launch for each round the "
                             "program passes"),
        "hadamard-sycl": (PROGRAM, SIZE + "with subGroupSize = 32 in main.cpp it passes"),
        "hogbom-sycl": (DATA, "../hogbom-cuda/data holds .dvc links only"),
        "hotspot3D-sycl": (DATA, "../data/hotspot3D is not in the collection"),
        "attentionMultiHeadKVCache-sycl": (NEEDS, "its Makefile compiles ahead of time for Intel's "
                                                  "GPUs, whatever GPU= says"),
        "easyWave-sycl": (DATA, "the grid ../easyWave-omp/data/grids/e2Asean.grd is not in the "
                                "collection"),
        "f16atomic-sycl": (PROGRAM, "bfloat162 is alignas(8), so result_v[tid % 256] reaches 2048 "
                                    "bytes of an allocation of 1024 (C++17 [expr.add]); valgrind "
                                    "reports the kernel's writes behind the block"),
        "interval-sycl": (PROGRAM, "main.cpp reads h_nresults and h_result after two q.memcpy that "
                                   "it never waits for (SYCL 2020, 4.9.4.3: a command runs "
                                   "asynchronously); an in-order queue orders commands, not the "
                                   "host"),
        **{name: (PROGRAM, RACE.format("scanwarp sums what other work-items write to local memory"))
           for name in ("radixsort-sycl", "split-sycl")},
        "fpdc-sycl": (PROGRAM, RACE.format("the prefix sum reads what other work-items write to "
                                           "ibufs")),
        "logic-resim-sycl": (DATA, "../logic-resim-cuda/Simulation/toy is empty"),
        "lulesh-sycl": (PROGRAM, "lulesh.cc:1033 takes &m_dxx[0] of a vector that is empty until "
                                 "line 1221 (C++17 [sequence.reqmts]), and makes a buffer with "
                                 "elements of the null pointer"),
        "graphExecution-sycl": (PROGRAM, "reduceFinal calls get_local_range(2) of an nd_item<1> "
                                         "(SYCL 2020, 4.9.1.5: the dimension is below Dimensions)"),
        "merge-sycl": (PROGRAM, "kernels.h indexes BSm1[~Ax] with a uint32_t Ax: 2^32 elements "
                                "behind the array (C++17 [expr.add]); it counts on addresses of "
                                "32 bits"),
        "matern-sycl": (PROGRAM, "14 of 64 rows of work-items return before item.barrier, which "
                                 "the others of the group reach (SYCL 2020, 4.9.1.7: all "
                                 "work-items of the group call the barrier)"),
        "meanshift-sycl": (DATA, "../meanshift-cuda/dataset is not in the collection"),
        "minibude-sycl": (DATA, "./data/bm1 is not in the collection"),
        "mf-sgd-sycl": (DATA, "its matrix is not in the collection"),
        "mis-sycl": (PROGRAM, PROGRESS + ": findmins repeats until its neighbors, which are those of "
                              "others, have their states; with a launch for each round the "
                              "program passes"),
        "mnist-sycl": (DATA, "../mnist-cuda/data is not in the collection"),
        "mpc-sycl": (DATA, "../mpc-cuda/msg_sp.trace.out is not in the collection"),
        "clink-sycl": (DATA, "its input is a .dvc link only"),
        "quantAQLM-sycl": (PROGRAM, "output_size is b * 12288 / 32 halves at main.cpp:157, but the "
                                    "kernel writes 12288 from each of b places (C++17 [expr.add]); "
                                    "with b * 12288 the program runs to its end"),
        "tpacf-sycl": (DATA, "../tpacf-cuda/data is not in the collection"),
        "ring-sycl": (NEEDS, "it takes GPUs only, and goes on with the first although it has "
                             "found none"),
        "dct8x8-sycl": (PROGRAM, RACE.format("eight work-items read rows of local memory that the "
                                             "others write") + "; with barriers it passes"),
        "romberg-sycl": (PROGRAM, RACE.format("work-item 0 reads the sums of the others in smem")),
        "rtm8-sycl": (PROGRAM, "main calls the reference rtm8_cpu with next_s where it takes "
                               "current_r, and the other way round; the kernel uses them by name"),
        "segsort-sycl": (PROGRAM, "it asks for ext_intel_free_memory without asking for its "
                                  "aspect, without which the query throws "
                                  "(sycl_ext_intel_device_info)"),
        "sort-sycl": (PROGRAM, "each of top_scan's 64 work-groups replaces isums by its running sums, "
                               "which others read and replace at the same time (a data race, C++17 "
                               "[intro.races]); with one work-group it passes"),
        "simpleMultiDevice-sycl": (NEEDS, "it divides by the number of GPUs"),
        "vote-sycl": (PROGRAM, SIZE + "with TENON_SUB_GROUP_SIZE=64 it passes"),
        "groupnorm-sycl": (PROGRAM, SIZE + "with TENON_SUB_GROUP_SIZE=64 it passes"),
        "rmsnorm-sycl": (PROGRAM, SIZE + "with TENON_SUB_GROUP_SIZE=64 it passes"),
        "scatterAdd-sycl": (PROGRAM, SIZE + "with TENON_SUB_GROUP_SIZE=64 it passes"),
        "concurrentKernels-sycl": (PROGRAM, "main.cpp:125 launches sum with one work-item instead "
                                            "of gws2, so that s_clocks[1] to [31] are read without "
                                            "ever being written (SYCL 2020, 3.8.3.3: local memory "
                                            "is uninitialized)"),
        "marchingCubes-sycl": (PROGRAM, "main.cpp:390 copies countedBlockNumLv1 to the host without "
                                        "waiting, and the next line reads it (SYCL 2020, 4.9.4.3: a "
                                        "command runs asynchronously); with wait() it passes"),
        "wyllie-sycl": (PROGRAM, "work-items call item.barrier in a loop whose number of "
                                 "iterations is their own (SYCL 2020, 4.9.1.7: all work-items of "
                                 "the group call the barrier)"),
        "chacha20-sycl": (PROGRAM, RACE.format("32 work-items write raw_key, and work-item 0 reads "
                                               "it without a barrier")),
    },
}

# What they print says nothing of whether it is right, so that a time limit hides no result.
NO_CHECK_OF_ITS_OWN = {
    "HeCBench": ("clenergy-sycl", "grrt-sycl", "lid-driven-cavity-sycl", "lrn-sycl",
                 "merkle-sycl"),
}
