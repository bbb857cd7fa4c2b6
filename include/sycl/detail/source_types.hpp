// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What sources of kernels are written in, for classes that only mention it.
// Source: the SYCL extensions sycl_ext_oneapi_kernel_compiler, …_spirv, …_opencl.
#ifndef TENON_SYCL_DETAIL_SOURCE_TYPES_HPP
#define TENON_SYCL_DETAIL_SOURCE_TYPES_HPP

namespace sycl::ext::oneapi::experimental {

// Values as TN_SOURCE_… in tenon/rtc.h. c is Tenon's own: C17 with TN_KERNEL functions.
enum class source_language : int { sycl = 1, c = 2, opencl = 3, spirv = 4 };

// Of OpenCL C, or of an OpenCL extension.
struct cl_version {
  unsigned major;
  unsigned minor;
  unsigned patch;
};
inline constexpr cl_version opencl_c_1_0 = {1, 0, 0};
inline constexpr cl_version opencl_c_1_1 = {1, 1, 0};
inline constexpr cl_version opencl_c_1_2 = {1, 2, 0};
inline constexpr cl_version opencl_c_2_0 = {2, 0, 0};
inline constexpr cl_version opencl_c_3_0 = {3, 0, 0};

}  // namespace sycl::ext::oneapi::experimental

#endif
