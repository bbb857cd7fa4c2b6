# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kokkos: the core unit tests of its SYCL back end, each program a set of GoogleTest cases."""
import os
import re

from . import cmake, verdict

# oneDPL is optional, and on unless it is turned off; the tests take GoogleTest from the system.
OPTIONS = ["-DKokkos_ENABLE_SYCL=ON", "-DKokkos_ENABLE_TESTS=ON", "-DKokkos_ENABLE_ONEDPL=OFF",
           "-DCMAKE_BUILD_TYPE=Release"]
TESTS = re.compile(r"Kokkos_CoreUnitTest_(SYCL\w*|Default)")

# Cases that are left out, as no compiler can pass them or no CPU finish them.
LEFT_OUT = {
    # ParallelReduce of an MDRangePolicy keeps a reference to the execution space of a temporary
    # policy (C++17 [class.temporary]); mended in kokkos/kokkos#8198, four days after 28848dfa8.
    "Kokkos_CoreUnitTest_SYCL1A": ["sycl_graph.zero_work_reduce"],
    "Kokkos_CoreUnitTest_SYCL2A": [
        # ParallelReduce of a TeamPolicy has local memory for rows of final_vector_size work-items,
        # at most the kernel's max_sub_group_size, but launches rows of m_vector_size: here 64, the
        # largest of the device's sub_group_sizes. With TENON_CHECK=1 the accessor is named.
        "sycl.TeamThreadMDRangeParallelReduce",
        # 2^29 teams of 4096 work-items: 20 minutes of processor time.
        "sycl.team_reduce_large",
    ],
}


def programs(source, keep, tools):
    tools.environment["ONEAPI_DEVICE_SELECTOR"] = "*:cpu"
    work, build = cmake.configure_copy(source, keep, tools, OPTIONS)
    names = [name for name in cmake.targets(build) if TESTS.fullmatch(name)]
    return [program(name, build, work) for name in sorted(names)]


def program(name, build, work):
    arguments = ["--gtest_filter=-" + ":".join(LEFT_OUT[name])] if name in LEFT_OUT else []
    return cmake.program(name, build, os.path.join("core", "unit_test"), arguments,
                         verdict.of_googletest,
                         [os.path.join(work, "core"), os.path.join(work, "tpls")])
