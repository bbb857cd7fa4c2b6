// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The geometric functions. Source: SYCL 2020 rev. 9 section 4.17.9; OpenCL C on their limits.
#ifndef TENON_SYCL_DETAIL_BUILTINS_GEOMETRIC_HPP
#define TENON_SYCL_DETAIL_BUILTINS_GEOMETRIC_HPP

#include <sycl/detail/builtins_math.hpp>

#include <cstddef>
#include <type_traits>

namespace sycl {
namespace detail {

// Scalars, and 2 to 4 elements.
template <class A, class... B>
using if_geometric =
    std::enable_if_t<gen_type<A>::is_scalar || (gen_type<A>::size >= 2 && gen_type<A>::size <= 4),
                     if_gen_floats<A, B...>>;
template <class A, class... B>
using if_geometric_float =
    std::enable_if_t<std::is_same_v<gen_element<A>, float>, if_geometric<A, B...>>;
template <class A, class B>
using if_cross =
    std::enable_if_t<gen_type<A>::size == 3 || gen_type<A>::size == 4, if_floats<A, B>>;

// The elements of a vector in the type they are computed in.
template <class V>
struct geometry {
  static constexpr std::size_t size = gen_type<V>::size;
  using T = std::conditional_t<std::is_same_v<gen_element<V>, half>, float, gen_element<V>>;
  using limits = float_math<T>;
  T x[size];

  explicit geometry(const gen_value<V> &value) noexcept {
    for (std::size_t i = 0; i < size; ++i) {
      x[i] = static_cast<T>(gen_at(value, i));
    }
  }
  gen_value<V> value() const noexcept {
    gen_value<V> result;
    for (std::size_t i = 0; i < size; ++i) {
      gen_set(result, i, static_cast<gen_element<V>>(x[i]));
    }
    return result;
  }
  geometry &subtract(const geometry &other) noexcept {
    for (std::size_t i = 0; i < size; ++i) {
      x[i] -= other.x[i];
    }
    return *this;
  }
  geometry &scale(T factor) noexcept {
    for (std::size_t i = 0; i < size; ++i) {
      x[i] *= factor;
    }
    return *this;
  }
  T dot(const geometry &other) const noexcept {
    T sum = x[0] * other.x[0];
    for (std::size_t i = 1; i < size; ++i) {
      sum += x[i] * other.x[i];
    }
    return sum;
  }
  // The power of two by which to multiply so that squares are neither too large nor too small.
  T safe_factor() const noexcept {
    if constexpr (sizeof(gen_element<V>) == 2) {
      return T(1);
    } else {
      constexpr int bias = float_format<T>::bias;
      const T square = dot(*this);
      const T of_large =
          square < limits::power_of_two(bias - 1) ? T(1) : limits::power_of_two(-bias / 2 - 8);
      return square < limits::power_of_two(-bias / 2)
                 ? limits::power_of_two(bias / 2 + float_format<T>::mantissa + 4)
                 : of_large;
    }
  }
  T length() const noexcept {
    const T factor = safe_factor();
    geometry scaled = *this;
    scaled.scale(factor);
    return scaled.fast_length() * (T(1) / factor);
  }
  T fast_length() const noexcept { return limits::sqrt(dot(*this)); }
  geometry &normalize() noexcept {
    // Where elements are infinite only they count.
    bool has_infinite = false;
    for (std::size_t i = 0; i < size; ++i) {
      has_infinite |= limits::absolute(x[i]) == limits::infinity;
    }
    for (std::size_t i = 0; i < size; ++i) {
      const T one_if_infinite = limits::absolute(x[i]) == limits::infinity ? T(1) : T(0);
      x[i] = has_infinite && x[i] == x[i] ? limits::with_sign(one_if_infinite, x[i]) : x[i];
    }
    scale(safe_factor());
    const T length = fast_length();
    return scale(length == T(0) ? T(1) : T(1) / length);
  }
  geometry &fast_normalize() noexcept {
    const T square = dot(*this);
    return scale(square == T(0) ? T(1) : limits::rsqrt(square));
  }
};

}  // namespace detail

template <class V, class W>
detail::if_cross<V, W> cross(const V &p0, const W &p1) noexcept {
  using T = typename detail::geometry<V>::T;
  const detail::geometry<V> a(p0), b(p1);
  detail::geometry<V> result = a;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
    result.x[i] = a.x[j] * b.x[k] - a.x[k] * b.x[j];
  }
  if constexpr (detail::gen_type<V>::size == 4) {
    result.x[3] = T(0);
  }
  return result.value();
}
template <class V, class W>
detail::gen_element<detail::if_geometric<V, W>> dot(const V &p0, const W &p1) noexcept {
  return static_cast<detail::gen_element<V>>(detail::geometry<V>(p0).dot(detail::geometry<V>(p1)));
}
template <class V>
detail::gen_element<detail::if_geometric<V>> length(const V &p) noexcept {
  return static_cast<detail::gen_element<V>>(detail::geometry<V>(p).length());
}
template <class V, class W>
detail::gen_element<detail::if_geometric<V, W>> distance(const V &p0, const W &p1) noexcept {
  return static_cast<detail::gen_element<V>>(
      detail::geometry<V>(p0).subtract(detail::geometry<V>(p1)).length());
}
template <class V>
detail::if_geometric<V> normalize(const V &p) noexcept {
  return detail::geometry<V>(p).normalize().value();
}
template <class V>
detail::gen_element<detail::if_geometric_float<V>> fast_length(const V &p) noexcept {
  return detail::geometry<V>(p).fast_length();
}
template <class V, class W>
detail::gen_element<detail::if_geometric_float<V, W>> fast_distance(const V &p0,
                                                                    const W &p1) noexcept {
  return detail::geometry<V>(p0).subtract(detail::geometry<V>(p1)).fast_length();
}
template <class V>
detail::if_geometric_float<V> fast_normalize(const V &p) noexcept {
  return detail::geometry<V>(p).fast_normalize().value();
}

}  // namespace sycl

#endif
