// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host side of a launch: the kernel's static slot, the argument block, the command.
// Source: design 3.1, 3.2, 3.4.
#ifndef TENON_SYCL_DETAIL_LAUNCH_HPP
#define TENON_SYCL_DETAIL_LAUNCH_HPP

#include "tenon/command_group.h"
#include <sycl/detail/check.hpp>
#include <sycl/detail/integration.hpp>
#include <sycl/detail/kernel_entry.hpp>
#include <sycl/detail/kernel_named.hpp>
#include <sycl/detail/own_properties.hpp>
#include <sycl/event.hpp>
#include <sycl/nd_range.hpp>

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
TN_SYCL_LAYER tn_kernel_slot *kernel_slot() {
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

// What accessors and local memory report while their function object is copied.
struct capture_record : tn_capture_record {
  capture_record() { tn_capture_record_init(this); }
  capture_record(const capture_record &) = delete;
  ~capture_record() { tn_capture_record_free(this); }
};

class capture_scope {
 public:
  capture_scope(tn_capture_record &record, const void *block, std::size_t size) : record_(record) {
    tn_capture_record_begin(&record, block, size);
  }
  capture_scope(const capture_scope &) = delete;
  ~capture_scope() { tn_capture_record_end(&record_); }

 private:
  tn_capture_record &record_;
};

template <class F, class From>
F *capture_copy(void *block, From &&f, tn_capture_record &record) {
  const capture_scope scope(record, block, sizeof(F));
  return ::new (block) F(std::forward<From>(f));
}

// The range of a kernel, as tn_command_set_range takes it; the numbers are the caller's.
struct launch_range {
  std::uint32_t dims;
  const std::size_t *global;
  const std::size_t *local;
  const std::size_t *offset;

  void set(tn_command &command) const {
    tn_command_set_range(&command, dims, global, local, offset);
  }
};
inline constexpr std::size_t one_work_item = 1;

TN_SYCL_LAYER launch_range range_of() noexcept { return {1, &one_work_item, nullptr, nullptr}; }
template <int Dimensions>
TN_SYCL_LAYER launch_range range_of(const range<Dimensions> &global) noexcept {
  return {Dimensions, global.tn_values(), nullptr, nullptr};
}
template <int Dimensions>
TN_SYCL_LAYER launch_range range_of(const range<Dimensions> &global,
                                    const id<Dimensions> &offset) noexcept {
  return {Dimensions, global.tn_values(), nullptr, offset.tn_values()};
}
template <int Dimensions>
TN_SYCL_LAYER launch_range range_of(const nd_range<Dimensions> &execution) noexcept {
  return {Dimensions, execution.tn_global(), execution.tn_local(), execution.tn_offset()};
}

// Events one after the other, as the C API takes them.
inline const tn_event *const *event_objects(const event *events) noexcept {
  static_assert(std::is_standard_layout_v<event> && sizeof(event) == sizeof(tn_event *));
  return reinterpret_cast<const tn_event *const *>(events);
}

// After `count` events from `events` on.
inline event submit_command(tn_queue *queue, tn_command &command, const event *events = nullptr,
                            std::size_t count = 0) {
  if (count != 0) {
    check_waitable(events, count);
  }
  command.struct_size = sizeof(command);
  command.events = event_objects(events);
  command.event_count = count;
  tn_event *object = nullptr;
  tn_diag diag;
  if (__builtin_expect(tn_queue_submit(queue, &command, &object, &diag) != TN_OK, 0)) {
    raise(diag);
  }
  return event(object, queue);
}

// A kernel without a command group (design 3.2): nothing but the command on the stack. Not inline,
// so that each kernel of a source costs its compilation one call.
[[gnu::noinline]] inline event launch_kernel(tn_queue *queue, tn_kernel_slot *slot,
                                             const void *args, std::size_t size,
                                             std::size_t alignment,
                                             const launch_range &range, const event *events,
                                             std::size_t count,
                                             const tn_capture_record *captured = nullptr) {
  tn_command command = {};
  range.set(command);
  command.kind = TN_COMMAND_KERNEL;
  command.slot = slot;
  command.args = args;
  command.arg_size = static_cast<std::uint32_t>(size);
  command.arg_align = static_cast<std::uint32_t>(alignment);
  if (captured) {
    command.locals = captured->locals;
    command.local_count = captured->local_count;
    command.flags = captured->command_flags;
  }
  return submit_command(queue, command, events, count);
}

[[noreturn]] TN_SYCL_COLD inline void raise_shortcut_accessor() {
  raise(errc::kernel_argument,
        "a kernel launched by queue::parallel_for or single_task uses "
        "an accessor: use queue::submit, where the accessor is made "
        "with the handler or given to handler::require");
}

// The same for a function object whose copy has something to report.
template <class F>
TN_SYCL_HIDDEN event launch_copy(tn_queue *queue, tn_kernel_slot *slot, const F &f,
                                 const launch_range &range, const event *events,
                                 std::size_t count) {
  alignas(F) unsigned char block[sizeof(F)];
  capture_record captured;
  set_own_properties(captured, f);
  struct owner {
    F *copy;
    ~owner() { copy->~F(); }
  } const copied{capture_copy<F>(block, f, captured)};
  if (captured.access_count != 0) {
    raise_shortcut_accessor();
  }
  return launch_kernel(queue, slot, block, sizeof(F), alignof(F), range, events, count, &captured);
}

template <class Name, class Shape, class F>
TN_SYCL_LAYER event submit_kernel(tn_queue *queue, const F &f, const launch_range &range,
                                   const event *events = nullptr, std::size_t count = 0) {
  static_assert(Shape::template check<F>());
  tn_kernel_slot *const slot = kernel_slot<Name, F>();
  if constexpr (__is_trivially_copyable(F) && !has_own_properties<F>) {
    return launch_kernel(queue, slot, &f, sizeof(F), alignof(F), range, events, count);
  } else {
    return launch_copy(queue, slot, f, range, events, count);
  }
}

}  // namespace sycl::detail

#else

namespace sycl::detail {

// The device pass only has to see which kernels there are.
template <class... Extent>
int range_of(const Extent &...) noexcept;
template <class Name, class Shape, class F, class Range, class... Events>
event submit_kernel(tn_queue *, const F &, Range, const Events &...) {
  emit_kernel<Name, F, Shape>();
  return event();
}

}  // namespace sycl::detail

#endif
#endif
