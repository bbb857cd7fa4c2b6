// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the binding keeps for each queue beside the C object: its async handler and the exceptions
// that its host tasks threw. Source: SYCL 2020 section 4.13.1.
#ifndef TENON_SYCL_DETAIL_QUEUE_STATE_HPP
#define TENON_SYCL_DETAIL_QUEUE_STATE_HPP

#include <sycl/context.hpp>
#include <sycl/event.hpp>

#include <cstdio>

namespace sycl::detail {

// The exceptions of a queue's host tasks, until the failures they caused are taken.
struct exception_store final : erased {
  std::mutex mutex;
  std::vector<std::exception_ptr> thrown;  // guarded by mutex; empty places are free
};

// Owned by the tn_queue (tn_queue_set_user), so it is there as long as any command or event is.
struct queue_state final : erased {
  explicit queue_state(tn_queue *of) : queue(of) {}
  ~queue_state() override;
  tn_queue *queue;                     // owns this
  std::size_t handles = 1;             // sycl::queue objects; atomic
  error_reporter *reporter = nullptr;  // owned; NULL: the context's
  erased *thrown = nullptr;            // owned: an exception_store, made by the first; atomic
  erased *reductions = nullptr;        // owned: a reduction_store, the same
  unsigned hints = 0;                  // of property_queue_hints; immutable
};

#ifndef __SYCL_DEVICE_ONLY__

// How the C API's sentence for an exception of a host task begins.
inline constexpr char host_task_threw[] = "a host task threw: ";

inline queue_state *state_of(const tn_queue *queue) {
  return static_cast<queue_state *>(static_cast<erased *>(tn_queue_user(queue)));
}

inline exception_store &store_of(queue_state &state) {
  erased *store = __atomic_load_n(&state.thrown, __ATOMIC_ACQUIRE);
  if (!store) {
    auto *mine = new exception_store;
    if (__atomic_compare_exchange_n(&state.thrown, &store, static_cast<erased *>(mine), false,
                                    __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
      return *mine;
    }
    delete mine;
  }
  return *static_cast<exception_store *>(store);
}

// Keeps an exception until the failure it caused is taken: the number goes through the C API.
TN_SYCL_COLD inline std::int32_t keep_exception(queue_state &state, std::exception_ptr thrown) {
  exception_store &store = store_of(state);
  const std::lock_guard<std::mutex> lock(store.mutex);
  for (std::size_t i = 0; i < store.thrown.size(); ++i) {
    if (!store.thrown[i]) {
      store.thrown[i] = std::move(thrown);
      return static_cast<std::int32_t>(i + 1);
    }
  }
  store.thrown.push_back(std::move(thrown));
  return static_cast<std::int32_t>(store.thrown.size());
}

TN_SYCL_COLD inline std::exception_ptr exception_of(queue_state &state, tn_queue *queue,
                                                    const tn_diag &diag) {
  if (diag.code == TN_HOST_TASK && diag.native_code > 0) {
    exception_store &store = store_of(state);
    const std::lock_guard<std::mutex> lock(store.mutex);
    const auto index = static_cast<std::size_t>(diag.native_code) - 1;
    if (index < store.thrown.size() && store.thrown[index]) {
      return std::exchange(store.thrown[index], nullptr);
    }
  }
  return std::make_exception_ptr(
      exception(context(tn_queue_context(queue)), make_error_code(errc_of(diag.code)), diag.text));
}

struct handler_reporter final : error_reporter {
  explicit handler_reporter(const async_handler &of) : handler(of) {}
  TN_SYCL_COLD void report(tn_queue *queue) const override {
    std::vector<std::exception_ptr> list;
    tn_diag diag;
    while (tn_queue_take_error(queue, &diag)) {
      list.push_back(exception_of(*state_of(queue), queue, diag));
    }
    if (!list.empty()) {
      handler(exception_list(std::move(list)));
    }
  }
  const async_handler handler;
};

TN_SYCL_COLD inline error_reporter *make_reporter(const async_handler &handler) {
  return handler ? new handler_reporter(handler) : nullptr;
}

// How the sentence goes on, without what tells our own bookkeeping.
inline const char *error_text(const tn_diag &diag) {
  const bool is_thrown = diag.code == TN_HOST_TASK && diag.native_code > 0;
  return diag.text + (is_thrown ? sizeof(host_task_threw) - 1 : 0);
}

// Commands outlive their queue when it is destroyed before them. A handler may be gone then with
// what it refers to, so what they still report is not given to it; it is not dropped either.
TN_SYCL_COLD inline queue_state::~queue_state() {
  tn_diag diag;
  while (tn_queue_take_error(queue, &diag)) {
    std::fprintf(stderr, "SYCL asynchronous error, after its queue was destroyed: %s\n",
                 error_text(diag));
  }
  delete reporter;
  delete thrown;
  delete reductions;
}

// The default handler has to report and end the program (SYCL 2020 section 4.13.1.2).
TN_SYCL_COLD inline void report_and_end(tn_queue *queue) {
  tn_diag diag;
  if (!tn_queue_take_error(queue, &diag)) {
    return;
  }
  do {
    std::fprintf(stderr, "SYCL asynchronous error: %s\n", error_text(diag));
  } while (tn_queue_take_error(queue, &diag));
  std::fprintf(stderr, "no async_handler was given to the queue or its context: terminating\n");
  std::terminate();
}

void report_dependencies(tn_event *object, std::size_t count);

// Gives the failures that nobody took yet to the handler.
TN_SYCL_COLD inline void report_errors(tn_queue *queue) {
  const context_state *around = state_of(tn_queue_context(queue));
  if (const error_reporter *reporter = state_of(queue)->reporter) {
    reporter->report(queue);
  } else if (around && around->reporter) {
    around->reporter->report(queue);
  } else {
    report_and_end(queue);
  }
}

#endif

}  // namespace sycl::detail

#ifndef __SYCL_DEVICE_ONLY__

namespace sycl {

inline backend event::get_backend() const noexcept {
  tn_device *of = object_.get() ? tn_event_device(object_.get()) : nullptr;
  return of ? device(of).get_backend() : backend::tenon_cpu;
}

inline void event::wait() {
  if (object_.get()) {
    tn_diag diag;
    detail::check(tn_event_wait(object_.get(), &diag), diag);
  }
}

inline void event::wait(const std::vector<event> &eventList) {
  for (std::size_t i = 0; i < eventList.size(); ++i) {
    event(eventList[i]).wait();
  }
}

// The failures of what an event depended on, in other queues.
TN_SYCL_COLD inline void detail::report_dependencies(tn_event *object, std::size_t count) {
  small_list<tn_queue *> queues;
  for (std::size_t i = 0; i < count; ++i) {
    queues.push(nullptr);
  }
  count = tn_event_get_failed_queues(object, queues.data(), queues.size());
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
  if (queue_.get()) {
    detail::report_errors(queue_.get());
    if (const std::size_t count = tn_event_get_failed_queues(object_.get(), nullptr, 0)) {
      detail::report_dependencies(object_.get(), count);
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
typename Param::return_type event::get_info() const {
  return detail::event_query(object_.get(), Param());
}

template <class Param>
typename Param::return_type event::get_backend_info() const {
  detail::raise_no_backend_info();
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
  tn_diag diag;
  detail::check(tn_event_get_profiling(object_.get(), point, &time, &diag), diag);
  return time;
}

}  // namespace sycl

#endif
#endif
