// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Local memory whose size is a property of the launch.
// Source: the SYCL extension sycl_ext_oneapi_work_group_scratch_memory.
#ifndef TENON_SYCL_EXT_WORK_GROUP_SCRATCH_MEMORY_HPP
#define TENON_SYCL_EXT_WORK_GROUP_SCRATCH_MEMORY_HPP

#include <sycl/detail/device_builtins.hpp>
#include <sycl/ext/oneapi/experimental/property_types.hpp>

#include <cstddef>

namespace sycl::ext::oneapi::experimental {

// A property of launches: bytes for each work-group.
struct work_group_scratch_size {
  constexpr work_group_scratch_size(std::size_t bytes) : value(bytes) {}
  std::size_t value;
};
using work_group_scratch_size_key = work_group_scratch_size;
template <>
struct is_property_key<work_group_scratch_size_key> : std::true_type {};

// The same memory in each call of a kernel. A kernel that is launched without the property must
// not use it.
inline void *get_work_group_scratch_memory() noexcept {
#ifdef __SYCL_DEVICE_ONLY__
  return __tenon_local_memory();
#else
  return nullptr;  // only kernels have groups
#endif
}

}  // namespace sycl::ext::oneapi::experimental

#endif
