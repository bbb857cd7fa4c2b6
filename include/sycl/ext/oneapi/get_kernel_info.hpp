// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// get_kernel_info<name, descriptor>(…): what a kernel's bundle knows of it, without the bundle.
// Source: the SYCL extensions sycl_ext_oneapi_get_kernel_info and _free_function_kernels.
#ifndef TENON_SYCL_EXT_GET_KERNEL_INFO_HPP
#define TENON_SYCL_EXT_GET_KERNEL_INFO_HPP

#include <sycl/ext/oneapi/experimental/free_function_bundles.hpp>

namespace sycl::detail {

template <class Param>
typename Param::return_type kernel_info(const kernel_id &id, const context &ctxt) {
  return get_kernel_bundle<bundle_state::executable>(ctxt, ctxt.get_devices(), {id})
      .get_kernel(id)
      .template get_info<Param>();
}
template <class Param>
typename Param::return_type kernel_info(const kernel_id &id, const context &ctxt,
                                        const device &dev) {
  return get_kernel_bundle<bundle_state::executable>(ctxt, {dev}, {id})
      .get_kernel(id)
      .template get_info<Param>(dev);
}

}  // namespace sycl::detail

namespace sycl::ext::oneapi {

template <class KernelName, class Param>
TN_SYCL_HIDDEN typename Param::return_type get_kernel_info(const context &ctxt) {
  return sycl::detail::kernel_info<Param>(get_kernel_id<KernelName>(), ctxt);
}
template <class KernelName, class Param>
TN_SYCL_HIDDEN typename Param::return_type get_kernel_info(const context &ctxt, const device &dev) {
  return sycl::detail::kernel_info<Param>(get_kernel_id<KernelName>(), ctxt, dev);
}
template <class KernelName, class Param>
TN_SYCL_HIDDEN typename Param::return_type get_kernel_info(const queue &q) {
  return oneapi::get_kernel_info<KernelName, Param>(q.get_context(), q.get_device());
}

namespace experimental {

template <auto *Func, class Param, std::enable_if_t<sycl::detail::may_be_kernel<Func>, int> = 0>
TN_SYCL_HIDDEN typename Param::return_type get_kernel_info(const context &ctxt) {
  return sycl::detail::kernel_info<Param>(get_kernel_id<Func>(), ctxt);
}
template <auto *Func, class Param, std::enable_if_t<sycl::detail::may_be_kernel<Func>, int> = 0>
TN_SYCL_HIDDEN typename Param::return_type get_kernel_info(const context &ctxt, const device &dev) {
  return sycl::detail::kernel_info<Param>(get_kernel_id<Func>(), ctxt, dev);
}
template <auto *Func, class Param, std::enable_if_t<sycl::detail::may_be_kernel<Func>, int> = 0>
TN_SYCL_HIDDEN typename Param::return_type get_kernel_info(const queue &q) {
  return experimental::get_kernel_info<Func, Param>(q.get_context(), q.get_device());
}

}  // namespace experimental

}  // namespace sycl::ext::oneapi

#endif
