// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the programs of this folder share, in SYCL and CUDA: random data, medians, what is printed.
#ifndef TENON_BENCH_KERNEL_BENCH_HPP
#define TENON_BENCH_KERNEL_BENCH_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#ifdef __CUDACC__
#define BENCH_BOTH __host__ __device__
#else
#define BENCH_BOTH
#endif

namespace bench {

// The i-th of a sequence of random numbers: device and host make the same ones.
BENCH_BOTH inline std::uint32_t random_bits(std::uint32_t i) {
  i ^= i >> 16;
  i *= 0x7feb352dU;
  i ^= i >> 15;
  i *= 0x846ca68bU;
  return i ^ i >> 16;
}
// In [0, 1), of 16 bits: sums of few of them are exact.
BENCH_BOTH inline float random_float(std::uint32_t i) {
  return static_cast<float>(random_bits(i) >> 16) * (1.0f / 65536.0f);
}

inline double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values.empty() ? 0 : values[values.size() / 2];
}

// One line for each measurement: its name, seconds, work done in a second.
inline void print(const char *name, double seconds, double work, const char *unit) {
  std::printf("%s\t%.9f\t%.2f %s\n", name, seconds, work / seconds * 1e-9, unit);
  std::fflush(stdout);
}

inline void check(const char *name, bool is_right) {
  if (!is_right) {
    std::fprintf(stderr, "%s: wrong result\n", name);
    std::exit(1);
  }
}
inline bool is_near(double value, double wanted, double tolerance) {
  return std::fabs(value - wanted) <= tolerance * (std::fabs(wanted) + 1e-3);
}

// Places where results are compared: spread over [0, size).
inline std::size_t sample(std::size_t size, std::uint32_t i) {
  return i < 4 ? (i < 2 ? i : size - i + 1) % size
               : (static_cast<std::size_t>(random_bits(i)) << 16 ^ random_bits(i + 1u)) % size;
}
constexpr std::uint32_t samples = 2000;

}  // namespace bench

#endif
