// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel that main.c launches by name. Its argument block is this struct: three pointers.
#include <sycl/sycl.hpp>

struct vector_add {
  const float *a;
  const float *b;
  float *sum;
  void operator()(sycl::id<1> i) const { sum[i] = a[i] + b[i]; }
};

// Naming the kernel in a launch is what puts it into the image.
void launch_vector_add(sycl::queue &q, const vector_add &add, std::size_t count) {
  q.parallel_for(sycl::range<1>(count), add);
}
