// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The calling work-item, its work-group and sub-group, for functions that get none of them.
// Source: the SYCL extension sycl_khr_work_item_queries.
#ifndef TENON_SYCL_KHR_WORK_ITEM_QUERIES_HPP
#define TENON_SYCL_KHR_WORK_ITEM_QUERIES_HPP

#include <sycl/ext/oneapi/free_function_queries.hpp>

namespace sycl::khr {

// The kernel was launched with an nd_range of these dimensions.
using ext::oneapi::experimental::this_group;
using ext::oneapi::experimental::this_nd_item;
using ext::oneapi::experimental::this_sub_group;

}  // namespace sycl::khr

#endif
