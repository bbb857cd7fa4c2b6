// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How far a result is from the exact one, in units in the last place; what is too far is reported.
#pragma once
#include <sycl/builtins.hpp>
#include <sycl/sycl.hpp>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <vector>

inline int failures = 0;

#define EXPECT(condition)                                                  \
  do {                                                                     \
    if (!(condition)) {                                                    \
      std::printf("%s:%d: expected %s\n", __FILE__, __LINE__, #condition); \
      ++failures;                                                          \
    }                                                                      \
  } while (false)

template <class T>
struct format;
template <>
struct format<float> {
  static constexpr int digits = 24, least = -126;
  static constexpr long double most = 3.40282346638528859812e38L;
  using bits = std::uint32_t;
  static constexpr const char *text = "float";
};
template <>
struct format<double> {
  static constexpr int digits = 53, least = -1022;
  static constexpr long double most = 1.79769313486231570815e308L;
  using bits = std::uint64_t;
  static constexpr const char *text = "double";
};
template <>
struct format<sycl::half> {
  static constexpr int digits = 11, least = -14;
  static constexpr long double most = 65504.0L;
  using bits = std::uint16_t;
  static constexpr const char *text = "half";
};

template <class T>
long double wide(T x) {
  if constexpr (std::is_same_v<T, sycl::half>) {
    return static_cast<float>(x);
  } else {
    return x;
  }
}
template <class T>
T narrow(long double x) {
  if constexpr (std::is_same_v<T, double>) {
    return static_cast<double>(x);
  } else {
    return static_cast<T>(static_cast<float>(x));
  }
}

// Zeros differ by their sign only where the exact result is a zero.
template <class T>
long double ulps(T got, long double exact) {
  const long double value = wide(got);
  if (std::isnan(exact) || std::isnan(value)) {
    return std::isnan(exact) && std::isnan(value) ? 0 : HUGE_VALL;
  }
  if (exact == 0 && value == 0) {
    return std::signbit(exact) == std::signbit(value) ? 0 : HUGE_VALL;
  }
  int exponent = format<T>::least;
  if (exact != 0 && !std::isinf(exact)) {
    exponent = std::max(exponent, std::ilogb(exact));
  }
  const long double unit = std::ldexp(1.0L, exponent - format<T>::digits + 1);
  const long double overflow = format<T>::most + std::ldexp(unit, -1);
  if (std::isinf(value) || std::isinf(exact)) {
    // An overflow is right where the exact result is too large, or nearly.
    const bool is_too_large = std::fabs(exact) >= overflow - 4 * unit;
    return (std::signbit(exact) == std::signbit(value) && is_too_large &&
            std::fabs(value) >= format<T>::most)
               ? 0
               : HUGE_VALL;
  }
  return std::fabs(value - exact) / unit;
}

// The worst of a function's results so far.
struct worst {
  long double error = 0;
  long double x = 0, y = 0, got = 0, exact = 0;
  void add(long double e, long double xi, long double yi, long double g, long double r) {
    if (!(e <= error)) {
      *this = {e, xi, yi, g, r};
    }
  }
  void judge(const char *where, const char *type, const char *function, double limit) const {
    if (!(error <= limit)) {
      std::printf(
          "%s<%s> %s: %.2Lf ulp, at most %.1f allowed: of (%.17Lg, %.17Lg) got %.17Lg, "
          "expected %.17Lg\n",
          function, type, where, error, limit, x, y, got, exact);
      ++failures;
    }
  }
};

// Always the same numbers.
struct numbers {
  std::uint64_t state = 1;
  std::uint64_t next() {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (state >> 11) ^ (state << 42);
  }
  long double between(long double low, long double high) {
    return low + (high - low) * (static_cast<long double>(next() >> 12) / 4503599627370496.0L);
  }
  template <class T>
  T any_bits() {
    const auto bits = static_cast<typename format<T>::bits>(next());
    T x;
    std::memcpy(&x, &bits, sizeof x);
    return x;
  }
};

// Edge values, numbers from low to high and numbers of all magnitudes.
template <class T>
std::vector<T> samples(std::size_t count, long double low, long double high, std::uint64_t seed) {
  numbers random{seed};
  std::vector<T> result;
  const long double edges[] = {0.0L,
                               -0.0L,
                               1.0L,
                               -1.0L,
                               0.5L,
                               -0.5L,
                               2.0L,
                               -2.0L,
                               3.0L,
                               -3.0L,
                               1.5L,
                               -2.5L,
                               7.0L,
                               10.0L,
                               100.25L,
                               HUGE_VALL,
                               -HUGE_VALL,
                               std::nanl(""),
                               format<T>::most,
                               -format<T>::most,
                               std::ldexp(1.0L, format<T>::least),
                               std::ldexp(1.0L, format<T>::least - format<T>::digits + 1),
                               -std::ldexp(3.0L, format<T>::least - format<T>::digits + 1),
                               low,
                               high};
  for (long double x : edges) {
    result.push_back(narrow<T>(x));
  }
  while (result.size() < count) {
    result.push_back(result.size() % 3 == 0 ? random.any_bits<T>()
                                            : narrow<T>(random.between(low, high)));
  }
  return result;
}
