// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// set_kernel_properties: a hint to Intel's GPUs, without effect. Older versions of DPC++ have it.
#ifndef TENON_SYCL_EXT_INTEL_KERNEL_PROPERTIES_HPP
#define TENON_SYCL_EXT_INTEL_KERNEL_PROPERTIES_HPP

#include <sycl/detail/macros.hpp>

namespace sycl::ext::intel::experimental {

namespace kernel_properties {
struct register_file {};
inline constexpr register_file use_double_grf{};
inline constexpr register_file use_large_grf{};
}  // namespace kernel_properties

// Called in a kernel.
inline void set_kernel_properties(kernel_properties::register_file) noexcept {}

}  // namespace sycl::ext::intel::experimental

#endif
