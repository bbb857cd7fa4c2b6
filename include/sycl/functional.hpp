// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Function objects for reductions and group algorithms, and their identities.
// Source: SYCL 2020 sections 4.17.2, 4.9.2.1 (known_identity).
#ifndef TENON_SYCL_FUNCTIONAL_HPP
#define TENON_SYCL_FUNCTIONAL_HPP

#include <sycl/detail/macros.hpp>

#include <cstddef>
#include <limits>
#include <type_traits>

#ifndef __TENON_RTC__
#if defined(__GLIBCXX__) && __has_include(<bits/stl_function.h>)
#include <bits/stl_function.h>  // the part of <functional> that has std::plus
#else
#include <functional>
#endif
#endif

namespace sycl {

#define TN_SYCL_FUNCTION_OBJECT(name, op)                                   \
  template <class T = void>                                                 \
  struct name {                                                             \
    constexpr T operator()(const T &x, const T &y) const { return x op y; } \
  };                                                                        \
  template <>                                                               \
  struct name<void> {                                                       \
    using is_transparent = int;                                             \
    template <class T, class U>                                             \
    constexpr auto operator()(T &&x, U &&y) const                           \
        -> decltype(static_cast<T &&>(x) op static_cast<U &&>(y)) {         \
      return static_cast<T &&>(x) op static_cast<U &&>(y);                  \
    }                                                                       \
  };
TN_SYCL_FUNCTION_OBJECT(plus, +)
TN_SYCL_FUNCTION_OBJECT(multiplies, *)
TN_SYCL_FUNCTION_OBJECT(bit_and, &)
TN_SYCL_FUNCTION_OBJECT(bit_or, |)
TN_SYCL_FUNCTION_OBJECT(bit_xor, ^)
TN_SYCL_FUNCTION_OBJECT(logical_and, &&)
TN_SYCL_FUNCTION_OBJECT(logical_or, ||)
#undef TN_SYCL_FUNCTION_OBJECT

namespace detail {

// The type of a vec's or marray's elements; void for others.
template <class T, class = void>
struct element {
  using type = void;
};
template <class T>
struct element<T, std::void_t<typename T::value_type, decltype(T::size())>> {
  using type = typename T::value_type;
};
template <class T>
using element_of = typename element<T>::type;

template <bool Greater, class T>
constexpr T extreme(const T &x, const T &y) {
  if constexpr (std::is_void_v<element_of<T>>) {
    if constexpr (Greater) {
      return x < y ? y : x;
    } else {
      return y < x ? y : x;
    }
  } else {
    T result = x;
    for (int i = 0; i < static_cast<int>(T::size()); ++i) {
      result[i] = extreme<Greater, element_of<T>>(x[i], y[i]);
    }
    return result;
  }
}

}  // namespace detail

#define TN_SYCL_EXTREME(name, greater)                                                 \
  template <class T = void>                                                            \
  struct name {                                                                        \
    constexpr T operator()(const T &x, const T &y) const {                             \
      return detail::extreme<greater, T>(x, y);                                        \
    }                                                                                  \
  };                                                                                   \
  template <>                                                                          \
  struct name<void> {                                                                  \
    using is_transparent = int;                                                        \
    template <class T, class U>                                                        \
    constexpr std::common_type_t<T, U> operator()(T &&x, U &&y) const {                \
      return detail::extreme<greater, std::common_type_t<T, U>>(static_cast<T &&>(x),  \
                                                                static_cast<U &&>(y)); \
    }                                                                                  \
  };
TN_SYCL_EXTREME(minimum, false)
TN_SYCL_EXTREME(maximum, true)
#undef TN_SYCL_EXTREME

namespace detail {

// std::complex and sycl_ext_oneapi_complex's numbers, of which no header is included here
// (sycl_ext_oneapi_complex_algorithms).
template <class T, class = void>
inline constexpr bool is_complex_number = false;
template <class T>
inline constexpr bool is_complex_number<
    T, std::enable_if_t<std::numeric_limits<typename T::value_type>::has_infinity &&
                        std::is_same_v<decltype(conj(std::declval<const T &>())), T>>> = true;
template <class T>
inline constexpr bool has_zero_and_one =
    std::numeric_limits<T>::is_specialized || is_complex_number<T>;

enum class identity_kind { none, zero, one, all_ones, highest, lowest, yes, no };

// Which value is the identity of an operation on scalars of a type.
template <class Operation, class T>
struct operation_identity {
  static constexpr identity_kind kind = identity_kind::none;
};
#define TN_SYCL_IDENTITY(name, condition, found)                                                  \
  template <class T>                                                                              \
  struct operation_identity<name<T>, T> {                                                         \
    static constexpr identity_kind kind = condition ? identity_kind::found : identity_kind::none; \
  };                                                                                              \
  template <class T>                                                                              \
  struct operation_identity<name<void>, T> : operation_identity<name<T>, T> {};
TN_SYCL_IDENTITY(plus, has_zero_and_one<T>, zero)
TN_SYCL_IDENTITY(multiplies, has_zero_and_one<T>, one)
TN_SYCL_IDENTITY(bit_and, std::is_integral_v<T>, all_ones)
TN_SYCL_IDENTITY(bit_or, std::is_integral_v<T>, zero)
TN_SYCL_IDENTITY(bit_xor, std::is_integral_v<T>, zero)
TN_SYCL_IDENTITY(logical_and, std::is_arithmetic_v<T>, yes)
TN_SYCL_IDENTITY(logical_or, std::is_arithmetic_v<T>, no)
TN_SYCL_IDENTITY(minimum, std::numeric_limits<T>::is_specialized, highest)
TN_SYCL_IDENTITY(maximum, std::numeric_limits<T>::is_specialized, lowest)
#undef TN_SYCL_IDENTITY

// SYCL's function object for the standard library's that does the same.
template <class Operation>
struct sycl_operation {
  using type = Operation;
};
#ifndef __TENON_RTC__
#define TN_SYCL_STANDARD_OPERATION(name)  \
  template <class T>                      \
  struct sycl_operation<std::name<T>> {   \
    using type = name<T>;                 \
  };
TN_SYCL_STANDARD_OPERATION(plus)
TN_SYCL_STANDARD_OPERATION(multiplies)
TN_SYCL_STANDARD_OPERATION(bit_and)
TN_SYCL_STANDARD_OPERATION(bit_or)
TN_SYCL_STANDARD_OPERATION(bit_xor)
TN_SYCL_STANDARD_OPERATION(logical_and)
TN_SYCL_STANDARD_OPERATION(logical_or)
#undef TN_SYCL_STANDARD_OPERATION
#endif
template <class Operation>
using sycl_operation_t = typename sycl_operation<Operation>::type;

// Whether the operation is of one kind, such as plus: SYCL's or the standard library's.
template <template <class> class Kind, class Operation, class T>
inline constexpr bool is_operation = std::is_same_v<sycl_operation_t<Operation>, Kind<T>> ||
                                     std::is_same_v<sycl_operation_t<Operation>, Kind<void>>;

// The operation as its elements see it: plus<vec<int, 4>> is plus<int> there.
template <class Operation, class T>
struct element_operation {
  using type = Operation;
};
template <template <class> class Operation, class T>
struct element_operation<Operation<T>, T> {
  using type = Operation<element_of<T>>;
};

template <class T, identity_kind Kind>
constexpr T scalar_identity() {
  using limits = std::numeric_limits<T>;
  if constexpr (Kind == identity_kind::zero) {
    return static_cast<T>(0);
  } else if constexpr (Kind == identity_kind::one) {
    return static_cast<T>(1);
  } else if constexpr (Kind == identity_kind::all_ones) {
    return static_cast<T>(std::is_same_v<T, bool> ? 1 : -1);
  } else if constexpr (Kind == identity_kind::highest) {
    return limits::has_infinity ? limits::infinity() : (limits::max)();
  } else if constexpr (Kind == identity_kind::lowest) {
    return limits::has_infinity ? static_cast<T>(-limits::infinity()) : limits::lowest();
  } else {
    return static_cast<T>(Kind == identity_kind::yes);
  }
}

template <class Operation, class T, class Element = element_of<T>>
struct identity {
  static constexpr identity_kind kind =
      operation_identity<typename element_operation<sycl_operation_t<Operation>, T>::type,
                         Element>::kind;
  static constexpr T get() { return T(scalar_identity<Element, kind>()); }
};
template <class Operation, class T>
struct identity<Operation, T, void> {
  static constexpr identity_kind kind =
      operation_identity<sycl_operation_t<Operation>, T>::kind;
  static constexpr T get() { return scalar_identity<T, kind>(); }
};

template <class Operation, class T, bool Exists>
struct known_identity_value {};
template <class Operation, class T>
struct known_identity_value<Operation, T, true> {
  static constexpr T value = identity<Operation, T>::get();
};

}  // namespace detail

// Known for the function objects above on scalars, and on vec and marray of them.
template <class BinaryOperation, class AccumulatorT>
struct has_known_identity
    : std::bool_constant<detail::identity<std::remove_cv_t<BinaryOperation>,
                                          std::remove_cv_t<AccumulatorT>>::kind !=
                         detail::identity_kind::none> {};
template <class BinaryOperation, class AccumulatorT>
inline constexpr bool has_known_identity_v =
    has_known_identity<BinaryOperation, AccumulatorT>::value;

template <class BinaryOperation, class AccumulatorT>
struct known_identity
    : detail::known_identity_value<std::remove_cv_t<BinaryOperation>,
                                   std::remove_cv_t<AccumulatorT>,
                                   has_known_identity_v<BinaryOperation, AccumulatorT>> {};
template <class BinaryOperation, class AccumulatorT>
inline constexpr AccumulatorT known_identity_v =
    known_identity<BinaryOperation, AccumulatorT>::value;

}  // namespace sycl

#endif
