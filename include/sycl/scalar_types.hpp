// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Short names of scalar types. Source: SYCL 2020 sections 4.14.1, 4.14.2.2.
#ifndef TENON_SYCL_SCALAR_TYPES_HPP
#define TENON_SYCL_SCALAR_TYPES_HPP

#include <cstdint>
#include <sycl/detail/macros.hpp>

namespace sycl {

using byte TN_SYCL_DEPRECATED("use std::byte") = std::uint8_t;
using schar = signed char;
using uchar = unsigned char;
using ushort = unsigned short;
using uint = unsigned int;
using ulong = unsigned long;
using longlong = long long;
using ulonglong = unsigned long long;

}  // namespace sycl

#endif
