// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl::handler. Source: SYCL 2020 section 4.9.4.
#ifndef TENON_SYCL_HANDLER_HPP
#define TENON_SYCL_HANDLER_HPP

#include <sycl/detail/handler_class.hpp>
#include <sycl/detail/handler_commands.hpp>
#include <sycl/detail/property_launch.hpp>

#endif
