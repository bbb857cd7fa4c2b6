// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A value that is the same in all work-items of a sub-group: a promise that nothing is made of.
// Source: the SYCL extension sycl_ext_oneapi_uniform.
#ifndef TENON_SYCL_EXT_UNIFORM_HPP
#define TENON_SYCL_EXT_UNIFORM_HPP

#include <sycl/sub_group.hpp>

#include <type_traits>

namespace sycl {

template <int Dimensions, bool WithOffset>
class item;
template <int Dimensions>
class nd_item;
template <int Dimensions>
class h_item;
template <int Dimensions>
class group;
template <int Dimensions>
class nd_range;

namespace detail {
// What differs between work-items, or is of no use as a value.
template <class T>
inline constexpr bool may_be_uniform = !std::is_same_v<T, sub_group>;
template <int Dimensions, bool WithOffset>
inline constexpr bool may_be_uniform<item<Dimensions, WithOffset>> = false;
template <int Dimensions>
inline constexpr bool may_be_uniform<nd_item<Dimensions>> = false;
template <int Dimensions>
inline constexpr bool may_be_uniform<h_item<Dimensions>> = false;
template <int Dimensions>
inline constexpr bool may_be_uniform<group<Dimensions>> = false;
template <int Dimensions>
inline constexpr bool may_be_uniform<nd_range<Dimensions>> = false;
}  // namespace detail

namespace ext::oneapi::experimental {

// Cannot be changed: operators that assign are those of no T.
template <class T>
class uniform {
  static_assert(sycl::detail::may_be_uniform<T>, "uniform<T>: T is no item, group or range");

 public:
  explicit uniform(T x) noexcept : value_(x) {}
  operator const T() const { return value_; }
  uniform &operator=(const uniform &) = delete;

 private:
  T value_;
};

}  // namespace ext::oneapi::experimental
}  // namespace sycl

#endif
