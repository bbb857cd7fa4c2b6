// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the reductions add up.
#ifndef TENON_BENCH_GPU_REDUCTION_HPP
#define TENON_BENCH_GPU_REDUCTION_HPP

#include "kernel_bench.hpp"

namespace reduction {
constexpr std::size_t count = std::size_t{1} << 28;
constexpr unsigned block = 256;
constexpr unsigned groups = 132 * 8;  // of a multiple of an H200's multiprocessors
constexpr double bytes = sizeof(float) * static_cast<double>(count);

inline bool is_right(float sum) {
  double want = 0;
  for (std::size_t i = 0; i < count; ++i) {
    want += bench::random_float(static_cast<std::uint32_t>(i));
  }
  return bench::is_near(sum, want, 1e-4);
}
}  // namespace reduction

#endif
