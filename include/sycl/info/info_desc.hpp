// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All descriptors of get_info. Source: SYCL 2020 section 4.5 and others.
#ifndef TENON_SYCL_INFO_DESC_HPP
#define TENON_SYCL_INFO_DESC_HPP

#include <sycl/info/info_context.hpp>
#include <sycl/info/info_device.hpp>
#include <sycl/info/info_event.hpp>
#include <sycl/info/info_kernel.hpp>
#include <sycl/info/info_platform.hpp>
#include <sycl/info/info_queue.hpp>

#endif
