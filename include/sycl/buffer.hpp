// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl::buffer. Source: SYCL 2020 section 4.7.2.
#ifndef TENON_SYCL_BUFFER_HPP
#define TENON_SYCL_BUFFER_HPP

#include <sycl/detail/buffer_class.hpp>
#include <sycl/detail/buffer_create.hpp>

#endif
