// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bodies of queue. Included by queue.hpp. Source: SYCL 2020 section 4.6.5; design 3.2.
#ifndef TENON_SYCL_DETAIL_QUEUE_COMMANDS_HPP
#define TENON_SYCL_DETAIL_QUEUE_COMMANDS_HPP

#include <sycl/detail/queue_class.hpp>

namespace sycl {

#ifdef __SYCL_DEVICE_ONLY__

namespace detail {
handler &no_handler();  // never called: the device pass only looks for kernels
}

template <class T>
event queue::submit(T cgf) {
  cgf(detail::no_handler());
  return event();
}
template <class T>
event queue::submit(T cgf, const queue &) {
  return submit(cgf);
}

#else

// A queue of the context (of the platform's default one for NULL), with its state.
TN_SYCL_COLD inline tn_queue *detail::create_queue(tn_context *ctx, tn_device *dev,
                                                   const property_list &properties) {
  const unsigned flags =
      (properties.tn_has<property::queue::in_order>() ? TN_QUEUE_IN_ORDER : 0u) |
      (properties.tn_has<property::queue::enable_profiling>() ? TN_QUEUE_PROFILING : 0u);
  const unsigned priority = properties.tn_bits() & property_priorities;
  if (priority & (priority - 1)) {
    raise(errc::invalid, "a queue has one priority: give one of priority_low, priority_normal and "
                         "priority_high");
  }
  const unsigned hints = properties.tn_bits() & property_queue_hints;
  constexpr unsigned command_lists =
      property_no_immediate_command_list | property_immediate_command_list;
  if ((hints & command_lists) == command_lists) {
    raise(errc::invalid, "a queue has one of immediate_command_list and "
                         "no_immediate_command_list: give one of the two");
  }
  if ((hints & property_discard_events) && (flags & TN_QUEUE_PROFILING)) {
    raise(errc::invalid, "discard_events and enable_profiling exclude each other: profiling needs "
                         "events");
  }
  tn_diag diag;
  if (!ctx) {
    check(tn_context_default(tn_device_platform(dev), &ctx, &diag), diag);
  }
  handle<tn_queue, tn_queue_retain, tn_queue_release> queue;
  check(tn_queue_create(ctx, dev, flags, queue.out(), &diag), diag);
  auto *state = new queue_state(queue.get());
  state->hints = hints;
  tn_queue_set_user(queue.get(), static_cast<erased *>(state), erased::free);
  return queue.release();
}

// The last of the sycl::queue objects goes.
TN_SYCL_COLD inline void detail::close_queue(tn_queue *queue) {
  report_errors(queue);
  tn_queue_release(queue);
}

inline void queue::set_handler(const async_handler &handler) {
  detail::state_of(object_)->reporter = detail::make_reporter(handler);
}

inline queue::queue(const queue &other) noexcept : object_(other.object_) {
  if (object_) {
    __atomic_fetch_add(&detail::state_of(object_)->handles, 1, __ATOMIC_RELAXED);
  }
}
inline queue::queue(queue &&other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
inline queue &queue::operator=(const queue &other) noexcept {
  queue copy(other);
  std::swap(object_, copy.object_);
  return *this;
}
inline queue &queue::operator=(queue &&other) noexcept {
  std::swap(object_, other.object_);
  return *this;
}
inline queue::~queue() {
  if (!object_) {
    return;
  }
  std::size_t &handles = detail::state_of(object_)->handles;
  if (__atomic_fetch_sub(&handles, 1, __ATOMIC_ACQ_REL) == 1) {
    detail::close_queue(object_);
  }
}

inline context queue::get_context() const { return context(tn_queue_context(object_)); }

namespace detail {
inline context queue_query(const queue &of, info::queue::context) { return of.get_context(); }
inline device queue_query(const queue &of, info::queue::device) { return of.get_device(); }
inline std::uint32_t queue_query(const queue &, info::queue::reference_count) { return 1; }

template <class Property>
constexpr unsigned queue_flag() {
  return std::is_same_v<Property, property::queue::in_order>           ? TN_QUEUE_IN_ORDER
         : std::is_same_v<Property, property::queue::enable_profiling> ? TN_QUEUE_PROFILING
                                                                       : 0u;
}
}  // namespace detail

template <class Param>
typename Param::return_type queue::get_info() const {
  return detail::queue_query(*this, Param());
}

template <class Property>
bool queue::has_property() const noexcept {
  static_assert(is_property_v<Property>, "not a property");
  if constexpr ((Property::tn_bit & detail::property_queue_hints) != 0) {
    return (detail::state_of(object_)->hints & Property::tn_bit) != 0;
  } else {
    return (tn_queue_flags(object_) & detail::queue_flag<Property>()) != 0;
  }
}
template <class Property>
Property queue::get_property() const {
  if (!has_property<Property>()) {
    detail::raise(errc::invalid, "get_property: the queue was made without this property");
  }
  return Property();
}

template <class T>
event queue::submit(T cgf) {
  return detail::handler_access::submit(object_, cgf);
}
template <class T>
event queue::submit(T cgf, const queue &secondaryQueue) {
  try {
    return detail::handler_access::submit(object_, cgf);
  } catch (const exception &) {
    return detail::handler_access::submit(secondaryQueue.object_, cgf);
  }
}

inline void queue::wait() {
  tn_diag diag;
  detail::check(tn_queue_wait(object_, &diag), diag);
}
inline void queue::wait_and_throw() {
  wait();
  throw_asynchronous();
}
inline void queue::throw_asynchronous() { detail::report_errors(object_); }

inline event queue::submit_plain(tn_command &command, const event *events, std::size_t count) {
  return detail::submit_command(object_, command, events, count);
}

namespace detail {
inline tn_command copy_command(void *dest, const void *src, std::size_t size) {
  tn_command command = {};
  command.kind = TN_COMMAND_COPY;
  command.dst = dest;
  command.src = src;
  command.size = size;
  return command;
}
inline tn_command fill_command(void *dest, const unsigned char &byte, std::size_t size) {
  tn_command command = {};
  command.kind = TN_COMMAND_FILL;
  command.dst = dest;
  command.size = size;
  command.pattern = &byte;
  command.pattern_size = 1;
  return command;
}
}  // namespace detail

inline event queue::memcpy(void *dest, const void *src, std::size_t numBytes) {
  tn_command command = detail::copy_command(dest, src, numBytes);
  return submit_plain(command, nullptr, 0);
}
inline event queue::memcpy(void *dest, const void *src, std::size_t numBytes, event depEvent) {
  tn_command command = detail::copy_command(dest, src, numBytes);
  return submit_plain(command, &depEvent, 1);
}
inline event queue::memcpy(void *dest, const void *src, std::size_t numBytes,
                           const std::vector<event> &depEvents) {
  tn_command command = detail::copy_command(dest, src, numBytes);
  return submit_plain(command, depEvents.data(), depEvents.size());
}

inline event queue::memset(void *ptr, int value, std::size_t numBytes) {
  const auto byte = static_cast<unsigned char>(value);
  tn_command command = detail::fill_command(ptr, byte, numBytes);
  return submit_plain(command, nullptr, 0);
}
inline event queue::memset(void *ptr, int value, std::size_t numBytes, event depEvent) {
  const auto byte = static_cast<unsigned char>(value);
  tn_command command = detail::fill_command(ptr, byte, numBytes);
  return submit_plain(command, &depEvent, 1);
}
inline event queue::memset(void *ptr, int value, std::size_t numBytes,
                           const std::vector<event> &depEvents) {
  const auto byte = static_cast<unsigned char>(value);
  tn_command command = detail::fill_command(ptr, byte, numBytes);
  return submit_plain(command, depEvents.data(), depEvents.size());
}

namespace detail {
inline tn_command hint_command(std::uint32_t kind, const void *ptr, std::size_t size, int advice) {
  tn_command command = {};
  command.kind = kind;
  command.dst = const_cast<void *>(ptr);
  command.size = size;
  command.advice = advice;
  return command;
}
}  // namespace detail

inline event queue::prefetch(const void *ptr, std::size_t numBytes) {
  tn_command command = detail::hint_command(TN_COMMAND_PREFETCH, ptr, numBytes, 0);
  return submit_plain(command, nullptr, 0);
}
inline event queue::prefetch(const void *ptr, std::size_t numBytes, event depEvent) {
  tn_command command = detail::hint_command(TN_COMMAND_PREFETCH, ptr, numBytes, 0);
  return submit_plain(command, &depEvent, 1);
}
inline event queue::prefetch(const void *ptr, std::size_t numBytes,
                             const std::vector<event> &depEvents) {
  tn_command command = detail::hint_command(TN_COMMAND_PREFETCH, ptr, numBytes, 0);
  return submit_plain(command, depEvents.data(), depEvents.size());
}
inline event queue::mem_advise(const void *ptr, std::size_t numBytes, int advice) {
  tn_command command = detail::hint_command(TN_COMMAND_ADVISE, ptr, numBytes, advice);
  return submit_plain(command, nullptr, 0);
}
inline event queue::mem_advise(const void *ptr, std::size_t numBytes, int advice, event depEvent) {
  tn_command command = detail::hint_command(TN_COMMAND_ADVISE, ptr, numBytes, advice);
  return submit_plain(command, &depEvent, 1);
}
inline event queue::mem_advise(const void *ptr, std::size_t numBytes, int advice,
                               const std::vector<event> &depEvents) {
  tn_command command = detail::hint_command(TN_COMMAND_ADVISE, ptr, numBytes, advice);
  return submit_plain(command, depEvents.data(), depEvents.size());
}

inline event queue::ext_oneapi_submit_barrier() {
  tn_command command = {};
  command.kind = TN_COMMAND_BARRIER;
  return submit_plain(command, nullptr, 0);
}
inline event queue::ext_oneapi_submit_barrier(const std::vector<event> &waitList) {
  tn_command command = {};
  command.kind = TN_COMMAND_EVENT_BARRIER;
  return submit_plain(command, waitList.data(), waitList.size());
}

#endif

}  // namespace sycl

#endif
