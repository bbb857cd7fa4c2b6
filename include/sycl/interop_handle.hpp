// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl::interop_handle. Source: SYCL 2020 section 4.10.2; the SYCL extension
// sycl_ext_codeplay_enqueue_native_command.
#ifndef TENON_SYCL_INTEROP_HANDLE_HPP
#define TENON_SYCL_INTEROP_HANDLE_HPP

#include "tenon/native.h"
#include <sycl/detail/accessor_base.hpp>
#include <sycl/detail/backend_types.hpp>

#include <vector>

namespace sycl {

namespace detail {
template <class T>
struct native_value {
  using type = T;
};
template <class T>
struct native_value<native_list<T>> {
  using type = std::vector<T>;
};
template <backend Backend>
using native_memory_t = typename native_value<native_t<Backend, native_memory>>::type;
}  // namespace detail

class interop_handle {
 public:
  interop_handle() = delete;
  backend get_backend() const noexcept { return backend_; }
  // The runtime's way of making one.
  interop_handle(backend of, const tn_native_task *task) noexcept : backend_(of), task_(task) {}

  // All of them: errc::backend_mismatch when the queue is of another backend.
  //
  // The address of the bytes that the accessor's buffer has on the queue's device; with OpenCL a
  // memory object for them, which is there while the function is called. The accessor is one of the
  // command group's, with target::device.
  template <backend Backend, class Accessor>
  detail::native_memory_t<Backend> get_native_mem(const Accessor &acc) const;
  // What a native command gives to it begins after what the command depends on, and ends the
  // command. What a host task gives to it comes before later commands of an in-order queue.
  template <backend Backend>
  detail::native_t<Backend, queue> get_native_queue() const;
  template <backend Backend>
  detail::native_t<Backend, device> get_native_device() const;
  template <backend Backend>
  detail::native_t<Backend, context> get_native_context() const;

  // Whether it is for a native command of which a graph is made. Work that the command submits to
  // get_native_queue() is captured, unless ext_codeplay_get_native_graph() was called before: then
  // the command adds its work to that graph.
  bool ext_codeplay_has_graph() const noexcept { return task_->graph != nullptr; }
  template <backend Backend>
  detail::native_t<Backend, detail::native_graph> ext_codeplay_get_native_graph() const;

 private:
  template <backend Backend>
  void check(const char *what) const;
  template <class T>
  static T handle_of(std::uint64_t number) noexcept;

  backend backend_;
  const tn_native_task *task_;  // borrowed: there while the function is called
};

#ifndef __SYCL_DEVICE_ONLY__

[[noreturn]] TN_SYCL_COLD inline void detail::raise_other_backend(const char *what) {
  char text[200];
  __builtin_snprintf(text, sizeof(text),
                     "%s: the object is of another backend than the native one that was asked for",
                     what);
  raise(errc::backend_mismatch, text);
}

inline void detail::check_backend(backend wanted, backend of, const char *what) {
  if (wanted != of) {
    raise_other_backend(what);
  }
}

template <backend Backend>
void interop_handle::check(const char *what) const {
  detail::check_backend(Backend, backend_, what);
}

template <class T>
T interop_handle::handle_of(std::uint64_t number) noexcept {
  if constexpr (std::is_pointer_v<T>) {
    return reinterpret_cast<T>(static_cast<std::uintptr_t>(number));
  } else {
    return static_cast<T>(number);
  }
}

template <backend Backend, class Accessor>
detail::native_memory_t<Backend> interop_handle::get_native_mem(const Accessor &acc) const {
  check<Backend>("get_native_mem");
  tn_buffer *buffer = acc.tn_link().buffer;
  tn_diag diag;
  if (!buffer) {
    detail::raise(errc::invalid, "get_native_mem: the accessor belongs to no buffer");
  }
  if constexpr (Backend == backend::opencl) {
    std::uint64_t native = 0;
    detail::check(tn_native_get_memory_object(buffer, task_->queue, &native, &diag), diag);
    return {handle_of<cl_mem>(native)};
  } else {
    void *memory = nullptr;
    detail::check(tn_native_get_memory(buffer, task_->queue, &memory, &diag), diag);
    return handle_of<detail::native_memory_t<Backend>>(reinterpret_cast<std::uintptr_t>(memory));
  }
}

template <backend Backend>
detail::native_t<Backend, queue> interop_handle::get_native_queue() const {
  check<Backend>("get_native_queue");
  if constexpr (Backend == backend::tenon_cpu) {
    return task_->queue;
  } else {
    std::uint64_t native = 0;
    tn_diag diag;
    detail::check(tn_native_get_queue(task_->queue, &native, &diag), diag);
    return handle_of<detail::native_t<Backend, queue>>(native);
  }
}

template <backend Backend>
detail::native_t<Backend, device> interop_handle::get_native_device() const {
  check<Backend>("get_native_device");
  if constexpr (Backend == backend::tenon_cpu) {
    return tn_queue_device(task_->queue);
  } else {
    std::uint64_t native = 0;
    tn_diag diag;
    detail::check(tn_native_get_device(tn_queue_device(task_->queue), &native, &diag), diag);
    return handle_of<detail::native_t<Backend, device>>(native);
  }
}

template <backend Backend>
detail::native_t<Backend, context> interop_handle::get_native_context() const {
  check<Backend>("get_native_context");
  if constexpr (Backend == backend::tenon_cpu) {
    return tn_queue_context(task_->queue);
  } else {
    std::uint64_t native = 0;
    tn_diag diag;
    detail::check(tn_native_get_context(tn_queue_context(task_->queue),
                                        tn_queue_device(task_->queue), &native, &diag),
                  diag);
    return handle_of<detail::native_t<Backend, context>>(native);
  }
}

template <backend Backend>
detail::native_t<Backend, detail::native_graph> interop_handle::ext_codeplay_get_native_graph()
    const {
  check<Backend>("ext_codeplay_get_native_graph");
  void *graph = nullptr;
  tn_diag diag;
  detail::check(tn_native_get_graph(&graph, &diag), diag);
  return static_cast<detail::native_t<Backend, detail::native_graph>>(graph);
}

#endif

}  // namespace sycl

#endif
