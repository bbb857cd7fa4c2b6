// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenCL's names of scalar types, for <sycl/sycl.hpp>: DPC++'s brings <CL/cl.h>, and programs name
// them unqualified. cl_bool and cl_half are in sycl alone, because OpenCL's are other types, which
// would make the names ambiguous after `using namespace sycl`.
// Source: SYCL 2020 section 4.14.1; SYCL 1.2.1 section 4.10.1.
#ifndef TENON_SYCL_DETAIL_OPENCL_SCALARS_HPP
#define TENON_SYCL_DETAIL_OPENCL_SCALARS_HPP

#include <sycl/half.hpp>

#include <cstdint>

#define TN_SYCL_OPENCL_SCALARS(X) \
  X(cl_char, std::int8_t)         \
  X(cl_uchar, std::uint8_t)       \
  X(cl_short, std::int16_t)       \
  X(cl_ushort, std::uint16_t)     \
  X(cl_int, std::int32_t)         \
  X(cl_uint, std::uint32_t)       \
  X(cl_long, std::int64_t)        \
  X(cl_ulong, std::uint64_t)      \
  X(cl_float, float)              \
  X(cl_double, double)

#define TN_SYCL_OPENCL_SCALAR(name, type) using name = type;

// Equal to those of <CL/cl.h>, which a program may include as well.
TN_SYCL_OPENCL_SCALARS(TN_SYCL_OPENCL_SCALAR)

namespace sycl {
TN_SYCL_OPENCL_SCALARS(TN_SYCL_OPENCL_SCALAR)
using cl_bool = bool;
using cl_half = half;

namespace opencl {
TN_SYCL_OPENCL_SCALARS(TN_SYCL_OPENCL_SCALAR)
using cl_bool = bool;
using cl_half = half;
}  // namespace opencl
}  // namespace sycl

#undef TN_SYCL_OPENCL_SCALAR
#undef TN_SYCL_OPENCL_SCALARS

#endif
