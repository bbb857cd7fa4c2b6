// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How failures of a queue's commands get to its async handler, and the bodies of event.
// Source: SYCL 2020 section 4.13.1.
#ifndef TENON_SYCL_DETAIL_QUEUE_STATE_HPP
#define TENON_SYCL_DETAIL_QUEUE_STATE_HPP

#include <sycl/context.hpp>
#include <sycl/event.hpp>

namespace sycl::detail {

#ifndef __SYCL_DEVICE_ONLY__

// What a failure was taken for: the exception of a host task, or one that says what failed.
TN_SYCL_COLD inline std::exception_ptr exception_of(tn_queue *queue, const tn_diag &diag) {
  if (auto *kept = static_cast<std::exception_ptr *>(tn_queue_take_thrown(queue, &diag))) {
    std::exception_ptr thrown(std::move(*kept));
    delete kept;
    return thrown;
  }
  tn_error *error = tn_error_create_of_diag(&diag);
  tn_error_set_context(error, tn_queue_context(queue));
  return std::make_exception_ptr(exception(error));
}

struct handler_reporter final : error_reporter {
  explicit handler_reporter(const async_handler &of) : handler(of) {}
  TN_SYCL_COLD void report(tn_queue *queue) const override {
    const std::size_t capacity = tn_queue_error_count(queue);
    if (capacity == 0) {
      return;
    }
    exception_list list(capacity);
    tn_diag diag;
    while (list.size() < capacity && tn_queue_take_error(queue, &diag)) {
      list.tn_push() = exception_of(queue, diag);
    }
    if (list.size() != 0) {
      handler(std::move(list));
    }
  }
  const async_handler handler;
};

TN_SYCL_COLD inline erased *make_reporter(const async_handler &handler) {
  return handler ? new handler_reporter(handler) : nullptr;
}

template <class Object>
void report_queues(std::size_t (*get)(Object *, tn_queue **, std::size_t), Object *object,
                   std::size_t count);

inline void report_to(void *reporter, tn_queue *queue) {
  static_cast<const error_reporter *>(static_cast<erased *>(reporter))->report(queue);
}

// Gives the failures that nobody took yet to the handler, or terminates the program.
TN_SYCL_COLD inline void report_errors(tn_queue *queue) {
  if (void *reporter = tn_queue_report_errors(queue, std::terminate)) {
    report_to(reporter, queue);
  }
}

#endif

}  // namespace sycl::detail

#ifndef __SYCL_DEVICE_ONLY__

namespace sycl {

inline backend event::get_backend() const noexcept {
  if (tn_device *of = object_.get() ? tn_event_device(object_.get()) : nullptr) {
    return device(of).get_backend();
  }
  try {  // as if of a default-constructed queue
    return device().get_backend();
  } catch (...) {
    return backend::tenon_cpu;  // there is no device to have another
  }
}

inline tn_queue *event::queue_of() const noexcept {
  return object_.get() ? tn_event_queue(object_.get()) : nullptr;
}

inline void event::wait() {
  if (object_.get()) {
    detail::check_waitable(this, 1);
    tn_diag diag;
    detail::check(tn_event_wait(object_.get(), &diag), diag);
  }
}

inline void event::wait(const std::vector<event> &eventList) {
  for (std::size_t i = 0; i < eventList.size(); ++i) {
    event(eventList[i]).wait();
  }
}

// The failures of `count` queues, or as many as there still are; `get` retains them.
template <class Object>
TN_SYCL_COLD inline void detail::report_queues(std::size_t (*get)(Object *, tn_queue **,
                                                                  std::size_t),
                                               Object *object, std::size_t count) {
  small_list<tn_queue *> queues;
  for (std::size_t i = 0; i < count; ++i) {
    queues.push(nullptr);
  }
  count = get(object, queues.data(), queues.size());
  std::exception_ptr thrown;  // by a handler: the others are called all the same
  for (std::size_t i = 0; i < count && i < queues.size(); ++i) {
    const handle<tn_queue, tn_queue_retain, tn_queue_release> queue(queues.data()[i]);
    try {
      report_errors(queue.get());
    } catch (...) {
      thrown = std::current_exception();
    }
  }
  if (thrown) {
    std::rethrow_exception(thrown);
  }
}

inline void event::wait_and_throw() {
  wait();
  if (tn_queue *queue = queue_of()) {
    detail::report_errors(queue);
    if (const std::size_t count = tn_event_get_failed_queues(object_.get(), nullptr, 0)) {
      detail::report_queues(tn_event_get_failed_queues, object_.get(), count);
    }
  }
}

inline void event::wait_and_throw(const std::vector<event> &eventList) {
  wait(eventList);
  for (std::size_t i = 0; i < eventList.size(); ++i) {
    event(eventList[i]).wait_and_throw();
  }
}

template <class Event>
std::vector<Event> event::get_wait_list() {
  std::vector<Event> list;
  if (!object_.get()) {
    return list;
  }
  detail::check_waitable(this, 1);
  std::vector<decltype(std::declval<Event>().tn_get())> objects(16);
  std::size_t count = 0;
  for (;;) {
    tn_diag diag;
    detail::check(
        tn_event_get_wait_list(object_.get(), objects.data(), objects.size(), &count, &diag), diag);
    if (count <= objects.size()) {
      break;
    }
    for (auto *object : objects) {
      tn_event_release(object);
    }
    objects.assign(count, nullptr);
  }
  for (std::size_t i = 0; i < count; ++i) {
    list.emplace_back(objects[i], tn_event_queue(objects[i]));
  }
  return list;
}

namespace detail {
inline info::event_command_status event_query(const tn_event *object,
                                              info::event::command_execution_status) {
  if (is_discarded(object)) {
    return info::event_command_status::ext_oneapi_unknown;
  }
  switch (object ? tn_event_status(object) : TN_EVENT_COMPLETE) {
    case TN_EVENT_SUBMITTED:
      return info::event_command_status::submitted;
    case TN_EVENT_RUNNING:
      return info::event_command_status::running;
    case TN_EVENT_RECORDED:
      raise(errc::invalid,
            "get_info: the event is of a command that was recorded in a graph, which "
            "has no status: ask the event of the graph's launch");
    default:
      return info::event_command_status::complete;
  }
}
constexpr std::int32_t profiling_point(info::event_profiling::command_submit) {
  return TN_PROFILING_SUBMIT;
}
constexpr std::int32_t profiling_point(info::event_profiling::command_start) {
  return TN_PROFILING_START;
}
constexpr std::int32_t profiling_point(info::event_profiling::command_end) {
  return TN_PROFILING_END;
}
}  // namespace detail

namespace detail {
inline std::uint32_t event_query(const tn_event *, info::event::reference_count) { return 1; }
}  // namespace detail

template <class Param>
detail::info_result<event, Param> event::get_info() const {
  return detail::event_query(object_.get(), Param());
}

template <class Param>
typename Param::return_type event::get_backend_info() const {
  detail::raise_no_backend_info();
}

template <class Param>
detail::info_result<detail::profiling_info, Param> event::get_profiling_info() const {
  constexpr std::int32_t point = detail::profiling_point(Param());
  const tn_queue *queue = queue_of();
  if (!queue || !(tn_queue_flags(queue) & TN_QUEUE_PROFILING)) {
    detail::raise(errc::invalid,
                  "get_profiling_info: the event's queue was made without "
                  "property::queue::enable_profiling");
  }
  std::uint64_t time = 0;
  tn_diag diag;
  detail::check(tn_event_get_profiling(object_.get(), point, &time, &diag), diag);
  return time;
}

}  // namespace sycl

#endif
#endif
