// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that never end, in kernels with sub-group functions: compiled, and not entered here.
// RUN: %tenonxx -fsycl -O2 -Wall -Wextra -Werror %s -o %t && %t
// RUN: %tenonxx -fsycl -O0 %s -o %t.O0 && %t.O0
#include "../headers/Inputs/expect.hpp"

int main(int argc, char **) {
  constexpr std::size_t count = 64;
  sycl::queue q;
  int *x = sycl::malloc_shared<int>(count, q);
  const int never = argc - 1;
  q.parallel_for(sycl::nd_range<1>(count, 16), [=](sycl::nd_item<1> i) {
     const sycl::sub_group lanes = i.get_sub_group();
     const int sum = sycl::reduce_over_group(lanes, 1, sycl::plus<>());
     volatile int *v = x;
     if (never == 1) {
       for (;;) {
         *v = *v + 1;
         *v = (*v & 1) != 0 ? 3 : 5;
       }
     }
     if (never == 2) {
       while (true) {
         *v = *v + 1;
         while (true) {
           *v = 3;
         }
       }
     }
     // The step is a multiple of 64, and may be 0 as far as the compiler knows.
     const std::size_t step = 64 * i.get_local_range(0);
     for (std::size_t at = 64 * i.get_local_id(0); at < 4; at += step) {
       __builtin_prefetch(x + at);
     }
     x[i.get_global_id(0)] = sum - static_cast<int>(lanes.get_local_range()[0]);
   }).wait();
  EXPECT(x[0] == 0 && x[count - 1] == 0);
  sycl::free(x, q);
  return failures;
}
