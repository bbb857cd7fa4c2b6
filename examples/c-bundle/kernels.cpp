// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels that main.c builds with a number of its own. Argument blocks are these structs.
#include <sycl/sycl.hpp>

// C sets it by its symbol, which tenon-image prints.
inline constexpr sycl::specialization_id<int> factor(2);

struct scale {
  const int *in;
  int *out;
  void operator()(sycl::id<1> i, sycl::kernel_handler h) const {
    out[i] = in[i] * h.get_specialization_constant<factor>();
  }
};

// Naming the kernel in a launch is what puts it into the image.
void launch_scale(sycl::queue &q, const scale &kernel, std::size_t count) {
  q.parallel_for(sycl::range<1>(count), kernel);
}
