// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Descriptors of queue::get_info. Source: SYCL 2020 section 4.6.5.3.
#ifndef TENON_SYCL_INFO_INFO_QUEUE_HPP
#define TENON_SYCL_INFO_INFO_QUEUE_HPP

namespace sycl {
class context;
class device;
}  // namespace sycl

namespace sycl::info::queue {

struct context {
  using return_type = sycl::context;
};
struct device {
  using return_type = sycl::device;
};

}  // namespace sycl::info::queue

#endif
