// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The math functions. Each has plain overloads for float, double and half, as the specification
// gives them, and a template for the rest. Most end in LLVM's intrinsics or in calls of the C
// library by name, which the device's lowering vectorises.
// Source: SYCL 2020 rev. 9 section 4.17.4.
#ifndef TENON_SYCL_DETAIL_BUILTINS_MATH_HPP
#define TENON_SYCL_DETAIL_BUILTINS_MATH_HPP

#include <sycl/detail/builtins_float.hpp>
#include <sycl/detail/builtins_types.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace sycl {

// Bodies of templates: a call for each element.
#define TN_SYCL_EACH(result_type, call)     \
  result_type result;                       \
  TN_SYCL_FOR_EACH(V) { result[i] = call; } \
  return result;

// of_float and of_double name functions; half is computed as float.
#define TN_SYCL_MATH_1(name, of_float, of_double)                                                  \
  inline float name(float x) noexcept { return of_float(x); }                                      \
  inline double name(double x) noexcept { return of_double(x); }                                   \
  inline half name(half x) noexcept { return static_cast<half>(of_float(static_cast<float>(x))); } \
  template <class V>                                                                               \
  detail::if_floats<V> name(const V &x) noexcept {                                                 \
    const detail::gen_value<V> &v = x;                                                             \
    TN_SYCL_EACH(detail::gen_value<V>, name(v[i]))                                                 \
  }
#define TN_SYCL_MATH_2(name, of_float, of_double)                                     \
  inline float name(float x, float y) noexcept { return of_float(x, y); }             \
  inline double name(double x, double y) noexcept { return of_double(x, y); }         \
  inline half name(half x, half y) noexcept {                                         \
    return static_cast<half>(of_float(static_cast<float>(x), static_cast<float>(y))); \
  }                                                                                   \
  template <class V, class W>                                                         \
  detail::if_floats<V, W> name(const V &x, const W &y) noexcept {                     \
    const detail::gen_value<V> &v = x, &w = y;                                        \
    TN_SYCL_EACH(detail::gen_value<V>, name(v[i], w[i]))                              \
  }
// The second argument is an int.
#define TN_SYCL_MATH_INT(name)                                                                    \
  inline float name(float x, int y) noexcept { return detail::float_math<float>::name(x, y); }    \
  inline double name(double x, int y) noexcept { return detail::float_math<double>::name(x, y); } \
  inline half name(half x, int y) noexcept {                                                      \
    return static_cast<half>(detail::float_math<float>::name(static_cast<float>(x), y));          \
  }                                                                                               \
  template <class V, class W>                                                                     \
  detail::if_floats_and_ints<V, W> name(const V &x, const W &y) noexcept {                        \
    const detail::gen_value<V> &v = x;                                                            \
    const detail::gen_value<W> &w = y;                                                            \
    TN_SYCL_EACH(detail::gen_value<V>, name(v[i], w[i]))                                          \
  }
// Also writes a value through a pointer: of the same type as x, or an int.
#define TN_SYCL_MATH_OUT_SCALAR(name, type, out_type, computed_as)                  \
  template <class P>                                                                \
  detail::if_writes<P, out_type, type> name(type x, P out) noexcept {               \
    std::conditional_t<std::is_same_v<out_type, int>, int, computed_as> second;     \
    const computed_as first =                                                       \
        detail::float_math<computed_as>::name(static_cast<computed_as>(x), second); \
    *out = static_cast<out_type>(second);                                           \
    return static_cast<type>(first);                                                \
  }
#define TN_SYCL_MATH_OUT_NONSCALAR(name, out_element)                                  \
  template <class V, class P>                                                          \
  detail::if_writes<P, detail::gen_rebind<V, out_element>, detail::if_floats<V>> name( \
      const V &x, P out) noexcept {                                                    \
    const detail::gen_value<V> &v = x;                                                 \
    detail::gen_value<V> result;                                                       \
    detail::gen_rebind<V, out_element> second;                                         \
    TN_SYCL_FOR_EACH(V) {                                                              \
      out_element value;                                                               \
      result[i] = name(v[i], &value);                                                  \
      second[i] = value;                                                               \
    }                                                                                  \
    *out = second;                                                                     \
    return result;                                                                     \
  }
#define TN_SYCL_MATH_OUT_SAME(name)                     \
  TN_SYCL_MATH_OUT_SCALAR(name, float, float, float)    \
  TN_SYCL_MATH_OUT_SCALAR(name, double, double, double) \
  TN_SYCL_MATH_OUT_SCALAR(name, half, half, float)      \
  TN_SYCL_MATH_OUT_NONSCALAR(name, detail::gen_element<V>)
#define TN_SYCL_MATH_OUT_INT(name)                   \
  TN_SYCL_MATH_OUT_SCALAR(name, float, int, float)   \
  TN_SYCL_MATH_OUT_SCALAR(name, double, int, double) \
  TN_SYCL_MATH_OUT_SCALAR(name, half, int, float)    \
  TN_SYCL_MATH_OUT_NONSCALAR(name, int)
// LLVM's intrinsics, whatever the compiler was told about errno.
#define TN_SYCL_LLVM_1(name) \
  TN_SYCL_MATH_1(name, TN_SYCL_ELEMENTWISE(name), TN_SYCL_ELEMENTWISE(name))
#define TN_SYCL_LLVM_2(name) \
  TN_SYCL_MATH_2(name, TN_SYCL_ELEMENTWISE(name), TN_SYCL_ELEMENTWISE(name))
#define TN_SYCL_LIBRARY_1(name) TN_SYCL_MATH_1(name, __builtin_##name##f, __builtin_##name)
#define TN_SYCL_OWN_1(name) \
  TN_SYCL_MATH_1(name, detail::float_math<float>::name, detail::float_math<double>::name)
#define TN_SYCL_OWN_2(name) \
  TN_SYCL_MATH_2(name, detail::float_math<float>::name, detail::float_math<double>::name)

TN_SYCL_LLVM_1(acos)
TN_SYCL_LIBRARY_1(acosh)
TN_SYCL_OWN_1(acospi)
TN_SYCL_LLVM_1(asin)
TN_SYCL_LIBRARY_1(asinh)
TN_SYCL_OWN_1(asinpi)
TN_SYCL_LLVM_1(atan)
TN_SYCL_LIBRARY_1(atanh)
TN_SYCL_OWN_1(atanpi)
TN_SYCL_LLVM_2(atan2)
TN_SYCL_OWN_2(atan2pi)
TN_SYCL_OWN_1(cbrt)
TN_SYCL_LLVM_1(ceil)
TN_SYCL_LLVM_2(copysign)
TN_SYCL_LLVM_1(cos)
TN_SYCL_LLVM_1(cosh)
TN_SYCL_OWN_1(cospi)
TN_SYCL_LIBRARY_1(erf)
TN_SYCL_LIBRARY_1(erfc)
TN_SYCL_OWN_1(exp)
TN_SYCL_OWN_1(exp2)
TN_SYCL_OWN_1(exp10)
TN_SYCL_LIBRARY_1(expm1)
TN_SYCL_MATH_1(fabs, TN_SYCL_ELEMENTWISE(abs), TN_SYCL_ELEMENTWISE(abs))
TN_SYCL_OWN_2(fdim)
TN_SYCL_LLVM_1(floor)
TN_SYCL_MATH_2(fmax, TN_SYCL_ELEMENTWISE(maxnum), TN_SYCL_ELEMENTWISE(maxnum))
TN_SYCL_MATH_2(fmin, TN_SYCL_ELEMENTWISE(minnum), TN_SYCL_ELEMENTWISE(minnum))
TN_SYCL_OWN_2(fmod)
TN_SYCL_OWN_2(hypot)
TN_SYCL_OWN_1(lgamma)
TN_SYCL_OWN_1(log)
TN_SYCL_LLVM_1(log2)
TN_SYCL_OWN_1(log10)
TN_SYCL_OWN_1(log1p)
TN_SYCL_OWN_1(logb)
TN_SYCL_OWN_2(maxmag)
TN_SYCL_OWN_2(minmag)
TN_SYCL_LLVM_2(pow)
TN_SYCL_OWN_2(powr)
TN_SYCL_OWN_2(remainder)
TN_SYCL_LLVM_1(rint)
TN_SYCL_LLVM_1(round)
TN_SYCL_OWN_1(rsqrt)
TN_SYCL_LLVM_1(sin)
TN_SYCL_LLVM_1(sinh)
TN_SYCL_OWN_1(sinpi)
TN_SYCL_LLVM_1(sqrt)
TN_SYCL_LLVM_1(tan)
TN_SYCL_LLVM_1(tanh)
TN_SYCL_OWN_1(tanpi)
TN_SYCL_LIBRARY_1(tgamma)
TN_SYCL_LLVM_1(trunc)

TN_SYCL_MATH_INT(ldexp)
TN_SYCL_MATH_INT(pown)
TN_SYCL_MATH_INT(rootn)
TN_SYCL_MATH_OUT_SCALAR(fract, float, float, float)
TN_SYCL_MATH_OUT_SCALAR(fract, double, double, double)
template <class P>
detail::if_writes<P, half, half> fract(half x, P out) noexcept {
  float whole;
  const float part = detail::float_math<float>::fract(static_cast<float>(x), whole);
  *out = static_cast<half>(whole);
  return static_cast<half>(part > 0x1.ffcp-1f ? 0x1.ffcp-1f : part);
}
TN_SYCL_MATH_OUT_NONSCALAR(fract, detail::gen_element<V>)
TN_SYCL_MATH_OUT_SAME(modf)
TN_SYCL_MATH_OUT_SAME(sincos)
TN_SYCL_MATH_OUT_INT(frexp)
TN_SYCL_MATH_OUT_INT(lgamma_r)

template <class V>
detail::if_floats<V> fmax(const V &x, detail::gen_element<V> y) noexcept {
  const detail::gen_value<V> &v = x;
  TN_SYCL_EACH(detail::gen_value<V>, fmax(v[i], y))
}
template <class V>
detail::if_floats<V> fmin(const V &x, detail::gen_element<V> y) noexcept {
  const detail::gen_value<V> &v = x;
  TN_SYCL_EACH(detail::gen_value<V>, fmin(v[i], y))
}
template <class V>
detail::if_floats<V> ldexp(const V &x, int k) noexcept {
  const detail::gen_value<V> &v = x;
  TN_SYCL_EACH(detail::gen_value<V>, ldexp(v[i], k))
}

inline int ilogb(float x) noexcept { return detail::float_math<float>::ilogb(x); }
inline int ilogb(double x) noexcept { return detail::float_math<double>::ilogb(x); }
inline int ilogb(half x) noexcept { return ilogb(static_cast<float>(x)); }
template <class V>
detail::gen_rebind<detail::if_floats<V>, int> ilogb(const V &x) noexcept {
  const detail::gen_value<V> &v = x;
  using ints = detail::gen_rebind<V, int>;
  TN_SYCL_EACH(ints, ilogb(v[i]))
}

inline float fma(float a, float b, float c) noexcept { return TN_SYCL_ELEMENTWISE(fma)(a, b, c); }
inline double fma(double a, double b, double c) noexcept {
  return TN_SYCL_ELEMENTWISE(fma)(a, b, c);
}
#if defined(__NVPTX__) || (defined(__SPIRV__) && defined(__SYCL_DEVICE_ONLY__))
inline half fma(half a, half b, half c) noexcept {
  return half::tn_make(TN_SYCL_ELEMENTWISE(fma)(__builtin_bit_cast(_Float16, a),
                                                __builtin_bit_cast(_Float16, b),
                                                __builtin_bit_cast(_Float16, c)));
}
#else
// In double the product is exact, and the sum where a half could tell.
inline half fma(half a, half b, half c) noexcept {
  return static_cast<half>(static_cast<double>(static_cast<float>(a)) * static_cast<float>(b) +
                           static_cast<double>(static_cast<float>(c)));
}
#endif
template <class V, class W, class X>
detail::if_floats<V, W, X> fma(const V &a, const W &b, const X &c) noexcept {
  const detail::gen_value<V> &v = a, &w = b, &x = c;
  TN_SYCL_EACH(detail::gen_value<V>, fma(v[i], w[i], x[i]))
}
inline float mad(float a, float b, float c) noexcept { return a * b + c; }
inline double mad(double a, double b, double c) noexcept { return a * b + c; }
inline half mad(half a, half b, half c) noexcept {
  return static_cast<half>(
      mad(static_cast<float>(a), static_cast<float>(b), static_cast<float>(c)));
}
template <class V, class W, class X>
detail::if_floats<V, W, X> mad(const V &a, const W &b, const X &c) noexcept {
  const detail::gen_value<V> &v = a, &w = b, &x = c;
  TN_SYCL_EACH(detail::gen_value<V>, mad(v[i], w[i], x[i]))
}

inline float nan(std::uint32_t code) noexcept { return detail::float_math<float>::nan(code); }
inline double nan(std::uint64_t code) noexcept { return detail::float_math<double>::nan(code); }
inline half nan(std::uint16_t code) noexcept {
  return __builtin_bit_cast(half, static_cast<std::uint16_t>(0x7e00 | (code & 0x1ff)));
}
template <class V, class T = detail::gen_element<V>>
detail::gen_rebind<std::enable_if_t<detail::is_nonscalar<V> && (std::is_same_v<T, std::uint16_t> ||
                                                                std::is_same_v<T, std::uint32_t> ||
                                                                std::is_same_v<T, std::uint64_t>),
                                    V>,
                   decltype(nan(T()))>
nan(const V &code) noexcept {
  const detail::gen_value<V> &v = code;
  using floats = detail::gen_rebind<V, decltype(nan(T()))>;
  TN_SYCL_EACH(floats, nan(v[i]))
}

inline half nextafter(half x, half y) noexcept {
  const auto bits = __builtin_bit_cast(std::uint16_t, x);
  const float from = static_cast<float>(x), to = static_cast<float>(y);
  const int step = (from < to) == (from > 0.0f) ? 1 : -1;
  const int from_zero = to < 0.0f ? 0x8001 : 1;
  const auto moved = static_cast<std::uint16_t>(from == 0.0f ? from_zero : bits + step);
  return from != from ? x : to != to || from == to ? y : __builtin_bit_cast(half, moved);
}
inline float nextafter(float x, float y) noexcept {
  return detail::float_math<float>::nextafter(x, y);
}
inline double nextafter(double x, double y) noexcept {
  return detail::float_math<double>::nextafter(x, y);
}
template <class V, class W>
detail::if_floats<V, W> nextafter(const V &x, const W &y) noexcept {
  const detail::gen_value<V> &v = x, &w = y;
  TN_SYCL_EACH(detail::gen_value<V>, nextafter(v[i], w[i]))
}

#define TN_SYCL_REMQUO(type, computed_as)                                    \
  template <class P>                                                         \
  detail::if_writes<P, int, type> remquo(type x, type y, P quo) noexcept {   \
    int quotient;                                                            \
    const computed_as rest = detail::float_math<computed_as>::remquo(        \
        static_cast<computed_as>(x), static_cast<computed_as>(y), quotient); \
    *quo = quotient;                                                         \
    return static_cast<type>(rest);                                          \
  }
TN_SYCL_REMQUO(float, float)
TN_SYCL_REMQUO(double, double)
TN_SYCL_REMQUO(half, float)
template <class V, class W, class P>
detail::if_writes<P, detail::gen_rebind<V, int>, detail::if_floats<V, W>> remquo(const V &x,
                                                                                 const W &y,
                                                                                 P quo) noexcept {
  const detail::gen_value<V> &v = x, &w = y;
  detail::gen_value<V> result;
  detail::gen_rebind<V, int> quotients;
  TN_SYCL_FOR_EACH(V) {
    int quotient;
    result[i] = remquo(v[i], w[i], &quotient);
    quotients[i] = quotient;
  }
  *quo = quotients;
  return result;
}

#undef TN_SYCL_REMQUO
#undef TN_SYCL_OWN_2
#undef TN_SYCL_OWN_1
#undef TN_SYCL_LIBRARY_1
#undef TN_SYCL_LLVM_2
#undef TN_SYCL_LLVM_1
#undef TN_SYCL_MATH_OUT_INT
#undef TN_SYCL_MATH_OUT_SAME
#undef TN_SYCL_MATH_OUT_NONSCALAR
#undef TN_SYCL_MATH_OUT_SCALAR
#undef TN_SYCL_MATH_INT
#undef TN_SYCL_MATH_2
#undef TN_SYCL_MATH_1
#undef TN_SYCL_EACH

}  // namespace sycl

#endif
