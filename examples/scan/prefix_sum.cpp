// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An exclusive prefix sum in three kernels: each work-group scans its part and notes its total, one
// work-group scans the totals, and each part gets what came before it.
#include <sycl/sycl.hpp>

#include <cstdint>
#include <cstdio>
#include <numeric>
#include <vector>

constexpr std::size_t group_size = 256, groups = 256;  // groups: at most what one group can scan
constexpr std::size_t count = groups * group_size;
using number = std::uint32_t;

// Writes for each work-item the sum of the values before it in its group, and returns the sum of
// all: in each round, work-items add what stands `step` to their left.
static number scan_in_group(const sycl::nd_item<1> &item, number *sums, number own,
                            number &before) {
  const std::size_t at = item.get_local_id(0);
  sums[at] = own;
  for (std::size_t step = 1; step < group_size; step *= 2) {
    sycl::group_barrier(item.get_group());
    const number left = at >= step ? sums[at - step] : 0;
    sycl::group_barrier(item.get_group());
    sums[at] += left;
  }
  sycl::group_barrier(item.get_group());
  before = sums[at] - own;
  return sums[group_size - 1];
}

static void scan(sycl::queue &q, const number *in, number *out, number *totals) {
  q.submit([&](sycl::handler &h) {
    const sycl::local_accessor<number> sums(group_size, h);
    h.parallel_for(sycl::nd_range<1>(count, group_size), [=](sycl::nd_item<1> item) {
      const std::size_t i = item.get_global_id(0);
      const number total = scan_in_group(item, &sums[0], in[i], out[i]);
      if (item.get_local_id(0) == 0) {
        totals[item.get_group(0)] = total;
      }
    });
  });
  // The same by a function of the specification, which every work-item of the group calls.
  q.parallel_for(sycl::nd_range<1>(groups, groups), [=](sycl::nd_item<1> item) {
    const std::size_t i = item.get_global_id(0);
    totals[i] = sycl::exclusive_scan_over_group(item.get_group(), totals[i], sycl::plus<>());
  });
  q.parallel_for(sycl::nd_range<1>(count, group_size), [=](sycl::nd_item<1> item) {
    out[item.get_global_id(0)] += totals[item.get_group(0)];
  });
}

static int run() {
  sycl::queue q{sycl::property::queue::in_order{}};
  number *const memory = sycl::malloc_shared<number>(2 * count + groups, q);
  if (memory == nullptr) {
    std::fprintf(stderr, "scan: no memory for %zu numbers\n", count);
    return 1;
  }
  number *const in = memory, *const out = in + count, *const totals = out + count;
  for (std::size_t i = 0; i < count; ++i) {
    in[i] = static_cast<number>(i * 2654435761u >> 8) % 1000;
  }
  scan(q, in, out, totals);
  q.wait_and_throw();

  std::vector<number> expected(count);
  std::exclusive_scan(in, in + count, expected.begin(), number(0));
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < count; ++i) {
    wrong += out[i] != expected[i];
  }
  sycl::free(memory, q);
  std::printf("scan: %s: %zu of %zu sums differ\n", wrong == 0 ? "correct" : "WRONG", wrong, count);
  return wrong == 0 ? 0 : 1;
}

int main() {
  try {
    return run();
  } catch (const sycl::exception &error) {
    std::fprintf(stderr, "scan: %s\n", error.what());
    return 1;
  }
}
