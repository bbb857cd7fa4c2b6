// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Host tasks: the function object on the heap, with the addresses of its accessors written in
// before it is called. Source: SYCL 2020 section 4.10; design 3.1.
#ifndef TENON_SYCL_DETAIL_HOST_TASK_HPP
#define TENON_SYCL_DETAIL_HOST_TASK_HPP

#include <sycl/detail/launch.hpp>
#include <sycl/detail/queue_state.hpp>
#include <sycl/interop_handle.hpp>

#ifndef __SYCL_DEVICE_ONLY__

namespace sycl::detail {

class host_task_base {
 public:
  host_task_base(const host_task_base &) = delete;
  virtual ~host_task_base() = default;

  // tn_command::host_task.
  static tn_status run(void *user, tn_diag *diag) {
    auto *self = static_cast<host_task_base *>(user);
    try {
      for (std::uint32_t i = 0; i < self->captured.access_count; ++i) {
        const tn_access &access = self->captured.accesses[i];
        void **field = reinterpret_cast<void **>(self->block_ + access.arg_offset);
        tn_diag failure;
        const bool is_on_host = !self->is_on_device_ || (access.mode & TN_ACCESS_ON_HOST) != 0;
        check(is_on_host ? tn_buffer_get_host_data(access.buffer, field, &failure)
                         : tn_native_get_memory(access.buffer, tn_native_current()->queue, field,
                                                &failure),
              failure);
      }
      self->call();
      return TN_OK;
    } catch (const std::exception &caught) {
      return self->failed(caught.what(), diag);
    } catch (...) {
      return self->failed("an exception of an unknown type", diag);
    }
  }
  // tn_command::free_user.
  static void free(void *user) { delete static_cast<host_task_base *>(user); }

  capture_record captured;  // by the function object

 protected:
  explicit host_task_base(bool is_on_device) : is_on_device_(is_on_device) {}
  virtual void call() = 0;
  char *block_ = nullptr;

 private:
  const bool is_on_device_;  // accessors are to the bytes on the device

  tn_status failed(const char *text, tn_diag *diag) {
    return tn_queue_note_thrown(
        tn_native_current()->queue, new std::exception_ptr(std::current_exception()),
        [](void *thrown) { delete static_cast<std::exception_ptr *>(thrown); }, text, diag);
  }
};

template <class F>
class host_task_object final : public host_task_base {
 public:
  template <class From>
  explicit host_task_object(From &&f) : host_task_base(std::is_invocable_v<F &, interop_handle>) {
    block_ = reinterpret_cast<char *>(bytes_);
    f_ = capture_copy<F>(bytes_, std::forward<From>(f), captured);
    if (captured.local_count != 0) {
      f_->~F();
      raise(errc::invalid,
            "a host task uses a local accessor: there is local memory in kernels only");
    }
  }
  ~host_task_object() override { f_->~F(); }

 private:
  void call() override {
    if constexpr (std::is_invocable_v<F &, interop_handle>) {
      const tn_native_task *task = tn_native_current();
      (*f_)(interop_handle(device(tn_queue_device(task->queue)).get_backend(), task));
    } else {
      (*f_)();
    }
  }
  F *f_;
  alignas(F) unsigned char bytes_[sizeof(F)];
};

}  // namespace sycl::detail

#endif
#endif
