// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The largest numbers of work-groups that an nd_range may have.
// Source: the SYCL extension sycl_khr_max_work_group_queries.
#ifndef TENON_SYCL_KHR_MAX_WORK_GROUP_QUERIES_HPP
#define TENON_SYCL_KHR_MAX_WORK_GROUP_QUERIES_HPP

#include <sycl/ext/oneapi/experimental/max_work_groups.hpp>
#include <sycl/range.hpp>

namespace sycl::khr::info::device {

// In each dimension.
template <int Dimensions = 3>
struct max_work_group_range {
  static_assert(Dimensions >= 1 && Dimensions <= 3,
                "max_work_group_range has 1, 2 or 3 dimensions");
  using return_type = sycl::range<Dimensions>;
#ifdef __SYCL_DEVICE_ONLY__
  static return_type tn_query(const tn_device *device);
#else
  static return_type tn_query(const tn_device *device) {
    const id<Dimensions> most =
        ext::oneapi::experimental::info::device::max_work_groups<Dimensions>::tn_query(device);
    return_type range;
    for (int i = 0; i < Dimensions; ++i) {
      range[i] = most[i];
    }
    return range;
  }
#endif
};

// In all dimensions together.
struct max_work_group_range_size {
  using return_type = std::size_t;
  static return_type tn_query(const tn_device *device) {
    return ext::oneapi::experimental::info::device::max_global_work_groups::tn_query(device);
  }
};

}  // namespace sycl::khr::info::device

#endif
