// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// <sycl/detail/core.hpp> has vectors, built-in functions, local accessors, h_item, pointers and
// attributes of kernels, as DPC++'s has them, and no heavy standard header.
// RUN: %tenonxx -fsycl %s -o %t && %t
// RUN: %clangxx -std=c++17 -D__TENON_UNIT_ID__=1ULL -I %include -Xclang -fsycl-is-host -E %s > %t.ii
// RUN: not grep -E '"[^"]*/(iostream|ostream|sstream|fstream|chrono|algorithm|functional|memory|unordered_map|iomanip|cmath)" 1' %t.ii
#include <sycl/detail/core.hpp>

int main() {
  sycl::queue queue;
  int *out = sycl::malloc_shared<int>(8, queue);
  queue
      .submit([&](sycl::handler &cgh) {
        sycl::local_accessor<int, 1> local(4, cgh);
        cgh.parallel_for(sycl::nd_range<1>(8, 4),
                         [=](sycl::nd_item<1> item) [[sycl::reqd_work_group_size(4)]] {
                           const sycl::int2 pair(1, static_cast<int>(item.get_local_id(0)));
                           local[item.get_local_id(0)] = sycl::max(pair.x(), pair.y());
                           sycl::local_ptr<int> memory = local.get_multi_ptr<
                               sycl::access::decorated::legacy>();
                           out[item.get_global_id(0)] = memory[item.get_local_id(0)];
                         });
      })
      .wait();
  bool is_right = true;
  for (int i = 0; i < 8; ++i) {
    is_right = is_right && out[i] == (i % 4 > 1 ? i % 4 : 1);
  }
  queue
      .submit([&](sycl::handler &cgh) {
        cgh.parallel_for_work_group(
            sycl::range<1>(2), sycl::range<1>(4), [=](sycl::group<1> group) {
              group.parallel_for_work_item(
                  [=](sycl::h_item<1> item) { out[item.get_global_id(0)] = 5; });
            });
      })
      .wait();
  is_right = is_right && out[0] == 5 && out[7] == 5;
  // A work-group of 3 is refused because of the attribute.
  try {
    queue.parallel_for(sycl::nd_range<1>(3, 3), [=](sycl::nd_item<1>)
                                                    [[sycl::reqd_work_group_size(4)]] {});
    is_right = false;
  } catch (const sycl::exception &error) {
    is_right = is_right && error.code() == sycl::errc::nd_range;
  }
  sycl::free(out, queue);
  return is_right ? 0 : 1;
}
