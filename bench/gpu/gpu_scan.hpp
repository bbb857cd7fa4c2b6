// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the scans add up, and what their result has to be.
#ifndef TENON_BENCH_GPU_SCAN_HPP
#define TENON_BENCH_GPU_SCAN_HPP

#include "kernel_bench.hpp"

namespace scan {
constexpr std::size_t count = std::size_t{1} << 27;
constexpr unsigned block = 256;
constexpr unsigned per_item = 16;
constexpr unsigned chunk = block * per_item;  // elements of one group
constexpr unsigned chunks = count / chunk;
constexpr unsigned middle = 1024;  // work-items of the one group that scans the chunks' sums
constexpr unsigned per_middle = chunks / middle;
constexpr double bytes = 3.0 * sizeof(std::uint32_t) * static_cast<double>(count);

inline bool is_right(const std::uint32_t *got) {
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    sum += bench::random_bits(static_cast<std::uint32_t>(i));
    if (got[i] != sum) {
      return false;
    }
  }
  return true;
}
}  // namespace scan

#endif
