// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sizes of the histogram programs, and what their result has to be.
#ifndef TENON_BENCH_GPU_HISTOGRAM_HPP
#define TENON_BENCH_GPU_HISTOGRAM_HPP

#include "kernel_bench.hpp"

namespace histogram {
constexpr std::size_t words = std::size_t{1} << 28;  // of four bytes each, every byte counts
constexpr unsigned bins = 256;
constexpr unsigned block = 256;
constexpr unsigned groups = 132 * 8;
constexpr double bytes = 4.0 * words;

inline std::vector<unsigned> wanted() {
  std::vector<unsigned> counts(bins);
  for (std::size_t i = 0; i < words; ++i) {
    const std::uint32_t v = bench::random_bits(static_cast<std::uint32_t>(i));
    ++counts[v & 255];
    ++counts[v >> 8 & 255];
    ++counts[v >> 16 & 255];
    ++counts[v >> 24];
  }
  return counts;
}
}  // namespace histogram

#endif
