// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl::native and sycl::half_precision: the approximations that NVIDIA's GPUs have instructions
// for, elsewhere the plain functions, which are fast as they are.
// Source: SYCL 2020 rev. 9 sections 4.17.5, 4.17.6; OpenCL C 3.0 section 7.4; PTX ISA.
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

#ifdef __NVPTX__
// sin.approx and its like: absolute errors of 2^-20 within one turn, 2 ulp for the others.
namespace detail::approx {
inline float sin(float x) noexcept { return __nvvm_sin_approx_f(x); }
inline float cos(float x) noexcept { return __nvvm_cos_approx_f(x); }
inline float tan(float x) noexcept {
  return __nvvm_div_approx_f(__nvvm_sin_approx_f(x), __nvvm_cos_approx_f(x));
}
inline float exp2(float x) noexcept { return __nvvm_ex2_approx_f(x); }
inline float exp(float x) noexcept { return exp2(x * 0x1.715476p+0f); }
inline float exp10(float x) noexcept { return exp2(x * 0x1.a934fp+1f); }
inline float log2(float x) noexcept { return __nvvm_lg2_approx_f(x); }
inline float log(float x) noexcept { return log2(x) * 0x1.62e43p-1f; }
inline float log10(float x) noexcept { return log2(x) * 0x1.344136p-2f; }
inline float powr(float x, float y) noexcept { return exp2(y * log2(x)); }
inline float divide(float x, float y) noexcept { return __nvvm_div_approx_f(x, y); }
inline float recip(float x) noexcept { return __nvvm_rcp_approx_ftz_f(x); }
inline float rsqrt(float x) noexcept { return __nvvm_rsqrt_approx_f(x); }
inline float sqrt(float x) noexcept { return __nvvm_sqrt_approx_f(x); }
}  // namespace detail::approx
#define TN_SYCL_APPROX(approximate, plain) detail::approx::approximate
#else
#define TN_SYCL_APPROX(approximate, plain) plain
#endif

// What sycl::native computes alone: half_precision is to be right to 8192 ulp also far from zero,
// near 1, and for large exponents.
#define TN_SYCL_NATIVE_LOOSE                                          \
  TN_SYCL_NATIVE_1(cos, TN_SYCL_APPROX(cos(x), sycl::cos(x)))         \
  TN_SYCL_NATIVE_2(divide, TN_SYCL_APPROX(divide(x, y), x / y))       \
  TN_SYCL_NATIVE_1(log, TN_SYCL_APPROX(log(x), sycl::log(x)))         \
  TN_SYCL_NATIVE_1(log2, TN_SYCL_APPROX(log2(x), sycl::log2(x)))      \
  TN_SYCL_NATIVE_1(log10, TN_SYCL_APPROX(log10(x), sycl::log10(x)))   \
  TN_SYCL_NATIVE_2(powr, TN_SYCL_APPROX(powr(x, y), sycl::pow(x, y))) \
  TN_SYCL_NATIVE_1(sin, TN_SYCL_APPROX(sin(x), sycl::sin(x)))         \
  TN_SYCL_NATIVE_1(tan, TN_SYCL_APPROX(tan(x), sycl::tan(x)))
#define TN_SYCL_NATIVE_STRICT             \
  TN_SYCL_NATIVE_1(cos, sycl::cos(x))     \
  TN_SYCL_NATIVE_2(divide, x / y)         \
  TN_SYCL_NATIVE_1(log, sycl::log(x))     \
  TN_SYCL_NATIVE_1(log2, sycl::log2(x))   \
  TN_SYCL_NATIVE_1(log10, sycl::log10(x)) \
  TN_SYCL_NATIVE_2(powr, sycl::powr(x, y)) \
  TN_SYCL_NATIVE_1(sin, sycl::sin(x))     \
  TN_SYCL_NATIVE_1(tan, sycl::tan(x))
#define TN_SYCL_NATIVE_ALL                                          \
  TN_SYCL_NATIVE_1(exp, TN_SYCL_APPROX(exp(x), sycl::exp(x)))       \
  TN_SYCL_NATIVE_1(exp2, TN_SYCL_APPROX(exp2(x), sycl::exp2(x)))    \
  TN_SYCL_NATIVE_1(exp10, TN_SYCL_APPROX(exp10(x), sycl::exp10(x))) \
  TN_SYCL_NATIVE_1(recip, TN_SYCL_APPROX(recip(x), 1.0f / x))       \
  TN_SYCL_NATIVE_1(rsqrt, TN_SYCL_APPROX(rsqrt(x), sycl::rsqrt(x))) \
  TN_SYCL_NATIVE_1(sqrt, TN_SYCL_APPROX(sqrt(x), sycl::sqrt(x)))

namespace native {
#define TN_SYCL_NATIVE_ATTRIBUTE
TN_SYCL_NATIVE_LOOSE
TN_SYCL_NATIVE_ALL
#undef TN_SYCL_NATIVE_ATTRIBUTE
}  // namespace native

namespace half_precision {
#define TN_SYCL_NATIVE_ATTRIBUTE TN_SYCL_DEPRECATED("sycl::half_precision is deprecated")
TN_SYCL_NATIVE_STRICT
TN_SYCL_NATIVE_ALL
#undef TN_SYCL_NATIVE_ATTRIBUTE
}  // namespace half_precision

#undef TN_SYCL_NATIVE_ALL
#undef TN_SYCL_NATIVE_STRICT
#undef TN_SYCL_NATIVE_LOOSE
#undef TN_SYCL_APPROX
#undef TN_SYCL_NATIVE_2
#undef TN_SYCL_NATIVE_1

}  // namespace sycl

#endif
