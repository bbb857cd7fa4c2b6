// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the programs of these tests import.
#include <sycl/sycl.hpp>

SYCL_EXTERNAL int library_step(int x, int step) { return (x + step) * 11; }
