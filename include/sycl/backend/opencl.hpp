// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interoperation with OpenCL, and OpenCL's own functions where the program has their header.
// Source: SYCL 2020 appendix C.
#include <sycl/backend.hpp>

#if __has_include(<CL/cl.h>)
#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#endif
#include <CL/cl.h>
#endif
