// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bodies of buffer: where its memory is, and what is written back. Included by buffer.hpp.
// Source: SYCL 2020 sections 4.7.2.4 (destruction rules), 4.7.4 (sharing host memory).
#ifndef TENON_SYCL_DETAIL_BUFFER_CREATE_HPP
#define TENON_SYCL_DETAIL_BUFFER_CREATE_HPP

#include <sycl/detail/buffer_class.hpp>

namespace sycl {

#ifdef __SYCL_DEVICE_ONLY__

template <class T, int Dimensions, class AllocatorT, class Always>
buffer<T, Dimensions, AllocatorT, Always>::buffer(const std::shared_ptr<T> &,
                                                  const range<Dimensions> &bufferRange,
                                                  AllocatorT allocator,
                                                  const property_list &propList)
    : buffer(bufferRange, allocator, propList) {}
template <class T, int Dimensions, class AllocatorT, class Always>
template <class Destination>
void buffer<T, Dimensions, AllocatorT, Always>::set_final_data(Destination) {}
template <class T, int Dimensions, class AllocatorT, class Always>
template <class ReinterpretT, int ReinterpretDim>
buffer<ReinterpretT, ReinterpretDim,
       typename std::allocator_traits<AllocatorT>::template rebind_alloc<ReinterpretT>>
buffer<T, Dimensions, AllocatorT, Always>::reinterpret(
    range<ReinterpretDim> reinterpretRange) const {
  return buffer<ReinterpretT, ReinterpretDim,
                typename std::allocator_traits<AllocatorT>::template rebind_alloc<ReinterpretT>>(
      reinterpretRange);
}

#else

namespace detail {

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
    if constexpr (std::is_same_v<Output, void *>) {
      copy(elements, count, static_cast<T *>(output));
    } else {
      for (std::size_t i = 0; i < count; ++i, ++output) {
        *output = elements[i];
      }
    }
  }
};

}  // namespace detail

template <class T, int Dimensions, class AllocatorT, class Always>
buffer<T, Dimensions, AllocatorT, Always>::buffer(const std::shared_ptr<T> &hostData,
                                                  const range<Dimensions> &bufferRange,
                                                  AllocatorT allocator,
                                                  const property_list &propList)
    : memory_{allocator},
      object_(elements, bufferRange, hostData ? contents<T> : TN_CONTENTS_NONE, hostData.get(),
              propList, memory_) {
  detail::keep_pointer(object_.object, hostData);
}

template <class T, int Dimensions, class AllocatorT, class Always>
template <class Destination>
void buffer<T, Dimensions, AllocatorT, Always>::set_final_data(Destination finalData) {
  if (is_sub_buffer()) {
    detail::raise(errc::invalid,
                  "set_final_data: call it on the buffer that the sub-buffer was made from");
  }
  if constexpr (std::is_null_pointer_v<Destination>) {
    (void)finalData;
    tn_buffer_set_write_back(object_.object, nullptr, nullptr, nullptr);
  } else {
    using holder = detail::final_data<element, Destination>;
    if constexpr (std::is_constructible_v<bool, Destination>) {
      if (!finalData) {
        tn_buffer_set_write_back(object_.object, nullptr, nullptr, nullptr);
        return;
      }
    }
    tn_buffer_set_write_back(object_.object, &holder::write, new holder{finalData}, &holder::free);
  }
}

template <class T, int Dimensions, class AllocatorT, class Always>
template <class ReinterpretT, int ReinterpretDim>
buffer<ReinterpretT, ReinterpretDim,
       typename std::allocator_traits<AllocatorT>::template rebind_alloc<ReinterpretT>>
buffer<T, Dimensions, AllocatorT, Always>::reinterpret(
    range<ReinterpretDim> reinterpretRange) const {
  using new_allocator =
      typename std::allocator_traits<AllocatorT>::template rebind_alloc<ReinterpretT>;
  using result = buffer<ReinterpretT, ReinterpretDim, new_allocator>;
  return result(object_.object, reinterpretRange, new_allocator(get_allocator()),
                typename result::reinterpreted());
}

#endif

}  // namespace sycl

#endif
