// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host side of a launch: the kernel's static slot, the argument block, the command.
// Source: design 3.1, 3.2, 3.4.
#ifndef TENON_SYCL_DETAIL_LAUNCH_HPP
#define TENON_SYCL_DETAIL_LAUNCH_HPP

#include "tenon/capture.h"
#include "tenon/queue.h"
#include <sycl/detail/check.hpp>
#include <sycl/detail/integration.hpp>
#include <sycl/detail/kernel_entry.hpp>
#include <sycl/detail/kernel_named.hpp>
#include <sycl/detail/small_list.hpp>
#include <sycl/event.hpp>

#ifndef __SYCL_DEVICE_ONLY__

namespace sycl::detail {

namespace own_kernels __attribute__((__visibility__("hidden"))) {

// Defines the slot of the kernel.
#ifdef __TENON_INTEGRATION_HEADER__

template <class Name, class F>
struct defined_kernel {
  friend tn_kernel_slot *slot_of_own_kernel(own_kernel<Name>) {
    static tn_kernel_slot slot = {&__TENON_MODULE__, kernel_symbol<Name, F>(), __TENON_UNIT_ID__,
                                  nullptr};
    return &slot;
  }
};

#else

template <class Name, class>
struct defined_kernel {
  friend tn_kernel_slot *slot_of_own_kernel(own_kernel<Name>) {
    static tn_kernel_slot slot = {&__TENON_MODULE__, __builtin_sycl_unique_stable_name(Name),
                                  __TENON_UNIT_ID__, nullptr};
    return &slot;
  }
};

#endif

}  // namespace own_kernels

namespace kernels __attribute__((__visibility__("default"))) {

// For get_kernel_id in another unit, program or shared library: `used`, as nothing here calls it.
template <class Name>
struct exported_kernel {
  [[gnu::used]] friend tn_kernel_slot *the_one_kernel_of_this_name(kernel_named<Name>) {
    return slot_of_own_kernel(own_kernel<Name>());
  }
};

}  // namespace kernels

template <class Name, class F>
TN_SYCL_HIDDEN tn_kernel_slot *kernel_slot() {
  using named = kernel_name<Name, F>;
  if constexpr (check_kernel_name<named, F>()) {
    static_assert(sizeof(own_kernels::defined_kernel<named, F>) != 0);
    static_assert(sizeof(kernels::exported_kernel<named>) != 0);
    if (false) {  // a use, so that the function is instantiated
      static_cast<void>(the_one_kernel_of_this_name(kernel_named<named>()));
    }
    return slot_of_own_kernel(own_kernel<named>());
  } else {
    return nullptr;
  }
}

using access_list = small_list<tn_access>;
using local_list = small_list<tn_local>;
using event_list = small_list<const tn_event *>;

// Collects what accessors say while their function object is copied into the block.
class capture_scope : public tn_capture {
 public:
  capture_scope(const void *block, std::size_t size, access_list &out, local_list &out_locals)
      : out_(out), out_locals_(out_locals) {
    begin = block;
    end = static_cast<const char *>(block) + size;
    note = [](tn_capture *capture, const void *field, tn_buffer *buffer, std::uint32_t mode) {
      auto *self = static_cast<capture_scope *>(capture);
      self->out_.push({buffer, mode, self->offset_of(field)});
    };
    note_local = [](tn_capture *capture, const void *field, std::uint64_t id,
                    std::uint64_t local_size, std::uint32_t alignment) {
      auto *self = static_cast<capture_scope *>(capture);
      self->out_locals_.push({id, local_size, alignment, self->offset_of(field)});
    };
    before_ = tn_capture_set(this);
  }
  capture_scope(const capture_scope &) = delete;
  ~capture_scope() { tn_capture_set(before_); }

 private:
  std::uint32_t offset_of(const void *field) const {
    return static_cast<std::uint32_t>(static_cast<const char *>(field) -
                                      static_cast<const char *>(begin));
  }

  access_list &out_;
  local_list &out_locals_;
  tn_capture *before_;
};

template <class F, class From>
F *capture_copy(void *block, From &&f, access_list &out, local_list &out_locals) {
  const capture_scope scope(block, sizeof(F), out, out_locals);
  return ::new (block) F(std::forward<From>(f));
}

inline void set_shape(tn_command &command) {
  command.dims = 1;
  for (int i = 0; i < 3; ++i) {
    command.global[i] = command.local[i] = 1;
    command.offset[i] = 0;
  }
}
template <int Dimensions>
void set_shape(tn_command &command, const range<Dimensions> &global, const id<Dimensions> &offset) {
  set_shape(command);
  command.dims = Dimensions;
  for (int i = 0; i < Dimensions; ++i) {
    command.global[i] = global[i];
    command.offset[i] = offset[i];
  }
}
template <int Dimensions>
void set_shape(tn_command &command, const nd_range<Dimensions> &execution) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  set_shape(command, execution.get_global_range(), execution.get_offset());
#pragma GCC diagnostic pop
  command.has_local = 1;
  for (int i = 0; i < Dimensions; ++i) {
    command.local[i] = execution.get_local_range()[i];
  }
}

inline event submit_command(tn_queue *queue, const tn_command &command) {
  tn_event *object = nullptr;
  tn_diag diag;
  if (__builtin_expect(tn_queue_submit(queue, &command, &object, &diag) != TN_OK, 0)) {
    raise(diag);
  }
  return event(object, queue);
}

inline void add_events(event_list &to, const event *events, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    to.push(events[i].tn_get());
  }
}

// A kernel without a command group (design 3.2): nothing but the command on the stack.
template <class Name, class F, class Shape>
TN_SYCL_HIDDEN event submit_kernel(tn_queue *queue, tn_command &command, const F &f) {
  Shape::template check<F>();
  command.struct_size = sizeof(command);
  command.kind = TN_COMMAND_KERNEL;
  command.slot = kernel_slot<Name, F>();
  command.arg_size = sizeof(F);
  command.arg_align = alignof(F);
  if constexpr (std::is_trivially_copyable_v<F>) {
    command.args = &f;
    return submit_command(queue, command);
  } else {
    alignas(F) unsigned char block[sizeof(F)];
    access_list captured;
    local_list locals;
    struct owner {
      F *copy;
      ~owner() { copy->~F(); }
    } const copied{capture_copy<F>(block, f, captured, locals)};
    if (captured.size() != 0) {
      raise(errc::kernel_argument,
            "a kernel launched by queue::parallel_for or single_task uses "
            "an accessor: use queue::submit, where the accessor is made "
            "with the handler or given to handler::require");
    }
    command.locals = locals.data();
    command.local_count = locals.size();
    command.args = block;
    return submit_command(queue, command);
  }
}

}  // namespace sycl::detail

#endif
#endif
