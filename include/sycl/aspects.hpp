// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl::aspect and its traits. Source: SYCL 2020 sections 4.6.4.5, 4.6.4.6.
#ifndef TENON_SYCL_ASPECTS_HPP
#define TENON_SYCL_ASPECTS_HPP

#include "tenon/device.h"
#include <sycl/detail/macros.hpp>

#include <type_traits>

namespace sycl {

enum class aspect : int {
  cpu = TN_ASPECT_CPU,
  gpu = TN_ASPECT_GPU,
  accelerator = TN_ASPECT_ACCELERATOR,
  custom = TN_ASPECT_CUSTOM,
  emulated = TN_ASPECT_EMULATED,
  host_debuggable = TN_ASPECT_HOST_DEBUGGABLE,
  fp16 = TN_ASPECT_FP16,
  fp64 = TN_ASPECT_FP64,
  atomic64 = TN_ASPECT_ATOMIC64,
  image = TN_ASPECT_IMAGE,
  online_compiler = TN_ASPECT_ONLINE_COMPILER,
  online_linker = TN_ASPECT_ONLINE_LINKER,
  queue_profiling = TN_ASPECT_QUEUE_PROFILING,
  usm_device_allocations = TN_ASPECT_USM_DEVICE_ALLOCATIONS,
  usm_host_allocations = TN_ASPECT_USM_HOST_ALLOCATIONS,
  usm_atomic_host_allocations = TN_ASPECT_USM_ATOMIC_HOST_ALLOCATIONS,
  usm_shared_allocations = TN_ASPECT_USM_SHARED_ALLOCATIONS,
  usm_atomic_shared_allocations = TN_ASPECT_USM_ATOMIC_SHARED_ALLOCATIONS,
  usm_system_allocations = TN_ASPECT_USM_SYSTEM_ALLOCATIONS,
  ext_intel_device_id = TN_ASPECT_DEVICE_ID,
  ext_intel_pci_address = TN_ASPECT_PCI_ADDRESS,
  ext_intel_device_info_uuid = TN_ASPECT_UUID,
  ext_intel_free_memory = TN_ASPECT_FREE_MEMORY,
  ext_intel_memory_clock_rate = TN_ASPECT_MEMORY_CLOCK_RATE,
  ext_intel_memory_bus_width = TN_ASPECT_MEMORY_BUS_WIDTH,
  ext_intel_max_mem_bandwidth = TN_ASPECT_MAX_MEM_BANDWIDTH,
  // sycl_ext_oneapi_graph: all devices have them.
  ext_oneapi_graph = 1000,
  ext_oneapi_limited_graph
};

// What may be on the machine is known at run time only: any device may have any aspect.
template <aspect Aspect>
struct any_device_has : std::true_type {};
template <aspect Aspect>
struct all_devices_have : std::false_type {};
template <aspect A>
inline constexpr bool any_device_has_v = any_device_has<A>::value;
template <aspect A>
inline constexpr bool all_devices_have_v = all_devices_have<A>::value;

}  // namespace sycl

#endif
