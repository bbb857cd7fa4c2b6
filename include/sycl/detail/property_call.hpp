// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Properties of a kernel that its function object gives by get(properties_tag): the function is
// called through functions with the attributes that they stand for, which the kernel takes over.
// Source: the SYCL extension sycl_ext_oneapi_kernel_properties.
#ifndef TENON_SYCL_DETAIL_PROPERTY_CALL_HPP
#define TENON_SYCL_DETAIL_PROPERTY_CALL_HPP

#include <sycl/ext/oneapi/experimental/function_properties.hpp>

#include <utility>

namespace sycl::detail {

template <bool IsPlain, class F, class... Args>
void call_kernel_function(const F &f, Args &...args);

// Those that are no attributes have no effect on code.
template <class... Properties>
struct property_call {
  template <class F, class... Args>
  static void call(const F &f, Args &...args) {
    call_kernel_function<true>(f, args...);
  }
};
template <class First, class... Rest>
struct property_call<First, Rest...> : property_call<Rest...> {};

#define TN_SYCL_PROPERTY_CALL(parameters, property, attribute)         \
  template <parameters, class... Rest>                                 \
  struct property_call<ext::oneapi::experimental::property, Rest...> { \
    template <class F, class... Args>                                  \
    [[attribute]] static void call(const F &f, Args &...args) {        \
      property_call<Rest...>::call(f, args...);                        \
    }                                                                  \
  };
TN_SYCL_PROPERTY_CALL(std::size_t... Dims, work_group_size_key::value_t<Dims...>,
                      sycl::reqd_work_group_size(Dims...))
TN_SYCL_PROPERTY_CALL(std::uint32_t Size, sub_group_size_key::value_t<Size>,
                      sycl::reqd_sub_group_size(Size))
TN_SYCL_PROPERTY_CALL(aspect... Aspects, device_has_key::value_t<Aspects...>,
                      sycl::device_has(Aspects...))
#undef TN_SYCL_PROPERTY_CALL

// Whether a list has any property that the kernel takes over.
template <class List>
inline constexpr bool has_attributes = false;
template <class... Properties>
inline constexpr bool has_attributes<ext::oneapi::experimental::properties<Properties...>> =
    (std::is_base_of_v<function_mark, Properties> || ...);

// Whether a list has a property that asks for more than any device gives (`tn_is_unmet`).
template <class Property, class = void>
inline constexpr bool is_unmet_property = false;
template <class Property>
inline constexpr bool is_unmet_property<Property, std::enable_if_t<Property::tn_is_unmet>> = true;
template <class List>
inline constexpr bool has_unmet_properties = false;
template <class... Properties>
inline constexpr bool has_unmet_properties<ext::oneapi::experimental::properties<Properties...>> =
    (is_unmet_property<Properties> || ...);

template <class... Properties>
property_call<Properties...> call_of(
    const ext::oneapi::experimental::properties<Properties...> &);  // never called

// `get` need not be const.
template <class F>
using properties_of =
    decltype(std::declval<F &>().get(ext::oneapi::experimental::properties_tag()));
template <class F>
using property_call_of = decltype(call_of(std::declval<properties_of<F>>()));
template <class F, class = void>
inline constexpr bool gives_properties = false;
template <class F>
inline constexpr bool gives_properties<F, std::void_t<property_call_of<F>>> = true;

}  // namespace sycl::detail

#endif
