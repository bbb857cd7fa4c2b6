// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of complex numbers, and of marray of them. Included by complex.hpp.
// Source: the SYCL extension sycl_ext_oneapi_complex.
#ifndef TENON_SYCL_EXT_COMPLEX_MATH_HPP
#define TENON_SYCL_EXT_COMPLEX_MATH_HPP

#include <sycl/ext/oneapi/experimental/complex/complex_class.hpp>

#include <cmath>

namespace sycl::detail {

// Real numbers beside complex ones: integers stand for double, as in the standard library.
template <class T>
inline constexpr bool is_complex_operand =
    std::is_integral_v<T> || std::is_same_v<T, half> || std::is_same_v<T, float> ||
    std::is_same_v<T, double>;
template <class T>
using real_of =
    std::enable_if_t<is_complex_operand<T>, std::conditional_t<std::is_integral_v<T>, double, T>>;
// What pow of parts of two types computes with.
template <class T, class U>
using promoted_part =
    std::conditional_t<std::is_same_v<T, double> || std::is_same_v<U, double>, double,
                       std::conditional_t<std::is_same_v<T, float> || std::is_same_v<U, float>,
                                          float, half>>;
template <class T>
struct not_deduced {
  using type = T;
};
template <class T>
using not_deduced_t = typename not_deduced<T>::type;

}  // namespace sycl::detail

namespace sycl::ext::oneapi::experimental {

template <class T>
constexpr T real(const complex<T> &z) {
  return z.real();
}
template <class T>
constexpr sycl::detail::real_of<T> real(T y) {
  return static_cast<sycl::detail::real_of<T>>(y);
}
template <class T>
constexpr T imag(const complex<T> &z) {
  return z.imag();
}
template <class T>
constexpr sycl::detail::real_of<T> imag(T) {
  return static_cast<sycl::detail::real_of<T>>(0);
}

template <class T>
T abs(const complex<T> &x) {
  return static_cast<T>(std::abs(sycl::detail::to_standard(x)));
}
template <class T>
T arg(const complex<T> &x) {
  return static_cast<T>(std::arg(sycl::detail::to_standard(x)));
}
template <class T>
sycl::detail::real_of<T> arg(T x) {
  return experimental::arg(complex<sycl::detail::real_of<T>>(experimental::real(x)));
}
// With an infinite part it is infinite, whatever the other is.
template <class T>
T norm(const complex<T> &x) {
  using part = sycl::detail::complex_part<T>;
  const part re = static_cast<part>(x.real()), im = static_cast<part>(x.imag());
  if (std::isinf(re) || std::isinf(im)) {
    return static_cast<T>(std::fabs(std::isinf(re) ? re : im));
  }
  return static_cast<T>(re * re + im * im);
}
template <class T>
sycl::detail::real_of<T> norm(T x) {
  return experimental::norm(complex<sycl::detail::real_of<T>>(experimental::real(x)));
}
template <class T>
complex<T> conj(const complex<T> &x) {
  return complex<T>(x.real(), -x.imag());
}
template <class T>
complex<sycl::detail::real_of<T>> conj(T y) {
  return experimental::conj(complex<sycl::detail::real_of<T>>(experimental::real(y)));
}
// One infinity, with the imaginary part's sign.
template <class T>
complex<T> proj(const complex<T> &x) {
  using part = sycl::detail::complex_part<T>;
  const part im = static_cast<part>(x.imag());
  if (std::isinf(static_cast<part>(x.real())) || std::isinf(im)) {
    return complex<T>(static_cast<T>(std::numeric_limits<part>::infinity()),
                      static_cast<T>(std::copysign(part(0), im)));
  }
  return x;
}
template <class T>
complex<sycl::detail::real_of<T>> proj(T y) {
  return experimental::proj(complex<sycl::detail::real_of<T>>(experimental::real(y)));
}
template <class T>
complex<T> polar(const T &rho, const T &theta = T()) {
  using part = sycl::detail::complex_part<T>;
  const part size = static_cast<part>(rho), angle = static_cast<part>(theta);
  if (angle == 0) {
    return complex<T>(rho, theta);
  }
  return complex<T>(static_cast<T>(size * std::cos(angle)),
                    static_cast<T>(size * std::sin(angle)));
}

#define TN_SYCL_COMPLEX_FUNCTION(name)                         \
  template <class T>                                           \
  complex<T> name(const complex<T> &z) {                       \
    return std::name(sycl::detail::to_standard(z));            \
  }                                                            \
  template <class T, std::size_t N>                            \
  marray<complex<T>, N> name(const marray<complex<T>, N> &x) { \
    marray<complex<T>, N> result;                              \
    for (std::size_t i = 0; i < N; ++i) {                      \
      result[i] = experimental::name(x[i]);                    \
    }                                                          \
    return result;                                             \
  }
TN_SYCL_COMPLEX_FUNCTION(log)
TN_SYCL_COMPLEX_FUNCTION(log10)
TN_SYCL_COMPLEX_FUNCTION(sqrt)
TN_SYCL_COMPLEX_FUNCTION(exp)
TN_SYCL_COMPLEX_FUNCTION(asinh)
TN_SYCL_COMPLEX_FUNCTION(acosh)
TN_SYCL_COMPLEX_FUNCTION(atanh)
TN_SYCL_COMPLEX_FUNCTION(sinh)
TN_SYCL_COMPLEX_FUNCTION(cosh)
TN_SYCL_COMPLEX_FUNCTION(tanh)
TN_SYCL_COMPLEX_FUNCTION(asin)
TN_SYCL_COMPLEX_FUNCTION(acos)
TN_SYCL_COMPLEX_FUNCTION(atan)
TN_SYCL_COMPLEX_FUNCTION(sin)
TN_SYCL_COMPLEX_FUNCTION(cos)
TN_SYCL_COMPLEX_FUNCTION(tan)
#undef TN_SYCL_COMPLEX_FUNCTION

template <class T>
complex<T> pow(const complex<T> &x, const complex<T> &y) {
  return std::pow(sycl::detail::to_standard(x), sycl::detail::to_standard(y));
}
template <class T, class U, std::enable_if_t<!std::is_same_v<T, U>, int> = 0>
complex<sycl::detail::promoted_part<T, U>> pow(const complex<T> &x, const complex<U> &y) {
  using part = sycl::detail::promoted_part<T, U>;
  return experimental::pow(complex<part>(x), complex<part>(y));
}
template <class T, class U>
complex<sycl::detail::promoted_part<T, sycl::detail::real_of<U>>> pow(const complex<T> &x,
                                                                      const U &y) {
  using part = sycl::detail::promoted_part<T, sycl::detail::real_of<U>>;
  return experimental::pow(complex<part>(x), complex<part>(static_cast<part>(y)));
}
template <class T, class U>
complex<sycl::detail::promoted_part<sycl::detail::real_of<T>, U>> pow(const T &x,
                                                                      const complex<U> &y) {
  using part = sycl::detail::promoted_part<sycl::detail::real_of<T>, U>;
  return experimental::pow(complex<part>(static_cast<part>(x)), complex<part>(y));
}

#define TN_SYCL_REAL_OF_COMPLEX(name)                 \
  template <class T, std::size_t N>                   \
  marray<T, N> name(const marray<complex<T>, N> &x) { \
    marray<T, N> result;                              \
    for (std::size_t i = 0; i < N; ++i) {             \
      result[i] = experimental::name(x[i]);           \
    }                                                 \
    return result;                                    \
  }
TN_SYCL_REAL_OF_COMPLEX(real)
TN_SYCL_REAL_OF_COMPLEX(imag)
TN_SYCL_REAL_OF_COMPLEX(abs)
TN_SYCL_REAL_OF_COMPLEX(arg)
TN_SYCL_REAL_OF_COMPLEX(norm)
#undef TN_SYCL_REAL_OF_COMPLEX

// With `each` of element i.
#define TN_SYCL_COMPLEX_ELEMENTS(name, parameters, each) \
  template <class T, std::size_t N>                      \
  marray<complex<T>, N> name parameters {                \
    marray<complex<T>, N> result;                        \
    for (std::size_t i = 0; i < N; ++i) {                \
      result[i] = experimental::name each;               \
    }                                                    \
    return result;                                       \
  }
#define TN_SYCL_REALS const marray<T, N> &
#define TN_SYCL_COMPLEXES const marray<complex<T>, N> &
#define TN_SYCL_ONE_REAL sycl::detail::not_deduced_t<T>
TN_SYCL_COMPLEX_ELEMENTS(conj, (TN_SYCL_COMPLEXES x), (x[i]))
TN_SYCL_COMPLEX_ELEMENTS(proj, (TN_SYCL_COMPLEXES x), (x[i]))
TN_SYCL_COMPLEX_ELEMENTS(proj, (TN_SYCL_REALS x), (x[i]))
TN_SYCL_COMPLEX_ELEMENTS(polar, (TN_SYCL_REALS rho, TN_SYCL_ONE_REAL theta = T()), (rho[i], theta))
TN_SYCL_COMPLEX_ELEMENTS(polar, (TN_SYCL_REALS rho, TN_SYCL_REALS theta), (rho[i], theta[i]))
TN_SYCL_COMPLEX_ELEMENTS(polar, (TN_SYCL_ONE_REAL rho, TN_SYCL_REALS theta), (rho, theta[i]))
TN_SYCL_COMPLEX_ELEMENTS(pow, (TN_SYCL_COMPLEXES x, TN_SYCL_REALS y), (x[i], y[i]))
TN_SYCL_COMPLEX_ELEMENTS(pow, (TN_SYCL_COMPLEXES x, TN_SYCL_ONE_REAL y), (x[i], y))
TN_SYCL_COMPLEX_ELEMENTS(pow, (const complex<T> &x, TN_SYCL_REALS y), (x, y[i]))
TN_SYCL_COMPLEX_ELEMENTS(pow, (TN_SYCL_COMPLEXES x, TN_SYCL_COMPLEXES y), (x[i], y[i]))
TN_SYCL_COMPLEX_ELEMENTS(pow, (TN_SYCL_COMPLEXES x, const complex<T> &y), (x[i], y))
TN_SYCL_COMPLEX_ELEMENTS(pow, (const complex<T> &x, TN_SYCL_COMPLEXES y), (x, y[i]))
TN_SYCL_COMPLEX_ELEMENTS(pow, (TN_SYCL_REALS x, TN_SYCL_COMPLEXES y), (x[i], y[i]))
TN_SYCL_COMPLEX_ELEMENTS(pow, (TN_SYCL_REALS x, const complex<T> &y), (x[i], y))
TN_SYCL_COMPLEX_ELEMENTS(pow, (TN_SYCL_ONE_REAL x, TN_SYCL_COMPLEXES y), (x, y[i]))
#undef TN_SYCL_COMPLEX_ELEMENTS
#undef TN_SYCL_REALS
#undef TN_SYCL_COMPLEXES
#undef TN_SYCL_ONE_REAL

}  // namespace sycl::ext::oneapi::experimental

#endif
