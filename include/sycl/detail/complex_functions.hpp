// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of <complex> in device code, for float and double. Included by device_std/complex.
//
// libstdc++'s own formulas, which are left for other types, give NaN for arguments with an infinite
// part; these give what the C standard's annex G lists. asin and acos follow Hull, Fairgrieve and
// Tang, "Implementing the complex arcsine and arccosine functions using exception handling" (1997),
// tanh follows Kahan, "Branch cuts for complex elementary functions" (1987).
#ifndef TENON_SYCL_DETAIL_COMPLEX_FUNCTIONS_HPP
#define TENON_SYCL_DETAIL_COMPLEX_FUNCTIONS_HPP

#include <cmath>
#include <complex>
#include <limits>

namespace sycl::detail::complex_functions {

template <class T>
struct parts {
  T re, im;
  explicit parts(const std::complex<T> &z) : re(z.real()), im(z.imag()) {}
  parts(T real, T imaginary) : re(real), im(imaginary) {}
  operator std::complex<T>() const { return {re, im}; }
  parts times_i() const { return {-im, re}; }
  parts over_i() const { return {im, -re}; }
  bool has_infinity() const { return std::isinf(re) || std::isinf(im); }
  bool has_nan() const { return std::isnan(re) || std::isnan(im); }
};

template <class T>
inline constexpr T nan = std::numeric_limits<T>::quiet_NaN();
template <class T>
inline constexpr T infinity = std::numeric_limits<T>::infinity();
template <class T>
inline constexpr T half_pi = static_cast<T>(1.57079632679489661923);
template <class T>
inline constexpr T log_of_2 = static_cast<T>(0.69314718055994530942);
// Beyond these, the square of a number adds nothing to 1, and the sum is that square.
template <class T>
inline constexpr T large = 1 / std::numeric_limits<T>::epsilon();

template <class T>
T sign_of(T x) {
  return std::copysign(T(1), x);
}

template <class T>
parts<T> exp(parts<T> z) {
  if (z.im == 0) {
    return {std::exp(z.re), z.im};
  }
  if (std::isinf(z.re) && !std::isfinite(z.im)) {
    return z.re < 0 ? parts<T>(0, std::copysign(T(0), z.im)) : parts<T>(z.re, nan<T>);
  }
  const T size = std::exp(z.re);
  return {size * std::cos(z.im), size * std::sin(z.im)};
}

template <class T>
parts<T> log(parts<T> z) {
  const T angle = std::atan2(z.im, z.re);
  const T longer = std::fmax(std::fabs(z.re), std::fabs(z.im));
  const T shorter = std::fmin(std::fabs(z.re), std::fabs(z.im));
  if (!z.has_nan() && longer > T(0.5) && longer < T(1.5) && shorter < T(1.5)) {
    return {std::log1p((longer - 1) * (longer + 1) + shorter * shorter) / 2, angle};
  }
  return {std::log(std::hypot(z.re, z.im)), angle};
}

template <class T>
parts<T> sinh(parts<T> z) {
  if (z.im == 0) {
    return {std::sinh(z.re), z.im};
  }
  if (!std::isfinite(z.im) && (z.re == 0 || std::isinf(z.re))) {
    return {z.re, nan<T>};
  }
  return {std::sinh(z.re) * std::cos(z.im), std::cosh(z.re) * std::sin(z.im)};
}

template <class T>
parts<T> cosh(parts<T> z) {
  if (z.im == 0) {
    return {std::cosh(z.re), z.im * sign_of(z.re)};
  }
  if (!std::isfinite(z.im) && z.re == 0) {
    return {nan<T>, z.re};
  }
  if (!std::isfinite(z.im) && std::isinf(z.re)) {
    return {infinity<T>, nan<T>};
  }
  return {std::cosh(z.re) * std::cos(z.im), std::sinh(z.re) * std::sin(z.im)};
}

template <class T>
parts<T> tanh(parts<T> z) {
  if (std::isinf(z.re)) {
    const T turn = std::isfinite(z.im) ? std::sin(2 * z.im) : z.im;
    return {sign_of(z.re), std::copysign(T(0), turn)};
  }
  if (z.im == 0) {
    return {std::tanh(z.re), z.im};
  }
  if (!std::isfinite(z.im)) {
    return {z.re == 0 ? z.re : nan<T>, nan<T>};
  }
  // Where exp(-2x) is less than half an epsilon.
  if (std::fabs(z.re) > std::numeric_limits<T>::digits * log_of_2<T> / 2 + 1) {
    return {sign_of(z.re), 4 * std::sin(z.im) * std::cos(z.im) * std::exp(-2 * std::fabs(z.re))};
  }
  const T t = std::tan(z.im);
  const T beta = 1 + t * t;
  const T s = std::sinh(z.re);
  const T below = 1 + beta * s * s;
  return {beta * std::sqrt(1 + s * s) * s / below, t / below};
}

template <class T>
parts<T> sqrt(parts<T> z) {
  if (std::isinf(z.im)) {
    return {infinity<T>, z.im};
  }
  if (std::isinf(z.re)) {
    return z.re > 0 ? parts<T>(z.re, std::isnan(z.im) ? z.im : std::copysign(T(0), z.im))
                    : parts<T>(std::isnan(z.im) ? z.im : T(0), std::copysign(infinity<T>, z.im));
  }
  if (z.has_nan()) {
    return {nan<T>, nan<T>};
  }
  if (z.re == 0 && z.im == 0) {
    return {0, z.im};
  }
  // Parts that are too large to be added, or too small to be halved, are scaled.
  const T longer = std::fmax(std::fabs(z.re), std::fabs(z.im));
  const bool is_large = longer > std::numeric_limits<T>::max() / 8;
  const bool is_small = longer < std::numeric_limits<T>::min() * 8;
  const T factor = is_large ? T(1) / 16 : is_small ? large<T> * large<T> : T(1);
  const T root = is_large ? T(4) : is_small ? 1 / large<T> : T(1);
  const T x = z.re * factor, y = z.im * factor;
  const T u = std::sqrt((std::fabs(x) + std::hypot(x, y)) / 2);
  const T v = std::fabs(y) / (2 * u);
  return x >= 0 ? parts<T>(u * root, std::copysign(v * root, y))
                : parts<T>(v * root, std::copysign(u * root, y));
}

// asin(x + iy) = atan2(x, side) + i height and acos(x + iy) = atan2(side, x) - i height, for x and
// y that are finite and not negative.
template <class T>
struct arc {
  T side, height;
};

template <class T>
arc<T> arc_of(T x, T y) {
  if (x > large<T> || y > large<T>) {
    return {y, log_of_2<T> + (x > y ? std::log(x) + std::log1p((y / x) * (y / x)) / 2
                                    : std::log(y) + std::log1p((x / y) * (x / y)) / 2)};
  }
  if (y * y < std::numeric_limits<T>::min()) {
    if (x == 1) {
      return {std::sqrt(y), std::sqrt(y)};
    }
    const T other = std::sqrt(std::fabs(1 - x) * (1 + x));
    return x < 1 ? arc<T>{other, y / other} : arc<T>{x * (y / other), std::log1p(x - 1 + other)};
  }
  const T r = std::hypot(x + 1, y), s = std::hypot(x - 1, y);
  const T a = (r + s) / 2;
  const T right = y * y / (r + x + 1);
  arc<T> result = {};
  if (x <= a * T(0.6417)) {
    result.side = std::sqrt((a + x) * (a - x));
  } else if (x <= 1) {
    result.side = std::sqrt((a + x) * (right + (s + (1 - x))) / 2);
  } else {
    result.side = y * std::sqrt(((a + x) / (r + x + 1) + (a + x) / (s + (x - 1))) / 2);
  }
  if (a > T(1.5)) {
    result.height = std::log(a + std::sqrt((a - 1) * (a + 1)));
  } else {
    const T more = (right + (x < 1 ? y * y / (s + (1 - x)) : s + (x - 1))) / 2;
    result.height = std::log1p(more + std::sqrt(more * (a + 1)));
  }
  return result;
}

template <class T>
parts<T> asinh(parts<T> z) {
  if (z.has_infinity()) {
    return {std::copysign(infinity<T>, z.re), std::atan2(z.im, std::fabs(z.re))};
  }
  if (z.has_nan()) {
    return {nan<T>, z.im == 0 ? z.im : nan<T>};
  }
  const arc<T> is = arc_of(std::fabs(z.im), std::fabs(z.re));
  return {std::copysign(is.height, z.re), std::atan2(z.im, is.side)};
}

template <class T>
parts<T> acos(parts<T> z) {
  if (z.has_infinity()) {
    return {std::atan2(std::fabs(z.im), z.re), -std::copysign(infinity<T>, z.im)};
  }
  if (z.has_nan()) {
    return {z.re == 0 ? half_pi<T> : nan<T>, nan<T>};
  }
  const arc<T> is = arc_of(std::fabs(z.re), std::fabs(z.im));
  return {std::atan2(is.side, z.re), -std::copysign(is.height, z.im)};
}

template <class T>
parts<T> acosh(parts<T> z) {
  const parts<T> angle = acos(z);
  return {std::fabs(angle.im), std::copysign(angle.re, z.im)};
}

template <class T>
parts<T> atanh(parts<T> z) {
  if (z.has_infinity()) {
    const bool has_angle = std::isinf(z.im) || !std::isnan(z.im);
    return {std::copysign(T(0), z.re), has_angle ? std::copysign(half_pi<T>, z.im) : z.im};
  }
  if (z.has_nan()) {
    return {z.re == 0 ? z.re : nan<T>, nan<T>};
  }
  const T x = std::fabs(z.re), y = std::fabs(z.im);
  if (x > large<T> || y > large<T>) {
    const T size = std::hypot(x / 2, y / 2);
    return {std::copysign(x / size / size / 4, z.re), std::copysign(half_pi<T>, z.im)};
  }
  const T width = x == 1 ? (std::log(std::hypot(y, T(2))) - std::log(y)) / 2
                         : std::log1p(4 * x / ((1 - x) * (1 - x) + y * y)) / 4;
  const T angle = std::atan2(2 * y, (1 - x) * (1 + x) - y * y) / 2;
  return {std::copysign(width, z.re), std::copysign(x == 1 && y == 0 ? T(0) : angle, z.im)};
}

template <class T>
parts<T> sin(parts<T> z) {
  return sinh(z.times_i()).over_i();
}
template <class T>
parts<T> cos(parts<T> z) {
  return cosh(z.times_i());
}
template <class T>
parts<T> tan(parts<T> z) {
  return tanh(z.times_i()).over_i();
}
template <class T>
parts<T> asin(parts<T> z) {
  return asinh(z.times_i()).over_i();
}
template <class T>
parts<T> atan(parts<T> z) {
  return atanh(z.times_i()).over_i();
}

}  // namespace sycl::detail::complex_functions

// Specializations, so that libstdc++'s other functions (pow, log10) call them as well.
namespace std {

#define TN_SYCL_COMPLEX_FUNCTION(name, T)                    \
  template <>                                                \
  inline complex<T> name(const complex<T> &z) {              \
    namespace functions = ::sycl::detail::complex_functions; \
    return functions::name(functions::parts<T>(z));          \
  }
#define TN_SYCL_COMPLEX_FUNCTIONS(T)  \
  TN_SYCL_COMPLEX_FUNCTION(exp, T)    \
  TN_SYCL_COMPLEX_FUNCTION(log, T)    \
  TN_SYCL_COMPLEX_FUNCTION(sqrt, T)   \
  TN_SYCL_COMPLEX_FUNCTION(sin, T)    \
  TN_SYCL_COMPLEX_FUNCTION(cos, T)    \
  TN_SYCL_COMPLEX_FUNCTION(tan, T)    \
  TN_SYCL_COMPLEX_FUNCTION(sinh, T)   \
  TN_SYCL_COMPLEX_FUNCTION(cosh, T)   \
  TN_SYCL_COMPLEX_FUNCTION(tanh, T)   \
  TN_SYCL_COMPLEX_FUNCTION(asin, T)   \
  TN_SYCL_COMPLEX_FUNCTION(acos, T)   \
  TN_SYCL_COMPLEX_FUNCTION(atan, T)   \
  TN_SYCL_COMPLEX_FUNCTION(asinh, T)  \
  TN_SYCL_COMPLEX_FUNCTION(acosh, T)  \
  TN_SYCL_COMPLEX_FUNCTION(atanh, T)  \
  template <>                         \
  inline T abs(const complex<T> &z) { \
    return hypot(z.real(), z.imag()); \
  }
TN_SYCL_COMPLEX_FUNCTIONS(float)
TN_SYCL_COMPLEX_FUNCTIONS(double)
#undef TN_SYCL_COMPLEX_FUNCTIONS
#undef TN_SYCL_COMPLEX_FUNCTION

}  // namespace std

#endif
