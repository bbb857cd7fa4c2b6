// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether a SYCL object takes over the native one that it is made of. Source: the SYCL extension
// sycl_ext_oneapi_backend_level_zero.
#ifndef TENON_SYCL_EXT_ONEAPI_BACKEND_LEVEL_ZERO_OWNERSHIP_HPP
#define TENON_SYCL_EXT_ONEAPI_BACKEND_LEVEL_ZERO_OWNERSHIP_HPP

namespace sycl::ext::oneapi::level_zero {
enum class ownership { transfer, keep };
}  // namespace sycl::ext::oneapi::level_zero

#endif
