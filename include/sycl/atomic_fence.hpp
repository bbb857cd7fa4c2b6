// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl::atomic_fence. Source: SYCL 2020 section 4.15.1.
#ifndef TENON_SYCL_ATOMIC_FENCE_HPP
#define TENON_SYCL_ATOMIC_FENCE_HPP

#include <sycl/detail/atomic_ops.hpp>
#include <sycl/detail/device_builtins.hpp>

namespace sycl {

inline void atomic_fence(memory_order order, memory_scope scope) noexcept {
  if (order == memory_order::relaxed) {
    return;
  }
#if TN_SYCL_ON_GPU && defined(__NVPTX__)
  // There clang's fences are for all devices, whatever the scope.
  __spirv_MemoryBarrier(detail::atomic_scope(scope),
                        order == memory_order::seq_cst ? 0x310 : 0x308);
  return;
#elif TN_SYCL_ON_GPU
  __scoped_atomic_thread_fence(detail::atomic_order(order), detail::atomic_scope(scope));
  return;
#elif defined(__SYCL_DEVICE_ONLY__)
  // One thread runs a work-group's work-items on a CPU, so only the compiler has to keep order.
  if (scope == memory_scope::work_item || scope == memory_scope::sub_group ||
      scope == memory_scope::work_group) {
    __atomic_signal_fence(detail::atomic_order(order));
    return;
  }
#endif
  static_cast<void>(scope);
  __atomic_thread_fence(detail::atomic_order(order));
}

}  // namespace sycl

#endif
