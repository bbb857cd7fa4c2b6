// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the arguments of [[sycl::reqd_work_group_size(…)]] and the other attributes of kernels and
// functions are to Clang. Source: SYCL 2020 sections 5.8.1, 5.8.2.
//
// Tenon registers the attributes with the Clang of its passes and gives them their arguments as one
// value, __tenon_attribute_values(…) (compile/clang/attribute_tokens.hpp). The function takes them
// by value: a reference would be to a variable that lambdas capture.
#ifndef TENON_SYCL_DETAIL_ATTRIBUTE_VALUES_HPP
#define TENON_SYCL_DETAIL_ATTRIBUTE_VALUES_HPP

#include <type_traits>

// Other compilers do not know the attributes. In device code, where attributes have an effect, a
// clang that is not Tenon's warns.
#if !defined(__clang__)
#pragma GCC diagnostic ignored_attributes "sycl::"
#elif !__has_cpp_attribute(sycl::device_has) && !defined(__SYCL_DEVICE_ONLY__)
#pragma clang diagnostic ignored "-Wunknown-attributes"
#endif

namespace sycl {
enum class aspect : int;

namespace detail {

enum : unsigned long {
  attribute_value_is_other,
  attribute_value_is_positive,
  attribute_value_is_not_positive,
  attribute_value_is_aspect
};

template <class T>
inline constexpr bool is_attribute_size =
    std::is_convertible_v<T, unsigned long> && !std::is_floating_point_v<T>;

template <class T>
constexpr unsigned long attribute_value_kind(T value) noexcept {
  if constexpr (std::is_same_v<T, aspect>) {
    return attribute_value_is_aspect;
  } else if constexpr (is_attribute_size<T>) {
    return +value > 0 ? attribute_value_is_positive : attribute_value_is_not_positive;
  }
  return attribute_value_is_other;
}

template <class T>
constexpr unsigned long attribute_number(T value) noexcept {
  if constexpr (std::is_same_v<T, aspect> || is_attribute_size<T>) {
    return static_cast<unsigned long>(value);
  }
  return 0;
}

// Behind their count, a kind and a number for each value.
template <unsigned long Count>
struct attribute_values {
  unsigned long parts[2 * Count + 1];
};

}  // namespace detail
}  // namespace sycl

template <class... T>
constexpr ::sycl::detail::attribute_values<sizeof...(T)> __tenon_attribute_values(
    T... values) noexcept {
  ::sycl::detail::attribute_values<sizeof...(T)> all = {{sizeof...(T)}};
  unsigned long at = 1;
  ((all.parts[at++] = ::sycl::detail::attribute_value_kind(values),
    all.parts[at++] = ::sycl::detail::attribute_number(values)),
   ...);
  return all;
}

#endif
