// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SYCL 2020, all of it that Tenon has. Source: SYCL 2020 section 4.3.
#ifndef TENON_SYCL_SYCL_HPP
#define TENON_SYCL_SYCL_HPP

#include <sycl/detail/core.hpp>
#ifdef __TENON_UNIT_ID__
#include <sycl/usm_allocator.hpp>
#endif

#endif
