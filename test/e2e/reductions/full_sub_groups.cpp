// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The work-items that walk through a range side by side fill their sub-groups: lanes that no
// work-item has cost as much as others.
// RUN: %tenonxx -fsycl %s -o %t && %t
// RUN: env TENON_SUB_GROUP_SIZE=8 %t
#include <sycl/sycl.hpp>

#include <cstdio>

int main() {
  sycl::queue queue;
  bool is_right = true;
  for (const std::size_t size : {std::size_t{1} << 12, std::size_t{1} << 20}) {
    std::size_t *full = sycl::malloc_shared<std::size_t>(1, queue);
    *full = 0;
    queue
        .parallel_for(sycl::range<1>{size}, sycl::reduction(full, sycl::plus<std::size_t>()),
                      [](sycl::id<1>, auto &sum) {
                        const auto group = sycl::ext::oneapi::this_work_item::get_sub_group();
                        sum += group.get_local_range() == group.get_max_local_range() ? 1 : 0;
                      })
        .wait();
    if (*full != size) {
      std::printf("%zu of %zu work-items are in full sub-groups\n", *full, size);
      is_right = false;
    }
    sycl::free(full, queue);
  }
  return is_right ? 0 : 1;
}
