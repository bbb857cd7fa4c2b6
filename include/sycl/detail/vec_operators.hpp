// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operators of vec, of its swizzles and of marray, element by element, for all types at once.
// Source: SYCL 2020 sections 4.14.2 (vec), 4.14.2.4 (swizzles), 4.14.3 (marray).
#ifndef TENON_SYCL_DETAIL_VEC_OPERATORS_HPP
#define TENON_SYCL_DETAIL_VEC_OPERATORS_HPP

#include <sycl/detail/portable.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace sycl {

class half;
namespace ext::oneapi {
class bfloat16;
}

namespace detail {

template <class T>
inline constexpr bool is_float_like = std::is_floating_point_v<T>;
template <>
inline constexpr bool is_float_like<half> = true;
template <>
inline constexpr bool is_float_like<ext::oneapi::bfloat16> = true;
template <class T>
inline constexpr bool is_number = std::is_arithmetic_v<T> || is_float_like<T>;

// The vec or marray that X is or stands for (tn_elements of a vec, marray or swizzle), or void.
template <class X, class = void>
struct elements_of {
  using type = void;
};
template <class X>
struct elements_of<X, std::void_t<typename X::tn_elements>> {
  using type = typename X::tn_elements;
};
template <class X>
using elements_of_t = typename elements_of<X>::type;

// X can be the operand beside a V: as scalar for all elements, or as what converts to V.
template <class V, class X>
inline constexpr bool vec_accepts =
    std::is_same_v<elements_of_t<X>, V> ||
    std::is_convertible_v<const X &, typename V::value_type> || std::is_convertible_v<const X &, V>;

// What the operands of a binary operator are together, or void: then it is not for them.
template <class L, class R, class OfL = elements_of_t<L>, class OfR = elements_of_t<R>>
struct vec_joined {
  static constexpr bool left = vec_accepts<OfL, R>;
  static constexpr bool right = vec_accepts<OfR, L>;
  using type = std::conditional_t<left == right, void, std::conditional_t<left, OfL, OfR>>;
};
template <class L, class R, class V>
struct vec_joined<L, R, V, V> {
  using type = V;
};
template <class L, class R, class V>
struct vec_joined<L, R, V, void> {
  using type = std::conditional_t<vec_accepts<V, R>, V, void>;
};
template <class L, class R, class V>
struct vec_joined<L, R, void, V> {
  using type = std::conditional_t<vec_accepts<V, L>, V, void>;
};
template <class L, class R>
struct vec_joined<L, R, void, void> {
  using type = void;
};

enum class vec_op { arithmetic, integral, bits, step, relational };

template <class V, vec_op Op>
constexpr bool vec_allows() noexcept {
  if constexpr (std::is_void_v<V>) {
    return false;
  } else {
    using T = typename V::value_type;
    if constexpr (Op == vec_op::relational) {
      return true;
    } else if constexpr (!V::tn_is_vec) {
      return Op == vec_op::arithmetic || Op == vec_op::step || !is_float_like<T>;
    } else if constexpr (Op == vec_op::arithmetic) {
      return is_number<T>;
    } else if constexpr (Op == vec_op::step) {
      return is_number<T> && !std::is_same_v<T, bool>;
    } else if constexpr (Op == vec_op::bits) {
      return std::is_integral_v<T> || std::is_same_v<T, std::byte>;
    } else {
      return std::is_integral_v<T>;
    }
  }
}

template <class V, vec_op Op>
using if_vec_allowed = std::enable_if_t<vec_allows<V, Op>(), V>;
template <class L, class R, vec_op Op>
using vec_binary_of = if_vec_allowed<typename vec_joined<L, R>::type, Op>;
template <class X, vec_op Op>
using vec_unary_of = if_vec_allowed<elements_of_t<X>, Op>;

// A vec or marray that can be assigned to, and a swizzle that can.
template <class X, vec_op Op, class V = elements_of_t<X>>
using vec_target_of =
    std::enable_if_t<vec_allows<V, Op>() && !std::is_const_v<X> && std::is_base_of_v<V, X>, V>;
template <class X, vec_op Op>
using swizzle_target_of =
    std::enable_if_t<vec_allows<elements_of_t<X>, Op>() && X::tn_is_writable, elements_of_t<X>>;
template <class V, class X>
using if_vec_accepted = std::enable_if_t<vec_accepts<V, X>, int>;

// The operand as V (by reference if it is one) or, for all elements, as value_type. On GPUs V is
// copied: that is one load of a whole vector, whose alignment its elements do not tell.
template <class V, class X>
constexpr decltype(auto) vec_operand(const X &x) {
  using T = typename V::value_type;
  if constexpr (std::is_base_of_v<V, X>) {
#if TN_SYCL_ON_GPU
    return V(static_cast<const V &>(x));
#else
    return static_cast<const V &>(x);
#endif
  } else if constexpr (std::is_same_v<elements_of_t<X>, V>) {
    return x.tn_value();
  } else if constexpr (std::is_convertible_v<const X &, T>) {
    return static_cast<T>(x);
  } else {
    return static_cast<V>(x);
  }
}

template <class V>
struct vec_lane {
  using T = typename V::value_type;
  using mask = typename V::tn_mask;
  static constexpr std::size_t count = V::size();
  static constexpr unsigned unroll = count < 16 ? static_cast<unsigned>(count) : 16u;
  static constexpr const T &at(const V &v, std::size_t i) noexcept { return v.tn_data()[i]; }
  static constexpr const T &at(const T &value, std::size_t) noexcept { return value; }
  static constexpr typename mask::value_type truth(bool value) noexcept {
    return static_cast<typename mask::value_type>(value ? V::tn_true : 0);
  }
};

// How many elements of a vec<T> or marray<T> an argument of its constructor gives; 0 if it is none.
template <bool IsVec, class T, class Arg, class V = elements_of_t<Arg>>
constexpr std::size_t vec_arg_size() noexcept {
  if constexpr (!std::is_void_v<V>) {
    if constexpr (V::tn_is_vec == IsVec && std::is_same_v<typename V::value_type, T>) {
      return V::size();
    }
  }
  return std::is_convertible_v<const Arg &, T> ? 1 : 0;
}

template <bool IsVec, class T, std::size_t Count, class... Args>
constexpr bool are_vec_args() noexcept {
  return ((vec_arg_size<IsVec, T, Args>() > 0) && ...) &&
         (vec_arg_size<IsVec, T, Args>() + ...) == Count;
}

// On functions that return a vec or marray. x86-64's usual convention returns four floats as two
// pairs and four ints as two 64-bit numbers, which stays in the code when the function is inlined
// and keeps it from being vectorised over work-items; this convention returns the elements.
#if defined(__SYCL_DEVICE_ONLY__) && defined(__x86_64__) && !TN_SYCL_ON_GPU
#define TN_SYCL_BY_ELEMENT __attribute__((__regcall__))
#else
#define TN_SYCL_BY_ELEMENT
#endif

// Before loops over elements: short vectors become straight code.
#define TN_SYCL_UNROLL(V) TN_SYCL_UNROLL_COUNT(::sycl::detail::vec_lane<V>::unroll)

// On the right of an assignment, what has no type of its own, such as {1, 2}, is a V.
#define TN_SYCL_ELEMENT_BINARY(op, kind)                                                           \
  template <class L, class R, class V = vec_binary_of<L, R, vec_op::kind>>                         \
  friend constexpr V TN_SYCL_BY_ELEMENT operator op(const L &lhs, const R &rhs) {                  \
    const auto &a = vec_operand<V>(lhs);                                                           \
    const auto &b = vec_operand<V>(rhs);                                                           \
    V result{};                                                                                    \
    TN_SYCL_UNROLL(V)                                                                              \
    for (std::size_t i = 0; i < vec_lane<V>::count; ++i) {                                         \
      result.tn_data()[i] =                                                                        \
          static_cast<typename V::value_type>(vec_lane<V>::at(a, i) op vec_lane<V>::at(b, i));     \
    }                                                                                              \
    return result;                                                                                 \
  }                                                                                                \
  template <class L, class V = vec_target_of<L, vec_op::kind>, class R = V,                        \
            if_vec_accepted<V, R> = 0>                                                             \
  friend constexpr V &operator op## = (L & lhs, const R &rhs) {                                    \
    const auto &b = vec_operand<V>(rhs);                                                           \
    TN_SYCL_UNROLL(V)                                                                              \
    for (std::size_t i = 0; i < vec_lane<V>::count; ++i) {                                         \
      lhs.tn_data()[i] =                                                                           \
          static_cast<typename V::value_type>(lhs.tn_data()[i] op vec_lane<V>::at(b, i));          \
    }                                                                                              \
    return lhs;                                                                                    \
  }                                                                                                \
  template <class L, class V = swizzle_target_of<L, vec_op::kind>, class R = V,                    \
            if_vec_accepted<V, R> = 0>                                                             \
  friend constexpr const L &operator op## = (const L &lhs, const R &rhs) {                         \
    lhs = static_cast<V>(lhs) op vec_operand<V>(rhs);                                              \
    return lhs;                                                                                    \
  }

#define TN_SYCL_ELEMENT_MASK(op, kind)                                                          \
  template <class L, class R, class V = vec_binary_of<L, R, vec_op::kind>>                      \
  friend constexpr typename V::tn_mask TN_SYCL_BY_ELEMENT operator op(const L &lhs,             \
                                                                      const R &rhs) {           \
    const auto &a = vec_operand<V>(lhs);                                                        \
    const auto &b = vec_operand<V>(rhs);                                                        \
    typename V::tn_mask result{};                                                               \
    TN_SYCL_UNROLL(V)                                                                           \
    for (std::size_t i = 0; i < vec_lane<V>::count; ++i) {                                      \
      result.tn_data()[i] = vec_lane<V>::truth(vec_lane<V>::at(a, i) op vec_lane<V>::at(b, i)); \
    }                                                                                           \
    return result;                                                                              \
  }

#define TN_SYCL_ELEMENT_STEP(op)                                           \
  template <class X, class V = vec_target_of<X, vec_op::step>>             \
  friend constexpr V &operator op(X &value) {                              \
    TN_SYCL_UNROLL(V)                                                      \
    for (std::size_t i = 0; i < vec_lane<V>::count; ++i) {                 \
      op value.tn_data()[i];                                               \
    }                                                                      \
    return value;                                                          \
  }                                                                        \
  template <class X, class V = vec_target_of<X, vec_op::step>>             \
  friend constexpr V TN_SYCL_BY_ELEMENT operator op(X &value, int) {       \
    const V before = value;                                                \
    op value;                                                              \
    return before;                                                         \
  }                                                                        \
  template <class X, class V = swizzle_target_of<X, vec_op::step>>         \
  friend constexpr const X &operator op(const X &value) {                  \
    V changed = value;                                                     \
    value = op changed;                                                    \
    return value;                                                          \
  }                                                                        \
  template <class X, class V = swizzle_target_of<X, vec_op::step>>         \
  friend constexpr V TN_SYCL_BY_ELEMENT operator op(const X &value, int) { \
    const V before = value;                                                \
    op value;                                                              \
    return before;                                                         \
  }

#define TN_SYCL_ELEMENT_UNARY(op, kind)                                             \
  template <class X, class V = vec_unary_of<X, vec_op::kind>>                       \
  friend constexpr V TN_SYCL_BY_ELEMENT operator op(const X &value) {               \
    const auto &a = vec_operand<V>(value);                                          \
    V result{};                                                                     \
    TN_SYCL_UNROLL(V)                                                               \
    for (std::size_t i = 0; i < vec_lane<V>::count; ++i) {                          \
      result.tn_data()[i] = static_cast<typename V::value_type>(op a.tn_data()[i]); \
    }                                                                               \
    return result;                                                                  \
  }

// A base, so that argument-dependent lookup finds its friends for vec, swizzles and marray only:
// templates that are read once, where friends of a class template would be made for every vec.
struct element_operators {
  TN_SYCL_ELEMENT_BINARY(+, arithmetic)
  TN_SYCL_ELEMENT_BINARY(-, arithmetic)
  TN_SYCL_ELEMENT_BINARY(*, arithmetic)
  TN_SYCL_ELEMENT_BINARY(/, arithmetic)
  TN_SYCL_ELEMENT_BINARY(%, integral)
  TN_SYCL_ELEMENT_BINARY(&, bits)
  TN_SYCL_ELEMENT_BINARY(|, bits)
  TN_SYCL_ELEMENT_BINARY(^, bits)
  TN_SYCL_ELEMENT_BINARY(<<, integral)
  TN_SYCL_ELEMENT_BINARY(>>, integral)
  TN_SYCL_ELEMENT_MASK(&&, arithmetic)
  TN_SYCL_ELEMENT_MASK(||, arithmetic)
  TN_SYCL_ELEMENT_MASK(==, relational)
  TN_SYCL_ELEMENT_MASK(!=, relational)
  TN_SYCL_ELEMENT_MASK(<, relational)
  TN_SYCL_ELEMENT_MASK(>, relational)
  TN_SYCL_ELEMENT_MASK(<=, relational)
  TN_SYCL_ELEMENT_MASK(>=, relational)
  TN_SYCL_ELEMENT_STEP(++)
  TN_SYCL_ELEMENT_STEP(--)
  TN_SYCL_ELEMENT_UNARY(+, arithmetic)
  TN_SYCL_ELEMENT_UNARY(-, arithmetic)
  TN_SYCL_ELEMENT_UNARY(~, bits)

  template <class X, class V = vec_unary_of<X, vec_op::arithmetic>>
  friend constexpr typename V::tn_mask TN_SYCL_BY_ELEMENT operator!(const X &value) {
    const auto &a = vec_operand<V>(value);
    typename V::tn_mask result{};
    TN_SYCL_UNROLL(V)
    for (std::size_t i = 0; i < vec_lane<V>::count; ++i) {
      result.tn_data()[i] = vec_lane<V>::truth(!a.tn_data()[i]);
    }
    return result;
  }
};

// A constructor's argument: a scalar, or all elements of a vec or marray.
template <class Target, class Arg>
constexpr void append_vec_arg(Target &target, std::size_t &at, const Arg &arg) {
  using T = typename Target::value_type;
  using V = elements_of_t<Arg>;
  if constexpr (vec_arg_size<Target::tn_is_vec, T, Arg>() > 1) {
    const auto &elements = vec_operand<V>(arg);
    TN_SYCL_UNROLL(V)
    for (std::size_t i = 0; i < vec_lane<V>::count; ++i) {
      target.tn_data()[at + i] = elements.tn_data()[i];
    }
    at += vec_lane<V>::count;
  } else {
    target.tn_data()[at++] = static_cast<T>(arg);
  }
}

#undef TN_SYCL_ELEMENT_BINARY
#undef TN_SYCL_ELEMENT_MASK
#undef TN_SYCL_ELEMENT_STEP
#undef TN_SYCL_ELEMENT_UNARY

// With one element, it converts to it. Not templates, so that standard conversions may follow.
template <class Derived, class T, bool Single>
struct vec_base : element_operators {};
template <class Derived, class T>
struct vec_base<Derived, T, true> : element_operators {
  constexpr operator T() const { return static_cast<const Derived &>(*this)[0]; }
  template <class To,
            std::enable_if_t<!std::is_same_v<To, T> && std::is_void_v<elements_of_t<To>>, int> = 0,
            class = decltype(static_cast<To>(std::declval<const T &>()))>
  constexpr explicit operator To() const {
    return static_cast<To>(static_cast<const Derived &>(*this)[0]);
  }
};

}  // namespace detail
}  // namespace sycl

#endif
