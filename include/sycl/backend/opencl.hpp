// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interoperation with OpenCL, and OpenCL's own functions where the program has their header.
// Source: SYCL 2020 appendix C.
#ifndef TENON_SYCL_BACKEND_OPENCL_HPP
#define TENON_SYCL_BACKEND_OPENCL_HPP

#include <sycl/backend.hpp>
#include <sycl/detail/image_interop.hpp>
#include <sycl/device.hpp>
#include <sycl/platform.hpp>

#include <string>

#if __has_include(<CL/cl.h>)
#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#endif
#include <CL/cl.h>
#endif

namespace sycl::opencl {

// Whether OpenCL's device has the extension (a platform: one of its devices).
// errc::backend_mismatch for those of other backends.
bool has_extension(const device &syclDevice, const std::string &extension);
bool has_extension(const platform &syclPlatform, const std::string &extension);

#ifndef __SYCL_DEVICE_ONLY__
inline bool has_extension(const device &syclDevice, const std::string &extension) {
  sycl::detail::check_backend(backend::opencl, syclDevice.get_backend(), "has_extension");
  return sycl::detail::has_name(syclDevice.get_info<info::device::extensions>(), extension);
}
inline bool has_extension(const platform &syclPlatform, const std::string &extension) {
  sycl::detail::check_backend(backend::opencl, syclPlatform.get_backend(), "has_extension");
  return sycl::detail::has_name(syclPlatform.get_info<info::platform::extensions>(), extension);
}
#endif

}  // namespace sycl::opencl

#endif
