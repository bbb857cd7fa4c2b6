// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bundles, and handler::use_kernel_bundle. Source: SYCL 2020 sections 4.11.7 to 4.11.12.
#ifndef TENON_SYCL_DETAIL_BUNDLE_USE_HPP
#define TENON_SYCL_DETAIL_BUNDLE_USE_HPP

#include <sycl/detail/bundle_builds.hpp>
#include <sycl/detail/bundle_class.hpp>
#include <sycl/detail/bundle_queries.hpp>
#include <sycl/detail/handler_arguments.hpp>
#include <sycl/handler.hpp>

namespace sycl {

#ifndef __SYCL_DEVICE_ONLY__

// The kernel of the bundle, in place of what its slot would give.
TN_SYCL_COLD inline void handler::use_bundle(handler &cgh, bool is_end) {
  tn_command &command = cgh.group_.command;
  detail::kernel_handle before(command.kernel);
  command.kernel = nullptr;
  if (is_end) {
    tn_bundle_release(cgh.bundle_);
    return;
  }
  command.kind = TN_COMMAND_NONE;  // nothing runs when this throws
  tn_diag diag;
  const tn_status status =
      tn_bundle_get_slot(cgh.bundle_, command.slot, tn_queue_device(cgh.group_.queue),
                         &command.kernel, &diag);
  if (status == TN_INVALID_ARGUMENT) {  // the queue's device is none of the bundle's
    detail::raise(errc::kernel_not_supported, diag.text);
  }
  detail::check(status, diag);
  command.kind = TN_COMMAND_KERNEL;
}

TN_SYCL_COLD inline void handler::use_kernel_bundle(
    const kernel_bundle<bundle_state::executable> &execBundle) {
  tn_bundle *bundle = execBundle.tn_get();
  if (tn_bundle_context(bundle) != tn_queue_context(group_.queue)) {
    detail::raise(errc::invalid,
                  "handler::use_kernel_bundle: the bundle is of another context than the queue");
  }
  if (specs_) {
    detail::raise(
        errc::invalid,
        "handler::use_kernel_bundle: the command group has set a specialization constant; "
        "a bundle's constants have their values");
  }
  tn_bundle_retain(bundle);
  tn_bundle_release(bundle_);
  bundle_ = bundle;
  use_bundle_ = use_bundle;
  use_parts_ = use_parts;
  if (has_user_kernel_) {
    use_bundle(*this, false);
  }
}

#endif

namespace detail {

inline void use_bundle_of([[maybe_unused]] handler &cgh, [[maybe_unused]] const kernel &object) {
#ifndef __SYCL_DEVICE_ONLY__
  cgh.use_kernel_bundle(object.get_kernel_bundle());
#endif
}

}  // namespace detail

template <class KernelName, class KernelType>
void handler::single_task(const kernel &kernelObject, const KernelType &kernelFunc) {
  detail::use_bundle_of(*this, kernelObject);
  single_task<KernelName>(kernelFunc);
}
template <class KernelName, class KernelType, int Dimensions>
void handler::parallel_for(const kernel &kernelObject, range<Dimensions> numWorkItems,
                           const KernelType &kernelFunc) {
  detail::use_bundle_of(*this, kernelObject);
  parallel_for<KernelName>(numWorkItems, kernelFunc);
}
template <class KernelName, class KernelType, int Dimensions>
void handler::parallel_for(const kernel &kernelObject, nd_range<Dimensions> executionRange,
                           const KernelType &kernelFunc) {
  detail::use_bundle_of(*this, kernelObject);
  parallel_for<KernelName>(executionRange, kernelFunc);
}

}  // namespace sycl

#endif
