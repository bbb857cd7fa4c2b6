// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The library of gpu_link.cpp: functions that its kernel calls, linked while the program runs.
#include <sycl/sycl.hpp>

SYCL_EXTERNAL float gpu_link_first(float x) {
  for (int i = 0; i < 8; i++) {
    x = sycl::sqrt(x * x + float(i)) + sycl::fabs(x - 2.0f * float(i));
  }
  return x;
}

SYCL_EXTERNAL float gpu_link_second(float x, int n) {
  float sum = 0;
  for (int i = 1; i <= n; i++) {
    sum += x / float(i);
  }
  return sum;
}
