// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Descriptors of event::get_info and get_profiling_info.
// Source: SYCL 2020 sections 4.6.6.4, 4.6.6.5.
#ifndef TENON_SYCL_INFO_INFO_EVENT_HPP
#define TENON_SYCL_INFO_INFO_EVENT_HPP

#include <sycl/detail/info_class.hpp>
#include <sycl/info/info_enums.hpp>

#include <cstdint>

namespace sycl::info {

namespace event {
sycl::detail::info_class<sycl::event> tn_describes(const void *);
struct command_execution_status {
  using return_type = event_command_status;
};
struct reference_count {  // see info::queue::reference_count
  using return_type = std::uint32_t;
};
}  // namespace event

namespace event_profiling {
sycl::detail::info_class<sycl::detail::profiling_info> tn_describes(const void *);
struct command_submit {
  using return_type = std::uint64_t;
};
struct command_start {
  using return_type = std::uint64_t;
};
struct command_end {
  using return_type = std::uint64_t;
};
}  // namespace event_profiling

}  // namespace sycl::info

#endif
