// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// info::device::num_compute_units. Source: the SYCL extension sycl_ext_oneapi_num_compute_units.
#ifndef TENON_SYCL_EXT_NUM_COMPUTE_UNITS_HPP
#define TENON_SYCL_EXT_NUM_COMPUTE_UNITS_HPP

#include <sycl/device.hpp>

namespace sycl::ext::oneapi::info::device {

// Processors of a CPU, multiprocessors of a GPU: info::device::max_compute_units.
struct num_compute_units {
  using return_type = std::size_t;
  static return_type tn_query(const tn_device *device);
};

#ifndef __SYCL_DEVICE_ONLY__
inline std::size_t num_compute_units::tn_query(const tn_device *device) {
  return sycl::detail::device_number<std::uint32_t>(device, TN_DEVICE_INFO_MAX_COMPUTE_UNITS);
}
#endif

}  // namespace sycl::ext::oneapi::info::device

#endif
