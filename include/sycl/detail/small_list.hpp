// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A list of plain values that needs the heap only when it is long. Every program that submits a
// command group compiles this: it is a tenth of what std::vector would be.
#ifndef TENON_SYCL_DETAIL_SMALL_LIST_HPP
#define TENON_SYCL_DETAIL_SMALL_LIST_HPP

#include <sycl/detail/macros.hpp>

#include <cstddef>
#include <new>
#include <type_traits>

namespace sycl::detail {

template <class T, std::size_t Few = 8>
class small_list {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_default_constructible_v<T>,
                "only plain values");

 public:
  small_list() = default;
  small_list(const small_list &) = delete;
  small_list &operator=(const small_list &) = delete;
  ~small_list() {
    if (data_ != few_) {
      ::operator delete(data_);
    }
  }

  void push(const T &value) {
    if (size_ == capacity_) {
      grow();
    }
    data_[size_++] = value;
  }
  T *data() noexcept { return data_; }
  std::size_t size() const noexcept { return size_; }
  const T &operator[](std::size_t index) const noexcept { return data_[index]; }
  T *begin() noexcept { return data_; }
  T *end() noexcept { return data_ + size_; }

 private:
  TN_SYCL_COLD void grow() {
    T *more = static_cast<T *>(::operator new(2 * capacity_ * sizeof(T)));
    __builtin_memcpy(more, data_, size_ * sizeof(T));
    if (data_ != few_) {
      ::operator delete(data_);
    }
    data_ = more;
    capacity_ *= 2;
  }

  T *data_ = few_;
  std::size_t size_ = 0;
  std::size_t capacity_ = Few;
  T few_[Few];
};

}  // namespace sycl::detail

#endif
