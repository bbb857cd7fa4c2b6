// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An owned reference to a counted object of the C API.
#ifndef TENON_SYCL_DETAIL_HANDLE_HPP
#define TENON_SYCL_DETAIL_HANDLE_HPP

#include <sycl/detail/std_types.hpp>

namespace sycl::detail {

template <class T, void (*Retain)(T *), void (*Release)(T *)>
class handle {
 public:
  handle() noexcept = default;
  // Takes over a reference.
  explicit handle(T *object) noexcept : object_(object) {}
  static handle retained(T *object) noexcept {
    if (object) {
      Retain(object);
    }
    return handle(object);
  }
  handle(const handle &other) noexcept : object_(other.object_) {
    if (object_) {
      Retain(object_);
    }
  }
  handle(handle &&other) noexcept : object_(other.object_) { other.object_ = nullptr; }
  handle &operator=(const handle &other) noexcept {
    if (other.object_) {
      Retain(other.object_);
    }
    if (object_) {
      Release(object_);
    }
    object_ = other.object_;
    return *this;
  }
  handle &operator=(handle &&other) noexcept {
    T *object = object_;
    object_ = other.object_;
    other.object_ = object;
    return *this;
  }
  ~handle() {
    if (object_) {
      Release(object_);
    }
  }

  T *get() const noexcept { return object_; }
  // For an `out` parameter; the handle must be empty.
  T **out() noexcept { return &object_; }
  // Gives the reference away.
  T *release() noexcept {
    T *object = object_;
    object_ = nullptr;
    return object;
  }
  void swap(handle &other) noexcept {
    T *object = object_;
    object_ = other.object_;
    other.object_ = object;
  }

 private:
  T *object_ = nullptr;
};

inline std::size_t hash_pointer(const void *pointer) noexcept {
  return reinterpret_cast<std::size_t>(pointer);
}

}  // namespace sycl::detail

#endif
