// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The properties of device_global. Source: the SYCL extension sycl_ext_oneapi_device_global.
#ifndef TENON_SYCL_EXT_DEVICE_GLOBAL_PROPERTIES_HPP
#define TENON_SYCL_EXT_DEVICE_GLOBAL_PROPERTIES_HPP

#include <sycl/ext/oneapi/experimental/property_types.hpp>

namespace sycl::ext::oneapi::experimental {

// Which copies the program makes; the first is what there is without the property.
enum class host_access_enum : int { read, write, read_write, none };
// What a device global is at first may be written when the device is reprogrammed, or reset.
enum class init_mode_enum : int { reprogram, reset };

struct device_image_scope_key {
  using value_t = property_value<device_image_scope_key>;
};
struct host_access_key {
  template <host_access_enum Access>
  using value_t = property_value<host_access_key, Access>;
};
struct init_mode_key {
  template <init_mode_enum Trigger>
  using value_t = property_value<init_mode_key, Trigger>;
};
struct implement_in_csr_key {
  template <bool Enable>
  using value_t = property_value<implement_in_csr_key, Enable>;
};

inline constexpr device_image_scope_key::value_t device_image_scope;
template <host_access_enum Access>
inline constexpr host_access_key::value_t<Access> host_access;
inline constexpr host_access_key::value_t<host_access_enum::read> host_access_read;
inline constexpr host_access_key::value_t<host_access_enum::write> host_access_write;
inline constexpr host_access_key::value_t<host_access_enum::read_write> host_access_read_write;
inline constexpr host_access_key::value_t<host_access_enum::none> host_access_none;
template <init_mode_enum Trigger>
inline constexpr init_mode_key::value_t<Trigger> init_mode;
inline constexpr init_mode_key::value_t<init_mode_enum::reprogram> init_mode_reprogram;
inline constexpr init_mode_key::value_t<init_mode_enum::reset> init_mode_reset;
template <bool Enable>
inline constexpr implement_in_csr_key::value_t<Enable> implement_in_csr;
inline constexpr implement_in_csr_key::value_t<true> implement_in_csr_on;
inline constexpr implement_in_csr_key::value_t<false> implement_in_csr_off;

template <>
struct is_property_key<device_image_scope_key> : std::true_type {};
template <>
struct is_property_key<host_access_key> : std::true_type {};
template <>
struct is_property_key<init_mode_key> : std::true_type {};
template <>
struct is_property_key<implement_in_csr_key> : std::true_type {};

}  // namespace sycl::ext::oneapi::experimental

#endif
