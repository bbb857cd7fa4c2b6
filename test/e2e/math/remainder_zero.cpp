// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A remainder of zero has the sign of the dividend, also where the quotient is very large.
// RUN: %tenonxx -fsycl -O2 %s -o %t && %t
// RUN: %tenonxx -fsycl -O0 %s -o %t.O0 && %t.O0
#include <sycl/sycl.hpp>

#include <cmath>
#include <cstdio>

template <class T>
struct division {
  T dividend, divisor, in_kernel, on_host;
};

template <class T>
int check(sycl::queue &q, const char *type, const T (*pairs)[2], int count) {
  auto *all = sycl::malloc_shared<division<T>>(static_cast<std::size_t>(count), q);
  for (int i = 0; i < count; ++i) {
    all[i] = {pairs[i][0], pairs[i][1], T(), T()};
    all[i].on_host = sycl::remainder(all[i].dividend, all[i].divisor);
  }
  q.parallel_for(sycl::range<1>(static_cast<std::size_t>(count)), [=](sycl::id<1> i) {
     all[i].in_kernel = sycl::remainder(all[i].dividend, all[i].divisor);
   }).wait();
  int failures = 0;
  for (int i = 0; i < count; ++i) {
    for (const T value : {all[i].in_kernel, all[i].on_host}) {
      if (value != 0 || std::signbit(value) != std::signbit(all[i].dividend)) {
        std::printf("remainder of %s, %a, %a: got %a\n", type, static_cast<double>(all[i].dividend),
                    static_cast<double>(all[i].divisor), static_cast<double>(value));
        ++failures;
      }
    }
  }
  sycl::free(all, q);
  return failures;
}

int main() {
  sycl::queue q;
  const double doubles[][2] = {{-0x1.d6c27aa45a984p-920, 0x1p-1074},
                               {0x1.d6c27aa45a984p-920, 0x1p-1074},
                               {0x1.f40041d70d9c7p-849, -0x1p-1022},
                               {-0x1.f40041d70d9c7p-849, -0x1p-1022},
                               {-6, 3},
                               {-0.0, 3}};
  const float floats[][2] = {{-0x1.d6c27ap-100f, 0x1p-149f}, {-6, 3}, {6, -3}, {-0.0f, 3}};
  int failures = check(q, "float", floats, 4);
  if (q.get_device().has(sycl::aspect::fp64)) {
    failures += check(q, "double", doubles, 6);
  }
  return failures;
}
