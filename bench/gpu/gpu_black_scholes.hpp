// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The options that the Black-Scholes programs price, and what their result has to be.
#ifndef TENON_BENCH_GPU_BLACK_SCHOLES_HPP
#define TENON_BENCH_GPU_BLACK_SCHOLES_HPP

#include "kernel_bench.hpp"

namespace black_scholes {
constexpr std::size_t count = std::size_t{1} << 26;
constexpr float rate = 0.02f, volatility = 0.3f, root_half = 0.70710678f;
constexpr double bytes = 5.0 * sizeof(float) * count;

// Prices and years from numbers in [0, 1).
BENCH_BOTH inline float price(float r) { return 5.0f + 25.0f * r; }
BENCH_BOTH inline float strike(float r) { return 1.0f + 99.0f * r; }
BENCH_BOTH inline float years(float r) { return 0.25f + 9.75f * r; }

inline bool is_right(const float *calls, const float *puts) {
  const auto normal = [](double x) { return 0.5 * std::erfc(-x * root_half); };
  for (std::uint32_t k = 0; k < bench::samples; ++k) {
    const std::size_t i = bench::sample(count, k);
    const auto n = static_cast<std::uint32_t>(i);
    const double s = price(bench::random_float(n)), x = strike(bench::random_float(n + 11));
    const double t = years(bench::random_float(n + 22));
    const double width = volatility * std::sqrt(t);
    const double d1 = (std::log(s / x) + (rate + 0.5 * volatility * volatility) * t) / width;
    const double d2 = d1 - width;
    const double discount = x * std::exp(-rate * t);
    const double call = s * normal(d1) - discount * normal(d2);
    const double put = discount * normal(-d2) - s * normal(-d1);
    if (std::fabs(calls[i] - call) > 2e-5 * x || std::fabs(puts[i] - put) > 2e-5 * x) {
      return false;
    }
  }
  return true;
}
}  // namespace black_scholes

#endif
