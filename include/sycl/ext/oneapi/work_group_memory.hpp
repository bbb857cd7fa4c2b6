// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// work_group_memory: local memory as one object, which is also an argument of a kernel function.
// Source: the SYCL extension sycl_ext_oneapi_work_group_memory.
#ifndef TENON_SYCL_EXT_WORK_GROUP_MEMORY_HPP
#define TENON_SYCL_EXT_WORK_GROUP_MEMORY_HPP

#include <sycl/detail/device_builtins.hpp>
#include <sycl/detail/free_function.hpp>
#include <sycl/multi_ptr.hpp>
#ifndef __SYCL_DEVICE_ONLY__
#include "tenon/capture.h"
#endif

namespace sycl {

class handler;

namespace detail {

// 8 bytes: in kernels the offset in the group's local memory; before, what the runtime needs to
// know of it: bits 0 to 31 the size, 32 to 36 the logarithm of the alignment, the rest a number.
class memory_link {
 public:
  memory_link() = default;
#ifdef __SYCL_DEVICE_ONLY__
  void *address() const noexcept { return static_cast<char *>(__tenon_local_memory()) + word_; }
#else
  memory_link(std::uint64_t count, std::uint64_t element_size, std::uint64_t alignment) noexcept {
    static std::uint64_t numbers = 0;
    constexpr std::uint64_t most = 0xffffffff;  // no device has as much
    std::uint64_t size = 0;
    const bool is_over = __builtin_mul_overflow(count, element_size, &size) || size > most;
    const auto shift = static_cast<std::uint64_t>(__builtin_ctzll(alignment));
    word_ = (is_over ? most : size) | shift << 32 |
            __atomic_add_fetch(&numbers, 1, __ATOMIC_RELAXED) << 37;
  }
  memory_link(const memory_link &other) noexcept : word_(other.word_) {
    tn_capture *capture = word_ != 0 ? tn_capture_get() : nullptr;
    if (capture && this >= capture->begin && this < capture->end) {
      note(capture, this);
    }
  }
  memory_link &operator=(const memory_link &) = default;
  // Says that `field` gets the offset. Accessors' numbers do not have the highest bit.
  void note(tn_capture *capture, const void *field) const {
    capture->note_local(capture, field, word_ >> 37 | std::uint64_t{1} << 63, word_ & 0xffffffff,
                        1u << (word_ >> 32 & 31));
  }
  bool is_bound() const noexcept { return word_ != 0; }
  void *address() const noexcept { return nullptr; }  // there is none outside kernels
#endif

 private:
  std::uint64_t word_ = 0;
};
static_assert(sizeof(memory_link) == 8, "the layout is the same in both passes");

template <class T>
inline constexpr bool is_unbounded = std::is_array_v<T> && std::extent_v<T> == 0;

}  // namespace detail

namespace ext::oneapi::experimental {

struct indeterminate_t {};
inline constexpr indeterminate_t indeterminate;

template <class DataT>
class work_group_memory {
  static constexpr bool is_unbounded = sycl::detail::is_unbounded<DataT>;
  template <class T>
  using if_unbounded = std::enable_if_t<sycl::detail::is_unbounded<T>, int>;
  template <class T>
  using if_bounded = std::enable_if_t<!sycl::detail::is_unbounded<T>, int>;

 public:
  using value_type = std::remove_all_extents_t<DataT>;
  // The memory of one element of an unbounded array.
  using element_type = std::remove_extent_t<DataT>;
  static_assert(std::is_trivially_destructible_v<value_type>,
                "work_group_memory: nobody would call the destructors of its objects");

  // Of no memory: assign another object to it before it is used.
  work_group_memory(const indeterminate_t &) noexcept {}
  work_group_memory(const work_group_memory &) = default;
  work_group_memory &operator=(const work_group_memory &) = default;
#ifdef __SYCL_DEVICE_ONLY__
  template <class T = DataT, if_bounded<T> = 0>
  explicit work_group_memory(handler &) {}
  template <class T = DataT, if_unbounded<T> = 0>
  work_group_memory(std::size_t, handler &) {}
#else
  template <class T = DataT, if_bounded<T> = 0>
  explicit work_group_memory(handler &) : link_(1, sizeof(T), alignof(T)) {}
  template <class T = DataT, if_unbounded<T> = 0>
  work_group_memory(std::size_t num, handler &)
      : link_(num, sizeof(element_type), alignof(element_type)) {}
#endif

  operator DataT &() const noexcept { return *reinterpret_cast<DataT *>(link_.address()); }
  template <class T = DataT, std::enable_if_t<!std::is_array_v<T>, int> = 0>
  const work_group_memory &operator=(const DataT &value) const noexcept {
    *static_cast<DataT *>(link_.address()) = value;
    return *this;
  }
  DataT *operator&() const noexcept { return reinterpret_cast<DataT *>(link_.address()); }

  template <access::decorated IsDecorated = access::decorated::no>
  multi_ptr<value_type, access::address_space::local_space, IsDecorated> get_multi_ptr()
      const noexcept {
    using pointer = multi_ptr<value_type, access::address_space::local_space, IsDecorated>;
    return pointer(
        static_cast<typename pointer::pointer>(static_cast<value_type *>(link_.address())));
  }

  // For the runtime.
  const sycl::detail::memory_link &tn_memory() const noexcept { return link_; }

 private:
  sycl::detail::memory_link link_;
};

}  // namespace ext::oneapi::experimental

namespace detail {
template <class T>
inline constexpr unsigned argument_kind<ext::oneapi::experimental::work_group_memory<T>, void> =
    argument_is_local;
}  // namespace detail

}  // namespace sycl

#endif
