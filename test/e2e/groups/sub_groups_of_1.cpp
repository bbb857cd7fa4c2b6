// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that require sub-groups of one work-item compile, whatever they do with them; where the
// device has none of these they are not launched (section 5.8.1).
// RUN: %tenonxx -fsycl -fsycl-targets=native_cpu %s -o %t && %t
#include "../headers/Inputs/expect.hpp"

template <class Use> static void run(sycl::queue &q, int *out, Use use) {
  const auto launch = [&] {
    q.parallel_for(sycl::nd_range<1>(4, 2),
                   [=](sycl::nd_item<1> item) [[sycl::reqd_sub_group_size(1)]] {
                     out[item.get_global_id(0)] = use(item.get_sub_group());
                   })
        .wait();
  };
  if (has_sub_groups_of(q.get_device(), 1)) {
    launch();
    EXPECT(out[0] == 1 && out[3] == 1);
  } else {
    EXPECT_ERRC(kernel_not_supported, launch());
  }
}

int main() {
  sycl::queue q;
  int *out = sycl::malloc_shared<int>(4, q);
  run(q, out, [](sycl::sub_group g) { return static_cast<int>(g.get_local_linear_range()); });
  run(q, out, [](sycl::sub_group g) { return sycl::reduce_over_group(g, 1, sycl::plus<int>()); });
  run(q, out, [](sycl::sub_group g) { return sycl::select_from_group(g, 1, 0); });
  sycl::free(out, q);
  return failures;
}
