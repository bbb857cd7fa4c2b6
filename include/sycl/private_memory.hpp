// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl::private_memory: an object for each logical work-item of a hierarchical kernel's work-group.
// Source: SYCL 2020 section 4.9.4.2.3.
#ifndef TENON_SYCL_PRIVATE_MEMORY_HPP
#define TENON_SYCL_PRIVATE_MEMORY_HPP

#include <sycl/h_item.hpp>

#include <new>

namespace sycl {

template <class T, int Dimensions = 1>
class private_memory {
 public:
  // When the launch names no work-group size, the ranges of the loops say how many there are.
  private_memory(const group<Dimensions> &group)
      : count_(group.get_local_linear_range() > 1 ? group.get_local_linear_range()
                                                  : detail::longest_hierarchy) {
    if constexpr (!std::is_trivially_default_constructible_v<T>) {
      for (std::size_t i = 0; i < count_; ++i) {
        ::new (static_cast<void *>(at(i))) T;
      }
    }
  }
  private_memory(const private_memory &) = delete;
  private_memory &operator=(const private_memory &) = delete;
  ~private_memory() {
    if constexpr (!std::is_trivially_destructible_v<T>) {
      for (std::size_t i = 0; i < count_; ++i) {
        at(i)->~T();
      }
    }
  }

  // Logical work-items beyond the work-group's size share the objects of those that run them.
  T &operator()(const h_item<Dimensions> &item) noexcept {
    return *at(item.get_logical_local().get_linear_id() % count_);
  }

 private:
  T *at(std::size_t index) noexcept { return reinterpret_cast<T *>(bytes_) + index; }

  std::size_t count_;
  alignas(T) unsigned char bytes_[sizeof(T) * detail::longest_hierarchy];
};

}  // namespace sycl

#endif
