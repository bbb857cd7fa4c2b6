// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl::queue. Source: SYCL 2020 section 4.6.5.
#ifndef TENON_SYCL_QUEUE_HPP
#define TENON_SYCL_QUEUE_HPP

#include <sycl/detail/queue_class.hpp>
#include <sycl/detail/queue_commands.hpp>
#include <sycl/ext/oneapi/memcpy2d.hpp>

#endif
