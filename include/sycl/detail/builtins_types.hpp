// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which types the built-in functions take and return: scalars, marray, vec and swizzles.
// Source: SYCL 2020 rev. 9 sections 4.17.4 to 4.17.10.
#ifndef TENON_SYCL_DETAIL_BUILTINS_TYPES_HPP
#define TENON_SYCL_DETAIL_BUILTINS_TYPES_HPP

#include <sycl/detail/portable.hpp>
#include <sycl/half.hpp>
#include <sycl/marray.hpp>
#include <sycl/vec.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

// A loop over the elements of a V, or once for a scalar; short ones become straight code.
#define TN_SYCL_FOR_EACH(V)                                 \
  TN_SYCL_UNROLL_COUNT(::sycl::detail::gen_type<V>::unroll) \
  for (std::size_t i = 0; i < ::sycl::detail::gen_type<V>::size; ++i)

namespace sycl::detail {

template <class T>
inline constexpr bool is_gen_float =
    std::is_same_v<T, float> || std::is_same_v<T, double> || std::is_same_v<T, half>;
template <class T>
inline constexpr bool is_gen_int = std::is_integral_v<T> && !std::is_same_v<T, bool>;

// What a type is to the built-in functions. `value` is what they return for it: a swizzle's vec.
template <class T, class Swizzle = void>
struct gen_type {
  static constexpr bool is_scalar = is_gen_float<T> || is_gen_int<T>;
  static constexpr bool is_marray = false, is_vec = false;
  static constexpr std::size_t size = 1;
  static constexpr unsigned unroll = 1;
  using value = T;
  using element = T;
  template <class U>
  using rebind = U;
};
template <class T, std::size_t N>
struct gen_type<marray<T, N>, void> {
  static constexpr bool is_scalar = false, is_marray = true, is_vec = false;
  static constexpr std::size_t size = N;
  static constexpr unsigned unroll = N < 16 ? N : 16;
  using value = marray<T, N>;
  using element = T;
  template <class U>
  using rebind = marray<U, N>;
};
template <class T, int N>
struct gen_type<vec<T, N>, void> {
  static constexpr bool is_scalar = false, is_marray = false, is_vec = true;
  static constexpr std::size_t size = N;
  static constexpr unsigned unroll = N < 16 ? N : 16;
  using value = vec<T, N>;
  using element = T;
  template <class U>
  using rebind = vec<U, N>;
};
// Only a vec and its swizzles have these two as static members.
template <class T>
struct gen_type<T, std::void_t<decltype(T::byte_size()), typename T::element_type>>
    : gen_type<vec<std::remove_cv_t<typename T::element_type>, static_cast<int>(T::size())>> {};

template <class T>
using gen_value = typename gen_type<T>::value;
template <class T>
using gen_element = typename gen_type<T>::element;
template <class T, class U>
using gen_rebind = typename gen_type<T>::template rebind<U>;
template <class T>
inline constexpr bool is_nonscalar = gen_type<T>::is_marray || gen_type<T>::is_vec;
// Both are the same once swizzles are vecs.
template <class A, class B>
inline constexpr bool is_alike = std::is_same_v<gen_value<A>, gen_value<B>>;

template <class A, class... B>
using if_floats =
    std::enable_if_t<is_nonscalar<A> && is_gen_float<gen_element<A>> && (is_alike<A, B> && ...),
                     gen_value<A>>;
template <class A, class... B>
using if_single = std::enable_if_t<is_nonscalar<A> && std::is_same_v<gen_element<A>, float> &&
                                       (is_alike<A, B> && ...),
                                   gen_value<A>>;
template <class A, class... B>
using if_gen_floats = std::enable_if_t<(gen_type<A>::is_scalar || is_nonscalar<A>) &&
                                           is_gen_float<gen_element<A>> && (is_alike<A, B> && ...),
                                       gen_value<A>>;
template <class A, class... B>
using if_gen_ints = std::enable_if_t<(gen_type<A>::is_scalar || is_nonscalar<A>) &&
                                         is_gen_int<gen_element<A>> && (is_alike<A, B> && ...),
                                     gen_value<A>>;
// Integers or floating-point numbers: what min, max, clamp and bitselect take.
template <class A, class... B>
using if_gen_numbers =
    std::enable_if_t<(gen_type<A>::is_scalar || is_nonscalar<A>) &&
                         (is_gen_int<gen_element<A>> || is_gen_float<gen_element<A>>) &&
                         (is_alike<A, B> && ...),
                     gen_value<A>>;
template <class A>
using if_numbers = std::enable_if_t<
    is_nonscalar<A> && (is_gen_int<gen_element<A>> || is_gen_float<gen_element<A>>), gen_value<A>>;
// One int for each element of A.
template <class A, class K>
using if_floats_and_ints = std::enable_if_t<is_nonscalar<A> && is_gen_float<gen_element<A>> &&
                                                std::is_same_v<gen_value<K>, gen_rebind<A, int>>,
                                            gen_value<A>>;

// A pointer or multi_ptr through which a T can be written.
template <class Pointer>
const Pointer &gen_pointer() noexcept;
template <class Pointer, class T, class Result>
using if_writes = std::enable_if_t<std::is_same_v<decltype(*gen_pointer<Pointer>()), T &>, Result>;

// The i-th element, or the scalar itself.
template <class T>
constexpr decltype(auto) gen_at(const T &value, std::size_t i) noexcept {
  if constexpr (gen_type<T>::is_scalar) {
    return value;
  } else {
    return value[i];
  }
}
template <class Value, class T>
constexpr void gen_set(Value &value, std::size_t i, T element) noexcept {
  if constexpr (is_nonscalar<Value>) {
    value[i] = element;
  } else {
    value = element;
  }
}

// Unsigned, signed and twice as wide integers of as many bits.
template <std::size_t Bytes>
struct int_of_size;
template <>
struct int_of_size<1> {
  using s = std::int8_t;
  using u = std::uint8_t;
};
template <>
struct int_of_size<2> {
  using s = std::int16_t;
  using u = std::uint16_t;
};
template <>
struct int_of_size<4> {
  using s = std::int32_t;
  using u = std::uint32_t;
};
template <>
struct int_of_size<8> {
  using s = std::int64_t;
  using u = std::uint64_t;
};
template <class T>
using uint_like = typename int_of_size<sizeof(T)>::u;
template <class T>
using sint_like = typename int_of_size<sizeof(T)>::s;

}  // namespace sycl::detail

#endif
