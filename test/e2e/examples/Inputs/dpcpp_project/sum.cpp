// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel without a name.
#include <cstdio>
#include <sycl/sycl.hpp>

int main() {
  sycl::queue q;
  int *sum = sycl::malloc_shared<int>(1, q);
  q.single_task([=] { *sum = 1 + 2 + 3 + 4; }).wait();
  std::printf("sum %d\n", *sum);
  sycl::free(sum, q);
}
