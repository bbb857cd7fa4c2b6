// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds item and nd_item from the device's built-in variables; used in kernel entries only.
// Source: SPIR-V environment specification, built-in variables.
#ifndef TENON_SYCL_DETAIL_WORK_ITEM_HPP
#define TENON_SYCL_DETAIL_WORK_ITEM_HPP

#include <sycl/detail/device_builtins.hpp>
#include <sycl/item.hpp>
#include <sycl/nd_item.hpp>

#ifdef __SYCL_DEVICE_ONLY__

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

  // For kernels that visit other work-items than those of their launch.
  template <int Dimensions>
  static sycl::item<Dimensions> item(const id<Dimensions> &index,
                                     const range<Dimensions> &extent) noexcept {
    return {index, extent, id<Dimensions>()};
  }

  template <int Dimensions>
  static sycl::nd_item<Dimensions> nd_item() noexcept {
    return sycl::nd_item<Dimensions>(nullptr);
  }
};

}  // namespace sycl::detail

#endif
#endif
