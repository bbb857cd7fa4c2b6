// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The common functions; min, max and clamp for integers too.
// Source: SYCL 2020 rev. 9 sections 4.17.7 (min, max, clamp), 4.17.8.
#ifndef TENON_SYCL_DETAIL_BUILTINS_BLEND_HPP
#define TENON_SYCL_DETAIL_BUILTINS_BLEND_HPP

#include <sycl/detail/builtins_math.hpp>

#include <cstddef>

namespace sycl {
namespace detail {

template <class T>
struct common_math {
  // half is computed as float.
  using F = std::conditional_t<std::is_same_v<T, half>, float, T>;
  static F wide(T x) noexcept { return static_cast<F>(x); }

  static T min(T x, T y) noexcept { return wide(y) < wide(x) ? y : x; }
  static T max(T x, T y) noexcept { return wide(x) < wide(y) ? y : x; }
  static T clamp(T x, T low, T high) noexcept {
    if constexpr (is_gen_float<T>) {
      return fmin(fmax(x, low), high);
    } else {
      return min(max(x, low), high);
    }
  }
  static T degrees(T x) noexcept {
    return static_cast<T>(wide(x) * static_cast<F>(57.295779513082320876798154814105));
  }
  static T radians(T x) noexcept {
    return static_cast<T>(wide(x) * static_cast<F>(0.017453292519943295769236907684886));
  }
  static T mix(T x, T y, T a) noexcept {
    return static_cast<T>(wide(x) + (wide(y) - wide(x)) * wide(a));
  }
  static T step(T edge, T x) noexcept { return static_cast<T>(wide(x) < wide(edge) ? F(0) : F(1)); }
  // Each step in T, as the specification writes it: half is rounded in between.
  static T smoothstep(T edge0, T edge1, T x) noexcept {
    const T t = clamp((x - edge0) / (edge1 - edge0), T(0), T(1));
    return t * t * (T(3) - T(2) * t);
  }
  static T sign(T x) noexcept {
    const F f = wide(x);
    return static_cast<T>(f > F(0) ? F(1) : f < F(0) ? F(-1) : f == F(0) ? f : F(0));
  }
};

}  // namespace detail

// Each call is of common_math<T>, with i the place of the element.
#define TN_SYCL_COMMON(name, ...)                                                                \
  using T = detail::gen_element<V>;                                                              \
  detail::gen_value<V> result;                                                                   \
  TN_SYCL_FOR_EACH(V) { detail::gen_set(result, i, detail::common_math<T>::name(__VA_ARGS__)); } \
  return result;
#define TN_SYCL_COMMON_1(name)                         \
  template <class V>                                   \
  detail::if_gen_floats<V> name(const V &x) noexcept { \
    const detail::gen_value<V> &v = x;                 \
    TN_SYCL_COMMON(name, detail::gen_at(v, i))         \
  }
#define TN_SYCL_COMMON_2(name, condition)                            \
  template <class V, class W>                                        \
  detail::condition<V, W> name(const V &x, const W &y) noexcept {    \
    const detail::gen_value<V> &v = x, &w = y;                       \
    TN_SYCL_COMMON(name, detail::gen_at(v, i), detail::gen_at(w, i)) \
  }
#define TN_SYCL_COMMON_3(name, condition)                                                  \
  template <class V, class W, class X>                                                     \
  detail::condition<V, W, X> name(const V &a, const W &b, const X &c) noexcept {           \
    const detail::gen_value<V> &v = a, &w = b, &x = c;                                     \
    TN_SYCL_COMMON(name, detail::gen_at(v, i), detail::gen_at(w, i), detail::gen_at(x, i)) \
  }

TN_SYCL_COMMON_2(min, if_gen_numbers)
TN_SYCL_COMMON_2(max, if_gen_numbers)
TN_SYCL_COMMON_3(clamp, if_gen_numbers)
TN_SYCL_COMMON_1(degrees)
TN_SYCL_COMMON_1(radians)
TN_SYCL_COMMON_1(sign)
TN_SYCL_COMMON_2(step, if_gen_floats)
TN_SYCL_COMMON_3(mix, if_gen_floats)
TN_SYCL_COMMON_3(smoothstep, if_gen_floats)

// With scalars that all elements share.
template <class V>
detail::if_numbers<V> min(const V &x, detail::gen_element<V> y) noexcept {
  const detail::gen_value<V> &v = x;
  TN_SYCL_COMMON(min, v[i], y)
}
template <class V>
detail::if_numbers<V> max(const V &x, detail::gen_element<V> y) noexcept {
  const detail::gen_value<V> &v = x;
  TN_SYCL_COMMON(max, v[i], y)
}
template <class V>
detail::if_numbers<V> clamp(const V &x, detail::gen_element<V> low,
                            detail::gen_element<V> high) noexcept {
  const detail::gen_value<V> &v = x;
  TN_SYCL_COMMON(clamp, v[i], low, high)
}
template <class V, class W>
detail::if_floats<V, W> mix(const V &x, const W &y, detail::gen_element<V> a) noexcept {
  const detail::gen_value<V> &v = x, &w = y;
  TN_SYCL_COMMON(mix, v[i], w[i], a)
}
template <class V>
detail::if_floats<V> step(detail::gen_element<V> edge, const V &x) noexcept {
  const detail::gen_value<V> &v = x;
  TN_SYCL_COMMON(step, edge, v[i])
}
template <class V>
detail::if_floats<V> smoothstep(detail::gen_element<V> edge0, detail::gen_element<V> edge1,
                                const V &x) noexcept {
  const detail::gen_value<V> &v = x;
  TN_SYCL_COMMON(smoothstep, edge0, edge1, v[i])
}

#undef TN_SYCL_COMMON_3
#undef TN_SYCL_COMMON_2
#undef TN_SYCL_COMMON_1
#undef TN_SYCL_COMMON

}  // namespace sycl

#endif
