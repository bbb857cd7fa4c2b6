// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bodies of buffer: where its memory is, and what is written back. Included by buffer.hpp.
// Source: SYCL 2020 sections 4.7.2.4 (destruction rules), 4.7.4 (sharing host memory).
#ifndef TENON_SYCL_DETAIL_BUFFER_CREATE_HPP
#define TENON_SYCL_DETAIL_BUFFER_CREATE_HPP

#include <sycl/detail/buffer_class.hpp>

namespace sycl {

#ifdef __SYCL_DEVICE_ONLY__

template <class T, int Dimensions, class AllocatorT>
void buffer<T, Dimensions, AllocatorT>::create(const T *, source, std::shared_ptr<void>,
                                               const property_list &) {}
template <class T, int Dimensions, class AllocatorT>
buffer<T, Dimensions, AllocatorT>::buffer(buffer &b, const id<Dimensions> &,
                                          const range<Dimensions> &)
    : buffer(b) {}
template <class T, int Dimensions, class AllocatorT>
template <class Destination>
void buffer<T, Dimensions, AllocatorT>::set_final_data(Destination) {}
template <class T, int Dimensions, class AllocatorT>
template <class ReinterpretT, int ReinterpretDim>
buffer<ReinterpretT, ReinterpretDim,
       typename std::allocator_traits<AllocatorT>::template rebind_alloc<ReinterpretT>>
buffer<T, Dimensions, AllocatorT>::reinterpret(range<ReinterpretDim> reinterpretRange) const {
  return buffer<ReinterpretT, ReinterpretDim,
                typename std::allocator_traits<AllocatorT>::template rebind_alloc<ReinterpretT>>(
      reinterpretRange);
}

#else

namespace detail {

// Host memory from the user's allocator; the default one leaves it to the runtime.
template <class Allocator>
std::shared_ptr<void> allocate_elements(Allocator allocator, std::size_t count) {
  using traits = std::allocator_traits<Allocator>;
  try {
    auto *memory = traits::allocate(allocator, count);
    return std::shared_ptr<void>(memory, [allocator, count](void *pointer) mutable {
      traits::deallocate(allocator, static_cast<typename traits::pointer>(pointer), count);
    });
  } catch (const std::bad_alloc &) {
    raise(errc::memory_allocation, "a buffer's allocator has no memory for its elements");
  }
}

// What set_final_data was given, until the buffer goes.
template <class T, class Destination>
struct final_data {
  Destination destination;

  static void write(void *user, const void *data, std::size_t size) {
    auto &self = *static_cast<final_data *>(user);
    const T *elements = static_cast<const T *>(data);
    const std::size_t count = size / sizeof(T);
    if constexpr (is_weak_pointer(static_cast<Destination *>(nullptr))) {
      if (const auto locked = self.destination.lock()) {
        copy(elements, count, locked.get());
      }
    } else if constexpr (is_shared_pointer(static_cast<Destination *>(nullptr))) {
      copy(elements, count, self.destination.get());
    } else {
      copy(elements, count, self.destination);
    }
  }
  static void free(void *user) { delete static_cast<final_data *>(user); }

 private:
  template <class U>
  static constexpr bool is_weak_pointer(std::weak_ptr<U> *) {
    return true;
  }
  static constexpr bool is_weak_pointer(void *) { return false; }
  template <class U>
  static constexpr bool is_shared_pointer(std::shared_ptr<U> *) {
    return true;
  }
  static constexpr bool is_shared_pointer(void *) { return false; }
  template <class Output>
  static void copy(const T *elements, std::size_t count, Output output) {
    for (std::size_t i = 0; i < count; ++i, ++output) {
      *output = elements[i];
    }
  }
};

// The write-back of property::buffer::use_mutex.
inline void write_guarded(void *user, const void *data, std::size_t size) {
  auto *state = static_cast<buffer_state *>(user);
  const std::lock_guard<std::mutex> lock(*state->mutex);
  __builtin_memcpy(state->guarded, data, size);
}

inline void create_buffer(buffer_state &state, tn_buffer_params params) {
  params.struct_size = sizeof(params);
  const auto create = [&] {
    tn_diag diag;
    check(tn_buffer_create(&params, &state.object, &diag), diag);
  };
  if (state.mutex) {
    const std::lock_guard<std::mutex> lock(*state.mutex);
    create();
  } else {
    create();
  }
}

}  // namespace detail

template <class T, int Dimensions, class AllocatorT>
void buffer<T, Dimensions, AllocatorT>::create(const T *data, source from,
                                               std::shared_ptr<void> keep,
                                               const property_list &properties) {
  std::size_t bytes = sizeof(T);
  bool fits = true, is_empty = false;
  for (int i = 0; i < Dimensions; ++i) {
    fits = !__builtin_mul_overflow(bytes, range_[i], &bytes) && fits;
    is_empty = is_empty || range_[i] == 0;
  }
  if (!fits && !is_empty) {
    detail::raise(errc::memory_allocation, "a buffer has more elements than memory has bytes");
  }
  using property::buffer::use_host_ptr;
  using property::buffer::use_mutex;
  detail::buffer_reference owner(new detail::buffer_state);
  detail::buffer_state *const state = owner.get();
  state->properties = properties;
  state->keep = std::move(keep);
  tn_buffer_params params = {};
  params.size = byte_size();
  params.alignment = alignof(T);
  params.host_data = params.size ? const_cast<element *>(data) : nullptr;
  if (!data && from != source::none && params.size) {
    detail::raise(errc::invalid, "a buffer is made from host data, but the pointer is null");
  }
  const bool in_place = properties.tn_has<use_host_ptr>();
  if (properties.tn_has<use_mutex>()) {
    state->mutex = properties.tn_get<use_mutex>().get_mutex_ptr();
  }
  if (from == source::copied) {
    params.flags = TN_BUFFER_COPY_IN;
  } else if (in_place && data) {
    params.flags = TN_BUFFER_USE_HOST_PTR | (from == source::constant ? TN_BUFFER_HOST_CONST : 0u);
  } else if (from == source::constant) {
    params.flags = TN_BUFFER_HOST_CONST;
  } else if (from == source::shared && state->mutex) {
    // The application may look at its memory meanwhile: the runtime works on a copy.
    params.flags = TN_BUFFER_COPY_IN;
    state->guarded = params.host_data;
  }
  state->read_only = std::is_const_v<T> && from != source::none;
  constexpr bool own_allocator =
      !std::is_same_v<AllocatorT, buffer_allocator<std::remove_const_t<T>>>;
  if constexpr (own_allocator) {
    if (params.size && !(in_place && data) && (from != source::shared || state->guarded)) {
      auto memory = detail::allocate_elements(allocator_, size());
      if (data) {
        __builtin_memcpy(memory.get(), data, params.size);
      }
      params.host_data = memory.get();
      params.flags = TN_BUFFER_USE_HOST_PTR;
      state->keep = std::move(memory);
    }
  }
  detail::create_buffer(*state, params);
  if (state->guarded) {
    tn_buffer_set_write_back(state->object, detail::write_guarded, state, nullptr);
  } else if (own_allocator && state->keep && from != source::shared) {
    tn_buffer_set_write_back(state->object, nullptr, nullptr, nullptr);
  }
  state_ = handle(owner.release());
}

template <class T, int Dimensions, class AllocatorT>
buffer<T, Dimensions, AllocatorT>::buffer(buffer &b, const id<Dimensions> &baseIndex,
                                          const range<Dimensions> &subRange)
    : range_(subRange), allocator_(b.allocator_) {
  if (b.is_sub_buffer()) {
    detail::raise(errc::invalid,
                  "a sub-buffer cannot be made from a sub-buffer; make it from the buffer that the "
                  "other one was made from");
  }
  bool only_one_before = true;  // all dimensions so far are a single row
  for (int i = 0; i < Dimensions; ++i) {
    if (baseIndex[i] > b.range_[i] || subRange[i] > b.range_[i] - baseIndex[i]) {
      detail::raise_outside("sub-buffer", i, baseIndex[i], subRange[i], b.range_[i]);
    }
    if (!only_one_before && subRange[i] != b.range_[i]) {
      detail::raise(errc::invalid,
                    "a sub-buffer has to be one contiguous piece of its buffer: all of every "
                    "dimension behind the first one where it has more than one element");
    }
    only_one_before = only_one_before && subRange[i] == 1;
  }
  detail::buffer_reference owner(new detail::buffer_state);
  detail::buffer_state *const state = owner.get();
  state->properties = b.state()->properties;
  state->read_only = b.state()->read_only;
  state->offset = detail::linear_index(baseIndex, b.range_) * sizeof(T);
  state->mutex = b.state()->mutex;
  if (b.state()->guarded) {
    state->guarded = static_cast<char *>(b.state()->guarded) + state->offset;
  }
  state->keep = b.state()->keep;
  tn_diag diag;
  detail::check(
      tn_buffer_create_part(b.state()->object, state->offset, byte_size(), &state->object, &diag),
      diag);
  state->base = b.state();
  detail::buffer_own(state->base);
  state_ = handle(owner.release());
}

template <class T, int Dimensions, class AllocatorT>
template <class Destination>
void buffer<T, Dimensions, AllocatorT>::set_final_data(Destination finalData) {
  if (is_sub_buffer()) {
    detail::raise(errc::invalid,
                  "set_final_data: call it on the buffer that the sub-buffer was made from");
  }
  if constexpr (std::is_null_pointer_v<Destination>) {
    (void)finalData;
    tn_buffer_set_write_back(state()->object, nullptr, nullptr, nullptr);
  } else {
    using holder = detail::final_data<element, Destination>;
    if constexpr (std::is_constructible_v<bool, Destination>) {
      if (!finalData) {
        tn_buffer_set_write_back(state()->object, nullptr, nullptr, nullptr);
        return;
      }
    }
    tn_buffer_set_write_back(state()->object, &holder::write, new holder{finalData}, &holder::free);
  }
}

template <class T, int Dimensions, class AllocatorT>
template <class ReinterpretT, int ReinterpretDim>
buffer<ReinterpretT, ReinterpretDim,
       typename std::allocator_traits<AllocatorT>::template rebind_alloc<ReinterpretT>>
buffer<T, Dimensions, AllocatorT>::reinterpret(range<ReinterpretDim> reinterpretRange) const {
  std::size_t bytes = sizeof(ReinterpretT);
  bool fits = true;
  for (int i = 0; i < ReinterpretDim; ++i) {
    fits = !__builtin_mul_overflow(bytes, reinterpretRange[i], &bytes) && fits;
  }
  if (!fits || bytes != byte_size()) {
    detail::raise(errc::invalid, "buffer::reinterpret: the new range has another number of bytes");
  }
  if (state()->offset % alignof(ReinterpretT) != 0) {
    detail::raise(errc::invalid,
                  "buffer::reinterpret: the sub-buffer does not start where an element of the new "
                  "type may lie");
  }
  using new_allocator =
      typename std::allocator_traits<AllocatorT>::template rebind_alloc<ReinterpretT>;
  detail::buffer_own(state());
  return buffer<ReinterpretT, ReinterpretDim, new_allocator>(handle(state()), reinterpretRange,
                                                             new_allocator(allocator_));
}

#endif

}  // namespace sycl

#endif
