// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a name to the slot of the kernel, wherever in the program it is launched, and its function.
// Source: SYCL 2020 section 4.11.6: a name that no kernel has is an error.
#ifndef TENON_SYCL_DETAIL_KERNEL_NAMED_HPP
#define TENON_SYCL_DETAIL_KERNEL_NAMED_HPP

#include "tenon/kernel.h"
#include <type_traits>

// The module's symbol: the link's own object defines it. A translation unit compiled with
// -fno-sycl-rdc is a module by itself, and tenon++ gives it another symbol.
#ifndef __TENON_MODULE__
#define __TENON_MODULE__ __tenon_module
#endif

#ifndef __SYCL_DEVICE_ONLY__
// NULL when something other than tenon++ linked objects that need its link.
extern "C" tn_module __TENON_MODULE__ __attribute__((__weak__, __visibility__("hidden")));
#endif

#pragma GCC diagnostic push
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wnon-template-friend"
#endif

namespace sycl::detail {

// Clang takes classes alone for kernel names: another type names a kernel through this.
template <class>
struct name_of_type;
template <class Name>
using class_name = std::conditional_t<std::is_class_v<Name>, Name, name_of_type<Name>>;

// Namespaces of their own, as clang does not see these attributes at friends.
namespace kernels __attribute__((__visibility__("default"))) {

  // Whatever launches a kernel of this name defines the function (launch.hpp), and shared libraries
  // export the function. Asking for a kernel that is not defined leaves the function undefined,
  // which the linker reports with the kernel's name.
  template <class Name>
  struct kernel_named {
    friend tn_kernel_slot *the_one_kernel_of_this_name(kernel_named);
  };

}  // namespace kernels

// A launch is one of its own module's kernel.
namespace own_kernels __attribute__((__visibility__("hidden"))) {

  template <class Name>
  struct own_kernel {
    friend tn_kernel_slot *slot_of_own_kernel(own_kernel);
  };

}  // namespace own_kernels

using kernels::kernel_named;
using own_kernels::own_kernel;

#ifdef __clang__

// The first kernel function of a name defines `function_of_name`, whose type tells which it is.
template <class F>
struct function_type {
  using type = F;
};
template <class Name>
struct named_function {
  friend auto function_of_name(named_function);
};
template <class Name, class F>
struct first_function {
  friend auto function_of_name(named_function<Name>) { return function_type<F>(); }
};

template <class Name, class F, class = void>
struct registered_function {
  static_assert(sizeof(first_function<Name, F>) != 0);
  using type = F;
};
template <class Name, class F>
struct registered_function<Name, F,
                           std::void_t<decltype(function_of_name(named_function<Name>()))>> {
  using type = typename decltype(function_of_name(named_function<Name>()))::type;
};

template <class Name, class First, class Second>
inline constexpr bool kernel_name_has_one_function = std::is_same_v<First, Second>;

// False after the error, so that no other is reported for it. Kernels without a name are not
// registered: their function object's type is their own.
template <class Name, class F>
constexpr bool check_kernel_name() {
  if constexpr (__is_same(Name, F)) {
    return true;
  } else {
    using first = typename registered_function<Name, F>::type;
    static_assert(kernel_name_has_one_function<Name, first, F>,
                  "a kernel name is used for two kernel functions");
    return std::is_same_v<first, F>;
  }
}

#else
template <class, class>
constexpr bool check_kernel_name() {
  return true;
}
#endif

}  // namespace sycl::detail

#pragma GCC diagnostic pop

#endif
