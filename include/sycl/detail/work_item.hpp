// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds item and nd_item from the device's built-in variables; used in kernel entries only.
// Source: SPIR-V environment specification, built-in variables.
#ifndef TENON_SYCL_DETAIL_WORK_ITEM_HPP
#define TENON_SYCL_DETAIL_WORK_ITEM_HPP

#include <sycl/item.hpp>
#include <sycl/nd_item.hpp>

#ifdef __SYCL_DEVICE_ONLY__

// The argument is SPIR-V's dimension: 0 varies fastest, and is SYCL's last.
#define TN_SYCL_BUILTIN(name) \
  [[clang::sycl_external]] __attribute__((const)) std::size_t __spirv_BuiltIn##name(int) noexcept
TN_SYCL_BUILTIN(GlobalInvocationId);
TN_SYCL_BUILTIN(GlobalSize);
TN_SYCL_BUILTIN(GlobalOffset);
TN_SYCL_BUILTIN(NumWorkgroups);
TN_SYCL_BUILTIN(WorkgroupSize);
TN_SYCL_BUILTIN(WorkgroupId);
TN_SYCL_BUILTIN(LocalInvocationId);
#undef TN_SYCL_BUILTIN

namespace sycl::detail {

struct index_maker {
  // T is id<N> or range<N>. The arguments are constants also without optimization.
  template <class T, std::size_t (*Builtin)(int) noexcept>
  static T read() noexcept {
    if constexpr (T::dimensions == 1) {
      return T(Builtin(0));
    } else if constexpr (T::dimensions == 2) {
      return T(Builtin(1), Builtin(0));
    } else {
      return T(Builtin(2), Builtin(1), Builtin(0));
    }
  }

  template <int Dimensions>
  static sycl::item<Dimensions> item() noexcept {
    return {read<id<Dimensions>, __spirv_BuiltInGlobalInvocationId>(),
            read<range<Dimensions>, __spirv_BuiltInGlobalSize>(),
            read<id<Dimensions>, __spirv_BuiltInGlobalOffset>()};
  }

  template <int Dimensions>
  static sycl::nd_item<Dimensions> nd_item() noexcept {
    const group<Dimensions> group(read<id<Dimensions>, __spirv_BuiltInWorkgroupId>(),
                                  read<range<Dimensions>, __spirv_BuiltInNumWorkgroups>(),
                                  read<id<Dimensions>, __spirv_BuiltInLocalInvocationId>(),
                                  read<range<Dimensions>, __spirv_BuiltInWorkgroupSize>());
    return {read<id<Dimensions>, __spirv_BuiltInGlobalInvocationId>(),
            read<id<Dimensions>, __spirv_BuiltInGlobalOffset>(), group};
  }
};

}  // namespace sycl::detail

#endif
#endif
