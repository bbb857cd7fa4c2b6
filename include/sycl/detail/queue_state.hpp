// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the binding keeps for each queue beside the C object: its async handler and the exceptions
// that its host tasks threw. Source: SYCL 2020 section 4.13.1.
#ifndef TENON_SYCL_DETAIL_QUEUE_STATE_HPP
#define TENON_SYCL_DETAIL_QUEUE_STATE_HPP

#include <sycl/context.hpp>
#include <sycl/event.hpp>

#include <cstdio>

namespace sycl::detail {

// Owned by the tn_queue (tn_queue_set_user), so it is there as long as any command or event is.
struct queue_state {
  queue_state(async_handler on_error, const context &of) : handler(std::move(on_error)), ctx(of) {}

  std::size_t handles = 1;  // sycl::queue objects; atomic
  const async_handler handler;
  const context ctx;
  std::mutex mutex;
  std::vector<std::exception_ptr> thrown;  // guarded by mutex; empty places are free
};

#ifndef __SYCL_DEVICE_ONLY__

inline queue_state *state_of(const tn_queue *queue) {
  return static_cast<queue_state *>(tn_queue_user(queue));
}

// Keeps an exception until the failure it caused is taken: the number goes through the C API.
TN_SYCL_COLD inline std::int32_t keep_exception(queue_state &state, std::exception_ptr thrown) {
  const std::lock_guard<std::mutex> lock(state.mutex);
  for (std::size_t i = 0; i < state.thrown.size(); ++i) {
    if (!state.thrown[i]) {
      state.thrown[i] = std::move(thrown);
      return static_cast<std::int32_t>(i + 1);
    }
  }
  state.thrown.push_back(std::move(thrown));
  return static_cast<std::int32_t>(state.thrown.size());
}

TN_SYCL_COLD inline std::exception_ptr exception_of(queue_state &state, const tn_diag &diag) {
  if (diag.code == TN_HOST_TASK && diag.native_code > 0) {
    const std::lock_guard<std::mutex> lock(state.mutex);
    const auto index = static_cast<std::size_t>(diag.native_code) - 1;
    if (index < state.thrown.size() && state.thrown[index]) {
      return std::exchange(state.thrown[index], nullptr);
    }
  }
  return std::make_exception_ptr(
      exception(state.ctx, make_error_code(errc_of(diag.code)), diag.text));
}

// The default handler has to report and end the program (SYCL 2020 section 4.13.1.2).
[[noreturn]] TN_SYCL_COLD inline void default_async_handler(const exception_list &list) {
  for (const std::exception_ptr &pointer : list) {
    try {
      std::rethrow_exception(pointer);
    } catch (const std::exception &caught) {
      std::fprintf(stderr, "SYCL asynchronous error: %s\n", caught.what());
    } catch (...) {
      std::fprintf(stderr, "SYCL asynchronous error: an exception of an unknown type\n");
    }
  }
  std::fprintf(stderr, "no async_handler was given to the queue or its context: terminating\n");
  std::terminate();
}

// Gives the failures that nobody took yet to the handler.
TN_SYCL_COLD inline void report_errors(tn_queue *queue) {
  queue_state &state = *state_of(queue);
  std::vector<std::exception_ptr> list;
  tn_diag diag;
  while (tn_queue_take_error(queue, &diag)) {
    list.push_back(exception_of(state, diag));
  }
  if (list.empty()) {
    return;
  }
  exception_list errors(std::move(list));
  if (state.handler) {
    state.handler(std::move(errors));
  } else if (const async_handler *handler = state.ctx.tn_handler()) {
    (*handler)(std::move(errors));
  } else {
    default_async_handler(errors);
  }
}

#endif

}  // namespace sycl::detail

#ifndef __SYCL_DEVICE_ONLY__

namespace sycl {

inline backend event::get_backend() const noexcept {
  return queue_.get() ? device(tn_queue_device(queue_.get())).get_backend() : backend::tenon_cpu;
}

inline void event::wait() {
  if (object_.get()) {
    detail::check([&](tn_diag *diag) { return tn_event_wait(object_.get(), diag); });
  }
}

inline void event::wait(const std::vector<event> &eventList) {
  for (event each : eventList) {
    each.wait();
  }
}

inline void event::wait_and_throw() {
  wait();
  if (queue_.get()) {
    detail::report_errors(queue_.get());
  }
}

inline void event::wait_and_throw(const std::vector<event> &eventList) {
  wait(eventList);
  for (event each : eventList) {
    each.wait_and_throw();
  }
}

inline std::vector<event> event::get_wait_list() {
  std::vector<event> list;
  if (!object_.get()) {
    return list;
  }
  std::vector<tn_event *> objects(16);
  std::size_t count = 0;
  for (;;) {
    detail::check([&](tn_diag *diag) {
      return tn_event_get_wait_list(object_.get(), objects.data(), objects.size(), &count, diag);
    });
    if (count <= objects.size()) {
      break;
    }
    for (tn_event *object : objects) {
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
  switch (object ? tn_event_status(object) : TN_EVENT_COMPLETE) {
    case TN_EVENT_SUBMITTED:
      return info::event_command_status::submitted;
    case TN_EVENT_RUNNING:
      return info::event_command_status::running;
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

template <class Param>
typename Param::return_type event::get_info() const {
  return detail::event_query(object_.get(), Param());
}

template <class Param>
typename Param::return_type event::get_profiling_info() const {
  constexpr std::int32_t point = detail::profiling_point(Param());
  if (!queue_.get() || !(tn_queue_flags(queue_.get()) & TN_QUEUE_PROFILING)) {
    detail::raise(errc::invalid,
                  "get_profiling_info: the event's queue was made without "
                  "property::queue::enable_profiling");
  }
  std::uint64_t time = 0;
  detail::check(
      [&](tn_diag *diag) { return tn_event_get_profiling(object_.get(), point, &time, diag); });
  return time;
}

}  // namespace sycl

#endif
#endif
