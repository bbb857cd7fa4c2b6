// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that only kernels call are no mistake where the kernels are generic lambdas, which the
// host does not instantiate; whoever names the warning gets it.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror %s -o %t && %t
// RUN: %tenonxx -fsycl -Wall -Wunneeded-internal-declaration -fsyntax-only %s 2>&1 | %FileCheck %s
// CHECK: warning: function 'in_reduction' is not needed
#include "../headers/Inputs/expect.hpp"

static int in_range(int i) { return i + 1; }
static int in_reduction(int i) { return i + 2; }
static int in_nd_reduction(int i) { return i + 3; }

int main() {
  sycl::queue q;
  int *sums = sycl::malloc_shared<int>(3, q);
  sums[1] = sums[2] = 0;
  q.parallel_for(sycl::range<1>(1), [=](auto i) { sums[0] = in_range(int(i)); });
  q.parallel_for(sycl::range<1>(10), sycl::reduction(sums + 1, sycl::plus<>()),
                 [=](sycl::id<1> i, auto &sum) { sum += in_reduction(int(i)); });
  q.parallel_for(sycl::nd_range<1>(10, 5), sycl::reduction(sums + 2, sycl::plus<>()),
                 [=](auto i, auto &sum) { sum += in_nd_reduction(int(i.get_global_id(0))); });
  q.wait();
  EXPECT(sums[0] == 1 && sums[1] == 65 && sums[2] == 75);
  sycl::free(sums, q);
  return failures;
}
