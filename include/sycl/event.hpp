// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl::event. Source: SYCL 2020 section 4.6.6.
#ifndef TENON_SYCL_EVENT_HPP
#define TENON_SYCL_EVENT_HPP

#include "tenon/queue.h"
#include <sycl/detail/backend_types.hpp>
#include <sycl/detail/check.hpp>
#include <sycl/detail/handle.hpp>
#include <sycl/detail/owner_order.hpp>
#include <sycl/info/info_event.hpp>

namespace sycl {

class TN_SYCL_SHARED event : public detail::owner_order<event> {
 public:
  // Complete from the start, and equal to its copies only.
#ifdef __SYCL_DEVICE_ONLY__
  event() noexcept = default;
#else
  // Without memory the pointer is null, which is complete all the same.
  event() noexcept { static_cast<void>(tn_event_create_complete(object_.out(), nullptr) == TN_OK); }
#endif
  // The runtime's way of making one: takes over the event, retains its queue (null for an event of
  // none), which has to be there when wait_and_throw looks for its handler.
  event(tn_event *object, tn_queue *queue) noexcept : object_(object) { tn_queue_retain(queue); }
  tn_event *tn_get() const noexcept { return object_.get(); }

  TN_SYCL_IS_HOST
  backend get_backend() const noexcept;
  template <class Event = event>  // see platform::get_devices
  std::vector<Event> get_wait_list();
  void wait();
  static void wait(const std::vector<event> &eventList);
  void wait_and_throw();
  static void wait_and_throw(const std::vector<event> &eventList);
  template <class Param>
  detail::info_result<event, Param> get_info() const;
  template <class Param>
  typename Param::return_type get_backend_info() const;
  template <class Param>
  detail::info_result<detail::profiling_info, Param> get_profiling_info() const;

  friend bool operator==(const event &lhs, const event &rhs) noexcept {
    return lhs.tn_get() == rhs.tn_get();
  }
  friend bool operator!=(const event &lhs, const event &rhs) noexcept { return !(lhs == rhs); }

 private:
  tn_queue *queue_of() const noexcept;  // borrowed; null: of none

  // Null: complete.
  detail::handle<tn_event, tn_event_retain_with_queue, tn_event_release_with_queue> object_;
};

#ifndef __SYCL_DEVICE_ONLY__

namespace detail {

// sycl_ext_oneapi_discard_queue_events: what commands of a queue with the property return. Of nodes
// of a graph that is recorded through one, events are edges all the same.
inline bool is_discarded(const tn_event *object) noexcept {
  const tn_queue *const queue = object ? tn_event_queue(object) : nullptr;
  return queue && (tn_queue_flags(queue) & TN_QUEUE_DISCARD_EVENTS) != 0 &&
         tn_event_status(object) != TN_EVENT_RECORDED;
}
TN_SYCL_COLD inline void check_waitable(const event *events, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    if (is_discarded(events[i].tn_get())) {
      raise(errc::invalid,
            "an event of a queue with property discard_events cannot be waited for; wait for the "
            "queue, or leave the property out");
    }
  }
}

}  // namespace detail

#endif

}  // namespace sycl

template <>
struct std::hash<sycl::event> {
  std::size_t operator()(const sycl::event &object) const noexcept {
    return sycl::detail::hash_pointer(object.tn_get());
  }
};

#endif
