// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// get_kernel_info<name, descriptor>(…), under the name that the extension
// sycl_ext_oneapi_get_kernel_info has for users of other implementations.
#ifndef TENON_SYCL_EXT_GET_KERNEL_INFO_HPP
#define TENON_SYCL_EXT_GET_KERNEL_INFO_HPP

#include <sycl/ext/oneapi/experimental/free_function_bundles.hpp>

#endif
