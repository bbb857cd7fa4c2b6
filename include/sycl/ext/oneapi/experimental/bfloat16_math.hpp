// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mathematics of bfloat16, and of vec, swizzles and marray of it: that of float, rounded.
// Source: the SYCL extension sycl_ext_oneapi_bfloat16_math_functions.
#ifndef TENON_SYCL_EXT_BFLOAT16_MATH_HPP
#define TENON_SYCL_EXT_BFLOAT16_MATH_HPP

#include <sycl/bfloat16.hpp>
#include <sycl/bit_cast.hpp>
#include <sycl/builtins.hpp>
#include <sycl/marray.hpp>
#include <sycl/vector.hpp>

namespace sycl {

namespace detail {

// What X stands for, and what isnan of it is.
template <class V>
struct bfloat16_shape {};
template <>
struct bfloat16_shape<ext::oneapi::bfloat16> {
  using type = ext::oneapi::bfloat16;
  using truth = bool;
};
template <int N>
struct bfloat16_shape<vec<ext::oneapi::bfloat16, N>> {
  using type = vec<ext::oneapi::bfloat16, N>;
  using truth = vec<std::int16_t, N>;
};
template <std::size_t N>
struct bfloat16_shape<marray<ext::oneapi::bfloat16, N>> {
  using type = marray<ext::oneapi::bfloat16, N>;
  using truth = marray<bool, N>;
};
template <class X>
using bfloat16_shape_of = bfloat16_shape<
    std::conditional_t<std::is_same_v<X, ext::oneapi::bfloat16>, X, elements_of_t<X>>>;
template <class X>
using bfloat16_of = typename bfloat16_shape_of<X>::type;
template <class V, class... X>
using if_bfloat16 = std::enable_if_t<(std::is_same_v<V, bfloat16_of<X>> && ...), int>;

template <class F, class V>
V each_bfloat16(const F &f, const V &x, const V &y, const V &z) {
  if constexpr (std::is_same_v<V, ext::oneapi::bfloat16>) {
    return f(float(x), float(y), float(z));
  } else {
    V result;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const int at = static_cast<int>(i);
      result[at] = f(float(x[at]), float(y[at]), float(z[at]));
    }
    return result;
  }
}

// The sum with the exact product, rounded to odd: so that rounding it again, to bfloat16, is as one
// rounding of the exact value. The product of two values of 8 bits is exact.
inline float fma_to_odd(float x, float y, float z) {
  const float product = x * y;
  const float sum = sycl::fma(x, y, z);
  const float second = sum - product;
  const float rest = (product - (sum - second)) + (z - second);
  const auto bits = sycl::bit_cast<std::uint32_t>(sum);
  if (rest == 0 || (bits & 1) != 0 || !(sycl::fabs(rest) < sycl::fabs(sum))) {
    return sum;  // exact, odd, or not finite
  }
  return sycl::bit_cast<float>((rest > 0) == (sum > 0) ? bits + 1 : bits - 1);
}

}  // namespace detail

namespace ext::oneapi::experimental {

#define TN_SYCL_BFLOAT16_UNARY(name)                                                               \
  template <class X, class V = sycl::detail::bfloat16_of<X>>                                       \
  V name(const X &x) {                                                                             \
    const V value = x;                                                                             \
    return sycl::detail::each_bfloat16([](float a, float, float) { return sycl::name(a); }, value, \
                                       value, value);                                              \
  }
TN_SYCL_BFLOAT16_UNARY(fabs)
TN_SYCL_BFLOAT16_UNARY(ceil)
TN_SYCL_BFLOAT16_UNARY(floor)
TN_SYCL_BFLOAT16_UNARY(rint)
TN_SYCL_BFLOAT16_UNARY(trunc)
TN_SYCL_BFLOAT16_UNARY(cos)
TN_SYCL_BFLOAT16_UNARY(sin)
TN_SYCL_BFLOAT16_UNARY(tanh)
TN_SYCL_BFLOAT16_UNARY(exp)
TN_SYCL_BFLOAT16_UNARY(exp2)
TN_SYCL_BFLOAT16_UNARY(exp10)
TN_SYCL_BFLOAT16_UNARY(log)
TN_SYCL_BFLOAT16_UNARY(log2)
TN_SYCL_BFLOAT16_UNARY(log10)
TN_SYCL_BFLOAT16_UNARY(sqrt)
TN_SYCL_BFLOAT16_UNARY(rsqrt)
#undef TN_SYCL_BFLOAT16_UNARY

#define TN_SYCL_BFLOAT16_BINARY(name)                                                            \
  template <class X, class Y, class V = sycl::detail::bfloat16_of<X>,                            \
            sycl::detail::if_bfloat16<V, Y> = 0>                                                 \
  V name(const X &x, const Y &y) {                                                               \
    const V second = y;                                                                          \
    return sycl::detail::each_bfloat16([](float a, float b, float) { return sycl::name(a, b); }, \
                                       V(x), second, second);                                    \
  }
TN_SYCL_BFLOAT16_BINARY(fmin)
TN_SYCL_BFLOAT16_BINARY(fmax)
#undef TN_SYCL_BFLOAT16_BINARY

template <class X, class Y, class Z, class V = sycl::detail::bfloat16_of<X>,
          sycl::detail::if_bfloat16<V, Y, Z> = 0>
V fma(const X &x, const Y &y, const Z &z) {
  return sycl::detail::each_bfloat16(
      [](float a, float b, float c) { return sycl::detail::fma_to_odd(a, b, c); }, V(x), V(y),
      V(z));
}

// Of a vec: -1 where it is true.
template <class X, class V = sycl::detail::bfloat16_of<X>>
auto isnan(const X &x) {
  using truth = typename sycl::detail::bfloat16_shape_of<X>::truth;
  const V value = x;
  if constexpr (std::is_same_v<truth, bool>) {
    return sycl::isnan(float(value)) != 0;
  } else {
    truth result;
    for (std::size_t i = 0; i < value.size(); ++i) {
      const int at = static_cast<int>(i);
      const bool is_nan = sycl::isnan(float(value[at])) != 0;
      result[at] = static_cast<typename truth::value_type>(is_nan ? -1 : 0);
    }
    return result;
  }
}

}  // namespace ext::oneapi::experimental

}  // namespace sycl

#endif
