// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The integer functions. Source: SYCL 2020 rev. 9 section 4.17.7.
#ifndef TENON_SYCL_DETAIL_BUILTINS_INTEGER_HPP
#define TENON_SYCL_DETAIL_BUILTINS_INTEGER_HPP

#include <sycl/detail/builtins_types.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace sycl {
namespace detail {

// Results wrap unless the name says otherwise. Small integers are computed as int.
template <class T>
struct int_math {
  using U = uint_like<T>;
  using limits = std::numeric_limits<T>;
  static constexpr bool is_signed = std::is_signed_v<T>;
  static constexpr int width = static_cast<int>(sizeof(T) * 8);
  // Holds every sum and product of two small ones.
  using wide = std::conditional_t<is_signed, std::int64_t, std::uint64_t>;

  static T abs(T x) noexcept {
    if constexpr (is_signed) {
      return static_cast<T>(x < 0 ? U(0) - static_cast<U>(x) : static_cast<U>(x));
    } else {
      return x;
    }
  }
  static T abs_diff(T x, T y) noexcept {
    return static_cast<T>(x > y ? static_cast<U>(x) - static_cast<U>(y)
                                : static_cast<U>(y) - static_cast<U>(x));
  }
  static T saturate(wide x) noexcept {
    return static_cast<T>(x < wide(limits::min())   ? wide(limits::min())
                          : x > wide(limits::max()) ? wide(limits::max())
                                                    : x);
  }
  static T add_sat(T x, T y) noexcept {
    if constexpr (sizeof(T) < 4) {
      const int sum = x + y;
      return static_cast<T>(sum < limits::min()   ? limits::min()
                            : sum > limits::max() ? limits::max()
                                                  : sum);
    } else {
      return TN_SYCL_ELEMENTWISE(add_sat)(x, y);
    }
  }
  static T sub_sat(T x, T y) noexcept {
    if constexpr (sizeof(T) < 4) {
      const int difference = x - y;
      return static_cast<T>(difference < limits::min()   ? limits::min()
                            : difference > limits::max() ? limits::max()
                                                         : difference);
    } else {
      return TN_SYCL_ELEMENTWISE(sub_sat)(x, y);
    }
  }
  static T hadd(T x, T y) noexcept { return static_cast<T>((x & y) + ((x ^ y) >> 1)); }
  static T rhadd(T x, T y) noexcept { return static_cast<T>((x | y) - ((x ^ y) >> 1)); }
  static T clz(T x) noexcept { return static_cast<T>(TN_SYCL_CLZ(static_cast<U>(x), width)); }
  static T ctz(T x) noexcept { return static_cast<T>(TN_SYCL_CTZ(static_cast<U>(x), width)); }
  static T popcount(T x) noexcept { return static_cast<T>(TN_SYCL_POPCOUNT(static_cast<U>(x))); }
  static T rotate(T x, T count) noexcept {
    const unsigned left = static_cast<unsigned>(count) & (width - 1);
    const U bits = static_cast<U>(x);
    return static_cast<T>(static_cast<U>(bits << left) | (bits >> ((width - left) & (width - 1))));
  }
  static std::uint64_t mul_hi_unsigned(std::uint64_t x, std::uint64_t y) noexcept {
    const std::uint64_t x0 = x & 0xffffffff, x1 = x >> 32, y0 = y & 0xffffffff, y1 = y >> 32;
    const std::uint64_t cross = x1 * y0 + (x0 * y0 >> 32);
    return x1 * y1 + (cross >> 32) + ((x0 * y1 + (cross & 0xffffffff)) >> 32);
  }
  static T mul_hi(T x, T y) noexcept {
    if constexpr (sizeof(T) < 8) {
      return static_cast<T>((static_cast<wide>(x) * static_cast<wide>(y)) >> width);
    } else {
      const std::uint64_t a = static_cast<std::uint64_t>(x), b = static_cast<std::uint64_t>(y);
      std::uint64_t high = mul_hi_unsigned(a, b);
      if constexpr (is_signed) {
        high -= (x < 0 ? b : 0) + (y < 0 ? a : 0);
      }
      return static_cast<T>(high);
    }
  }
  static T mad_hi(T x, T y, T z) noexcept {
    return static_cast<T>(static_cast<U>(mul_hi(x, y)) + static_cast<U>(z));
  }
  static T mad_sat(T x, T y, T z) noexcept {
    if constexpr (sizeof(T) < 8) {
      return saturate(static_cast<wide>(x) * static_cast<wide>(y) + static_cast<wide>(z));
    } else {
      // The exact result in two words.
      const U product = static_cast<U>(x) * static_cast<U>(y);
      const U low = product + static_cast<U>(z);
      const U extension = is_signed && z < 0 ? ~U(0) : U(0);
      const U high = static_cast<U>(mul_hi(x, y)) + extension + (low < product ? 1 : 0);
      const U extended = is_signed && (low >> (width - 1)) != 0 ? ~U(0) : U(0);
      const T limit = is_signed && (high >> (width - 1)) != 0 ? limits::min() : limits::max();
      return high == extended ? static_cast<T>(low) : limit;
    }
  }
  static T mul24(T x, T y) noexcept {
    return static_cast<T>(static_cast<U>(x) * static_cast<U>(y));
  }
  static T mad24(T x, T y, T z) noexcept {
    return static_cast<T>(static_cast<U>(x) * static_cast<U>(y) + static_cast<U>(z));
  }
};

template <class A, class... B>
using if_gen_int32 =
    std::enable_if_t<std::is_same_v<sint_like<gen_element<if_gen_ints<A, B...>>>, std::int32_t>,
                     gen_value<A>>;

// A signed or unsigned number above an unsigned one of as many bits. Its result is the element type
// of twice the size.
template <class High, class Low>
using if_upsample = std::enable_if_t<
    is_gen_int<gen_element<High>> && sizeof(gen_element<High>) < 8 &&
        std::is_same_v<uint_like<gen_element<High>>, gen_element<Low>> &&
        std::is_same_v<gen_value<Low>, gen_rebind<High, gen_element<Low>>>,
    gen_rebind<High, std::conditional_t<std::is_signed_v<gen_element<High>>,
                                        typename int_of_size<2 * sizeof(gen_element<High>)>::s,
                                        typename int_of_size<2 * sizeof(gen_element<High>)>::u>>>;

}  // namespace detail

#define TN_SYCL_EACH(result_type, call)                     \
  result_type result;                                       \
  TN_SYCL_FOR_EACH(V) { detail::gen_set(result, i, call); } \
  return result;
#define TN_SYCL_INT_1(name)                                                             \
  template <class V>                                                                    \
  detail::if_gen_ints<V> name(const V &x) noexcept {                                    \
    using T = detail::gen_element<V>;                                                   \
    const detail::gen_value<V> &v = x;                                                  \
    TN_SYCL_EACH(detail::gen_value<V>, detail::int_math<T>::name(detail::gen_at(v, i))) \
  }
#define TN_SYCL_INT_2(name, condition)                                                  \
  template <class V, class W>                                                           \
  detail::condition<V, W> name(const V &x, const W &y) noexcept {                       \
    using T = detail::gen_element<V>;                                                   \
    const detail::gen_value<V> &v = x, &w = y;                                          \
    TN_SYCL_EACH(detail::gen_value<V>,                                                  \
                 detail::int_math<T>::name(detail::gen_at(v, i), detail::gen_at(w, i))) \
  }
#define TN_SYCL_INT_3(name, condition)                                                 \
  template <class V, class W, class X>                                                 \
  detail::condition<V, W, X> name(const V &a, const W &b, const X &c) noexcept {       \
    using T = detail::gen_element<V>;                                                  \
    const detail::gen_value<V> &v = a, &w = b, &x = c;                                 \
    TN_SYCL_EACH(detail::gen_value<V>,                                                 \
                 detail::int_math<T>::name(detail::gen_at(v, i), detail::gen_at(w, i), \
                                           detail::gen_at(x, i)))                      \
  }

TN_SYCL_INT_1(abs)
TN_SYCL_INT_1(clz)
TN_SYCL_INT_1(ctz)
TN_SYCL_INT_1(popcount)
TN_SYCL_INT_2(abs_diff, if_gen_ints)
TN_SYCL_INT_2(add_sat, if_gen_ints)
TN_SYCL_INT_2(hadd, if_gen_ints)
TN_SYCL_INT_2(mul_hi, if_gen_ints)
TN_SYCL_INT_2(rhadd, if_gen_ints)
TN_SYCL_INT_2(rotate, if_gen_ints)
TN_SYCL_INT_2(sub_sat, if_gen_ints)
TN_SYCL_INT_2(mul24, if_gen_int32)
TN_SYCL_INT_3(mad_hi, if_gen_ints)
TN_SYCL_INT_3(mad_sat, if_gen_ints)
TN_SYCL_INT_3(mad24, if_gen_int32)

template <class V, class W>
detail::if_upsample<V, W> upsample(const V &hi, const W &lo) noexcept {
  using R = detail::if_upsample<V, W>;
  using U = detail::uint_like<detail::gen_element<R>>;
  const detail::gen_value<V> &high = hi;
  const detail::gen_value<W> &low = lo;
  TN_SYCL_EACH(
      R, static_cast<detail::gen_element<R>>(
             (static_cast<U>(detail::gen_at(high, i)) << (4 * sizeof(U))) | detail::gen_at(low, i)))
}

#undef TN_SYCL_INT_3
#undef TN_SYCL_INT_2
#undef TN_SYCL_INT_1
#undef TN_SYCL_EACH

}  // namespace sycl

#endif
