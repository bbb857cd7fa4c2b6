// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions on numbers, and function objects, of the reference. Sums wrap.
#ifndef TN_TEST_FUZZ_KERNELS_REFERENCE_FUNCTIONS_HPP
#define TN_TEST_FUZZ_KERNELS_REFERENCE_FUNCTIONS_HPP

#include <cmath>
#include <cstdint>
#include <type_traits>

namespace sycl {

namespace reference {

__extension__ typedef __int128 wide;
template <class T>
constexpr bool is_float = std::is_floating_point_v<T>;
template <class T>
constexpr int bits = 8 * sizeof(T);
template <class T>
constexpr wide lowest = std::is_signed_v<T> ? -(wide(1) << (bits<T> - 1)) : wide(0);
template <class T>
constexpr wide highest = (wide(1) << (bits<T> - (std::is_signed_v<T> ? 1 : 0))) - 1;
template <class T>
T saturate(wide v) {
  return T(v < lowest<T> ? lowest<T> : v > highest<T> ? highest<T> : v);
}
template <class T>
using without_sign = std::make_unsigned_t<T>;

}  // namespace reference

template <class T = void>
struct plus {
  T operator()(T a, T b) const {
    if constexpr (reference::is_float<T>) {
      return a + b;
    } else {
      return T(reference::wide(a) + reference::wide(b));
    }
  }
};
template <class T = void>
struct bit_and {
  T operator()(T a, T b) const { return T(a & b); }
};
template <class T = void>
struct bit_or {
  T operator()(T a, T b) const { return T(a | b); }
};
template <class T = void>
struct bit_xor {
  T operator()(T a, T b) const { return T(a ^ b); }
};
template <class T = void>
struct minimum {
  T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T = void>
struct maximum {
  T operator()(T a, T b) const { return a < b ? b : a; }
};

template <class T>
T min(T a, T b) {
  return b < a ? b : a;
}
template <class T>
T max(T a, T b) {
  return a < b ? b : a;
}
template <class T>
T clamp(T v, T low, T high) {
  return v < low ? low : high < v ? high : v;
}
template <class T>
T abs(T v) {
  return T(v < 0 ? -v : v);
}
template <class T>
T abs_diff(T a, T b) {
  return T(a < b ? b - a : a - b);
}
template <class T>
T popcount(T v) {
  return T(__builtin_popcountll(static_cast<reference::without_sign<T>>(v)));
}
template <class T>
T clz(T v) {
  int n = 0;
  while (n < reference::bits<T> && (uint64_t(v) >> (reference::bits<T> - 1 - n) & 1) == 0) {
    n++;
  }
  return T(n);
}
template <class T>
T ctz(T v) {
  int n = 0;
  while (n < reference::bits<T> && (uint64_t(v) >> n & 1) == 0) {
    n++;
  }
  return T(n);
}
template <class T>
T rotate(T v, T by) {
  const unsigned n = unsigned(by) % reference::bits<T>;
  const reference::wide u = reference::without_sign<T>(v);
  return T(n == 0 ? u : (u << n | u >> (reference::bits<T> - n)));
}
template <class T>
T mul_hi(T a, T b) {
  __extension__ typedef unsigned __int128 uwide;
  if constexpr (std::is_signed_v<T>) {
    return T(reference::wide(a) * reference::wide(b) >> reference::bits<T>);
  } else {
    return T(uwide(a) * uwide(b) >> reference::bits<T>);
  }
}
template <class T>
T hadd(T a, T b) {
  return T((reference::wide(a) + reference::wide(b)) >> 1);
}
template <class T>
T rhadd(T a, T b) {
  return T((reference::wide(a) + reference::wide(b) + 1) >> 1);
}
template <class T>
T add_sat(T a, T b) {
  return reference::saturate<T>(reference::wide(a) + reference::wide(b));
}
template <class T>
T sub_sat(T a, T b) {
  return reference::saturate<T>(reference::wide(a) - reference::wide(b));
}
template <class T>
T fabs(T v) {
  return std::fabs(v);
}
template <class T>
T floor(T v) {
  return std::floor(v);
}
template <class T>
T ceil(T v) {
  return std::ceil(v);
}
template <class T>
T trunc(T v) {
  return std::trunc(v);
}
template <class T>
T rint(T v) {
  return std::rint(v);
}
template <class T>
T sqrt(T v) {
  return std::sqrt(v);
}
template <class T>
T fma(T a, T b, T c) {
  return std::fma(a, b, c);
}
template <class T>
T select(T a, T b, bool c) {
  return c ? b : a;
}

}  // namespace sycl

#endif
