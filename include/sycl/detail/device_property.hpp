// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Properties in sources compiled at run time, where accessors are only used and never made.
#ifndef TENON_SYCL_DETAIL_DEVICE_PROPERTY_HPP
#define TENON_SYCL_DETAIL_DEVICE_PROPERTY_HPP

#ifdef __TENON_RTC__

#include <type_traits>

namespace sycl {

namespace property {
struct no_init {};
}  // namespace property
inline constexpr property::no_init no_init;

class property_list {
 public:
  template <class... Properties>
  property_list(Properties...) {}
};

template <class Property>
struct is_property : std::false_type {};
template <>
struct is_property<property::no_init> : std::true_type {};
template <class Property>
inline constexpr bool is_property_v = is_property<Property>::value;
template <class Property, class SyclObject>
struct is_property_of : std::false_type {};
template <class Property, class SyclObject>
inline constexpr bool is_property_of_v = is_property_of<Property, SyclObject>::value;

}  // namespace sycl

#endif
#endif
