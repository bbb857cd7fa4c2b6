// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl::platform. Source: SYCL 2020 section 4.6.2.
#ifndef TENON_SYCL_PLATFORM_HPP
#define TENON_SYCL_PLATFORM_HPP

#include <sycl/aspects.hpp>
#include <sycl/detail/backend_types.hpp>
#include <sycl/detail/handle.hpp>
#include <sycl/detail/owner_order.hpp>
#include <sycl/exception.hpp>
#include <sycl/info/info_enums.hpp>
#include <sycl/info/info_platform.hpp>

namespace sycl {

class context;
class device;

namespace detail {
// A device selector: callable with a device, giving a score, and no SYCL object itself.
template <class T>
inline constexpr bool is_selector_v = std::is_invocable_r_v<int, const T &, const device &>;
template <class T>
using if_selector = std::enable_if_t<is_selector_v<T>, int>;
}  // namespace detail

class TN_SYCL_SHARED platform : public detail::owner_order<platform> {
 public:
  platform();
  template <class DeviceSelector, detail::if_selector<DeviceSelector> = 0>
  explicit platform(const DeviceSelector &deviceSelector);
  // The runtime's way of making one.
  explicit platform(tn_platform *object) noexcept : object_(object) {}
  tn_platform *tn_get() const noexcept { return object_; }

  TN_SYCL_IS_HOST
  backend get_backend() const noexcept;
  // What gives a vector is a template: vectors are only compiled where they are asked for.
  template <class Device = device>
  std::vector<Device> get_devices(info::device_type type = info::device_type::all) const;
  // sycl_ext_oneapi_platform_device_index: errc::invalid when there are fewer devices.
  template <class Device = device>
  Device ext_oneapi_device_at_index(std::size_t index) const;
  template <class Param>
  detail::info_result<platform, Param> get_info() const;
  template <class Param>
  typename Param::return_type get_backend_info() const;
  bool has(aspect asp) const;
  TN_SYCL_DEPRECATED("use platform::has")
  bool has_extension(const std::string &extension) const;
  template <class Platform = platform>
  static std::vector<Platform> get_platforms();
  // The context of queues that are made without one. Its body is in context.hpp.
  context khr_get_default_context() const;
  context ext_oneapi_get_default_context() const;  // DPC++'s name of it
  // In a header of its own.
  template <class Device = device>
  std::vector<Device> ext_oneapi_get_composite_devices() const;

  friend bool operator==(const platform &lhs, const platform &rhs) noexcept {
    return lhs.object_ == rhs.object_;
  }
  friend bool operator!=(const platform &lhs, const platform &rhs) noexcept {
    return !(lhs == rhs);
  }

 private:
  tn_platform *object_;
};

}  // namespace sycl

template <>
struct std::hash<sycl::platform> {
  std::size_t operator()(const sycl::platform &object) const noexcept {
    return sycl::detail::hash_pointer(object.tn_get());
  }
};

#endif
