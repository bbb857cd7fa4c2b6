// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clock<scope>(): a counter that kernels read. Source: the SYCL extension sycl_ext_oneapi_clock.
#ifndef TENON_SYCL_EXT_ONEAPI_EXPERIMENTAL_CLOCK_HPP
#define TENON_SYCL_EXT_ONEAPI_EXPERIMENTAL_CLOCK_HPP

#include <sycl/detail/check.hpp>

#include <cstdint>

namespace sycl::ext::oneapi::experimental {

enum class clock_scope : int { device = 1, work_group, sub_group };

// Values of one scope are comparable where they were read by work-items of one instance of it. On
// NVIDIA GPUs a multiprocessor has a cycle counter of its own; the device has one of nanoseconds.
template <clock_scope Scope>
std::uint64_t clock() {
#ifndef __SYCL_DEVICE_ONLY__
  sycl::detail::raise(errc::runtime, "clock: only kernels can call it");
#elif defined(__NVPTX__)
  if constexpr (Scope == clock_scope::device) {
    return __builtin_readsteadycounter();
  } else {
    return __builtin_readcyclecounter();
  }
#else
  return __builtin_readcyclecounter();
#endif
}

}  // namespace sycl::ext::oneapi::experimental

#endif
