// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl::aspect and its traits. Source: SYCL 2020 sections 4.6.4.5, 4.6.4.6.
#ifndef TENON_SYCL_ASPECTS_HPP
#define TENON_SYCL_ASPECTS_HPP

#include "tenon/device.h"
#include <sycl/detail/macros.hpp>

#include <type_traits>

namespace sycl {

enum class aspect : int {
#define __SYCL_ASPECT(name, value) name = (value),
#include <sycl/info/aspects.def>
#undef __SYCL_ASPECT
#define __SYCL_ASPECT_DEPRECATED(name, value, message) name = (value),
#define __SYCL_ASPECT_DEPRECATED_ALIAS(name, value, message) name = (value),
#include <sycl/info/aspects_deprecated.def>
#undef __SYCL_ASPECT_DEPRECATED_ALIAS
#undef __SYCL_ASPECT_DEPRECATED
};

namespace detail {
// From here on no device has the aspects.
inline constexpr int first_absent_aspect = 2000;
}  // namespace detail

// What may be on the machine is known at run time only: any device may have any other aspect.
template <aspect Aspect>
struct any_device_has
    : std::bool_constant<(static_cast<int>(Aspect) < detail::first_absent_aspect)> {};
template <aspect Aspect>
struct all_devices_have : std::false_type {};
template <aspect A>
inline constexpr bool any_device_has_v = any_device_has<A>::value;
template <aspect A>
inline constexpr bool all_devices_have_v = all_devices_have<A>::value;

}  // namespace sycl

#endif
