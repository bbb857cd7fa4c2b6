// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// div, ldiv and lldiv of the C library in kernels, by their names in C and in std.
// RUN: %tenonxx -fsycl -O2 -Wall -Wextra -Werror %s -o %t && %t
// RUN: %tenonxx -fsycl -O0 -fno-builtin -Wall -Wextra -Werror %s -o %t && %t
// RUN: %tenonxx -fsycl -fsycl-targets=nvptx64-nvidia-cuda,spirv64 %s -o %t.gpu
#include "../headers/Inputs/expect.hpp"
#include <sycl/sycl.hpp>

#include <cstdlib>
#include <stdlib.h>

int main() {
  sycl::queue q;
  long long *p = sycl::malloc_shared<long long>(10, q);
  q.single_task([=] {
     const std::div_t a = std::div(99, -4);
     const ldiv_t b = ldiv(-10000L, 23L);
     const std::lldiv_t c = std::div(200000000000LL, 47LL);
     const long long results[] = {a.quot, a.rem, b.quot, b.rem, c.quot, c.rem, lldiv(-7, 2).rem};
     for (int i = 0; i < 7; ++i) {
       p[i] = results[i];
     }
   }).wait();
  EXPECT(p[0] == -24 && p[1] == 3 && p[2] == -434 && p[3] == -18 && p[4] == 4255319148 &&
         p[5] == 44 && p[6] == -1);
  sycl::free(p, q);
  return failures;
}
