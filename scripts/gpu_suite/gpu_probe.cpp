// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tells the runner of the GPU suite what GPUs there are: one line each, `|` between the fields.
#include <sycl/sycl.hpp>

#include <stdio.h>

int main() {
  int count = 0;
  try {
    for (const sycl::device &device : sycl::device::get_devices(sycl::info::device_type::gpu)) {
      namespace info = sycl::info::device;
      printf("%d|%s|%s|%s|%.1f GiB|%u\n", count, device.get_info<info::name>().c_str(),
             device.get_info<info::driver_version>().c_str(),
             device.get_info<info::version>().c_str(),
             (double)device.get_info<info::global_mem_size>() / (1 << 30),
             device.get_info<info::max_compute_units>());
      count++;
    }
  } catch (const std::exception &e) {
    fprintf(stderr, "%s\n", e.what());
  }
  return count > 0 ? 0 : 1;
}
