// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A value that only one work-item of a sub-group has set reaches all of them, through functions of
// the program as well. The others, whose variable is not initialized, remain.
// RUN: %tenonxx -fsycl -Wno-sometimes-uninitialized -Wno-conditional-uninitialized %s -o %t && %t
// RUN: %tenonxx -fsycl -O3 -Wno-sometimes-uninitialized %s -o %t && env TENON_JIT_OPT=3 %t
#include "../headers/Inputs/expect.hpp"

#include <cstdint>

enum { count = 128 };

static std::uint32_t exchange(const sycl::sub_group &group, std::uint32_t value) {
  return sycl::select_from_group(group, value, 0);
}

template <class F>
static void test(sycl::queue &q, F send) {
  auto *counter = sycl::malloc_shared<std::uint32_t>(1, q);
  auto *out = sycl::malloc_shared<std::uint32_t>(count, q);
  *counter = 0;
  q.parallel_for(sycl::nd_range<1>(count, count), [=](sycl::nd_item<1> item) {
    const auto group = item.get_sub_group();
    const std::uint32_t lane = group.get_local_linear_id();
    std::uint32_t value;
    if (lane == 0) {
      value = sycl::atomic_ref<std::uint32_t, sycl::memory_order::relaxed,
                               sycl::memory_scope::device>(*counter)
                  .fetch_add(1);
    }
    value = send(group, value);
    out[item.get_global_id(0)] = value * 1000 + lane;
  }).wait();
  EXPECT(*counter > 0 && *counter <= count / 4);
  for (std::uint32_t i = 1; i < count; i++) {
    const std::uint32_t lane = out[i] % 1000;
    EXPECT(lane == 0 || (lane == out[i - 1] % 1000 + 1 && out[i] == out[i - 1] + 1));
  }
  EXPECT(out[1] % 1000 == 1);
  sycl::free(counter, q);
  sycl::free(out, q);
}

int main() {
  sycl::queue q;
  test(q, [](const sycl::sub_group &group, std::uint32_t value) {
    return sycl::select_from_group(group, value, 0);
  });
  test(q, [](const sycl::sub_group &group, std::uint32_t value) {
    return sycl::group_broadcast(group, value, 0);
  });
  test(q, [](const sycl::sub_group &group, std::uint32_t value) { return exchange(group, value); });
  return failures != 0;
}
