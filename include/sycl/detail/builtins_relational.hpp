// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The relational functions. Scalars answer bool, marray answers marray of bool, and vec integers of
// the elements' size, -1 for true. Source: SYCL 2020 rev. 9 section 4.17.10.
#ifndef TENON_SYCL_DETAIL_BUILTINS_RELATIONAL_HPP
#define TENON_SYCL_DETAIL_BUILTINS_RELATIONAL_HPP

#include <sycl/detail/builtins_types.hpp>
#include <sycl/detail/macros.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace sycl {
namespace detail {

template <class A, class... B>
using if_relation =
    gen_rebind<if_floats<A, B...>,
               std::conditional_t<gen_type<A>::is_marray, bool, sint_like<gen_element<A>>>>;
template <class Answer>
using truth_type = std::conditional_t<gen_type<Answer>::is_marray, bool, gen_element<Answer>>;
// bool or 0 and -1.
template <class Answer>
constexpr truth_type<Answer> truth(bool is_true) noexcept {
  if constexpr (gen_type<Answer>::is_marray) {
    return is_true;
  } else {
    return is_true ? -1 : 0;
  }
}
// Neither zero, nor subnormal, nor infinite, nor a NaN. As integers, since LLVM makes of such
// comparisons together one intrinsic that does not vectorise everywhere.
template <class T>
constexpr bool is_normal(T x) noexcept {
  using U = uint_like<T>;
  constexpr int mantissa = sizeof(T) == 2 ? 10 : sizeof(T) == 4 ? 23 : 52;
  constexpr U least = U(U(1) << (mantissa + 1));
  // Twice the bits, which drops the sign; infinity's are then -least.
  return U(U(__builtin_bit_cast(U, x) << 1) - least) < U(0 - least - least);
}
// Whether an element counts as true.
template <class T>
constexpr bool is_set(T x) noexcept {
  if constexpr (std::is_same_v<T, bool>) {
    return x;
  } else {
    return static_cast<sint_like<T>>(x) < 0;
  }
}

// vec and swizzles of signed integers, which answer int, and marray of bool.
template <class V>
using if_any_all =
    std::enable_if_t<(gen_type<V>::is_marray && std::is_same_v<gen_element<V>, bool>) ||
                         (gen_type<V>::is_vec && is_gen_int<gen_element<V>> &&
                          std::is_signed_v<gen_element<V>>),
                     std::conditional_t<gen_type<V>::is_marray, bool, int>>;
template <class V>
using if_any_all_deprecated =
    std::enable_if_t<(gen_type<V>::is_marray || gen_type<V>::is_scalar) &&
                         is_gen_int<gen_element<V>> && std::is_signed_v<gen_element<V>>,
                     bool>;
template <class V>
constexpr bool is_any_set(const V &x) noexcept {
  bool result = false;
  TN_SYCL_FOR_EACH(V) { result |= is_set(gen_at(x, i)); }
  return result;
}
template <class V>
constexpr bool is_all_set(const V &x) noexcept {
  bool result = true;
  TN_SYCL_FOR_EACH(V) { result &= is_set(gen_at(x, i)); }
  return result;
}

template <class A, class B, class C>
using if_select = std::enable_if_t<
    gen_type<C>::size == gen_type<A>::size && (gen_type<A>::is_vec == gen_type<C>::is_vec) &&
        (gen_type<A>::is_marray
             ? std::is_same_v<gen_element<C>, bool>
             : is_gen_int<gen_element<C>> && sizeof(gen_element<C>) == sizeof(gen_element<A>)),
    std::enable_if_t<is_alike<A, B>, if_numbers<A>>>;

}  // namespace detail

#define TN_SYCL_RELATION_1(name, expression)                                               \
  inline bool name(float x) noexcept { return expression; }                                \
  inline bool name(double x) noexcept { return expression; }                               \
  inline bool name(half half_x) noexcept {                                                 \
    const _Float16 x = half_x.tn_value();                                                  \
    return expression;                                                                     \
  }                                                                                        \
  template <class V>                                                                       \
  detail::if_relation<V> name(const V &x) noexcept {                                       \
    const detail::gen_value<V> &v = x;                                                     \
    detail::if_relation<V> result;                                                         \
    TN_SYCL_FOR_EACH(V) { result[i] = detail::truth<detail::if_relation<V>>(name(v[i])); } \
    return result;                                                                         \
  }
#define TN_SYCL_RELATION_2(name, expression)                                  \
  inline bool name(float x, float y) noexcept { return expression; }          \
  inline bool name(double x, double y) noexcept { return expression; }        \
  inline bool name(half x, half y) noexcept {                                 \
    return name(static_cast<float>(x), static_cast<float>(y));                \
  }                                                                           \
  template <class V, class W>                                                 \
  detail::if_relation<V, W> name(const V &x, const W &y) noexcept {           \
    const detail::gen_value<V> &v = x, &w = y;                                \
    detail::if_relation<V, W> result;                                         \
    TN_SYCL_FOR_EACH(V) {                                                     \
      result[i] = detail::truth<detail::if_relation<V, W>>(name(v[i], w[i])); \
    }                                                                         \
    return result;                                                            \
  }

TN_SYCL_RELATION_2(isequal, x == y)
TN_SYCL_RELATION_2(isnotequal, x != y)
TN_SYCL_RELATION_2(isgreater, x > y)
TN_SYCL_RELATION_2(isgreaterequal, x >= y)
TN_SYCL_RELATION_2(isless, x < y)
TN_SYCL_RELATION_2(islessequal, x <= y)
TN_SYCL_RELATION_2(islessgreater, (x < y) || (x > y))
TN_SYCL_RELATION_2(isordered, !__builtin_isunordered(x, y))
TN_SYCL_RELATION_2(isunordered, __builtin_isunordered(x, y))
// A half is looked at as a float, in which its subnormal numbers are normal.
TN_SYCL_RELATION_1(isfinite, TN_SYCL_ELEMENTWISE(abs)(x) < __builtin_inff())
TN_SYCL_RELATION_1(isinf, TN_SYCL_ELEMENTWISE(abs)(x) == __builtin_inff())
TN_SYCL_RELATION_1(isnan, x != x)
TN_SYCL_RELATION_1(isnormal, detail::is_normal(x))
TN_SYCL_RELATION_1(signbit, __builtin_signbit(x) != 0)
#undef TN_SYCL_RELATION_2
#undef TN_SYCL_RELATION_1

template <class V>
detail::if_any_all<V> any(const V &x) noexcept {
  const detail::gen_value<V> &v = x;
  return detail::is_any_set(v);
}
template <class V>
detail::if_any_all<V> all(const V &x) noexcept {
  const detail::gen_value<V> &v = x;
  return detail::is_all_set(v);
}
template <class V>
TN_SYCL_DEPRECATED("sycl::any takes vec, or marray of bool")
detail::if_any_all_deprecated<V> any(V x) noexcept {
  return detail::is_any_set(x);
}
template <class V>
TN_SYCL_DEPRECATED("sycl::all takes vec, or marray of bool")
detail::if_any_all_deprecated<V> all(V x) noexcept {
  return detail::is_all_set(x);
}

template <class V, class W, class X>
detail::if_gen_numbers<V, W, X> bitselect(const V &a, const W &b, const X &c) noexcept {
  using T = detail::gen_element<V>;
  using U = detail::uint_like<T>;
  const detail::gen_value<V> &v = a, &w = b, &x = c;
  detail::gen_value<V> result;
  TN_SYCL_FOR_EACH(V) {
    const T ai = detail::gen_at(v, i), bi = detail::gen_at(w, i), ci = detail::gen_at(x, i);
    const U mask = __builtin_bit_cast(U, ci);
    detail::gen_set(result, i,
                    __builtin_bit_cast(T, static_cast<U>((__builtin_bit_cast(U, ai) & ~mask) |
                                                         (__builtin_bit_cast(U, bi) & mask))));
  }
  return result;
}

template <class T>
std::enable_if_t<detail::is_gen_int<T> || detail::is_gen_float<T>, T> select(T a, T b,
                                                                             bool c) noexcept {
  return c ? b : a;
}
template <class V, class W, class X>
detail::if_select<V, W, X> select(const V &a, const W &b, const X &c) noexcept {
  const detail::gen_value<V> &v = a, &w = b;
  const detail::gen_value<X> &x = c;
  detail::gen_value<V> result;
  TN_SYCL_FOR_EACH(V) { result[i] = detail::is_set(x[i]) ? w[i] : v[i]; }
  return result;
}

}  // namespace sycl

#endif
