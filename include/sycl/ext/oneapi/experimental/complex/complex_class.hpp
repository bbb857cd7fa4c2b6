// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// complex: complex numbers of half, float and double, and marray of them. The functions are in
// complex_math.hpp. Source: the SYCL extension sycl_ext_oneapi_complex.
#ifndef TENON_SYCL_EXT_COMPLEX_CLASS_HPP
#define TENON_SYCL_EXT_COMPLEX_CLASS_HPP

#include <sycl/half.hpp>
#include <sycl/marray.hpp>
#include <sycl/stream.hpp>

#include <complex>

namespace sycl::ext::oneapi::experimental {
template <class T>
class complex;
}

namespace sycl::detail {

// The standard library's complex numbers compute: of half, with float.
template <class T>
using complex_part = std::conditional_t<std::is_same_v<T, half>, float, T>;
template <class T>
using standard_complex = std::complex<complex_part<T>>;
template <class T>
standard_complex<T> to_standard(const ext::oneapi::experimental::complex<T> &z) {
  return static_cast<standard_complex<T>>(z);
}

}  // namespace sycl::detail

namespace sycl::ext::oneapi::experimental {

template <class T>
class complex {
  static_assert(std::is_same_v<T, half> || std::is_same_v<T, float> || std::is_same_v<T, double>,
                "the parts of a complex number are half, float or double");

 public:
  using value_type = T;

  constexpr complex(value_type re = value_type(), value_type im = value_type())
      : re_(re), im_(im) {}
  template <class X, std::enable_if_t<!std::is_same_v<X, T>, int> = 0>
  constexpr complex(const complex<X> &other)
      : re_(static_cast<T>(other.real())), im_(static_cast<T>(other.imag())) {}
  template <class X>
  constexpr complex(const std::complex<X> &other)
      : re_(static_cast<T>(other.real())), im_(static_cast<T>(other.imag())) {}
  constexpr complex(const complex &) = default;
  complex &operator=(const complex &) = default;
  complex &operator=(value_type x) {
    re_ = x;
    im_ = value_type();
    return *this;
  }

  template <class X>
  constexpr operator std::complex<X>() const {
    return {static_cast<X>(re_), static_cast<X>(im_)};
  }

  constexpr value_type real() const { return re_; }
  constexpr value_type imag() const { return im_; }
  void real(value_type value) { re_ = value; }
  void imag(value_type value) { im_ = value; }

  friend complex &operator+=(complex &z, value_type y) { return z = z + y; }
  friend complex &operator-=(complex &z, value_type y) { return z = z - y; }
  friend complex &operator*=(complex &z, value_type y) { return z = z * y; }
  friend complex &operator/=(complex &z, value_type y) { return z = z / y; }
  template <class X>
  friend complex &operator+=(complex &z, const complex<X> &w) {
    return z = z + complex(w);
  }
  template <class X>
  friend complex &operator-=(complex &z, const complex<X> &w) {
    return z = z - complex(w);
  }
  template <class X>
  friend complex &operator*=(complex &z, const complex<X> &w) {
    return z = z * complex(w);
  }
  template <class X>
  friend complex &operator/=(complex &z, const complex<X> &w) {
    return z = z / complex(w);
  }

  friend complex operator+(const complex &z, const complex &w) {
    return complex(z.re_ + w.re_, z.im_ + w.im_);
  }
  friend complex operator+(const complex &z, value_type y) { return complex(z.re_ + y, z.im_); }
  friend complex operator+(value_type x, const complex &w) { return complex(x + w.re_, w.im_); }
  friend complex operator+(const complex &z) { return z; }

  friend complex operator-(const complex &z, const complex &w) {
    return complex(z.re_ - w.re_, z.im_ - w.im_);
  }
  friend complex operator-(const complex &z, value_type y) { return complex(z.re_ - y, z.im_); }
  friend complex operator-(value_type x, const complex &w) { return complex(x - w.re_, -w.im_); }
  friend complex operator-(const complex &z) { return complex(-z.re_, -z.im_); }

  // As the standard library's, infinities are infinities also where a formula gives NaN.
  friend complex operator*(const complex &z, const complex &w) {
    return sycl::detail::to_standard(z) * sycl::detail::to_standard(w);
  }
  friend complex operator*(const complex &z, value_type y) {
    return complex(z.re_ * y, z.im_ * y);
  }
  friend complex operator*(value_type x, const complex &w) { return w * x; }

  friend complex operator/(const complex &z, const complex &w) {
    return sycl::detail::to_standard(z) / sycl::detail::to_standard(w);
  }
  friend complex operator/(const complex &z, value_type y) {
    return complex(z.re_ / y, z.im_ / y);
  }
  friend complex operator/(value_type x, const complex &w) { return complex(x) / w; }

  friend constexpr bool operator==(const complex &z, const complex &w) {
    return z.re_ == w.re_ && z.im_ == w.im_;
  }
  friend constexpr bool operator==(const complex &z, value_type y) { return z == complex(y); }
  friend constexpr bool operator==(value_type x, const complex &w) { return complex(x) == w; }
  friend constexpr bool operator!=(const complex &z, const complex &w) { return !(z == w); }
  friend constexpr bool operator!=(const complex &z, value_type y) { return !(z == y); }
  friend constexpr bool operator!=(value_type x, const complex &w) { return !(x == w); }

  template <class C, class Traits>
  friend std::basic_istream<C, Traits> &operator>>(std::basic_istream<C, Traits> &is, complex &z) {
    sycl::detail::standard_complex<T> read;
    if (is >> read) {
      z = read;
    }
    return is;
  }
  template <class C, class Traits>
  friend std::basic_ostream<C, Traits> &operator<<(std::basic_ostream<C, Traits> &os,
                                                   const complex &z) {
    return os << sycl::detail::to_standard(z);
  }
  friend const sycl::stream &operator<<(const sycl::stream &x, const complex &z) {
    return x << '(' << z.re_ << ',' << z.im_ << ')';
  }

 private:
  value_type re_;
  value_type im_;
};

}  // namespace sycl::ext::oneapi::experimental

namespace sycl {

// Complex numbers have the four operations and equality, and no other operators.
template <class T, std::size_t NumElements>
class marray<ext::oneapi::experimental::complex<T>, NumElements> {
  static_assert(NumElements > 0, "an marray has elements");

 public:
  using value_type = ext::oneapi::experimental::complex<T>;
  using reference = value_type &;
  using const_reference = const value_type &;
  using iterator = value_type *;
  using const_iterator = const value_type *;
  using tn_elements = marray;
  using tn_mask = marray<bool, NumElements>;
  static constexpr bool tn_is_vec = false;

  marray() = default;
  constexpr marray(const marray &) = default;
  constexpr marray(marray &&) = default;
  constexpr marray &operator=(const marray &) = default;
  constexpr marray &operator=(marray &&) = default;

  explicit constexpr marray(const value_type &arg) {
    for (value_type &each : data_) {
      each = arg;
    }
  }
  template <class... Args,
            std::enable_if_t<(sizeof...(Args) > 1 || (NumElements == 1 && sizeof...(Args) == 1)) &&
                                 detail::are_vec_args<false, value_type, NumElements, Args...>(),
                             int> = 0>
  constexpr marray(const Args &...args) {
    std::size_t at = 0;
    (detail::append_vec_arg(*this, at, args), ...);
  }
  constexpr marray &operator=(const value_type &rhs) { return *this = marray(rhs); }
  template <std::size_t N = NumElements, std::enable_if_t<N == 1, int> = 0>
  constexpr operator value_type() const {
    return data_[0];
  }

  static constexpr std::size_t size() noexcept { return NumElements; }
  constexpr reference operator[](std::size_t index) { return data_[index]; }
  constexpr const_reference operator[](std::size_t index) const { return data_[index]; }
  constexpr iterator begin() { return data_; }
  constexpr const_iterator begin() const { return data_; }
  constexpr iterator end() { return data_ + NumElements; }
  constexpr const_iterator end() const { return data_ + NumElements; }

#define TN_SYCL_COMPLEX_ELEMENTS(op)                                    \
  friend marray &operator op##=(marray &lhs, const marray &rhs) {       \
    for (std::size_t i = 0; i < NumElements; ++i) {                     \
      lhs.data_[i] op## = rhs.data_[i];                                 \
    }                                                                   \
    return lhs;                                                         \
  }                                                                     \
  friend marray &operator op##=(marray &lhs, const value_type &rhs) {   \
    return lhs op## = marray(rhs);                                      \
  }                                                                     \
  friend marray operator op(const marray &lhs, const marray &rhs) {     \
    marray result = lhs;                                                \
    return result op## = rhs;                                           \
  }                                                                     \
  friend marray operator op(const marray &lhs, const value_type &rhs) { \
    marray result = lhs;                                                \
    return result op## = rhs;                                           \
  }                                                                     \
  friend marray operator op(const value_type &lhs, const marray &rhs) { \
    marray result(lhs);                                                 \
    return result op## = rhs;                                           \
  }
  TN_SYCL_COMPLEX_ELEMENTS(+)
  TN_SYCL_COMPLEX_ELEMENTS(-)
  TN_SYCL_COMPLEX_ELEMENTS(*)
  TN_SYCL_COMPLEX_ELEMENTS(/)
#undef TN_SYCL_COMPLEX_ELEMENTS
  friend marray operator+(const marray &lhs) { return lhs; }
  friend marray operator-(const marray &lhs) {
    marray result;
    for (std::size_t i = 0; i < NumElements; ++i) {
      result.data_[i] = -lhs.data_[i];
    }
    return result;
  }

#define TN_SYCL_COMPLEX_EQUALITY(op)                                                       \
  friend marray<bool, NumElements> operator op(const marray &lhs, const marray &rhs) {     \
    marray<bool, NumElements> result{};                                                    \
    for (std::size_t i = 0; i < NumElements; ++i) {                                        \
      result[i] = lhs.data_[i] op rhs.data_[i];                                            \
    }                                                                                      \
    return result;                                                                         \
  }                                                                                        \
  friend marray<bool, NumElements> operator op(const marray &lhs, const value_type &rhs) { \
    return lhs op marray(rhs);                                                             \
  }                                                                                        \
  friend marray<bool, NumElements> operator op(const value_type &lhs, const marray &rhs) { \
    return marray(lhs) op rhs;                                                             \
  }
  TN_SYCL_COMPLEX_EQUALITY(==)
  TN_SYCL_COMPLEX_EQUALITY(!=)
#undef TN_SYCL_COMPLEX_EQUALITY

  constexpr value_type *tn_data() noexcept { return data_; }
  constexpr const value_type *tn_data() const noexcept { return data_; }

 private:
  value_type data_[NumElements];
};

}  // namespace sycl

#endif
