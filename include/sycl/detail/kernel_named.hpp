// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a kernel's name to its slot, wherever in the program it is launched.
// Source: SYCL 2020 section 4.11.6: a name that no kernel has is an error.
#ifndef TENON_SYCL_DETAIL_KERNEL_NAMED_HPP
#define TENON_SYCL_DETAIL_KERNEL_NAMED_HPP

#include "tenon/kernel.h"

// A namespace of its own, as clang does not see this attribute at friends.
namespace sycl::detail {
namespace kernels __attribute__((__visibility__("hidden"))) {

  // What launches a kernel of this name defines the function (launch.hpp). Asking for a kernel that
  // is not defined leaves it undefined, which the linker says with the kernel's name.
  template <class Name>
  struct kernel_named {
#pragma GCC diagnostic push
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wnon-template-friend"
#endif
    friend tn_kernel_slot *the_one_kernel_of_this_name(kernel_named);
#pragma GCC diagnostic pop
  };

}  // namespace kernels
using kernels::kernel_named;
}  // namespace sycl::detail

#endif
