// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bodies of the n-body programs, and what their result has to be.
#ifndef TENON_BENCH_GPU_NBODY_HPP
#define TENON_BENCH_GPU_NBODY_HPP

#include "kernel_bench.hpp"

namespace nbody {
constexpr int bodies = 1 << 17;
constexpr int tile = 256;
constexpr float softening = 1e-2f;

// Of the acceleration that body `i` gets, one dimension; in double.
inline double reference(std::uint32_t i, int dimension) {
  double at[3], sum = 0;
  for (int k = 0; k < 3; ++k) {
    at[k] = bench::random_float(4 * i + static_cast<std::uint32_t>(k));
  }
  for (std::uint32_t j = 0; j < bodies; ++j) {
    double d[3], r2 = softening;
    for (int k = 0; k < 3; ++k) {
      d[k] = bench::random_float(4 * j + static_cast<std::uint32_t>(k)) - at[k];
      r2 += d[k] * d[k];
    }
    sum += d[dimension] * bench::random_float(4 * j + 3) / (r2 * std::sqrt(r2));
  }
  return sum;
}
inline bool is_right(const float *accelerations) {
  for (std::uint32_t k = 0; k < 20; ++k) {
    const auto i = static_cast<std::uint32_t>(bench::sample(bodies, k));
    const int dimension = static_cast<int>(k % 3);
    if (std::fabs(accelerations[4 * i + k % 3] - reference(i, dimension)) > 0.05 * bodies * 1e-3) {
      return false;
    }
  }
  return true;
}
constexpr double flops = 20.0 * bodies * static_cast<double>(bodies);
}  // namespace nbody

#endif
