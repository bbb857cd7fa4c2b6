// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl::device_event: what async_work_group_copy gives. Source: SYCL 2020 section 4.7.8.
#ifndef TENON_SYCL_DEVICE_EVENT_HPP
#define TENON_SYCL_DEVICE_EVENT_HPP

#include <sycl/detail/group_primitives.hpp>

namespace sycl {

namespace detail {
struct device_event_maker;
}

// Holds nothing: the copy is done when all work-items of the work-group did their part.
class device_event {
 public:
  device_event() = delete;

  // Called by all work-items of the work-group.
  void wait() noexcept { detail::work_group_barrier(memory_scope::work_group); }

 private:
  friend struct detail::device_event_maker;
  explicit device_event(int) noexcept {}
};

namespace detail {
struct device_event_maker {
  static device_event make() noexcept { return device_event(0); }
};
}  // namespace detail

}  // namespace sycl

#endif
