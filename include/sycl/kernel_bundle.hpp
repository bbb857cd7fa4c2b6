// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl::kernel_bundle, the functions that give, join, compile and link bundles, bundles of sources
// and of kernels that are functions. Source: SYCL 2020 sections 4.11.7 to 4.11.12.
#ifndef TENON_SYCL_KERNEL_BUNDLE_HPP
#define TENON_SYCL_KERNEL_BUNDLE_HPP

#include <sycl/detail/bundle_use.hpp>
#include <sycl/ext/oneapi/get_kernel_info.hpp>
#include <sycl/ext/oneapi/experimental/kernel_compiler.hpp>

#endif
