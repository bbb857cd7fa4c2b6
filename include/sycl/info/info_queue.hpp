// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Descriptors of queue::get_info. Source: SYCL 2020 section 4.6.5.3.
#ifndef TENON_SYCL_INFO_INFO_QUEUE_HPP
#define TENON_SYCL_INFO_INFO_QUEUE_HPP

#include <sycl/detail/info_class.hpp>
#include <sycl/detail/std_types.hpp>

namespace sycl {
class context;
class device;
}  // namespace sycl

namespace sycl::info::queue {

sycl::detail::info_class<sycl::queue> tn_describes(const void *);

struct context {
  using return_type = sycl::context;
};
struct device {
  using return_type = sycl::device;
};
// Of the older SYCL 1.2.1: objects are counted by the runtime, as one.
struct reference_count {
  using return_type = std::uint32_t;
};

}  // namespace sycl::info::queue

#endif
