// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The properties of kernel functions, under the name that users of other implementations include.
#ifndef TENON_SYCL_EXT_KERNEL_PROPERTIES_HPP
#define TENON_SYCL_EXT_KERNEL_PROPERTIES_HPP

#include <sycl/ext/oneapi/experimental/function_properties.hpp>

#endif
