// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Devices that are made of others, of which no platform of this version has any.
// Source: the SYCL extension sycl_ext_oneapi_composite_device.
#ifndef TENON_SYCL_EXT_COMPOSITE_DEVICE_HPP
#define TENON_SYCL_EXT_COMPOSITE_DEVICE_HPP

#include <sycl/device.hpp>

#include <vector>

namespace sycl {

namespace ext::oneapi::experimental {

template <class Device = device>  // see platform::get_devices
std::vector<Device> get_composite_devices() {
  return {};
}

namespace info::device {

struct component_devices {
  using return_type = std::vector<sycl::device>;
  template <class Device = sycl::device>
  static std::vector<Device> tn_query(const tn_device *) {
    return {};
  }
};

struct composite_device {
  using return_type = sycl::device;
  static return_type tn_query(const tn_device *device);
};

#ifndef __SYCL_DEVICE_ONLY__
inline sycl::device composite_device::tn_query(const tn_device *device) {
  sycl::detail::raise(errc::invalid,
                      "info::device::composite_device: the device is no component of another one; "
                      "ask device::has(aspect::ext_oneapi_is_component) first");
  return sycl::device(const_cast<tn_device *>(device));
}
#endif

}  // namespace info::device

}  // namespace ext::oneapi::experimental

template <class Device>
std::vector<Device> platform::ext_oneapi_get_composite_devices() const {
  return ext::oneapi::experimental::get_composite_devices<Device>();
}

}  // namespace sycl

#endif
