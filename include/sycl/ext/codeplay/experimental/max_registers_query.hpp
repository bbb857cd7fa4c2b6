// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many registers a work-group can have, on NVIDIA GPUs.
// Source: the SYCL extension sycl_ext_codeplay_max_registers_per_work_group_query.
#ifndef TENON_SYCL_EXT_MAX_REGISTERS_QUERY_HPP
#define TENON_SYCL_EXT_MAX_REGISTERS_QUERY_HPP

#include <sycl/device.hpp>

namespace sycl::ext::codeplay::experimental::info::device {

struct max_registers_per_work_group {
  using return_type = std::uint32_t;
  static return_type tn_query(const tn_device *device);
};

#ifndef __SYCL_DEVICE_ONLY__
inline std::uint32_t max_registers_per_work_group::tn_query(const tn_device *device) {
  if (sycl::detail::device_backend(device) != TN_BACKEND_CUDA) {
    sycl::detail::raise(errc::feature_not_supported,
                        "max_registers_per_work_group: only devices of the CUDA backend have it");
  }
  return sycl::detail::device_number<std::uint32_t>(device,
                                                    TN_DEVICE_INFO_MAX_REGISTERS_PER_WORK_GROUP);
}
#endif

}  // namespace sycl::ext::codeplay::experimental::info::device

#endif
