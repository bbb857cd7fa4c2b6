// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// raw_kernel_arg: an argument as bytes, for handler::set_arg, where its type is not known.
// Source: the SYCL extension sycl_ext_oneapi_raw_kernel_arg.
#ifndef TENON_SYCL_EXT_RAW_KERNEL_ARG_HPP
#define TENON_SYCL_EXT_RAW_KERNEL_ARG_HPP

#include <cstddef>

namespace sycl::ext::oneapi::experimental {

class raw_kernel_arg {
 public:
  // The bytes are the caller's, and are copied by handler::set_arg.
  raw_kernel_arg(const void *bytes, std::size_t count) noexcept : bytes_(bytes), count_(count) {}

  // For the runtime.
  const void *tn_bytes() const noexcept { return bytes_; }
  std::size_t tn_count() const noexcept { return count_; }

 private:
  const void *bytes_;
  std::size_t count_;
};

}  // namespace sycl::ext::oneapi::experimental

#endif
