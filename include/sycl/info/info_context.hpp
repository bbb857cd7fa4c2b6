// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Descriptors of context::get_info. Source: SYCL 2020 section 4.6.3.3.
#ifndef TENON_SYCL_INFO_INFO_CONTEXT_HPP
#define TENON_SYCL_INFO_INFO_CONTEXT_HPP

#include <sycl/detail/info_class.hpp>
#include <sycl/detail/std_types.hpp>
#include <sycl/memory_enums.hpp>

namespace sycl {
class platform;
class device;
}  // namespace sycl

namespace sycl::info::context {

sycl::detail::info_class<sycl::context> tn_describes(const void *);

struct platform {
  using return_type = sycl::platform;
};
struct reference_count {  // see info::queue::reference_count
  using return_type = std::uint32_t;
};
struct devices {
  using return_type = std::vector<sycl::device>;
};
struct atomic_memory_order_capabilities {
  using return_type = std::vector<memory_order>;
};
struct atomic_fence_order_capabilities {
  using return_type = std::vector<memory_order>;
};
struct atomic_memory_scope_capabilities {
  using return_type = std::vector<memory_scope>;
};
struct atomic_fence_scope_capabilities {
  using return_type = std::vector<memory_scope>;
};

}  // namespace sycl::info::context

#endif
