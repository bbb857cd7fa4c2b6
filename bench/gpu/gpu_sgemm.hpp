// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sizes of the matrix products, and what their result has to be.
#ifndef TENON_BENCH_GPU_SGEMM_HPP
#define TENON_BENCH_GPU_SGEMM_HPP

#include "kernel_bench.hpp"

namespace sgemm {
constexpr int n = 4096;
constexpr int tile = 32;    // of the plain version: each work-item has one element
constexpr int block = 128;  // of the other: a group's square, in steps of `step`, 8 x 8 an item
constexpr int step = 8;
constexpr int per_item = 8;
constexpr int items = (block / per_item) * (block / per_item);
constexpr double flops = 2.0 * n * n * static_cast<double>(n);

inline bool is_right(const float *c) {
  for (std::uint32_t k = 0; k < 200; ++k) {
    const std::size_t at = bench::sample(std::size_t{n} * n, k);
    const auto row = static_cast<std::uint32_t>(at / n),
               column = static_cast<std::uint32_t>(at % n);
    double want = 0;
    for (std::uint32_t i = 0; i < n; ++i) {
      want += static_cast<double>(bench::random_float(row * n + i)) *
              bench::random_float(i * n + column + 99);
    }
    if (!bench::is_near(c[at], want, 1e-4)) {
      return false;
    }
  }
  return true;
}
}  // namespace sgemm

#endif
