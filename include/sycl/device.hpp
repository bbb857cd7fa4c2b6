// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl::device. Source: SYCL 2020 section 4.6.4.
#ifndef TENON_SYCL_DEVICE_HPP
#define TENON_SYCL_DEVICE_HPP

#include <sycl/detail/device_class.hpp>
#ifndef __SYCL_DEVICE_ONLY__
#include <sycl/detail/device_queries.hpp>
#endif

#endif
