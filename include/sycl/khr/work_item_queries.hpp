// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The calling work-item, its work-group and sub-group, for functions that get none of them.
// Source: the SYCL extension sycl_khr_work_item_queries.
#ifndef TENON_SYCL_KHR_WORK_ITEM_QUERIES_HPP
#define TENON_SYCL_KHR_WORK_ITEM_QUERIES_HPP

#include <sycl/ext/oneapi/free_function_queries.hpp>

namespace sycl::khr {

// The kernel was launched with an nd_range of these dimensions.
template <int Dimensions>
nd_item<Dimensions> this_nd_item() {
  return ext::oneapi::this_work_item::get_nd_item<Dimensions>();
}
template <int Dimensions>
group<Dimensions> this_group() {
  return ext::oneapi::this_work_item::get_work_group<Dimensions>();
}
inline sycl::sub_group this_sub_group() { return ext::oneapi::this_work_item::get_sub_group(); }

}  // namespace sycl::khr

#endif
