// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenCL's names of scalar types in programs that include <sycl/sycl.hpp>: unqualified, in sycl and
// in sycl::opencl, after `using namespace sycl`, and beside typedefs as those of <CL/cl.h>.
// RUN: %tenonxx -fsycl -fsyntax-only -Wall -Wextra -Werror %s
#include <sycl/sycl.hpp>

typedef int32_t cl_int;
typedef uint64_t cl_ulong;

static_assert(std::is_same_v<::cl_ulong, std::uint64_t> && std::is_same_v<::cl_float, float>);
static_assert(std::is_same_v<sycl::cl_half, sycl::half> && std::is_same_v<sycl::cl_bool, bool>);
static_assert(std::is_same_v<sycl::opencl::cl_short, std::int16_t> &&
              std::is_same_v<sycl::opencl::cl_half, sycl::half>);

using namespace sycl;
cl_ulong sum(cl_int a, cl_uint b, cl_long c, cl_double d, cl_bool e, cl_half f, cl_uchar g) {
  return static_cast<cl_ulong>(a + b + c + d + e + static_cast<float>(f) + g);
}

int main() { return 0; }
