// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the calling work-item is, for functions that get no item: this_work_item::get_nd_item<N>().
// Source: the SYCL extension sycl_ext_oneapi_free_function_queries.
#ifndef TENON_SYCL_EXT_FREE_FUNCTION_QUERIES_HPP
#define TENON_SYCL_EXT_FREE_FUNCTION_QUERIES_HPP

#include <sycl/detail/work_item.hpp>
#include <sycl/sub_group.hpp>
#ifndef __SYCL_DEVICE_ONLY__
#include <sycl/detail/check.hpp>
#endif

namespace sycl::ext::oneapi::this_work_item {

#ifdef __SYCL_DEVICE_ONLY__

// Inside a kernel that was launched with an nd_range of these dimensions.
template <int Dimensions>
nd_item<Dimensions> get_nd_item() {
  return sycl::detail::index_maker::nd_item<Dimensions>();
}
template <int Dimensions>
group<Dimensions> get_work_group() {
  return get_nd_item<Dimensions>().get_group();
}
inline sub_group get_sub_group() { return get_nd_item<1>().get_sub_group(); }

#else

[[noreturn]] TN_SYCL_COLD inline void raise_outside_kernel() {
  sycl::detail::raise(errc::feature_not_supported,
                      "this_work_item is for kernels: the host runs no work-item");
}
template <int Dimensions>
nd_item<Dimensions> get_nd_item() {
  raise_outside_kernel();
}
template <int Dimensions>
group<Dimensions> get_work_group() {
  raise_outside_kernel();
}
inline sub_group get_sub_group() { raise_outside_kernel(); }

#endif

}  // namespace sycl::ext::oneapi::this_work_item

// The extension's older names.
namespace sycl::ext::oneapi::experimental {

template <int Dimensions>
nd_item<Dimensions> this_nd_item() {
  return this_work_item::get_nd_item<Dimensions>();
}
template <int Dimensions>
group<Dimensions> this_group() {
  return this_work_item::get_work_group<Dimensions>();
}
inline sub_group this_sub_group() { return this_work_item::get_sub_group(); }
template <int Dimensions>
item<Dimensions> this_item() {
#ifdef __SYCL_DEVICE_ONLY__
  return sycl::detail::index_maker::item<Dimensions>();
#else
  sycl::detail::raise(errc::feature_not_supported,
                      "this_item is for kernels: the host runs no work-item");
#endif
}
template <int Dimensions>
id<Dimensions> this_id() {
  return this_item<Dimensions>().get_id();
}

}  // namespace sycl::ext::oneapi::experimental

#endif
