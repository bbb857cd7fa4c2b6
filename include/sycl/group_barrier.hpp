// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl::group_barrier. Source: SYCL 2020 section 4.17.3.2.
#ifndef TENON_SYCL_GROUP_BARRIER_HPP
#define TENON_SYCL_GROUP_BARRIER_HPP

#include <sycl/group.hpp>
#include <sycl/sub_group.hpp>

namespace sycl {

template <class Group, detail::if_group<Group> = 0>
TN_SYCL_CHECKS void group_barrier(Group, memory_scope fenceScope = Group::fence_scope) noexcept {
  if constexpr (detail::is_sub_group<Group>) {
    detail::sub_group_barrier(fenceScope);
  } else {
    detail::work_group_barrier(fenceScope);
  }
}

}  // namespace sycl

#endif
