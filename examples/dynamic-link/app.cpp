// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The program: its kernel calls a function that a shared library defines.
#include <sycl/sycl.hpp>

#include <cstdio>

SYCL_EXTERNAL int LibDeviceFunc(int i);

int main() {
  constexpr int count = 16;
  sycl::queue Q;
  int *out = sycl::malloc_shared<int>(count, Q);
  if (!out) {
    std::fprintf(stderr, "no memory\n");
    return 1;
  }
  Q.submit([&](sycl::handler &CGH) {
     CGH.parallel_for(sycl::range<1>(count),
                      [=](sycl::item<1> i) { out[i] = LibDeviceFunc(i.get_id(0)); });
   }).wait();
  for (int i = 0; i < count; ++i) {
    std::printf("%d%c", out[i], i + 1 < count ? ' ' : '\n');
  }
  sycl::free(out, Q);
  return 0;
}
