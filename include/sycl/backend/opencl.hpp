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
#include <type_traits>

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

#if __has_include(<CL/cl.h>)
// The references to an OpenCL object. Programs that call it link with OpenCL's library.
// errc::invalid when OpenCL rejects the object.
template <class openCLT>
cl_uint get_reference_count(openCLT obj);
#endif

#ifndef __SYCL_DEVICE_ONLY__
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
inline bool has_extension(const device &syclDevice, const std::string &extension) {
  sycl::detail::check_backend(backend::opencl, syclDevice.get_backend(), "has_extension");
  return sycl::detail::has_name(syclDevice.get_info<info::device::extensions>(), extension);
}
inline bool has_extension(const platform &syclPlatform, const std::string &extension) {
  sycl::detail::check_backend(backend::opencl, syclPlatform.get_backend(), "has_extension");
  return sycl::detail::has_name(syclPlatform.get_info<info::platform::extensions>(), extension);
}
#pragma GCC diagnostic pop

#if __has_include(<CL/cl.h>)
template <class openCLT>
cl_uint get_reference_count(openCLT obj) {
  cl_uint count = 0;
  cl_int status = CL_SUCCESS;
  const auto get = [&](auto function, cl_uint what) {
    status = function(obj, what, sizeof count, &count, nullptr);
  };
  if constexpr (std::is_same_v<openCLT, cl_device_id>) {
    get(clGetDeviceInfo, CL_DEVICE_REFERENCE_COUNT);
  } else if constexpr (std::is_same_v<openCLT, cl_context>) {
    get(clGetContextInfo, CL_CONTEXT_REFERENCE_COUNT);
  } else if constexpr (std::is_same_v<openCLT, cl_command_queue>) {
    get(clGetCommandQueueInfo, CL_QUEUE_REFERENCE_COUNT);
  } else if constexpr (std::is_same_v<openCLT, cl_event>) {
    get(clGetEventInfo, CL_EVENT_REFERENCE_COUNT);
  } else if constexpr (std::is_same_v<openCLT, cl_mem>) {
    get(clGetMemObjectInfo, CL_MEM_REFERENCE_COUNT);
  } else if constexpr (std::is_same_v<openCLT, cl_sampler>) {
    get(clGetSamplerInfo, CL_SAMPLER_REFERENCE_COUNT);
  } else if constexpr (std::is_same_v<openCLT, cl_program>) {
    get(clGetProgramInfo, CL_PROGRAM_REFERENCE_COUNT);
  } else {
    static_assert(std::is_same_v<openCLT, cl_kernel>,
                  "get_reference_count: OpenCL counts no references to objects of this type");
    get(clGetKernelInfo, CL_KERNEL_REFERENCE_COUNT);
  }
  if (status != CL_SUCCESS) {
    sycl::detail::raise(errc::invalid, "get_reference_count: OpenCL rejected the object");
  }
  return count;
}
#endif
#endif

}  // namespace sycl::opencl

#endif
