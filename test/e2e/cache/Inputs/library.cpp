// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A library with a function for other kernels and a kernel of its own, as in seed 000.
#include "factor.hpp"
#include <sycl/sycl.hpp>

SYCL_EXTERNAL int LibDeviceFunc(int i) { return i * FACTOR; }

class ExternalKernel;
int EnqueueLibraryKernel(sycl::queue &q, int *out) {
  q.single_task<ExternalKernel>([=] { *out = LibDeviceFunc(100); }).wait();
  return *out;
}
