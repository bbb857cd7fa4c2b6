// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Descriptors of platform::get_info. Source: SYCL 2020 section 4.6.2.4.
#ifndef TENON_SYCL_INFO_INFO_PLATFORM_HPP
#define TENON_SYCL_INFO_INFO_PLATFORM_HPP

#include <sycl/detail/info_class.hpp>
#include <sycl/detail/macros.hpp>
#include <sycl/detail/std_types.hpp>

namespace sycl::info::platform {

sycl::detail::info_class<sycl::platform> tn_describes(const void *);

struct version {
  using return_type = std::string;
};
struct name {
  using return_type = std::string;
};
struct vendor {
  using return_type = std::string;
};
struct TN_SYCL_DEPRECATED("use info::device::aspects") extensions {
  using return_type = std::vector<std::string>;
};

}  // namespace sycl::info::platform

#endif
