// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The largest grids of work-groups.
// Source: the SYCL extension sycl_ext_oneapi_max_work_group_query.
#ifndef TENON_SYCL_EXT_MAX_WORK_GROUPS_HPP
#define TENON_SYCL_EXT_MAX_WORK_GROUPS_HPP

#include <sycl/device.hpp>
#include <sycl/id.hpp>

namespace sycl::ext::oneapi::experimental::info::device {

// In all dimensions together.
struct max_global_work_groups {
  using return_type = std::size_t;
  static return_type tn_query(const tn_device *) { return 0x7fffffff; }
};

// CUDA's limits on NVIDIA GPUs: the last dimension of SYCL is its x. The CPU runs no fewer than the
// answer.
template <int Dimensions>
struct max_work_groups {
  static_assert(Dimensions >= 1 && Dimensions <= 3, "max_work_groups has 1, 2 or 3 dimensions");
  using return_type = id<Dimensions>;
#ifdef __SYCL_DEVICE_ONLY__
  static return_type tn_query(const tn_device *device);
#else
  static return_type tn_query(const tn_device *device) {
    const bool is_cuda = sycl::detail::device_backend(device) == TN_BACKEND_CUDA;
    return_type most;
    for (int i = 0; i < Dimensions; ++i) {
      most[i] = is_cuda && i + 1 < Dimensions ? 0xffff : 0x7fffffff;
    }
    return most;
  }
#endif
};

}  // namespace sycl::ext::oneapi::experimental::info::device

// DPC++'s names of before.
namespace sycl::info::device {
using ext_oneapi_max_global_work_groups =
    ext::oneapi::experimental::info::device::max_global_work_groups;
using ext_oneapi_max_work_groups_1d = ext::oneapi::experimental::info::device::max_work_groups<1>;
using ext_oneapi_max_work_groups_2d = ext::oneapi::experimental::info::device::max_work_groups<2>;
using ext_oneapi_max_work_groups_3d = ext::oneapi::experimental::info::device::max_work_groups<3>;
}  // namespace sycl::info::device

#endif
