// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl::device. Source: SYCL 2020 section 4.6.4.
#ifndef TENON_SYCL_DETAIL_DEVICE_CLASS_HPP
#define TENON_SYCL_DETAIL_DEVICE_CLASS_HPP

#include <sycl/detail/owner_order.hpp>
#include <sycl/detail/source_types.hpp>
#include <sycl/info/info_device.hpp>
#include <sycl/platform.hpp>

namespace sycl {

namespace ext::oneapi {
enum class peer_access { access_supported, atomics_supported };
namespace experimental {
enum class architecture : std::uint64_t;
enum class arch_category;
}  // namespace experimental
}  // namespace ext::oneapi

class TN_SYCL_SHARED device : public detail::owner_order<device> {
 public:
  device();
  template <class DeviceSelector, detail::if_selector<DeviceSelector> = 0>
  explicit device(const DeviceSelector &deviceSelector);
  // The runtime's way of making one: the device of the list that the object stands for.
  explicit device(tn_device *object) noexcept : object_(tn_device_listed(object)) {}
  tn_device *tn_get() const noexcept { return object_; }

  backend get_backend() const noexcept;
  bool is_cpu() const { return has(aspect::cpu); }
  bool is_gpu() const { return has(aspect::gpu); }
  bool is_accelerator() const { return has(aspect::accelerator); }
  TN_SYCL_IS_HOST
  platform get_platform() const { return platform(tn_device_platform(object_)); }
  template <class Param>
  detail::info_result<device, Param> get_info() const;
  template <class Param>
  typename Param::return_type get_backend_info() const;
  bool has(aspect asp) const;
  TN_SYCL_DEPRECATED("use device::has")
  bool has_extension(const std::string &extension) const;

  // The same partition of a device gives equal sub-devices each time.
  template <info::partition_property Property,
            std::enable_if_t<Property == info::partition_property::partition_equally, int> = 0>
  std::vector<device> create_sub_devices(std::size_t count) const;
  template <info::partition_property Property,
            std::enable_if_t<Property == info::partition_property::partition_by_counts, int> = 0>
  std::vector<device> create_sub_devices(const std::vector<std::size_t> &counts) const;
  template <
      info::partition_property Property,
      std::enable_if_t<Property == info::partition_property::partition_by_affinity_domain, int> = 0>
  std::vector<device> create_sub_devices(info::partition_affinity_domain affinityDomain) const;
  template <info::partition_property Property,
            std::enable_if_t<Property == info::partition_property::ext_intel_partition_by_cslice,
                             int> = 0>
  std::vector<device> create_sub_devices() const;

  // sycl_ext_oneapi_platform_device_index: its place in platform::get_devices().
  std::size_t ext_oneapi_index_within_platform() const;
  // sycl_ext_oneapi_device_wait: all queues on the device. Their bodies are in queue.hpp.
  void ext_oneapi_wait();
  void ext_oneapi_throw_asynchronous();
  void ext_oneapi_wait_and_throw();
  // sycl_ext_oneapi_device_default_context: that of its platform, which has the device.
  context ext_oneapi_get_default_context() const;
  // sycl_ext_oneapi_peer_access: kernels of this device on the memory of `peer`.
  bool ext_oneapi_can_access_peer(
      const device &peer,
      ext::oneapi::peer_access value = ext::oneapi::peer_access::access_supported) const;
  void ext_oneapi_enable_peer_access(const device &peer) const;
  void ext_oneapi_disable_peer_access(const device &peer) const;
  // sycl_ext_oneapi_device_architecture, in a header of its own.
  bool ext_oneapi_architecture_is(ext::oneapi::experimental::architecture arch) const;
  bool ext_oneapi_architecture_is(ext::oneapi::experimental::arch_category category) const;

  // sycl_ext_oneapi_kernel_compiler: whether kernels can be compiled from such sources.
  bool ext_oneapi_can_build(ext::oneapi::experimental::source_language lang) const noexcept;
  bool ext_oneapi_can_compile(ext::oneapi::experimental::source_language lang) const noexcept {
    return ext_oneapi_can_build(lang);
  }
  // OpenCL C is compiled by Clang, up to 3.0.
  bool ext_oneapi_supports_cl_c_version(
      const ext::oneapi::experimental::cl_version &version) const noexcept {
    return ext_oneapi_can_build(ext::oneapi::experimental::source_language::opencl) &&
           (version.major < 3 || (version.major == 3 && version.minor == 0));
  }
  bool ext_oneapi_supports_cl_c_feature(const std::string &name) const noexcept;
  bool ext_oneapi_supports_cl_extension(
      const std::string &name,
      ext::oneapi::experimental::cl_version *version = nullptr) const noexcept;
  std::string ext_oneapi_cl_profile() const {
    const bool has_any = ext_oneapi_can_build(ext::oneapi::experimental::source_language::opencl);
    return has_any ? "FULL_PROFILE" : std::string();
  }

  template <class Device = device>  // see platform::get_devices
  static std::vector<Device> get_devices(info::device_type type = info::device_type::all);

  friend bool operator==(const device &lhs, const device &rhs) noexcept {
    return lhs.object_ == rhs.object_;
  }
  friend bool operator!=(const device &lhs, const device &rhs) noexcept { return !(lhs == rhs); }

 private:
  tn_device *object_;
};

}  // namespace sycl

template <>
struct std::hash<sycl::device> {
  std::size_t operator()(const sycl::device &object) const noexcept {
    return sycl::detail::hash_pointer(object.tn_get());
  }
};

#endif
