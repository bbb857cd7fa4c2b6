// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A library with one kernel.
#include <sycl/sycl.hpp>

struct thrice {
  int *out;
  void operator()(sycl::id<1> i) const { out[i] = 3 * static_cast<int>(i[0]) + 1; }
};

void launch_thrice(sycl::queue &q, const thrice &kernel) {
  q.parallel_for(sycl::range<1>(100), kernel);
}
