// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel for a library; with WITH_MAIN, a program.
#include <sycl/sycl.hpp>

#include <cstdio>

int doubled(int value) {
  sycl::buffer<int> buffer(&value, 1);
  sycl::queue().submit([&](sycl::handler &h) {
    const sycl::accessor a(buffer, h);
    h.single_task([=] { a[0] *= 2; });
  });
  return sycl::host_accessor(buffer)[0];
}

#ifdef WITH_MAIN
int main() { std::printf("%d\n", doubled(21)); }
#endif
