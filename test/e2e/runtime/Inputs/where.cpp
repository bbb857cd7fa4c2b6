// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Says where it runs, and a kernel's result on the CPU.
#include <sycl/sycl.hpp>

#include <cstdio>

int main() {
  sycl::queue q;
  const sycl::device device = q.get_device();
  int *p = sycl::malloc_shared<int>(1, q);
  *p = 0;
  q.single_task([=] { *p = 7; }).wait();
  if (device.is_cpu()) {
    std::printf("on the CPU: %d\n", *p);
  } else {
    std::printf("on %s\n", device.get_info<sycl::info::device::name>().c_str());
  }
  sycl::free(p, q);
}
