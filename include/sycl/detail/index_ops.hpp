// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operators that id and range share; private to those two headers, which undefine the macros.
// Source: SYCL 2020 section 4.6 (by-value semantics), tables of id and range operators.
#ifndef TENON_SYCL_DETAIL_INDEX_OPS_HPP
#define TENON_SYCL_DETAIL_INDEX_OPS_HPP

#include <sycl/detail/macros.hpp>

#include <cstddef>
#include <type_traits>

namespace sycl::detail {

template <class T>
using if_integral = std::enable_if_t<std::is_integral_v<T>, int>;
template <class T, int Dimensions>
using if_float_of = std::enable_if_t<std::is_floating_point_v<T> && Dimensions == 1, int>;

// The values of an id or range. Unused places do not exist: sizes are the same in both passes.
template <int Dimensions>
class index_array {
  static_assert(Dimensions >= 1 && Dimensions <= 3, "the number of dimensions is 1, 2 or 3");

 public:
  std::size_t get(int dimension) const noexcept { return values_[dimension]; }
  std::size_t &operator[](int dimension) noexcept { return values_[dimension]; }
  std::size_t operator[](int dimension) const noexcept { return values_[dimension]; }
  const std::size_t *tn_values() const noexcept { return values_; }

 protected:
  std::size_t values_[Dimensions];
};

// The conversion of one-dimensional ids and items; not a template, which subscripts would not find.
template <class Derived, int Dimensions>
struct size_conversion {};
template <class Derived>
struct size_conversion<Derived, 1> {
  operator std::size_t() const noexcept { return static_cast<const Derived &>(*this)[0]; }
};

}  // namespace sycl::detail

#define TN_SYCL_INDEX_BINARY(type, op)                                 \
  friend type operator op(const type &lhs, const type &rhs) noexcept { \
    type result;                                                       \
    for (int i = 0; i < Dimensions; ++i) {                             \
      result[i] = lhs[i] op rhs[i];                                    \
    }                                                                  \
    return result;                                                     \
  }                                                                    \
  template <class T, detail::if_integral<T> = 0>                       \
  friend type operator op(const type &lhs, const T &rhs) noexcept {    \
    type result;                                                       \
    for (int i = 0; i < Dimensions; ++i) {                             \
      result[i] = lhs[i] op static_cast<std::size_t>(rhs);             \
    }                                                                  \
    return result;                                                     \
  }                                                                    \
  template <class T, detail::if_integral<T> = 0>                       \
  friend type operator op(const T &lhs, const type &rhs) noexcept {    \
    type result;                                                       \
    for (int i = 0; i < Dimensions; ++i) {                             \
      result[i] = static_cast<std::size_t>(lhs) op rhs[i];             \
    }                                                                  \
    return result;                                                     \
  }
// An id<1> converts to a number, so that `i * 0.5f` means that number's product.
#define TN_SYCL_INDEX_FLOAT(type, op)                                                         \
  template <class T, int D = Dimensions, detail::if_float_of<T, D> = 0>                       \
  friend decltype(std::size_t() op T()) operator op(const type &lhs, const T &rhs) noexcept { \
    return lhs[0] op rhs;                                                                     \
  }                                                                                           \
  template <class T, int D = Dimensions, detail::if_float_of<T, D> = 0>                       \
  friend decltype(T() op std::size_t()) operator op(const T &lhs, const type &rhs) noexcept { \
    return lhs op rhs[0];                                                                     \
  }
#define TN_SYCL_INDEX_ASSIGN(type, op)                            \
  friend type &operator op(type &lhs, const type &rhs) noexcept { \
    for (int i = 0; i < Dimensions; ++i) {                        \
      lhs[i] op rhs[i];                                           \
    }                                                             \
    return lhs;                                                   \
  }                                                               \
  template <class T, detail::if_integral<T> = 0>                  \
  friend type &operator op(type &lhs, const T &rhs) noexcept {    \
    for (int i = 0; i < Dimensions; ++i) {                        \
      lhs[i] op static_cast<std::size_t>(rhs);                    \
    }                                                             \
    return lhs;                                                   \
  }
#define TN_SYCL_INDEX_STEP(type, op)                   \
  friend type &operator op(type &value) noexcept {     \
    for (int i = 0; i < Dimensions; ++i) {             \
      op value[i];                                     \
    }                                                  \
    return value;                                      \
  }                                                    \
  friend type operator op(type &value, int) noexcept { \
    type before = value;                               \
    op value;                                          \
    return before;                                     \
  }
#define TN_SYCL_INDEX_OPERATORS(type)                                                         \
  friend bool operator==(const type &lhs, const type &rhs) noexcept {                         \
    for (int i = 0; i < Dimensions; ++i) {                                                    \
      if (lhs[i] != rhs[i]) {                                                                 \
        return false;                                                                         \
      }                                                                                       \
    }                                                                                         \
    return true;                                                                              \
  }                                                                                           \
  friend bool operator!=(const type &lhs, const type &rhs) noexcept { return !(lhs == rhs); } \
  TN_SYCL_INDEX_BINARY(type, +)                                                               \
  TN_SYCL_INDEX_BINARY(type, -)                                                               \
  TN_SYCL_INDEX_BINARY(type, *)                                                               \
  TN_SYCL_INDEX_BINARY(type, /)                                                               \
  TN_SYCL_INDEX_BINARY(type, %)                                                               \
  TN_SYCL_INDEX_BINARY(type, <<)                                                              \
  TN_SYCL_INDEX_BINARY(type, >>)                                                              \
  TN_SYCL_INDEX_BINARY(type, &)                                                               \
  TN_SYCL_INDEX_BINARY(type, |)                                                               \
  TN_SYCL_INDEX_BINARY(type, ^)                                                               \
  TN_SYCL_INDEX_BINARY(type, &&)                                                              \
  TN_SYCL_INDEX_BINARY(type, ||)                                                              \
  TN_SYCL_INDEX_BINARY(type, <)                                                               \
  TN_SYCL_INDEX_BINARY(type, >)                                                               \
  TN_SYCL_INDEX_BINARY(type, <=)                                                              \
  TN_SYCL_INDEX_BINARY(type, >=)                                                              \
  TN_SYCL_INDEX_ASSIGN(type, +=)                                                              \
  TN_SYCL_INDEX_ASSIGN(type, -=)                                                              \
  TN_SYCL_INDEX_ASSIGN(type, *=)                                                              \
  TN_SYCL_INDEX_ASSIGN(type, /=)                                                              \
  TN_SYCL_INDEX_ASSIGN(type, %=)                                                              \
  TN_SYCL_INDEX_ASSIGN(type, <<=)                                                             \
  TN_SYCL_INDEX_ASSIGN(type, >>=)                                                             \
  TN_SYCL_INDEX_ASSIGN(type, &=)                                                              \
  TN_SYCL_INDEX_ASSIGN(type, |=)                                                              \
  TN_SYCL_INDEX_ASSIGN(type, ^=)                                                              \
  TN_SYCL_INDEX_STEP(type, ++)                                                                \
  TN_SYCL_INDEX_STEP(type, --)                                                                \
  friend type operator+(const type &value) noexcept { return value; }                         \
  friend type operator-(const type &value) noexcept {                                         \
    type result;                                                                              \
    for (int i = 0; i < Dimensions; ++i) {                                                    \
      result[i] = 0 - value[i];                                                               \
    }                                                                                         \
    return result;                                                                            \
  }

#endif
