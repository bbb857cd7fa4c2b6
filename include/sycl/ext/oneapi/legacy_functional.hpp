// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The names that function objects had before SYCL 2020.
#ifndef TENON_SYCL_EXT_LEGACY_FUNCTIONAL_HPP
#define TENON_SYCL_EXT_LEGACY_FUNCTIONAL_HPP

#include <sycl/functional.hpp>

namespace sycl::ext::oneapi {

#define TN_SYCL_OLD_OPERATION(name) \
  template <class T = void>         \
  using name TN_SYCL_DEPRECATED("use sycl::" #name) = sycl::name<T>;
TN_SYCL_OLD_OPERATION(plus)
TN_SYCL_OLD_OPERATION(multiplies)
TN_SYCL_OLD_OPERATION(bit_and)
TN_SYCL_OLD_OPERATION(bit_or)
TN_SYCL_OLD_OPERATION(bit_xor)
TN_SYCL_OLD_OPERATION(minimum)
TN_SYCL_OLD_OPERATION(maximum)
#undef TN_SYCL_OLD_OPERATION

}  // namespace sycl::ext::oneapi

#endif
