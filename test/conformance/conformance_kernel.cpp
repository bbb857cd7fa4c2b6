// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel that the adapter conformance suite launches.
#include <sycl/sycl.hpp>

class Add;

int main() {
  sycl::queue q;
  int *p = nullptr;
  int add = 1;
  q.parallel_for<class Add>(sycl::range<1>(1), [=](sycl::id<1> i) { p[i] += add; });
}
