// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bodies of async_work_group_copy and mem_fence, which group and nd_item share.
// Source: SYCL 2020 sections 4.9.1.5, 4.9.1.7.
#ifndef TENON_SYCL_DETAIL_GROUP_COPY_HPP
#define TENON_SYCL_DETAIL_GROUP_COPY_HPP

#include <sycl/access.hpp>
#include <sycl/device_event.hpp>

#include <cstddef>

namespace sycl::detail {

template <access_mode Mode>
void legacy_fence() noexcept {
  static_assert(
      Mode == access_mode::read || Mode == access_mode::write || Mode == access_mode::read_write,
      "mem_fence: the access mode is read, write or read_write");
  __atomic_thread_fence(__ATOMIC_ACQ_REL);
}

template <class Dest, class Src>
void check_copy() {
  using to = std::remove_reference_t<decltype(*std::declval<const Dest &>())>;
  using from = std::remove_reference_t<decltype(*std::declval<const Src &>())>;
  static_assert(!std::is_const_v<to> && std::is_same_v<to, std::remove_const_t<from>>,
                "async_work_group_copy: both pointers have to point to the same type, and the "
                "destination is not const");
}

template <class Pointer, class = void>
struct is_local_pointer {
  static_assert(!std::is_same_v<Pointer, Pointer>,
                "async_work_group_copy with a stride takes multi_ptr of global and local memory: "
                "the stride is that of the global side");
};
template <class Pointer>
struct is_local_pointer<Pointer, std::void_t<decltype(Pointer::address_space)>>
    : std::bool_constant<Pointer::address_space == decltype(Pointer::address_space)::local_space> {
};

// What a work-item copies at once: an element, or a word of a large one, so that neighbors copy
// what lies side by side, on GPUs as in a CPU's vectors.
#if TN_SYCL_ON_GPU
inline constexpr std::size_t largest_word = 16;
#else
inline constexpr std::size_t largest_word = 8;
#endif
template <class T>
constexpr std::size_t word_of() noexcept {
  return !std::is_trivially_copyable_v<T> || sizeof(T) <= largest_word ? sizeof(T)
         : alignof(T) < largest_word                                   ? alignof(T)
                                                                       : largest_word;
}

// Each work-item copies its share; what waits for the event is a barrier.
template <class T>
void copy_elements(T *to, const T *from, std::size_t count, std::size_t to_stride,
                   std::size_t from_stride) noexcept {
  constexpr std::size_t word = word_of<T>();
  constexpr std::size_t words = sizeof(T) / word;
  const std::size_t step = physical_local_size();
  for (std::size_t i = physical_local_index(); i < count * words; i += step) {
    if constexpr (words == 1) {
      to[i * to_stride] = from[i * from_stride];
    } else {
      const std::size_t element = i / words;
      const std::size_t offset = i % words * word;
      auto *there = reinterpret_cast<std::byte *>(to + element * to_stride) + offset;
      auto *here = reinterpret_cast<const std::byte *>(from + element * from_stride) + offset;
      __builtin_memcpy(__builtin_assume_aligned(there, word), __builtin_assume_aligned(here, word),
                       word);
    }
  }
}
template <class Dest, class Src>
device_event copy_in_group(Dest dest, Src src, std::size_t count) noexcept {
  check_copy<Dest, Src>();
  copy_elements(&*dest, &*src, count, 1, 1);
  return device_event_maker::make();
}
template <class Dest, class Src>
device_event copy_in_group(Dest dest, Src src, std::size_t count, std::size_t stride) noexcept {
  check_copy<Dest, Src>();
  static_assert(
      is_local_pointer<Dest>::value != is_local_pointer<Src>::value,
      "async_work_group_copy copies from global to local memory, or from local to global");
  constexpr bool is_from_global = is_local_pointer<Dest>::value;
  copy_elements(&*dest, &*src, count, is_from_global ? 1 : stride, is_from_global ? stride : 1);
  return device_event_maker::make();
}

}  // namespace sycl::detail

#endif
