// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nd_item and group: all ids and ranges in one, two and three dimensions, and bad work-group sizes.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror -Wno-deprecated-declarations %s -o %t && %t
// RUN: %tenonxx -fsycl -O0 -Wno-deprecated-declarations %s -o %t.O0 && %t.O0
#include "Inputs/expect.hpp"

template <int D>
static void check(sycl::queue q, sycl::range<D> global, sycl::range<D> local) {
  const std::size_t count = global.size();
  int *bad = sycl::malloc_shared<int>(count, q);
  int *seen = sycl::malloc_shared<int>(count, q);
  for (std::size_t i = 0; i < count; ++i) {
    bad[i] = seen[i] = 0;
  }
  q.parallel_for(sycl::nd_range<D>(global, local), [=](sycl::nd_item<D> item) {
     const std::size_t place = item.get_global_linear_id();
     seen[place] += 1;
     sycl::group<D> group = item.get_group();
     int wrong = 0;
     std::size_t linear = 0, group_linear = 0, local_linear = 0;
     for (int d = 0; d < D; ++d) {
       wrong += item.get_global_range(d) != global[d] || item.get_local_range(d) != local[d];
       wrong += item.get_group_range(d) != global[d] / local[d];
       wrong += item.get_global_id(d) != item.get_group(d) * local[d] + item.get_local_id(d);
       wrong += item.get_local_id(d) >= local[d] || group[d] != item.get_group(d);
       wrong += group.get_group_id(d) != group.get_group_id()[d] ||
                group.get_local_id(d) != item.get_local_id(d);
       wrong +=
           group.get_local_range(d) != local[d] || group.get_group_range(d) != global[d] / local[d];
       linear = linear * global[d] + item.get_global_id(d);
       group_linear = group_linear * (global[d] / local[d]) + item.get_group(d);
       local_linear = local_linear * local[d] + item.get_local_id(d);
     }
     wrong += place != linear || item.get_group_linear_id() != group_linear;
     wrong +=
         item.get_local_linear_id() != local_linear || group.get_group_linear_id() != group_linear;
     wrong += group.get_local_linear_id() != local_linear || group.leader() != (local_linear == 0);
     wrong += group.get_group_linear_range() != (global / local).size();
     wrong +=
         group.get_local_linear_range() != local.size() || group.get_max_local_range() != local;
     wrong += item.get_nd_range() != sycl::nd_range<D>(global, local);
     wrong += item.get_global_range() != global || item.get_offset() != sycl::id<D>();
     bad[place] = wrong;
   }).wait();
  for (std::size_t i = 0; i < count; ++i) {
    EXPECT(seen[i] == 1 && bad[i] == 0);
  }
  sycl::free(bad, q);
  sycl::free(seen, q);
}

int main() {
  sycl::queue q;
  check<1>(q, {32}, {8});
  check<1>(q, {5}, {1});
  check<2>(q, {6, 8}, {3, 2});
  check<3>(q, {4, 6, 10}, {2, 3, 5});
  check<3>(q, {1, 1, 7}, {1, 1, 7});
  EXPECT_ERRC(nd_range, q.parallel_for(sycl::nd_range<1>(10, 4), [=](sycl::nd_item<1>) {}));
  EXPECT_ERRC(nd_range, q.parallel_for(sycl::nd_range<1>(8, 0), [=](sycl::nd_item<1>) {}));
  const auto most = q.get_device().get_info<sycl::info::device::max_work_group_size>();
  EXPECT_ERRC(nd_range,
              q.parallel_for(sycl::nd_range<1>(most * 4, most * 4), [=](sycl::nd_item<1>) {}));
  return failures;
}
