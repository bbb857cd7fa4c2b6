// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// get_opportunistic_group in branches: counters that a group's leader advances for all of it, group
// functions, whatever the size of the group is.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror %s -o %t && %t
// RUN: %tenonxx -fsycl -O0 %s -o %t.O0 && %t.O0
#include "../headers/Inputs/expect.hpp"

#include <sycl/sycl.hpp>

namespace syclex = sycl::ext::oneapi::experimental;

static int advance(int *counter) {
  const auto group = syclex::this_kernel::get_opportunistic_group();
  int start = 0;
  if (group.leader()) {
    sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::device> all(*counter);
    start = all.fetch_add(static_cast<int>(group.get_local_linear_range()));
  }
  return sycl::group_broadcast(group, start) + static_cast<int>(group.get_local_linear_id());
}

static void filter(sycl::queue &queue) {
  constexpr std::size_t count = 1000;
  int *out = sycl::malloc_shared<int>(count, queue);
  int *counter = sycl::malloc_shared<int>(1, queue);
  std::fill_n(out, count, -1);
  *counter = 0;
  queue
      .parallel_for(sycl::nd_range<1>(count, 50),
                    [=](sycl::nd_item<1> item) {
                      const int i = static_cast<int>(item.get_global_id(0));
                      if (i % 3 == 1) {
                        out[advance(counter)] = i;
                      }
                    })
      .wait();
  EXPECT(*counter == 333);
  std::sort(out, out + 333);
  for (int i = 0; i < 333; ++i) {
    EXPECT(out[i] == 3 * i + 1);
  }
  EXPECT(out[333] == -1);
  sycl::free(out, queue);
  sycl::free(counter, queue);
}

// The functions agree with each other.
static void functions(sycl::queue &queue) {
  bool *right = sycl::malloc_shared<bool>(64, queue);
  queue
      .parallel_for(
          sycl::nd_range<1>(64, 32),
          [=](sycl::nd_item<1> item) {
            bool is_right = true;
            if (item.get_global_id(0) % 2 == 0) {
              const auto group = syclex::this_work_item::get_opportunistic_group();
              const int size = static_cast<int>(group.get_local_range()[0]);
              const int here = static_cast<int>(group.get_local_id()[0]);
              sycl::group_barrier(group);
              const auto plus = sycl::plus<int>();
              is_right = sycl::reduce_over_group(group, 2, plus) == 2 * size &&
                         sycl::reduce_over_group(group, 2, 5, plus) == 2 * size + 5 &&
                         sycl::inclusive_scan_over_group(group, 1, plus) == here + 1 &&
                         sycl::inclusive_scan_over_group(group, 1, plus, 4) == here + 5 &&
                         sycl::exclusive_scan_over_group(group, 1, plus) == here &&
                         sycl::exclusive_scan_over_group(group, 1, 7, plus) == here + 7 &&
                         sycl::any_of_group(group, true) && sycl::all_of_group(group, true) &&
                         sycl::none_of_group(group, false) &&
                         sycl::any_of_group(group, 3, [](int x) { return x == 3; }) &&
                         sycl::select_from_group(group, here, group.get_local_id()) == here &&
                         sycl::group_broadcast(group, here, size - 1) == size - 1 &&
                         sycl::group_broadcast(group, here, sycl::id<1>(0)) == 0 &&
                         sycl::permute_group_by_xor(group, here, 0) == here &&
                         group.leader() == (here == 0);
            }
            right[item.get_global_id(0)] = is_right;
          })
      .wait();
  for (int i = 0; i < 64; ++i) {
    EXPECT(right[i]);
  }
  sycl::free(right, queue);
}

int main() {
  sycl::queue queue;
  filter(queue);
  functions(queue);
  try {
    (void)syclex::this_kernel::get_opportunistic_group();
    EXPECT(false);
  } catch (const sycl::exception &e) {
    EXPECT(e.code() == sycl::errc::feature_not_supported);
  }
  return failures;
}
