// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The name that sycl::sub_group had before SYCL 2020.
#ifndef TENON_SYCL_EXT_LEGACY_SUB_GROUP_HPP
#define TENON_SYCL_EXT_LEGACY_SUB_GROUP_HPP

#include <sycl/sub_group.hpp>

namespace sycl::ext::oneapi {
using sub_group TN_SYCL_DEPRECATED("use sycl::sub_group") = sycl::sub_group;
}  // namespace sycl::ext::oneapi

#endif
