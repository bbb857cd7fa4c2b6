// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The smallest useful program: buffers, accessors, one kernel.
#include <sycl/sycl.hpp>

#include <cstdio>
#include <vector>

int main() {
  constexpr std::size_t count = 1 << 20;
  std::vector<float> a(count, 1.0f);
  std::vector<float> b(count, 2.0f);
  std::vector<float> sum(count);
  try {
    sycl::queue q;
    std::printf("on %s\n", q.get_device().get_info<sycl::info::device::name>().c_str());
    {
      sycl::buffer a_buffer(a);
      sycl::buffer b_buffer(b);
      sycl::buffer sum_buffer(sum);
      q.submit([&](sycl::handler &cgh) {
        sycl::accessor x(a_buffer, cgh, sycl::read_only);
        sycl::accessor y(b_buffer, cgh, sycl::read_only);
        sycl::accessor z(sum_buffer, cgh, sycl::write_only, sycl::no_init);
        cgh.parallel_for(sycl::range<1>(count), [=](sycl::id<1> i) { z[i] = x[i] + y[i]; });
      });
    }  // the buffers write back here
  } catch (const sycl::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  for (float value : sum) {
    if (value != 3.0f) {
      std::printf("wrong: %f\n", static_cast<double>(value));
      return 1;
    }
  }
  std::printf("%zu sums are right\n", count);
  return 0;
}
