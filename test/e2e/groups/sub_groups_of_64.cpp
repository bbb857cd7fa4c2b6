// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sub-groups of 64, whole and of 36: ids, sums, shuffles over the middle, and a ballot's 64 bits.
// RUN: %tenonxx -fsycl %s -o %t && %t && env TENON_JIT_OPT=0 %t
// GPU-SUITE: skip sub-groups of 64 are the CPU's
#include <sycl/sycl.hpp>

#include <cstdint>
#include <cstdio>

struct seen {
  std::uint32_t id, count, most, sum, before, left, exchanged, last;
  std::uint64_t ballot;
};

int main() {
  sycl::queue q;
  const int group_size = 100, total = 3 * group_size;
  seen *all = sycl::malloc_shared<seen>(total, q);
  q.parallel_for(sycl::nd_range<1>(total, group_size),
                 [=](sycl::nd_item<1> it) [[sycl::reqd_sub_group_size(64)]] {
                   const auto sg = it.get_sub_group();
                   const std::uint32_t n = it.get_local_linear_id();
                   const auto mask = sycl::ext::oneapi::group_ballot(sg, n % 3 == 0);
                   seen &s = all[it.get_global_linear_id()];
                   s.id = sg.get_local_linear_id();
                   s.count = sg.get_local_linear_range();
                   s.most = sg.get_max_local_range()[0];
                   s.sum = sycl::reduce_over_group(sg, n, sycl::plus<>());
                   s.before = sycl::exclusive_scan_over_group(sg, n, sycl::plus<>());
                   s.left = sycl::shift_group_left(sg, n, 33);
                   s.exchanged = sycl::permute_group_by_xor(sg, n, 32);
                   s.last = sycl::group_broadcast(sg, n, s.count - 1);
                   mask.extract_bits(s.ballot);
                 })
      .wait();
  int wrong = 0;
  for (int i = 0; i < total; i++) {
    const std::uint32_t n = i % group_size, first = n < 64 ? 0 : 64, count = first ? 36 : 64;
    const seen &s = all[i];
    std::uint64_t ballot = 0;
    std::uint32_t sum = 0, before = 0;
    for (std::uint32_t k = 0; k < count; k++) {
      ballot |= std::uint64_t{(first + k) % 3 == 0} << k;
      sum += first + k;
      before += first + k < n ? first + k : 0;
    }
    const bool is_right = s.id == n - first && s.count == count && s.most == 64 && s.sum == sum &&
                          s.before == before && s.last == first + count - 1 &&
                          (s.id + 33 >= count || s.left == n + 33) &&
                          ((s.id ^ 32) >= count || s.exchanged == first + (s.id ^ 32)) &&
                          s.ballot == ballot;
    if (!is_right) {
      std::printf("work-item %d is wrong\n", i);
      wrong++;
    }
  }
  sycl::free(all, q);
  return wrong != 0;
}
