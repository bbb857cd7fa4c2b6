// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one place where statuses of the C API become sycl::exception. See include/tenon/status.h.
#ifndef TENON_SYCL_DETAIL_CHECK_HPP
#define TENON_SYCL_DETAIL_CHECK_HPP

#include <sycl/detail/macros.hpp>

#ifndef __TENON_RTC__  // nothing is thrown in sources compiled at run time

#include "tenon/status.h"
#include <sycl/exception.hpp>

namespace sycl::detail {

[[noreturn]] void raise(errc code, const char *text);
[[noreturn]] void raise_no_backend_info();

// The bytes of `count` elements, of which there may be more than memory has.
template <class T>
std::size_t byte_count(std::size_t count, const char *too_many) {
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(count, sizeof(T), &bytes)) {
    raise(errc::invalid, too_many);
  }
  return bytes;
}

template <class T>
std::size_t copied_bytes(std::size_t count) {
  return byte_count<T>(count, "copy: the elements are more bytes than memory has");
}

#ifndef __SYCL_DEVICE_ONLY__

// Takes over the reference.
[[noreturn]] TN_SYCL_COLD inline void raise(tn_error *error) { throw exception(error); }

[[noreturn]] TN_SYCL_COLD inline void raise(errc code, const char *text) {
  raise(tn_error_create(static_cast<std::int32_t>(code), text));
}

[[noreturn]] TN_SYCL_COLD inline void raise_no_backend_info() {
  raise(errc::backend_mismatch,
        "get_backend_info: no backend of this version has information descriptors of its own; use "
        "get_info");
}

[[noreturn]] TN_SYCL_COLD inline void raise(const tn_diag &diag) {
  raise(tn_error_create_of_diag(&diag));
}

// tn_diag diag; check(tn_…(…, &diag), diag); the diagnosis is only written on failure.
inline void check(tn_status status, const tn_diag &diag) {
  if (status != TN_OK) {
    raise(diag);
  }
}

#endif

}  // namespace sycl::detail

#endif
#endif
