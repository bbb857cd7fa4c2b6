// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ids, bundles and information of kernels that are functions, by their addresses:
// get_kernel_id<f>(). Source: the SYCL extension sycl_ext_oneapi_free_function_kernels.
#ifndef TENON_SYCL_EXT_FREE_FUNCTION_BUNDLES_HPP
#define TENON_SYCL_EXT_FREE_FUNCTION_BUNDLES_HPP

#include <sycl/detail/function_launch.hpp>
#include <sycl/detail/bundle_use.hpp>

namespace sycl::ext::oneapi::experimental {

// The kernel is made in every program or shared library that asks for it; the function itself may
// be defined in another source or in another shared library.
template <auto *Func, std::enable_if_t<sycl::detail::may_be_kernel<Func>, int> = 0>
TN_SYCL_HIDDEN kernel_id get_kernel_id() {
#ifdef __SYCL_DEVICE_ONLY__
  sycl::detail::emit_function<Func>();
  return sycl::detail::id_of_slot(nullptr);
#else
  using arguments = sycl::detail::function_arguments<Func, decltype(Func)>;
  return sycl::detail::id_of_slot(
      sycl::detail::kernel_slot<sycl::detail::free_kernel<Func>, arguments>());
#endif
}

template <auto *Func, bundle_state State,
          std::enable_if_t<sycl::detail::may_be_kernel<Func>, int> = 0>
TN_SYCL_HIDDEN kernel_bundle<State> get_kernel_bundle(const context &ctxt,
                                                      const std::vector<device> &devs) {
  return sycl::get_kernel_bundle<State>(ctxt, devs, {get_kernel_id<Func>()});
}
template <auto *Func, bundle_state State,
          std::enable_if_t<sycl::detail::may_be_kernel<Func>, int> = 0>
TN_SYCL_HIDDEN kernel_bundle<State> get_kernel_bundle(const context &ctxt) {
  return experimental::get_kernel_bundle<Func, State>(ctxt, ctxt.get_devices());
}

template <auto *Func, bundle_state State,
          std::enable_if_t<sycl::detail::may_be_kernel<Func>, int> = 0>
TN_SYCL_HIDDEN bool has_kernel_bundle(const context &ctxt, const std::vector<device> &devs) {
  return sycl::has_kernel_bundle<State>(ctxt, devs, {get_kernel_id<Func>()});
}
template <auto *Func, bundle_state State,
          std::enable_if_t<sycl::detail::may_be_kernel<Func>, int> = 0>
TN_SYCL_HIDDEN bool has_kernel_bundle(const context &ctxt) {
  return experimental::has_kernel_bundle<Func, State>(ctxt, ctxt.get_devices());
}

template <auto *Func, std::enable_if_t<sycl::detail::may_be_kernel<Func>, int> = 0>
TN_SYCL_HIDDEN bool is_compatible(const device &dev) {
  return sycl::is_compatible({get_kernel_id<Func>()}, dev);
}

}  // namespace sycl::ext::oneapi::experimental

namespace sycl {

template <bundle_state State>
template <auto *Func>
bool kernel_bundle<State>::ext_oneapi_has_kernel() const {
  return has_kernel(ext::oneapi::experimental::get_kernel_id<Func>());
}
template <bundle_state State>
template <auto *Func>
bool kernel_bundle<State>::ext_oneapi_has_kernel(const device &dev) const {
  return has_kernel(ext::oneapi::experimental::get_kernel_id<Func>(), dev);
}
template <bundle_state State>
template <auto *Func>
kernel kernel_bundle<State>::ext_oneapi_get_kernel() const {
  static_assert(State == bundle_state::executable,
                "ext_oneapi_get_kernel: kernels are of bundles with bundle_state::executable");
  return get_kernel(ext::oneapi::experimental::get_kernel_id<Func>());
}

}  // namespace sycl

#endif
