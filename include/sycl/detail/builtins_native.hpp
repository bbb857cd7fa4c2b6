// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl::native and sycl::half_precision: as accurate as the plain functions, which are fast as they
// are. Source: SYCL 2020 rev. 9 sections 4.17.5, 4.17.6.
#ifndef TENON_SYCL_DETAIL_BUILTINS_NATIVE_HPP
#define TENON_SYCL_DETAIL_BUILTINS_NATIVE_HPP

#include <sycl/detail/builtins_math.hpp>
#include <sycl/detail/macros.hpp>

#include <cstddef>

namespace sycl {

#define TN_SYCL_NATIVE_1(name, call)                                             \
  TN_SYCL_NATIVE_ATTRIBUTE                                                       \
  inline float name(float x) noexcept { return call; }                           \
  template <class V>                                                             \
  TN_SYCL_NATIVE_ATTRIBUTE detail::if_single<V> name(const V &vector) noexcept { \
    const detail::gen_value<V> &v = vector;                                      \
    detail::gen_value<V> result;                                                 \
    TN_SYCL_FOR_EACH(V) {                                                        \
      const float x = v[i];                                                      \
      result[i] = call;                                                          \
    }                                                                            \
    return result;                                                               \
  }
#define TN_SYCL_NATIVE_2(name, call)                                                  \
  TN_SYCL_NATIVE_ATTRIBUTE                                                            \
  inline float name(float x, float y) noexcept { return call; }                       \
  template <class V, class W>                                                         \
  TN_SYCL_NATIVE_ATTRIBUTE detail::if_single<V, W> name(const V &vector_x,            \
                                                        const W &vector_y) noexcept { \
    const detail::gen_value<V> &v = vector_x, &w = vector_y;                          \
    detail::gen_value<V> result;                                                      \
    TN_SYCL_FOR_EACH(V) {                                                             \
      const float x = v[i], y = w[i];                                                 \
      result[i] = call;                                                               \
    }                                                                                 \
    return result;                                                                    \
  }
#define TN_SYCL_NATIVE_ALL                \
  TN_SYCL_NATIVE_1(cos, sycl::cos(x))     \
  TN_SYCL_NATIVE_2(divide, x / y)         \
  TN_SYCL_NATIVE_1(exp, sycl::exp(x))     \
  TN_SYCL_NATIVE_1(exp2, sycl::exp2(x))   \
  TN_SYCL_NATIVE_1(exp10, sycl::exp10(x)) \
  TN_SYCL_NATIVE_1(log, sycl::log(x))     \
  TN_SYCL_NATIVE_1(log2, sycl::log2(x))   \
  TN_SYCL_NATIVE_1(log10, sycl::log10(x)) \
  TN_SYCL_NATIVE_2(powr, sycl::pow(x, y)) \
  TN_SYCL_NATIVE_1(recip, 1.0f / x)       \
  TN_SYCL_NATIVE_1(rsqrt, sycl::rsqrt(x)) \
  TN_SYCL_NATIVE_1(sin, sycl::sin(x))     \
  TN_SYCL_NATIVE_1(sqrt, sycl::sqrt(x))   \
  TN_SYCL_NATIVE_1(tan, sycl::tan(x))

namespace native {
#define TN_SYCL_NATIVE_ATTRIBUTE
TN_SYCL_NATIVE_ALL
#undef TN_SYCL_NATIVE_ATTRIBUTE
}  // namespace native

namespace half_precision {
#define TN_SYCL_NATIVE_ATTRIBUTE TN_SYCL_DEPRECATED("sycl::half_precision is deprecated")
TN_SYCL_NATIVE_ALL
#undef TN_SYCL_NATIVE_ATTRIBUTE
}  // namespace half_precision

#undef TN_SYCL_NATIVE_ALL
#undef TN_SYCL_NATIVE_2
#undef TN_SYCL_NATIVE_1

}  // namespace sycl

#endif
