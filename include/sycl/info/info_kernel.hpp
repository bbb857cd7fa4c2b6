// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Descriptors of kernel::get_info. Source: SYCL 2020 section 4.11.13.2.
#ifndef TENON_SYCL_INFO_INFO_KERNEL_HPP
#define TENON_SYCL_INFO_INFO_KERNEL_HPP

#include <sycl/detail/info_class.hpp>
#include <sycl/detail/std_types.hpp>
#include <sycl/id.hpp>

namespace sycl {
class context;
}

namespace sycl::info {

namespace kernel {
sycl::detail::info_class<sycl::kernel> tn_describes(const void *);
// Of built-in kernels and those that came from a backend: errc::invalid for others.
struct num_args {
  using return_type = std::uint32_t;
};
struct attributes {
  using return_type = std::string;
};
struct function_name {
  using return_type = std::string;
};
struct context {
  using return_type = sycl::context;
};
struct reference_count {  // see info::queue::reference_count
  using return_type = std::uint32_t;
};
}  // namespace kernel

namespace kernel_device_specific {
sycl::detail::info_class<sycl::detail::kernel_on_device_info> tn_describes(const void *);
// Of built-in kernels and custom devices: errc::invalid for others.
struct global_work_size {
  using return_type = range<3>;
};
struct work_group_size {
  using return_type = std::size_t;
};
struct compile_work_group_size {
  using return_type = range<3>;
};
struct preferred_work_group_size_multiple {
  using return_type = std::size_t;
};
struct private_mem_size {
  using return_type = std::size_t;
};
struct max_num_sub_groups {
  using return_type = std::uint32_t;
};
struct compile_num_sub_groups {
  using return_type = std::uint32_t;
};
struct max_sub_group_size {
  using return_type = std::uint32_t;
};
struct compile_sub_group_size {
  using return_type = std::uint32_t;
};
}  // namespace kernel_device_specific

}  // namespace sycl::info

// sycl_ext_oneapi_launch_queries: kernel::ext_oneapi_get_info.
namespace sycl::ext::oneapi::experimental::info::kernel_queue_specific {
struct max_num_work_groups {
  using return_type = std::size_t;
};
struct max_work_group_size {
  using return_type = std::size_t;
};
template <int Dimensions>
struct max_work_item_sizes {
  using return_type = id<Dimensions>;
};
struct max_sub_group_size {
  using return_type = std::uint32_t;
};
struct num_sub_groups {
  using return_type = std::uint32_t;
};
}  // namespace sycl::ext::oneapi::experimental::info::kernel_queue_specific

#endif
