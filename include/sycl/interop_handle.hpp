// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl::interop_handle. Source: SYCL 2020 section 4.10.2.
// The get_native functions come with backend interoperability.
#ifndef TENON_SYCL_INTEROP_HANDLE_HPP
#define TENON_SYCL_INTEROP_HANDLE_HPP

#include <sycl/backend.hpp>

namespace sycl {

class interop_handle {
 public:
  interop_handle() = delete;
  backend get_backend() const noexcept { return backend_; }
  // The runtime's way of making one.
  explicit interop_handle(backend of) noexcept : backend_(of) {}

 private:
  backend backend_;
};

}  // namespace sycl

#endif
