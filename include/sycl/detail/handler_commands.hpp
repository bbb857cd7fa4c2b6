// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bodies of handler. Included by handler.hpp. Source: SYCL 2020 section 4.9.4.
#ifndef TENON_SYCL_DETAIL_HANDLER_COMMANDS_HPP
#define TENON_SYCL_DETAIL_HANDLER_COMMANDS_HPP

#include "tenon/graph.h"
#include <sycl/detail/handler_class.hpp>
#include <sycl/detail/spec_list.hpp>

namespace sycl {

#ifdef __SYCL_DEVICE_ONLY__

// The device pass only has to see which kernels there are.
template <class Name, class Shape, class F, class... Extent>
void handler::set_kernel(const F &, const Extent &...) {
  detail::emit_kernel<Name, F, Shape>();
}

template <class T>
void handler::fill(void *, const T &, std::size_t) {
  if constexpr (sizeof(T) > detail::longest_pattern) {
    detail::emit_kernel<detail::memory_kernel<T>, detail::fill_function<T>,
                        detail::range_shape<1>>();
  }
}

template <auto &SpecName>
void handler::set_specialization_constant(detail::spec_value_t<SpecName>) {}
template <auto &SpecName>
detail::spec_value_t<SpecName> handler::get_specialization_constant() const {
  return detail::spec_access::default_of(SpecName);
}

template <class T>
void handler::host_task(T &&) {}
template <class T>
void handler::ext_codeplay_enqueue_native_command(T &&) {}
template <class Accessor, class DestT>
void handler::copy_out(const Accessor &, void *, std::shared_ptr<DestT> *) {}
template <class Accessor, class SrcT>
void handler::copy_in(const void *, const Accessor &, std::shared_ptr<SrcT> *) {}
template <class SrcT, int SrcDim, access_mode SrcMode, target SrcTgt,
          access::placeholder SrcIsPlaceholder, class DestT, int DestDim, access_mode DestMode,
          target DestTgt, access::placeholder DestIsPlaceholder>
void handler::copy(accessor<SrcT, SrcDim, SrcMode, SrcTgt, SrcIsPlaceholder>,
                   accessor<DestT, DestDim, DestMode, DestTgt, DestIsPlaceholder>) {
  using function =
      detail::copy_view_function<accessor<SrcT, SrcDim, SrcMode, SrcTgt, SrcIsPlaceholder>,
                                 accessor<DestT, DestDim, DestMode, DestTgt, DestIsPlaceholder>>;
  if constexpr (function::is_possible && DestDim > 1) {
    detail::emit_kernel<detail::memory_kernel<function>, function, detail::range_shape<1>>();
  }
}
template <class T, int Dim, access_mode Mode, target Tgt, access::placeholder IsPlaceholder>
void handler::update_host(accessor<T, Dim, Mode, Tgt, IsPlaceholder>) {}
template <class T, int Dim, access_mode Mode, target Tgt, access::placeholder IsPlaceholder>
void handler::fill(accessor<T, Dim, Mode, Tgt, IsPlaceholder>, const T &) {
  if constexpr (sizeof(T) > detail::longest_pattern) {
    using function = detail::fill_view_function<accessor<T, Dim, Mode, Tgt, IsPlaceholder>, T>;
    detail::emit_kernel<detail::memory_kernel<function>, function, detail::range_shape<1>>();
  }
}

#else

namespace detail {

class handler_access {
 public:
  static tn_command_group &group(handler &cgh) { return cgh.group_; }
  static void forget_events(handler &cgh) {
    while (cgh.group_.event_count > 0) {
      tn_event_release(cgh.group_.events[--cgh.group_.event_count]);
    }
  }
  template <class Name, class Shape, class F, class... Extent>
  TN_SYCL_HIDDEN static void set_kernel(handler &cgh, const F &f, const Extent &...extent) {
    cgh.set_kernel<Name, Shape>(f, extent...);
  }
  template <class CommandGroup>
  TN_SYCL_HIDDEN static event submit(tn_queue *queue, CommandGroup &cgf) {
    handler cgh(queue);
    cgf(cgh);
    return cgh.submit();
  }
};

}  // namespace detail

inline handler::handler(tn_queue *queue) { tn_command_group_init(&group_, queue); }

inline handler::~handler() {
  if (use_parts_) {
    use_parts_(*this, moment::end, nullptr);
  }
  tn_command_group_free(&group_);
}

TN_SYCL_COLD inline void handler::use_parts(handler &cgh, moment when, event *done) {
  if (when == moment::submission) {
    if (cgh.use_arguments_) {
      cgh.use_arguments_(cgh, false);
    }
    if (cgh.use_specs_) {
      cgh.use_specs_(cgh, false);
    }
    if (cgh.use_streams_ && tn_queue_is_recording(cgh.group_.queue)) {
      detail::raise(
          errc::feature_not_supported,
          "a kernel that uses a sycl::stream is in no graph: what it prints is printed when "
          "its one command is complete");
    }
    return;
  }
  if (cgh.reduction_) {
    detail::reduction_tail &tail = *std::exchange(cgh.reduction_, nullptr);
    event after = tail.finish_command(tail, cgh.group_.queue, done ? std::move(*done) : event(),
                                      done != nullptr);
    if (done) {
      *done = std::move(after);
    }
  }
  if (cgh.use_streams_) {
    cgh.use_streams_(cgh, done);
  }
  if (when == moment::submitted) {
    if (cgh.note_arguments_) {
      cgh.note_arguments_(cgh, *done);
    }
    return;
  }
  if (cgh.use_specs_) {
    cgh.use_specs_(cgh, true);
  }
  if (cgh.use_bundle_) {
    cgh.use_bundle_(cgh, true);
  }
  if (cgh.use_arguments_) {
    cgh.use_arguments_(cgh, true);
  }
}

inline void handler::begin_action(std::uint32_t kind) {
  tn_diag diag;
  detail::check(tn_command_group_begin(&group_, kind, &diag), diag);
}

TN_SYCL_COLD inline void handler::refuse_spec(const char *function) const {
  char text[200];
  __builtin_snprintf(text, sizeof(text),
                     "handler::%s: the command group uses a kernel bundle, whose specialization "
                     "constants have their values",
                     function);
  detail::raise(errc::invalid, text);
}

template <auto &SpecName>
void handler::set_specialization_constant(detail::spec_value_t<SpecName> value) {
  if (bundle_) {
    refuse_spec("set_specialization_constant");
  }
  if (!specs_) {
    specs_ = new detail::spec_list;
    use_specs_ = use_specs;
    use_parts_ = use_parts;
  }
  specs_->set<SpecName>(value);
}
template <auto &SpecName>
detail::spec_value_t<SpecName> handler::get_specialization_constant() const {
  if (bundle_) {
    refuse_spec("get_specialization_constant");
  }
  return specs_ ? specs_->get<SpecName>() : detail::spec_access::default_of(SpecName);
}

inline void handler::use_specs(handler &cgh, bool is_end) {
  if (is_end) {
    delete cgh.specs_;
  } else if (cgh.group_.command.kind == TN_COMMAND_KERNEL) {
    cgh.group_.command.specs = cgh.specs_->data();
    cgh.group_.command.spec_count = cgh.specs_->size();
  }
}

inline void handler::depends_on(event depEvent) {
  detail::check_waitable(&depEvent, 1);
  tn_command_group_depends_on(&group_, depEvent.tn_get());
}
inline void handler::depends_on(const std::vector<event> &depEvents) {
  detail::check_waitable(depEvents.data(), depEvents.size());
  for (const event &each : depEvents) {
    tn_command_group_depends_on(&group_, each.tn_get());
  }
}

inline void handler::require_link(const detail::accessor_link &link) {
  tn_diag diag;
  detail::check(tn_accessor_require(&link, &group_, &diag), diag);
}

inline tn_command_group *detail::command_group_of(handler *cgh) noexcept {
  return cgh ? &handler_access::group(*cgh) : nullptr;
}

// Memory until the command is submitted.
inline void *handler::place_block(std::size_t size, std::size_t alignment) {
  void *block = nullptr;
  tn_diag diag;
  detail::check(tn_command_group_place(&group_, size, alignment, &block, &diag), diag);
  return block;
}
inline void *handler::place_kernel(tn_kernel_slot *slot, std::size_t size, std::size_t alignment) {
  void *block = nullptr;
  tn_diag diag;
  detail::check(tn_command_group_set_kernel(&group_, slot, size, alignment, &block, &diag), diag);
  return block;
}

template <class Name, class Shape, class F, class... Extent>
void handler::set_kernel(const F &f, const Extent &...extent) {
  static_assert(Shape::template check<F>());
  void *block = place_kernel(detail::kernel_slot<Name, F>(), sizeof(F), alignof(F));
  detail::set_own_properties(group_.captured, f);
  detail::range_of(extent...).set(group_.command);
  if constexpr (__is_trivially_copyable(F)) {
    __builtin_memcpy(block, &f, sizeof(F));  // no accessors in it
  } else {
    detail::capture_copy<F>(block, f, group_.captured);
    group_.destroy_block = destroy_block<F>;
  }
  if constexpr (!detail::is_memory_kernel<Name>) {
    has_user_kernel_ = true;
    if (use_bundle_) {
      use_bundle_(*this, false);
    }
  }
}

inline event handler::submit() {
  if (use_parts_) {
    use_parts_(*this, moment::submission, nullptr);
  }
  tn_event *object = nullptr;
  tn_diag diag;
  detail::check(tn_command_group_submit(&group_, &object, &diag), diag);
  event done(object, group_.queue);
  if (use_parts_) {
    use_parts_(*this, moment::submitted, &done);
  }
  return done;
}

inline void handler::memcpy(void *dest, const void *src, std::size_t numBytes) {
  begin_action(TN_COMMAND_COPY);
  group_.command.dst = dest;
  group_.command.src = src;
  group_.command.size = numBytes;
}

inline void handler::memset(void *ptr, int value, std::size_t numBytes) {
  begin_action(TN_COMMAND_FILL);
  auto *byte = static_cast<unsigned char *>(place_block(1, 1));
  *byte = static_cast<unsigned char>(value);
  group_.command.dst = ptr;
  group_.command.size = numBytes;
  group_.command.pattern = byte;
  group_.command.pattern_size = 1;
}

template <class T>
void handler::fill(void *ptr, const T &pattern, std::size_t count) {
  static_assert(is_device_copyable_v<T>, "fill: the type has to be device copyable");
  const std::size_t bytes =
      detail::byte_count<T>(count, "fill: the elements are more bytes than memory has");
  if constexpr (sizeof(T) > detail::longest_pattern) {
    set_kernel<detail::memory_kernel<T>, detail::range_shape<1>>(
        detail::fill_function<T>{static_cast<T *>(ptr), pattern}, range<1>(count));
  } else {
    begin_action(TN_COMMAND_FILL);
    void *block = place_block(sizeof(T), alignof(T));
    __builtin_memcpy(block, &pattern, sizeof(T));
    group_.command.dst = ptr;
    group_.command.size = bytes;
    group_.command.pattern = block;
    group_.command.pattern_size = sizeof(T);
  }
}

inline void handler::prefetch(const void *ptr, std::size_t numBytes,
                              ext::oneapi::experimental::prefetch_type type) {
  begin_action(TN_COMMAND_PREFETCH);
  group_.command.dst = const_cast<void *>(ptr);
  group_.command.size = numBytes;
  group_.command.advice = static_cast<std::int32_t>(type);
}
inline void handler::mem_advise(const void *ptr, std::size_t numBytes, int advice) {
  begin_action(TN_COMMAND_ADVISE);
  group_.command.dst = const_cast<void *>(ptr);
  group_.command.size = numBytes;
  group_.command.advice = advice;
}
inline void handler::ext_oneapi_barrier() { begin_action(TN_COMMAND_BARRIER); }
inline void handler::ext_oneapi_barrier(const std::vector<event> &waitList) {
  begin_action(TN_COMMAND_EVENT_BARRIER);
  depends_on(waitList);
}

namespace detail {

// The box that an accessor shows: bytes of a row, rows, slices.
struct box {
  std::uint64_t extent[3] = {0, 1, 1};
  tn_rect rect = {};
  bool is_contiguous = true;

  std::uint64_t size() const { return extent[0] * extent[1] * extent[2]; }
  bool has_extent_of(const box &other) const {
    return extent[0] == other.extent[0] && extent[1] == other.extent[1] &&
           extent[2] == other.extent[2];
  }
  // Host memory, or a contiguous box, seen in another shape.
  void reshape(const box &other) {
    for (int i = 0; i < 3; ++i) {
      extent[i] = other.extent[i];
    }
    rect.row_pitch = extent[0];
    rect.slice_pitch = extent[0] * extent[1];
  }
};

template <class DataT, int Dimensions, access_mode Mode, target Target, access::placeholder P>
box box_of(const accessor<DataT, Dimensions, Mode, Target, P> &acc) {
  static_assert(Target == target::device || Target == target::constant_buffer,
                "explicit copies take accessors with target::device");
  if (!acc.tn_link().buffer) {
    raise(errc::invalid, "the accessor belongs to no buffer");
  }
  const accessor_view<Dimensions> &view = acc.tn_view();
  constexpr int last = accessor_view<Dimensions>::places - 1;
  box result;
  result.extent[0] = view.extent[last] * sizeof(DataT);
  result.rect.buffer = acc.tn_link().buffer;
  result.rect.offset = view.shift * sizeof(DataT);
  result.rect.row_pitch = view.memory[last] * sizeof(DataT);
  result.rect.slice_pitch = result.rect.row_pitch;
  std::size_t rows_before = 1;
  for (int i = 0; i < last; ++i) {
    result.extent[last - i] = view.extent[i];
    result.is_contiguous = result.is_contiguous && (rows_before * view.extent[i] <= 1 ||
                                                    view.extent[i + 1] == view.memory[i + 1]);
    rows_before *= view.extent[i];
  }
  if constexpr (last == 2) {
    result.rect.slice_pitch = result.rect.row_pitch * view.memory[1];
  }
  return result;
}

inline box host_box(const void *memory, const box &shape) {
  box result;
  result.rect.memory = const_cast<void *>(memory);
  result.reshape(shape);
  return result;
}

inline void set_copy(tn_command &command, const box &from, const box &to) {
  command.rect_src = from.rect;
  command.rect_dst = to.rect;
  for (int i = 0; i < 3; ++i) {
    command.rect_extent[i] = from.extent[i];
  }
}

template <access_mode Mode>
inline constexpr bool can_read = Mode == access_mode::read || Mode == access_mode::read_write;
template <access_mode Mode>
inline constexpr bool can_write = Mode != access_mode::read;

}  // namespace detail

template <class Accessor, class DestT>
void handler::copy_out(const Accessor &src, void *dest, std::shared_ptr<DestT> *keep) {
  keep_until_done(keep);
  begin_action(TN_COMMAND_COPY_RECT);
  const detail::box from = detail::box_of(src);
  detail::set_copy(group_.command, from, detail::host_box(dest, from));
}

template <class Accessor, class SrcT>
void handler::copy_in(const void *src, const Accessor &dest, std::shared_ptr<SrcT> *keep) {
  static_assert(!std::is_const_v<typename Accessor::value_type>,
                "copy: the destination accessor is read-only");
  keep_until_done(keep);
  begin_action(TN_COMMAND_COPY_RECT);
  const detail::box to = detail::box_of(dest);
  detail::set_copy(group_.command, detail::host_box(src, to), to);
}

template <class SrcT, int SrcDim, access_mode SrcMode, target SrcTgt,
          access::placeholder SrcIsPlaceholder, class DestT, int DestDim, access_mode DestMode,
          target DestTgt, access::placeholder DestIsPlaceholder>
void handler::copy(accessor<SrcT, SrcDim, SrcMode, SrcTgt, SrcIsPlaceholder> src,
                   accessor<DestT, DestDim, DestMode, DestTgt, DestIsPlaceholder> dest) {
  static_assert(detail::can_read<SrcMode>, "copy: the source accessor cannot be read");
  static_assert(detail::can_write<DestMode>, "copy: the destination accessor is read-only");
  using function =
      detail::copy_view_function<accessor<SrcT, SrcDim, SrcMode, SrcTgt, SrcIsPlaceholder>,
                                 accessor<DestT, DestDim, DestMode, DestTgt, DestIsPlaceholder>>;
  detail::box from = detail::box_of(src);
  detail::box to = detail::box_of(dest);
  if (to.size() < from.size()) {
    detail::raise(errc::invalid,
                  "copy: the destination accessor has fewer bytes than the source accessor");
  }
  if (!from.has_extent_of(to)) {
    if (to.is_contiguous) {
      to.reshape(from);
    } else if (from.is_contiguous && from.size() == to.size()) {
      from.reshape(to);
    } else if constexpr (function::is_possible && DestDim > 1) {
      set_kernel<detail::memory_kernel<function>, detail::range_shape<1>>(
          function{src, dest}, range<1>(src.size()));
      return;
    } else {
      detail::raise(errc::invalid,
                    "copy: the accessors have different shapes and element types; copy through a "
                    "buffer");
    }
  }
  begin_action(TN_COMMAND_COPY_RECT);
  detail::set_copy(group_.command, from, to);
}

template <class T, int Dim, access_mode Mode, target Tgt, access::placeholder IsPlaceholder>
void handler::fill(accessor<T, Dim, Mode, Tgt, IsPlaceholder> dest, const T &src) {
  static_assert(detail::can_write<Mode>, "fill: the accessor is read-only");
  if constexpr (sizeof(T) > detail::longest_pattern) {
    using function = detail::fill_view_function<accessor<T, Dim, Mode, Tgt, IsPlaceholder>, T>;
    set_kernel<detail::memory_kernel<function>, detail::range_shape<1>>(
        function{dest, src}, range<1>(dest.size()));
  } else {
    begin_action(TN_COMMAND_FILL_RECT);
    const detail::box to = detail::box_of(dest);
    group_.command.rect_dst = to.rect;
    for (int i = 0; i < 3; ++i) {
      group_.command.rect_extent[i] = to.extent[i];
    }
    void *block = place_block(sizeof(T), alignof(T));
    __builtin_memcpy(block, &src, sizeof(T));
    group_.command.pattern = block;
    group_.command.pattern_size = sizeof(T);
  }
}

inline void handler::use_host_task(detail::host_task_base *task) {
  group_.command.user = task;
  group_.command.free_user = detail::host_task_base::free;
  group_.command.host_task = detail::host_task_base::run;
  for (std::uint32_t i = 0; i < task->captured.access_count; ++i) {
    const tn_access &used = task->captured.accesses[i];
    tn_capture_record_add(&group_.captured, used.buffer, used.mode);
  }
  if (task->captured.is_out_of_memory != 0) {
    group_.captured.is_out_of_memory = 1;
  }
}

template <class T>
void handler::host_task(T &&hostTaskCallable) {
  using F = std::decay_t<T>;
  static_assert(std::is_invocable_v<F &> || std::is_invocable_v<F &, interop_handle>,
                "host_task: the function takes nothing, or an interop_handle");
  begin_action(std::is_invocable_v<F &, interop_handle> ? TN_COMMAND_INTEROP_TASK
                                                        : TN_COMMAND_HOST_TASK);
  use_host_task(new detail::host_task_object<F>(std::forward<T>(hostTaskCallable)));
}

template <class T>
void handler::ext_codeplay_enqueue_native_command(T &&interopCallable) {
  using F = std::decay_t<T>;
  static_assert(std::is_invocable_v<F &, interop_handle>,
                "ext_codeplay_enqueue_native_command: the function takes an interop_handle");
  begin_action(TN_COMMAND_NATIVE);
  use_host_task(new detail::host_task_object<F>(std::forward<T>(interopCallable)));
}

template <class T, int Dim, access_mode Mode, target Tgt, access::placeholder IsPlaceholder>
void handler::update_host(accessor<T, Dim, Mode, Tgt, IsPlaceholder> acc) {
  if (!acc.tn_link().buffer) {
    detail::raise(errc::invalid, "update_host: the accessor belongs to no buffer");
  }
  // Reading it in a host task is what brings the data to the host.
  const auto update = [acc] { tn_buffer_update_guarded(acc.tn_link().buffer, acc.tn_data()); };
  begin_action(TN_COMMAND_HOST_TASK);
  use_host_task(new detail::host_task_object<decltype(update)>(update));
}

#endif

}  // namespace sycl

#endif
