// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a device says of its place in the machine and of its memory. Source:
// sycl_ext_intel_device_info.
#ifndef TENON_SYCL_EXT_INTEL_DEVICE_INFO_HPP
#define TENON_SYCL_EXT_INTEL_DEVICE_INFO_HPP

#include <sycl/device.hpp>

#include <array>
#include <vector>

namespace sycl {

namespace detail {
using uuid_type = std::array<unsigned char, 16>;
using luid_type = std::array<unsigned char, 8>;

#ifndef __SYCL_DEVICE_ONLY__
inline void need_aspect(const tn_device *device, aspect asp, const char *what) {
  if (!(device_has)(device, asp)) {  // a macro has the name as well
    raise(errc::feature_not_supported,
          (std::string("this device has no ") + what + ": ask device::has for its aspect first")
              .c_str());
  }
}
#endif
}  // namespace detail

// X(name, type, TN_DEVICE_INFO_…, aspect)
#define TN_SYCL_INTEL_DESCRIPTORS(X)                                                  \
  X(device_id, std::uint32_t, DEVICE_ID, ext_intel_device_id)                         \
  X(free_memory, std::uint64_t, FREE_MEMORY, ext_intel_free_memory)                   \
  X(memory_clock_rate, std::uint32_t, MEMORY_CLOCK_RATE, ext_intel_memory_clock_rate) \
  X(memory_bus_width, std::uint32_t, MEMORY_BUS_WIDTH, ext_intel_memory_bus_width)    \
  X(max_mem_bandwidth, std::uint64_t, MAX_MEM_BANDWIDTH, ext_intel_max_mem_bandwidth) \
  X(uuid, sycl::detail::uuid_type, UUID, ext_intel_device_info_uuid)

// X(name, aspect): the parts of Intel's GPUs, which no device of this version has.
#define TN_SYCL_INTEL_GPU_DESCRIPTORS(X)                            \
  X(gpu_eu_count, ext_intel_gpu_eu_count)                           \
  X(gpu_eu_count_per_subslice, ext_intel_gpu_eu_count_per_subslice) \
  X(gpu_eu_simd_width, ext_intel_gpu_eu_simd_width)                 \
  X(gpu_hw_threads_per_eu, ext_intel_gpu_hw_threads_per_eu)         \
  X(gpu_slices, ext_intel_gpu_slices)                               \
  X(gpu_subslices_per_slice, ext_intel_gpu_subslices_per_slice)

// X(name, type, aspect): sensors and the like, which no device of this version tells.
#define TN_SYCL_INTEL_SENSOR_DESCRIPTORS(X)                                   \
  X(fan_speed, std::int32_t, ext_intel_fan_speed)                             \
  X(min_power_limit, std::int32_t, ext_intel_power_limits)                    \
  X(max_power_limit, std::int32_t, ext_intel_power_limits)                    \
  X(current_clock_throttle_reasons, std::vector<ext::intel::throttle_reason>, \
    ext_intel_current_clock_throttle_reasons)                                 \
  X(luid, sycl::detail::luid_type, ext_intel_device_info_luid)                \
  X(node_mask, std::uint32_t, ext_intel_device_info_node_mask)                \
  X(xe_stack_count, std::uint32_t, ext_intel_xe_stack_count)                  \
  X(xe_regions_per_stack, std::uint32_t, ext_intel_xe_regions_per_stack)      \
  X(xe_clusters_per_region, std::uint32_t, ext_intel_xe_clusters_per_region)  \
  X(xe_cores_per_cluster, std::uint32_t, ext_intel_xe_cores_per_cluster)      \
  X(eus_per_xe_core, std::uint32_t, ext_intel_eus_per_xe_core)                \
  X(max_lanes_per_hw_thread, std::uint32_t, ext_intel_max_lanes_per_hw_thread)

namespace ext::intel {
enum class throttle_reason {
  power_cap,
  current_limit,
  thermal_limit,
  psu_alert,
  sw_range,
  hw_range,
  other
};
}  // namespace ext::intel

namespace ext::intel::info::device {

#define TN_SYCL_SENSOR_DESCRIPTOR(name, type, asp)        \
  struct name {                                           \
    using return_type = type;                             \
    static return_type tn_query(const tn_device *device); \
  };
TN_SYCL_INTEL_SENSOR_DESCRIPTORS(TN_SYCL_SENSOR_DESCRIPTOR)
#undef TN_SYCL_SENSOR_DESCRIPTOR

#define TN_SYCL_GPU_DESCRIPTOR(name, asp)                 \
  struct name {                                           \
    using return_type = std::uint32_t;                    \
    static return_type tn_query(const tn_device *device); \
  };
TN_SYCL_INTEL_GPU_DESCRIPTORS(TN_SYCL_GPU_DESCRIPTOR)
#undef TN_SYCL_GPU_DESCRIPTOR

#define TN_SYCL_DESCRIPTOR(name, type, what, asp)         \
  struct name {                                           \
    using return_type = type;                             \
    static return_type tn_query(const tn_device *device); \
  };
TN_SYCL_INTEL_DESCRIPTORS(TN_SYCL_DESCRIPTOR)
#undef TN_SYCL_DESCRIPTOR

// "0000:3b:00.0": domain, bus, device and function.
struct pci_address {
  using return_type = std::string;
  static return_type tn_query(const tn_device *device);
};

// sycl_ext_intel_queue_index: queues are not made of others.
struct max_compute_queue_indices {
  using return_type = std::int32_t;
  static return_type tn_query(const tn_device *) { return 1; }
};

#ifndef __SYCL_DEVICE_ONLY__
#define TN_SYCL_QUERY(name, type, what, asp)                                 \
  inline type name::tn_query(const tn_device *device) {                      \
    sycl::detail::need_aspect(device, aspect::asp, #name);                   \
    return sycl::detail::device_number<type>(device, TN_DEVICE_INFO_##what); \
  }
TN_SYCL_INTEL_DESCRIPTORS(TN_SYCL_QUERY)
#undef TN_SYCL_QUERY

#define TN_SYCL_GPU_QUERY(name, asp)                             \
  inline std::uint32_t name::tn_query(const tn_device *device) { \
    sycl::detail::need_aspect(device, aspect::asp, #name);       \
    return 0;                                                    \
  }
TN_SYCL_INTEL_GPU_DESCRIPTORS(TN_SYCL_GPU_QUERY)
#undef TN_SYCL_GPU_QUERY

#define TN_SYCL_SENSOR_QUERY(name, type, asp)              \
  inline type name::tn_query(const tn_device *device) {    \
    sycl::detail::need_aspect(device, aspect::asp, #name); \
    return {};                                             \
  }
TN_SYCL_INTEL_SENSOR_DESCRIPTORS(TN_SYCL_SENSOR_QUERY)
#undef TN_SYCL_SENSOR_QUERY

inline std::string pci_address::tn_query(const tn_device *device) {
  sycl::detail::need_aspect(device, aspect::ext_intel_pci_address, "pci_address");
  return sycl::detail::info_text<tn_device>(device, TN_DEVICE_INFO_PCI_ADDRESS, tn_device_get_info);
}
#endif

#undef TN_SYCL_INTEL_DESCRIPTORS
#undef TN_SYCL_INTEL_SENSOR_DESCRIPTORS

}  // namespace ext::intel::info::device

// The names of older versions of the extension.
namespace info::device {
#define TN_SYCL_OLD_DESCRIPTOR(name, asp)                        \
  using asp TN_SYCL_DEPRECATED("use ext::intel::info::device") = \
      sycl::ext::intel::info::device::name;
TN_SYCL_INTEL_GPU_DESCRIPTORS(TN_SYCL_OLD_DESCRIPTOR)
TN_SYCL_OLD_DESCRIPTOR(max_mem_bandwidth, ext_intel_max_mem_bandwidth)
TN_SYCL_OLD_DESCRIPTOR(pci_address, ext_intel_pci_address)
TN_SYCL_OLD_DESCRIPTOR(uuid, ext_intel_device_info_uuid)
#undef TN_SYCL_OLD_DESCRIPTOR
}  // namespace info::device

#undef TN_SYCL_INTEL_GPU_DESCRIPTORS

}  // namespace sycl

#endif
