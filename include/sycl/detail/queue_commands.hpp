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

// Of the platform's default context, and the default device, for NULL.
TN_SYCL_COLD inline tn_queue *detail::create_queue(tn_context *ctx, tn_device *dev,
                                                   unsigned properties) {
  tn_queue *queue = nullptr;
  tn_diag diag;
  check(tn_queue_open(ctx, dev, properties & TN_QUEUE_FLAGS, &queue, &diag), diag);
  return queue;
}

// The last of the sycl::queue objects goes.
TN_SYCL_COLD inline void detail::close_queue(tn_queue *queue, void *reporter) noexcept {
  report_to(reporter, queue);
  tn_queue_release(queue);
}

inline void queue::set_handler(const async_handler &handler) {
  tn_queue_set_reporter(object_, detail::make_reporter(handler), detail::erased::free);
}

inline queue::queue(const queue &other) noexcept : object_(other.object_) {
  tn_queue_add_handle(object_);
}
inline queue::queue(queue &&other) noexcept : object_(other.object_) { other.object_ = nullptr; }
inline queue &queue::operator=(const queue &other) noexcept {
  queue copy(other);
  return *this = std::move(copy);
}
inline queue &queue::operator=(queue &&other) noexcept {
  tn_queue *object = object_;
  object_ = other.object_;
  other.object_ = object;
  return *this;
}
inline queue::~queue() {
  if (void *reporter = tn_queue_drop_handle(object_, std::terminate)) {
    detail::close_queue(object_, reporter);
  }
}

inline context queue::get_context() const { return context(tn_queue_context(object_)); }

namespace detail {
inline context queue_query(const queue &of, info::queue::context) { return of.get_context(); }
inline device queue_query(const queue &of, info::queue::device) { return of.get_device(); }
inline std::uint32_t queue_query(const queue &, info::queue::reference_count) { return 1; }

constexpr bool is_queue_flag(unsigned flag, property_bit bit) {
  return flag == static_cast<unsigned>(bit);
}
static_assert(is_queue_flag(TN_QUEUE_IN_ORDER, property_in_order) &&
              is_queue_flag(TN_QUEUE_PROFILING, property_enable_profiling) &&
              is_queue_flag(TN_QUEUE_PRIORITY_LOW, property_priority_low) &&
              is_queue_flag(TN_QUEUE_PRIORITY_NORMAL, property_priority_normal) &&
              is_queue_flag(TN_QUEUE_PRIORITY_HIGH, property_priority_high) &&
              is_queue_flag(TN_QUEUE_DISCARD_EVENTS, property_discard_events) &&
              is_queue_flag(TN_QUEUE_NO_IMMEDIATE_COMMAND_LIST,
                            property_no_immediate_command_list) &&
              is_queue_flag(TN_QUEUE_IMMEDIATE_COMMAND_LIST, property_immediate_command_list) &&
              is_queue_flag(TN_QUEUE_COMPUTE_INDEX, property_compute_index));
}  // namespace detail

template <class Param>
detail::info_result<queue, Param> queue::get_info() const {
  return detail::queue_query(*this, Param());
}

template <class Property>
bool queue::has_property() const noexcept {
  static_assert(is_property_v<Property>, "not a property");
  return (tn_queue_flags(object_) & Property::tn_bit) != 0;
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
inline bool queue::khr_empty() const { return tn_queue_is_idle(object_) != 0; }
inline void queue::khr_flush() const { tn_queue_flush(object_); }
inline void queue::wait_and_throw() {
  wait();
  throw_asynchronous();
}
inline void queue::throw_asynchronous() { detail::report_errors(object_); }

inline void device::ext_oneapi_wait() {
  tn_diag diag;
  detail::check(tn_device_wait(object_, &diag), diag);
}
TN_SYCL_COLD inline void device::ext_oneapi_throw_asynchronous() {
  detail::report_queues(tn_device_get_queues, object_, tn_device_get_queues(object_, nullptr, 0));
}
inline void device::ext_oneapi_wait_and_throw() {
  ext_oneapi_wait();
  ext_oneapi_throw_asynchronous();
}

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

inline void queue::check_ordered_events(const char *function) const {
  const std::uint32_t flags = tn_queue_flags(object_);
  if (!(flags & TN_QUEUE_IN_ORDER) || flags & TN_QUEUE_DISCARD_EVENTS) {
    char text[200];
    __builtin_snprintf(text, sizeof(text), "%s: the queue %s", function,
                       flags & TN_QUEUE_IN_ORDER ? "was made with discard_events"
                                                 : "was made without property::queue::in_order");
    detail::raise(errc::invalid, text);
  }
}
// The queue does not keep the event of its last command, which most programs do not use: a barrier
// is complete when the last command is.
inline std::optional<event> queue::ext_oneapi_get_last_event() const {
  check_ordered_events("ext_oneapi_get_last_event");
  if (!tn_queue_has_commands(object_)) {
    return std::nullopt;
  }
  return queue(*this).ext_oneapi_submit_barrier();
}
// An event of a graph makes the queue record at once, by a barrier.
inline void queue::ext_oneapi_set_external_event(const event &externalEvent) {
  check_ordered_events("ext_oneapi_set_external_event");
  detail::check_waitable(&externalEvent, 1);
  tn_event *object = externalEvent.tn_get();
  if (tn_queue_is_recording(object_) || (object && tn_event_status(object) == TN_EVENT_RECORDED)) {
    ext_oneapi_submit_barrier({externalEvent});
    return;
  }
  tn_diag diag;
  detail::check(tn_queue_set_external_event(object_, object, &diag), diag);
}

#endif

}  // namespace sycl

#endif
