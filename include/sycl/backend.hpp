// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl::backend and backend_traits. Source: SYCL 2020 sections 4.1, 4.5.1.
#ifndef TENON_SYCL_BACKEND_HPP
#define TENON_SYCL_BACKEND_HPP

#include "tenon/device.h"
#include <sycl/detail/macros.hpp>

namespace sycl {

enum class backend : int {
  tenon_cpu = TN_BACKEND_CPU,
  ext_oneapi_cuda = TN_BACKEND_CUDA,
  opencl = TN_BACKEND_OPENCL,
  ext_oneapi_level_zero = TN_BACKEND_LEVEL_ZERO,
  ext_oneapi_hip = TN_BACKEND_HIP,
  tenon_mock = TN_BACKEND_MOCK
};

// No interoperability yet: there are no native types.
template <backend Backend>
class backend_traits;

}  // namespace sycl

#endif
